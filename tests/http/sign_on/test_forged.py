"""Logins that somebody has forged, replayed or mixed up, and providers that fail."""

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.domain.roles import Role
from chatcore.runtime.openid import services
from chatcore.settings import BadSetting
from tests.http.sign_on.login_services import (
    CLIENT,
    KEY,
    ORIGIN,
    OTHER_KEY,
    ToyProvider,
    account_of,
    begins,
    browser,
    logout_claims,
    logs_out,
    parameters_of,
    refused,
    signed,
    toy_provider,
    unsigned,
    visits,
    with_secret,
)
from tests.worlds.groups import makes
from tests.worlds.organization import DAY, NOW, MakeWorld, World
from tests.worlds.web_services import Answer

FAILED = "EXTERNAL_LOGIN_FAILED"
UNAVAILABLE = "LOGIN_SERVICE_UNAVAILABLE"
COOKIE = "__Host-chat_login"


@pytest.fixture
def toy() -> Iterator[ToyProvider]:
    with toy_provider() as toy:
        yield toy


@pytest.fixture
def trusting(make_world: MakeWorld, toy: ToyProvider) -> World:
    return make_world(oidc=(toy.settings(),), login_app_scheme="chatapp")


def comes_back(client: Client, toy: ToyProvider, **changes: str | None) -> Any:
    """Begin a login, and come back from the provider with other parameters."""
    back = toy.lets_in(begins(client, "toy"))
    given = {**parameters_of(back), **changes}
    sent = {name: value for name, value in given.items() if value is not None}
    return visits(client, back.partition("?")[0], query_string=sent)


def nobody_is_in(world: World, client: Client) -> None:
    assert account_of(world, client) is None
    assert (world.count("external_identity"), world.count("browser_session")) == (0, 0)


def test_a_right_login_is_let_in(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    response = comes_back(client, toy)
    assert response.status_code == 302, (response.text, toy.service.requests)
    assert response.headers["Location"] == f"{ORIGIN}/"
    assert account_of(trusting, client) == "ada"
    (request,) = toy.asked("/token")
    assert request.headers["authorization"].startswith("Basic ")
    assert b"secret" not in request.body


def test_the_server_proves_itself_as_the_provider_wants(make_world: MakeWorld, toy: ToyProvider) -> None:
    toy.description["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    world = make_world(oidc=(toy.settings(), toy.settings(name="public", client_secret="")))
    for name in ("toy", "public"):
        client = browser(world)
        assert visits(client, toy.lets_in(begins(client, name))).status_code == 302
    in_body, public = toy.asked("/token")
    assert b"client_secret=a+secret+of+the+client" in in_body.body
    assert b"client_id=chat" in public.body
    assert b"client_secret" not in public.body
    assert {"authorization"}.isdisjoint({*in_body.headers, *public.headers})


FORGED: Mapping[str, Mapping[str, Any]] = {
    "for another program": {"aud": "another"},
    "for several programs": {"aud": ["another", CLIENT]},
    "for this one, by another": {"aud": ["another", CLIENT], "azp": "another"},
    "for nobody": {"aud": None},
    "of another issuer": {"iss": "https://evil.example.com"},
    "of no issuer": {"iss": None},
    "of another login": {"nonce": "another"},
    "of no login": {"nonce": None},
    "expired": {"exp": NOW - 61},
    "without an end": {"exp": None},
    "with a text for its end": {"exp": "tomorrow"},
    "of the future": {"nbf": NOW + 120, "iat": NOW + 120},
    "of nobody": {"sub": None},
    "for another access": {"at_hash": "c29tZXRoaW5nIGVsc2U"},
}


@pytest.mark.parametrize("claims", FORGED.values(), ids=FORGED)
def test_a_token_that_is_for_something_else_lets_nobody_in(
    claims: Mapping[str, Any], trusting: World, toy: ToyProvider
) -> None:
    toy.claims = {**claims}
    client = browser(trusting)
    refused(comes_back(client, toy), FAILED)
    nobody_is_in(trusting, client)


SIGNATURES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "none": unsigned,
    "that of another key": lambda claims: signed(claims, OTHER_KEY),
    "that of an unknown key": lambda claims: signed(claims, OTHER_KEY, kid="other"),
    "one with the secret of the client": with_secret,
    "one that is cut off": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "that of another content": lambda claims: ".".join(
        [
            signed(claims).split(".")[0],
            signed({**claims, "sub": "2"}).split(".")[1],
            signed(claims).split(".")[2],
        ]
    ),
    "no token": lambda claims: "token",
    "too long a token": lambda claims: signed({**claims, "more": "x" * 70_000}),
}


@pytest.mark.parametrize("sign", SIGNATURES.values(), ids=SIGNATURES)
def test_a_token_needs_the_signature_of_the_provider(
    sign: Callable[[Mapping[str, Any]], str], trusting: World, toy: ToyProvider
) -> None:
    toy.sign = sign
    client = browser(trusting)
    refused(comes_back(client, toy), FAILED)
    nobody_is_in(trusting, client)


def test_keys_that_the_provider_has_replaced_are_read_again_but_not_often(
    trusting: World, toy: ToyProvider
) -> None:
    client = browser(trusting)
    comes_back(client, toy)
    toy.keys = [KEY, OTHER_KEY]
    toy.sign = lambda claims: signed(claims, OTHER_KEY, kid="other")
    refused(comes_back(client, toy), FAILED)
    assert len(toy.asked("/keys")) == 1
    trusting.clock.passed += services.KEYS_SECONDS
    assert comes_back(client, toy).status_code == 302
    assert len(toy.asked("/keys")) == 2
    assert len(toy.asked("/.well-known/openid-configuration")) == 1


def test_a_login_counts_in_the_browser_that_has_begun_it(trusting: World, toy: ToyProvider) -> None:
    attacker, victim = browser(trusting), browser(trusting)
    back = toy.lets_in(begins(attacker, "toy"))
    refused(visits(victim, back), FAILED)
    begins(victim, "toy")
    refused(visits(victim, back), FAILED)
    nobody_is_in(trusting, victim)
    assert toy.asked("/token") == []


@pytest.mark.parametrize(
    "changes",
    [{"state": "another"}, {"state": None}, {"state": "ä"}, {"code": None}, {"code": "another"},
     {"error": "access_denied", "code": None}, {"iss": "https://evil.example.com"}, {"iss": ""}],
)  # fmt: skip
def test_other_answers_of_a_provider_let_nobody_in(
    changes: dict[str, str | None], trusting: World, toy: ToyProvider
) -> None:
    client = browser(trusting)
    refused(comes_back(client, toy, **changes), FAILED)
    nobody_is_in(trusting, client)


def test_providers_are_not_mixed_up(make_world: MakeWorld, toy: ToyProvider) -> None:
    with toy_provider() as evil:
        world = make_world(oidc=(toy.settings(), evil.settings(name="evil")))
        client = browser(world)
        honest = toy.lets_in(begins(client, "toy"))
        refused(visits(client, honest.replace("/toy/", "/evil/")), FAILED)
        assert evil.asked("/token") == []
        # The evil one lets a browser come to its own address with the code of the honest one.
        begun = parameters_of(begins(client, "evil"))
        assert begun["redirect_uri"] == f"{ORIGIN}/login/oidc/evil/callback"
        refused(visits(client, honest), FAILED)
        nobody_is_in(world, client)


def test_a_provider_that_says_who_it_is_has_to_say_it_always(trusting: World, toy: ToyProvider) -> None:
    toy.description["authorization_response_iss_parameter_supported"] = True
    client = browser(trusting)
    refused(comes_back(client, toy), FAILED)
    assert comes_back(client, toy, iss=toy.issuer).status_code == 302


def test_a_login_takes_ten_minutes_at_most(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    back = toy.lets_in(begins(client, "toy"))
    trusting.clock.advance(600)
    refused(visits(client, back), FAILED)


def test_a_login_ends_at_a_machine_whose_clock_is_a_little_behind(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    back = toy.lets_in(begins(client, "toy"))
    trusting.clock.advance(-61)
    refused(visits(client, back), FAILED)
    trusting.clock.advance(1)
    assert visits(client, back).status_code == 302


@pytest.mark.parametrize("proof", ["", "x", "ä", "e30", "A" * 60])
def test_a_proof_of_ones_own_making_is_none(proof: str, trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    back = toy.lets_in(begins(client, "toy"))
    client.set_cookie(COOKIE, proof, domain="chat.example.org", secure=True)
    refused(visits(client, back), FAILED)


def test_the_cookie_of_a_login_is_the_browsers_alone(trusting: World) -> None:
    response = visits(browser(trusting), "/login/oidc/toy")
    attributes = response.headers["Set-Cookie"].split("; ")
    assert attributes[0].startswith(f"{COOKIE}=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=600"} <= {*attributes}
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "page",
    ["//evil.example.com", "https://evil.example.com", "/\\evil.example.com", "@evil.example.com", "",
     ".evil.example.com", "javascript:alert(1)", "/a\r\nSet-Cookie: a=b", "/a\\b",
     "/" + "x" * 500, "/ a", "/ä", "/日本", "/a\x7f"],
)  # fmt: skip
def test_a_login_leads_to_the_organization_alone(page: str, trusting: World) -> None:
    response = visits(browser(trusting), "/login/oidc/toy", query_string={"next": page})
    assert refused(response, "BAD_REQUEST")["var_name"] == "next"
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize("pad", ["0" * 63, "0" * 65, "g" * 64, "٣" * 64])
def test_a_pad_has_64_hexadecimal_digits(pad: str, trusting: World) -> None:
    response = visits(browser(trusting), "/login/oidc/toy", query_string={"mobile_flow_otp": pad})
    assert refused(response, "BAD_REQUEST")["var_name"] == "mobile_flow_otp"


def test_without_a_scheme_no_app_logs_in(make_world: MakeWorld, toy: ToyProvider) -> None:
    world = make_world(oidc=(toy.settings(),))
    response = visits(browser(world), "/login/oidc/toy", query_string={"mobile_flow_otp": "0" * 64})
    refused(response, "BAD_REQUEST")


# -- people -----------------------------------------------------------------------------------------


def test_an_address_that_is_not_verified_gives_nobody_an_account(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    for verified in (False, None, "false", 1):
        toy.claims = {"email_verified": verified}
        refused(comes_back(client, toy), "EMAIL_NOT_VERIFIED", 403)
    nobody_is_in(trusting, client)


def test_two_people_with_one_address_are_not_one(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    toy.claims = {"email": "Ada@EXAMPLE.org"}
    comes_back(client, toy)
    assert account_of(trusting, client) == "ada"
    toy.claims = {"sub": "2", "email": "ada@example.org"}
    other = browser(trusting)
    refused(comes_back(other, toy), "EXTERNAL_IDENTITY_CONFLICT", 403)
    assert account_of(trusting, other) is None


def test_a_person_with_a_new_address_keeps_the_account(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    comes_back(client, toy)
    for email, verified in (("bea@example.org", True), ("new@example.org", True), (None, None)):
        toy.claims = {"email": email, "email_verified": verified}
        comes_back(client, toy)
        assert account_of(trusting, client) == "ada"


def test_a_deactivated_person_stays_out(trusting: World, toy: ToyProvider) -> None:
    trusting.change_user("ada", is_active=False)
    client = browser(trusting)
    refused(comes_back(client, toy), "USER_DEACTIVATED", 401)
    nobody_is_in(trusting, client)


def test_what_the_token_lacks_is_asked_for(trusting: World, toy: ToyProvider) -> None:
    toy.claims = {"email": None, "email_verified": None}
    toy.userinfo = {"sub": "2", "email": "olga@example.org", "email_verified": True}
    client = browser(trusting)
    refused(comes_back(client, toy), FAILED)
    toy.userinfo = {"sub": "1", "email": "bea@example.org", "email_verified": True, "iss": "x"}
    comes_back(client, toy)
    assert account_of(trusting, client) == "bea"
    assert toy.asked("/userinfo")[-1].headers["authorization"] == "Bearer a"


@pytest.mark.parametrize(
    ("token", "userinfo"),
    [
        ({"email_verified": None}, {"email": "ada@example.org", "email_verified": True}),
        ({"email": None, "email_verified": True}, {"email": "olga@example.org", "email_verified": False}),
        ({"email": None, "email_verified": True}, {"email": "olga@example.org"}),
    ],
)
def test_one_answer_does_not_vouch_for_the_address_of_the_other(
    trusting: World, toy: ToyProvider, token: dict[str, Any], userinfo: dict[str, Any]
) -> None:
    toy.claims = {"email": "olga@example.org", **token}
    toy.userinfo = {"sub": "1", **userinfo}
    client = browser(trusting)
    answer = comes_back(client, toy)
    if userinfo["email"] == "ada@example.org":
        assert account_of(trusting, client) == "ada"
    else:
        refused(answer, "EMAIL_NOT_VERIFIED", 403)
        nobody_is_in(trusting, client)


def test_what_is_in_no_answer_is_no_role_and_no_group(make_world: MakeWorld, toy: ToyProvider) -> None:
    more = {"roles": {"admins": Role.ADMINISTRATOR, "*": Role.MEMBER}, "groups": {"eng": "cooks"}}
    world = make_world(oidc=(toy.settings(role_claim="r.all", groups_claim="g", **more),))
    group = makes(world["olga"], "cooks")
    client = browser(world)

    def comes(userinfo: dict[str, Any], **claims: Any) -> tuple[Role, bool]:
        toy.claims, toy.userinfo = claims, {"sub": "1", **userinfo}
        assert comes_back(client, toy).status_code == 302
        world.storage.read(world.know)
        ada = world.users["ada"]
        return ada.role, group in world.storage.read(lambda tx: tx.groups.of_user(ada.id))

    given = {"r": {"all": ["admins"]}, "g": ["eng"]}
    assert comes({}, **given) == (Role.ADMINISTRATOR, True)
    assert comes(given, r={"other": 1}) == (Role.ADMINISTRATOR, True), "the rest is asked for"
    assert comes({}) == (Role.MEMBER, False)
    toy.claims = {"email": "olga@example.org", "sub": "9"}
    toy.userinfo = {"sub": "9"}
    assert comes_back(client, toy).status_code == 302
    world.storage.read(world.know)
    assert world.users["olga"].role == Role.OWNER, "the only one"


def test_the_session_of_the_browser_is_replaced(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    comes_back(client, toy)
    comes_back(client, toy)
    assert trusting.count("browser_session") == 1


# -- providers that fail ----------------------------------------------------------------------------


def unavailable(world: World, client: Client) -> None:
    with world.answers.unread():
        refused(visits(client, "/login/oidc/toy"), UNAVAILABLE, 503)


ODD: Mapping[str, Callable[[ToyProvider], object]] = {
    "an error": lambda toy: Answer(500),
    "nothing": lambda toy: Answer(404),
    "no JSON": lambda toy: Answer(body=b"<html>"),
    "deep JSON": lambda toy: Answer(body=b"[" * 100_000),
    "a list": lambda toy: Answer(body=b"[]"),
    "too much": lambda toy: Answer(body=b" " * 300_000),
    "an empty description": lambda toy: Answer(body=b"{}"),
    "another issuer": lambda toy: {**toy.description, "issuer": "https://evil.example.com"},
    "another scheme": lambda toy: {**toy.description, "token_endpoint": "file:///etc/passwd"},
    "a line break in an address": lambda toy: {
        **toy.description,
        "authorization_endpoint": f"{toy.issuer}/a\nb",
    },
    "letters that no address has": lambda toy: {
        **toy.description,
        "authorization_endpoint": f"{toy.issuer}/日本",
    },
    "a number for an address": lambda toy: {**toy.description, "jwks_uri": 1},
    "no signature that counts": lambda toy: {
        **toy.description,
        "id_token_signing_alg_values_supported": ["HS256", "none"],
    },
    "no signature": lambda toy: {**toy.description, "id_token_signing_alg_values_supported": []},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_a_provider_that_answers_oddly_is_unavailable(
    odd: Callable[[ToyProvider], Any], trusting: World, toy: ToyProvider
) -> None:
    answer, answers = odd(toy), toy.service.answers
    if isinstance(answer, dict):
        toy.description = answer
    else:
        toy.service.answers = lambda request: answer
    client = browser(trusting)
    unavailable(trusting, client)
    asked = len(toy.service.requests)
    unavailable(trusting, client)
    assert len(toy.service.requests) == asked, "it is asked again after a pause"
    toy.service.answers = answers
    toy.description = toy.right_description
    trusting.clock.passed += services.PAUSE_SECONDS
    assert comes_back(client, toy).status_code == 302


def test_odd_keys_are_none(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    back, answers = toy.lets_in(begins(client, "toy")), toy.service.answers
    for keys in (b"{}", b'{"keys": 1}', b'{"keys": [1]}', b'{"keys": [{"kty": "RSA"}]}', b'{"keys": []}'):
        toy.service.answers = lambda request, keys=keys: (  # type: ignore[misc]
            Answer(body=keys) if request.path == "/keys" else answers(request)
        )
        with trusting.answers.unread():
            response = visits(client, back)
        assert response.get_json()["code"] in (UNAVAILABLE, FAILED), keys
    nobody_is_in(trusting, client)


def test_a_wrong_secret_of_the_client_is_the_operators_fault(
    trusting: World, toy: ToyProvider, caplog: pytest.LogCaptureFixture
) -> None:
    client = browser(trusting)
    back, answers = toy.lets_in(begins(client, "toy")), toy.service.answers
    toy.service.answers = lambda request: (
        Answer(401, b'{"error": "invalid_client"}') if request.path == "/token" else answers(request)
    )
    with trusting.answers.unread(), caplog.at_level("WARNING", "chatcore.logins"):
        refused(visits(client, back), UNAVAILABLE, 503)
    assert "it refuses the client_id or the client_secret (invalid_client)" in caplog.text


def test_a_known_description_lasts_while_the_provider_is_away(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    comes_back(client, toy)
    answers = toy.service.answers
    toy.service.answers = lambda request: Answer(500)
    trusting.clock.passed += services.FRESH_SECONDS
    begins(client, "toy")
    toy.service.answers = answers


def test_a_silent_provider_holds_no_other_request(
    trusting: World, toy: ToyProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SECONDS", 1000.0)
    asked, goes_on = threading.Semaphore(0), threading.Event()
    answers = toy.service.answers

    def wait(request: Any) -> Answer:
        asked.release()
        goes_on.wait()
        return answers(request)

    client = browser(trusting)
    back = [toy.lets_in(begins(client, "toy")) for _ in range(1)]
    toy.service.answers = wait
    logins = [
        threading.Thread(target=lambda: visits(browser(trusting), "/login/oidc/toy/logout")) for _ in range(3)
    ]
    trusting.clock.passed += services.FRESH_SECONDS
    for login in logins:
        login.start()
    asked.acquire()
    try:
        assert trusting.nobody.get("/server_settings")["realm_name"]
        assert trusting["ada"].finds() == []
    finally:
        goes_on.set()
        for login in logins:
            login.join()
    toy.service.answers = answers
    assert visits(client, back[0]).status_code == 302


def test_few_requests_wait_for_a_provider(trusting: World, toy: ToyProvider) -> None:
    service = trusting.svc.login_services.get("toy")
    asked, goes_on = threading.Semaphore(0), threading.Event()

    def wait(request: Any) -> Answer:
        asked.release()
        goes_on.wait()
        return Answer()

    toy.service.answers = wait
    askers = [
        threading.Thread(target=lambda: service.ask("GET", f"{toy.issuer}/x"))
        for _ in range(services.AT_A_TIME)
    ]
    for asker in askers:
        asker.start()
    for _ in askers:
        asked.acquire()
    try:
        unavailable(trusting, browser(trusting))
    finally:
        goes_on.set()
        for asker in askers:
            asker.join()


def test_an_unknown_provider_is_nowhere(trusting: World) -> None:
    for path in ("", "/callback", "/logout"):
        refused(visits(browser(trusting), f"/login/oidc/other{path}"), "BAD_REQUEST", 404)


def test_a_browser_gets_a_page(trusting: World) -> None:
    response = visits(browser(trusting), "/login/oidc/toy/callback", headers={"Accept": "text/html"})
    assert (response.status_code, response.mimetype) == (400, "text/html")
    assert FAILED in response.text
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]


# -- logging out ------------------------------------------------------------------------------------


def test_the_provider_logs_a_person_out(trusting: World, toy: ToyProvider) -> None:
    client, other = browser(trusting), browser(trusting)
    comes_back(client, toy)
    toy.claims = {"sub": "2", "email": "bea@example.org"}
    comes_back(other, toy)
    for claims in (
        {"nonce": "1"}, {"events": {}}, {"events": None}, {"events": 1}, {"sub": None}, {"aud": "another"},
        {"iss": "https://evil.example.com"}, {"iat": NOW - 301}, {"iat": None}, {"exp": NOW - 61}, {"sub": 1},
        {"iat": -(10**400)}, {"sub": "a\0b"}, {"sub": "a" * 256},
    ):  # fmt: skip
        refused(logs_out(browser(trusting), signed(logout_claims(toy.issuer, **claims))), FAILED)
    refused(logs_out(browser(trusting), unsigned(logout_claims(toy.issuer))), FAILED)
    refused(logs_out(browser(trusting), ""), "REQUEST_VARIABLE_MISSING")
    assert account_of(trusting, client) == "ada"
    queue, of_other = (trusting[name].opens_queue("message") for name in ("ada", "bea"))
    assert logs_out(browser(trusting), signed(logout_claims(toy.issuer))).status_code == 200
    assert account_of(trusting, client) is None
    queue.owner.refused("GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=queue.id, last_event_id=-1)
    assert of_other.peek() == []
    assert account_of(trusting, other) == "bea"
    assert logs_out(browser(trusting), signed(logout_claims(toy.issuer, sub="nobody"))).status_code == 200


def test_a_logout_ends_no_session_that_has_begun_after_it(trusting: World, toy: ToyProvider) -> None:
    token = signed(logout_claims(toy.issuer))
    first, second = browser(trusting), browser(trusting)
    comes_back(first, toy)
    assert logs_out(browser(trusting), token).status_code == 200
    assert account_of(trusting, first) is None
    trusting.clock.advance(61)
    comes_back(second, toy)
    assert logs_out(browser(trusting), token).status_code == 200
    assert account_of(trusting, second) == "ada"
    assert logs_out(browser(trusting), signed(logout_claims(toy.issuer, iat=NOW + 61))).status_code == 200
    assert account_of(trusting, second) is None


@pytest.mark.parametrize("iat", [NOW - 60, NOW + 60])
def test_a_logout_ends_what_has_begun_before_it_by_a_clock_that_differs(
    iat: int, trusting: World, toy: ToyProvider
) -> None:
    client = browser(trusting)
    comes_back(client, toy)
    assert logs_out(browser(trusting), signed(logout_claims(toy.issuer, iat=iat))).status_code == 200
    assert account_of(trusting, client) is None


def test_a_logout_ends_what_has_begun_before_the_clock_was_set_back(
    trusting: World, toy: ToyProvider
) -> None:
    client = browser(trusting)
    trusting.clock.advance(DAY)
    comes_back(client, toy)
    trusting.clock.advance(-DAY)
    assert logs_out(browser(trusting), signed(logout_claims(toy.issuer))).status_code == 200
    assert account_of(trusting, client) is None


def test_a_provider_logs_out_as_many_people_as_it_likes(make_world: MakeWorld, toy: ToyProvider) -> None:
    """Others from its address are counted as everybody is."""
    world = make_world(oidc=(toy.settings(),), rate_limit_rules={"api_by_ip": "3 per hour"})
    tokens = [signed(logout_claims(toy.issuer, sub=f"{number}")) for number in range(5)]
    for token in tokens:
        answer = logs_out(browser(world), token)
        assert (answer.status_code, answer.headers.get("X-RateLimit-Limit")) == (200, None), answer.text
    assert [visits(browser(world), "/login/oidc/other").status_code for _ in range(4)] == [404] * 3 + [429]
    refused(logs_out(browser(world), tokens[0]), "RATE_LIMIT_HIT", 429)


def test_forged_logouts_are_counted(make_world: MakeWorld, toy: ToyProvider) -> None:
    world = make_world(oidc=(toy.settings(),), rate_limit_rules={"api_by_ip": "3 per hour"})
    client = browser(world)
    comes_back(client, toy)
    forged, right = (signed(logout_claims(toy.issuer), key) for key in (OTHER_KEY, KEY))
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.2"}}
    for _ in range(3):
        refused(logs_out(browser(world), forged, **elsewhere), FAILED)
    for token in (forged, right):
        answer = logs_out(browser(world), token, **elsewhere)
        refused(answer, "RATE_LIMIT_HIT", 429)
        assert answer.headers["Retry-After"]
    assert account_of(world, client) == "ada"
    assert logs_out(browser(world), right).status_code == 200
    assert account_of(world, client) is None


def test_logging_out_here_is_all_unless_more_is_wanted(trusting: World, toy: ToyProvider) -> None:
    client = browser(trusting)
    comes_back(client, toy)
    answer = client.post("/api/v1/accounts/logout", base_url=ORIGIN, headers={"Origin": ORIGIN}).get_json()
    assert "logout_url" not in answer


# -- what clients are told --------------------------------------------------------------------------


def test_clients_see_the_login_services(make_world: MakeWorld, toy: ToyProvider) -> None:
    icon = "https://login.example.com/icon.png"
    world = make_world(oidc=(toy.settings(display_name="Our login", icon=icon), toy.settings(name="second")))
    answer = world.nobody.get("/server_settings")
    assert answer["authentication_methods"]["openid connect"] is True
    path = "/login/oidc/toy"
    first, second = answer["external_authentication_methods"]
    assert first == {
        "name": "oidc:toy", "display_name": "Our login", "display_icon": icon,
        "login_url": path, "signup_url": path,
    }  # fmt: skip
    assert (second["display_name"], second["display_icon"]) == ("Second", None)
    state = world["ada"].registers(fetch_event_types=["realm"]).state
    assert state["realm_authentication_methods"]["OpenID Connect"] == {"enabled": True, "available": True}


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "login.example.com"},
        {"client_id": ""},
        {"scopes": "profile"},
        {"name": "a b"},
        {"name": "A"},
    ],
)
def test_settings_of_a_provider_are_checked(
    wrong: dict[str, str], make_world: MakeWorld, toy: ToyProvider
) -> None:
    with pytest.raises(BadSetting):
        make_world(oidc=(toy.settings(**wrong),))
    with pytest.raises(BadSetting):
        make_world(oidc=(toy.settings(), toy.settings()))
