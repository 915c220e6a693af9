"""Keys, passwords, logins and addresses that are not for everybody."""

import ast
import hashlib
import logging
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import chatcore
from chatcore.application.events import queues
from chatcore.application.people import logins, passwords
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.configuration import from_environment
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.users import EmailVisibility
from chatcore.http.pipeline.routing import API_PREFIX
from chatcore.settings import BadSetting, Settings
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import MakeWorld, Someone, World, basic, is_

PASSWORD = "correct horse"
LOG_IN = ("POST", "/fetch_api_key")


def everything_sent(who: Someone) -> str:
    """All answers that list people, and the events of what others do."""
    world = who.world
    line = who.registers(client_gravatar=False, include_subscribers=True)
    create_user(world.svc, NewUser(email="zoe@example.org", full_name="Zoe"))
    world["ada"].says("soup", "lunch")
    world["ada"].writes("hello", who.name or "")
    world["ada"].joins("a new garden")
    announced: list[Any] = [line.state, line.events()]
    announced += [who.get("/users", client_gravatar=False, include_custom_profile_fields=True)]
    announced += [
        who.get(f"/users/{world[name].id}", client_gravatar=False) for name in ("ada", "robo", "olga")
    ]
    announced += [who.page(client_gravatar=False), who.get("/streams"), who.get("/users/me/subscriptions")]
    announced += [who.refused("GET", "/users/99999"), who.refused("GET", "/messages/99999")]
    return str(announced)


@pytest.mark.parametrize("name", ["olga", "bea", "gus", "robo"])
def test_sec_28_a_key_is_shown_to_its_holder_only(
    world: World, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    announced = everything_sent(world[name]) + caplog.text
    assert "password_hash" not in announced
    for other, key in world.keys.items():
        assert key not in announced, other
        assert basic(world.users[other].email, key).partition(" ")[2] not in announced


def test_sec_28_a_bots_key_is_shown_to_its_owner(world: World, ada: Someone) -> None:
    (bot,) = ada.registers().state["realm_bots"]
    assert bot["api_key"] == world.keys["robo"]
    assert world.keys["ada"] not in str(ada.registers().state)


def test_sec_32_every_failed_login_looks_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ada", "bea"):
        world.change_user(name, password_hash=passwords.hash_password(PASSWORD))
    world.change_user("bea", is_active=False)
    computed: list[str] = []
    context = passwords.password_context()

    class Counting:
        """A context that counts its hashes."""

        def verify(self, password: str, known_hash: str) -> bool:
            computed.append("hash")
            return bool(context.verify(password, known_hash))

        def dummy_verify(self) -> None:
            computed.append("hash")
            context.dummy_verify()

    monkeypatch.setattr(passwords, "password_context", Counting)
    answers = []
    for username in (
        "ada",
        "bea",
        "cem",
        "robo",
        "nobody",
    ):  # right account, deactivated, no password, bot, none
        answers.append(refusal(world.nobody, *LOG_IN, username=f"{username}@example.org", password="wrong"))
        assert len(computed) == len(answers), "as long for an account that is not there"
    assert all(answer == answers[0] for answer in answers)


def test_sec_33_secrets_are_compared_in_constant_time() -> None:
    """No `==` in the source compares a value whose name marks it as a secret."""
    secret = {"key", "api_key", "password", "token", "digest", "signature", "password_hash", "secret_key"}
    found = []
    for path in Path(chatcore.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
                sides = [node.left, *node.comparators]
                names = {getattr(side, "id", getattr(side, "attr", "")) for side in sides}
                constants = any(isinstance(side, ast.Constant) for side in sides)
                if names & secret and not constants:
                    found.append((path.name, ast.unparse(node)))
    assert [place for place in found if place[0] in ("logins.py", "auth.py", "app.py")] == []
    assert "compare_digest" in Path(logins.__file__).read_text()


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("length", [0, 1, 16, 31, 33, 64])
def test_sec_33_a_part_of_a_key_is_no_key(world: World, length: int) -> None:
    key = (world.keys["ada"] * 2)[:length]
    nobody = world.nobody
    nobody.headers["Authorization"] = basic("ada@example.org", key)
    assert refusal(nobody, "GET", "/users/me")["status"] == 401


def test_sec_34_tries_are_limited_on_the_server(world: World) -> None:
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    statuses = []
    for number in range(12):
        nobody = world.nobody
        nobody.headers["X-Forwarded-For"] = f"10.0.0.{number}"
        nobody.headers["User-Agent"] = f"client{number}/1"
        spelling = ["ada@example.org", "ADA@example.org", " Ada@Example.org "][number % 3]
        statuses.append(refusal(nobody, *LOG_IN, username=spelling, password=f"wrong{number}")["status"])
    assert statuses == [401] * 5 + [429] * 7
    response = world.nobody.request(*LOG_IN, username="ada@example.org", password=PASSWORD)
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.parametrize(
    "password", ["x" * 900_000, "x" * 401, "a\u0000b", PASSWORD + "x" * 72, PASSWORD + "\u0301", "🐎" * 200]
)
def test_sec_35_an_odd_password_is_refused_before_it_is_hashed(
    world: World, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    hashed: list[int] = []
    verify = passwords.password_context().verify
    monkeypatch.setattr(
        passwords.password_context(), "verify", lambda p, h: hashed.append(len(p.encode())) or verify(p, h)
    )
    answer = refusal(world.nobody, *LOG_IN, username="ada@example.org", password=password)
    assert answer["status"] in (400, 401)
    assert all(length <= passwords.MAX_PASSWORD_BYTES for length in hashed)


def test_sec_35_no_password_is_cut_silently(world: World) -> None:
    long = "x" * 99
    world.change_user("ada", password_hash=passwords.hash_password(long + "a"))
    refusal(world.nobody, *LOG_IN, username="ada@example.org", password=long + "b")
    world.nobody.post("/fetch_api_key", username="ada@example.org", password=long + "a")


@pytest.mark.parametrize("text", ["\ud800", "ok\udfff"])
def test_sec_35_lone_surrogates_are_no_password(world: World, text: str) -> None:
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    with pytest.raises(Exception, match="incorrect"):
        logins.log_in(world.svc, "ada@example.org", text)
    with pytest.raises(Exception, match="assword"):
        passwords.hash_password(text * 6)


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"development": "true"},
        {"Host": "localhost"},
        {"Host": "127.0.0.1:9991"},
        {"X-Forwarded-Host": "localhost"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Http-Method-Override": "POST"},
    ],
)
def test_sec_38_a_production_server_hands_out_no_keys(world: World, extra: dict[str, str]) -> None:
    nobody = world.nobody
    parameters = {name: text for name, text in extra.items() if name == "development"}
    nobody.headers.update({name: text for name, text in extra.items() if name != "development"})
    for username in ("olga@example.org", "nobody@example.org", ""):
        answer = refusal(nobody, "POST", "/dev_fetch_api_key", username=username, **parameters)
        assert answer == refusal(nobody, "POST", "/dev_fetch_api_key", username="x")


@pytest.mark.parametrize("text", ["maybe", "2", "tru", "enabled", "None"])
def test_sec_38_an_unclear_setting_is_no_permission(text: str) -> None:
    with pytest.raises(BadSetting):
        from_environment({"CHATCORE_DEVELOPMENT": text})
    assert from_environment({}).development is False


HIDDEN = (EmailVisibility.NOBODY, EmailVisibility.ADMINISTRATORS, EmailVisibility.MODERATORS)


@pytest.mark.parametrize("visibility", HIDDEN)
@pytest.mark.parametrize("name", ["bea", "gus", "robo"])
def test_sec_39_a_hidden_address_is_nowhere(world: World, name: str, visibility: EmailVisibility) -> None:
    world.change_user("ada", email_visibility=int(visibility))
    announced = everything_sent(world[name])
    assert "ada@example.org" not in announced
    assert hashlib.md5(b"ada@example.org").hexdigest() not in announced
    assert f"user{world['ada'].id}@chat.example.org" in announced


def require_finds_nobody(who: Someone, address: str) -> None:
    """Every endpoint that takes an address answers for this one as for one without a user."""

    def same(method: str, path: str, **parameters: Any) -> None:
        answers = []
        for one in (address, "zed@example.org"):
            given = {k: v.replace("WHO", one) for k, v in parameters.items()}
            answer = refusal(who, method, path.replace("WHO", one), **given)
            answers.append(str(answer).replace(one, "WHO"))
        assert answers[0] == answers[1], path

    same("GET", "/users/WHO")
    same("GET", "/users/WHO/presence")
    same("PATCH", "/users/WHO", full_name="Zed")
    same("POST", "/messages", type="direct", to='["WHO"]', content="hello")
    window = {"anchor": "newest", "num_before": "1", "num_after": "0"}
    for operator in ("sender", "dm", "dm-including", "pm-with", "group-pm-with"):
        narrow = f'[["{operator}", "WHO"]]'
        same("GET", "/messages", narrow=narrow, **window)
        same("GET", "/messages/matches_narrow", narrow=narrow, msg_ids="[1]")
        same("POST", "/messages/flags/narrow", narrow=narrow, op="add", flag="read", **window)
    same("POST", "/users/me/subscriptions", subscriptions='[{"name": "lunch"}]', principals='["WHO"]')
    same("DELETE", "/users/me/subscriptions", subscriptions='["lunch"]', principals='["WHO"]')


def test_sec_39_a_hidden_address_finds_nobody(world: World, ada: Someone, bea: Someone) -> None:
    world.change_user("ada", email_visibility=int(EmailVisibility.ADMINISTRATORS))

    require_finds_nobody(bea, "ada@example.org")
    sent = ada.says("soup")
    assert bea.finds(f"sender:user{ada.id}@chat.example.org") == [sent]
    assert bea.finds(is_("sender", ada.id)) == [sent]
    assert world["adi"].get("/users/ada@example.org")["user"]["user_id"] == ada.id
    assert bea.opens_queue("message", narrow=[["sender", "ada@example.org"]]).events() == []


def test_sec_39_the_address_of_an_invisible_user_finds_nobody(
    world: World, cem: Someone, gus: Someone
) -> None:
    """An address may be public, but a limited guest may not learn whose messages belong to it."""
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    cem.joins("lunch")
    sent = cem.says("soup")
    cem.leaves("lunch")
    assert gus.message(sent)["sender_full_name"] == "Unknown user"
    require_finds_nobody(gus, cem.email)
    for path in (f"/users/{cem.id}", f"/users/user{cem.id}@chat.example.org"):
        assert gus.refused("GET", path)["msg"] == "No such user"
    known = ("ada@example.org", "robo@example.org", gus.email)
    assert all(gus.get(f"/users/{address}")["user"]["email"] == address for address in known)
    assert gus.finds("sender:ada@example.org") == []
    cem.joins("lunch")
    assert gus.get(f"/users/{cem.email}")["user"]["full_name"] == "Cem"


def test_sec_39_a_queues_narrow_does_not_know_a_hidden_address(
    world: World, ada: Someone, bea: Someone
) -> None:
    world.change_user("ada", email_visibility=int(EmailVisibility.NOBODY))
    real = bea.opens_queue("message", narrow=[["sender", "ada@example.org"]])
    placeholder = bea.opens_queue("message", narrow=[["sender", f"user{ada.id}@chat.example.org"]])
    sent = ada.says("soup")
    assert real.messages() == []
    assert placeholder.messages() == [sent]


def encoded(text: bytes) -> str:
    return "Basic " + b64encode(text).decode()


@pytest.mark.parametrize(
    "header",
    [
        "Basic",
        "Basic ",
        "Basic !!!!",
        "Basic YWRh=",
        encoded(b"no colon"),
        encoded(b"\xff\xfe:key"),
        encoded(b"ada@example.org:"),
        encoded(b":KEY"),
        encoded(b"ada@example.org:KEY:more"),
        encoded(b"ADA@example.org:KEY"),
        encoded(b" ada@example.org:KEY"),
        encoded(b"bea@example.org:KEY"),
        encoded(b"nobody@example.org:KEY"),
        encoded(b"ada@example.org:" + b"x" * 32),
        encoded(b"ada@example.org:\0"),
        "Basic " + "A" * 1_000_000,
        "basic " + "A" * 10,
    ],
)
def test_sec_40_wrong_credentials_all_get_one_answer(world: World, header: str) -> None:
    kind, _, text = header.partition(" ")
    with_key = header
    try:
        import base64

        decoded = base64.b64decode(text, validate=True)
        if b"KEY" in decoded:
            with_key = encoded(decoded.replace(b"KEY", world.keys["ada"].encode()))
    except ValueError:
        pass
    nobody = world.nobody
    nobody.headers["Authorization"] = encoded(b"nobody@example.org:x")
    expected = refusal(nobody, "GET", "/users/me")
    nobody.headers["Authorization"] = with_key
    assert refusal(nobody, "GET", "/users/me") == expected
    assert refusal(nobody, "POST", "/register") == expected
    assert kind.lower() == "basic"


def test_sec_41_queue_ids_are_long_and_random(world: World, ada: Someone) -> None:
    ids = {ada.opens_queue("message").id for _ in range(50)}
    assert len(ids) == 50
    assert all(len(one) >= 22 for one in ids), "128 bits in base64"
    assert len({one[:4] for one in ids}) > 40
    assert len({one[-4:] for one in ids}) > 40
    source = Path(queues.__file__).read_text()
    assert "secrets.token_urlsafe(24)" in source
    assert "import random" not in source


def test_sec_41_keys_do_not_repeat(make_world: MakeWorld) -> None:
    svc = make_world().svc
    keys = {logins.api_key(svc, user_id, version) for user_id in range(300) for version in range(100)}  # type: ignore[arg-type]
    assert len(keys) == 30_000


def test_sec_28_a_refusal_does_not_echo_credentials(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    nobody = world.nobody
    nobody.headers["Authorization"] = basic("ada@example.org", "sesame" * 5)
    with nothing_changes(world):
        answer = refusal(nobody, "GET", "/users/me")
        nobody.client.get(f"{API_PREFIX}/users/me?api_key=sesame&password=sesame", headers=nobody.headers)
    assert "sesame" not in str(answer) + caplog.text


def test_sec_29_with_another_password_all_keys_and_polls_end(world: World, bea: Someone) -> None:
    world.change_user("bea", password_hash=passwords.hash_password("correct horse"))
    line, poll = bea.opens_queue("message"), bea.opens_queue("message").waits()
    bea.patch("/settings", old_password="correct horse", new_password="staple battery")
    world["ada"].says("hush")
    assert poll.answer() == []
    refusal(bea, "GET", "/users/me")
    found = {"username": bea.email, "password": "staple battery"}
    bea.headers["Authorization"] = basic(bea.email, world.nobody.post("/fetch_api_key", **found)["api_key"])
    line.refused()
    bea.get("/users/me")


def test_settings_do_not_show_their_secrets() -> None:
    texts = ("database_url", "metrics_token", "giphy_api_key", "smtp_password", "bigbluebutton_secret")
    secrets: dict[str, Any] = dict.fromkeys(texts, "hush" * 8)
    secrets |= dict.fromkeys(("secret_key", "jwt_key"), b"hush" * 8)
    assert "hush" not in repr(Settings(**secrets))
