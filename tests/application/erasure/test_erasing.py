"""Erasing people: what is left of them in the store, and what others see."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

from chatcore.application import units
from chatcore.application.archives.working import write_requested
from chatcore.application.erasure import steps
from chatcore.application.erasure.steps import YOUNG, continue_erasures
from chatcore.application.people.administration import set_role
from chatcore.application.units import Unit
from chatcore.domain.invitations.invitations import Invitation
from chatcore.domain.mail.mails import Mail, MailKind
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.erasure import PersonErased, Step
from chatcore.domain.roles import Role
from storage_backends.sql.schema import Table
from tests.worlds.files import fetches, form, part, send_form, uploads
from tests.worlds.organization import MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import picture
from tests.worlds.scenes.actions import ACTIONS
from tests.worlds.scenes.everything import Scene

NAME = "Zebrafink"
ADDRESS = "bea@zebrafink.example"
WORDS = "zebrafink"


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data")


@pytest.fixture
def bea(world: World) -> Someone:
    return world["bea"]


def erased(world: World, who: Someone, **parameters: Any) -> None:
    """Erase a person, to the end."""
    world["olga"].post(f"/users/{who.id}/erase", **parameters)
    finish(world)


def finish(world: World) -> None:
    continue_erasures(world.svc)  # up to the step that waits for others' requests
    world.clock.advance(YOUNG)
    continue_erasures(world.svc)  # up to the one that waits for clients
    world.clock.advance(world.svc.limits.event_queue_idle)
    assert continue_erasures(world.svc) == inf
    assert world.storage.read(lambda snapshot: snapshot.erasures.unfinished()) == []


def cells(world: World) -> Iterator[tuple[str, str, str]]:
    """Yield all values of the store, as texts, by table and column."""
    backend = world.storage.backend  # type: ignore[attr-defined]
    with backend.connection():
        for table in Table.__subclasses__():
            name = table._meta.table_name
            cursor = backend.database.execute_sql(f"SELECT * FROM {name}")
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                yield from ((name, column, str(value)) for column, value in zip(columns, row, strict=True))


def places(world: World, *words: str) -> set[tuple[str, str]]:
    """Return the columns in which a word occurs."""
    return {
        (table, column)
        for table, column, value in cells(world)
        if any(word.lower() in value.lower() for word in words)
    }


def everything_happens(world: World) -> None:
    """Play all scenes, after which people have their former addresses again."""
    users, scene = {**world.users}, Scene(world)
    for action in ACTIONS:
        action.do(scene)
    for user in users.values():
        world.storage.write(lambda tx, user=user: tx.users.update(user.id, email=user.email))  # type: ignore[misc]
    world.take_keys()


def test_name_address_and_key_are_nowhere(world: World, bea: Someone, tmp_path: Path) -> None:
    everything_happens(world)
    world.change_user("bea", full_name=NAME, email=ADDRESS)
    world.take_keys()
    ada, olga = world["ada"], world["olga"]
    key = world.keys["bea"]
    ada.says(f"@**{NAME}** and @_**{NAME}|{bea.id}** and @**{NAME}|{bea.id}**")
    edited = ada.says(f"not @**{NAME}**")
    ada.patch(f"/messages/{edited}", content="nobody")
    ada.post(
        "/scheduled_messages", type="direct", to=[world["cem"].id], content=f"@**{NAME}**",
        scheduled_delivery_timestamp=int(world.clock.now) + 1000,
    )  # fmt: skip
    bea.patch("/settings", full_name=f"{NAME} II")
    olga.patch(f"/users/{bea.id}", full_name=NAME)
    uploads(bea, b"zebra", name="zebrafink.txt")
    succeeded(send_form(bea, form(part(picture(), "me.png")), path="/users/me/avatar"))
    bea.post("/drafts", drafts=[{"type": "private", "to": [], "topic": "", "content": WORDS, "timestamp": 1}])
    before = places(world, WORDS)
    assert before > {
        ("message", "content"),
        ("account", "full_name"),
        ("event", "body"),
        ("draft", "content"),
    }
    assert before > {
        ("message", "rendered_content"),
        ("message_edit", "prev_content"),
        ("audit_entry", "personal"),
    }
    olga.post(f"/users/{bea.id}/erase", messages="delete")
    finish(world)
    assert places(world, NAME, ADDRESS, key) == set()
    files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert not [path for path in files if b"zebra" in path.read_bytes()]


# -- what others see --------------------------------------------------------------------------------


def test_messages_are_kept_under_another_name(world: World, bea: Someone) -> None:
    ada = world["ada"]
    said = bea.says("soup")
    called = ada.says("@**Bea** and @**Bea**, `@**Bea**` and Bea")
    silent = ada.writes(f"@_**Bea|{bea.id}** said", "cem")
    link = uploads(bea, b"tomatoes")["url"]
    bea.says(f"[tomatoes]({link})")
    unlinked = uploads(bea, b"onions")["url"]
    erased(world, bea)
    name = f"Deleted person {bea.id}"
    message = ada.message(said)
    assert (message["content"], message["sender_full_name"]) == ("<p>soup</p>", name)
    assert message["sender_email"] == f"deleted{bea.id}@deleted.invalid"
    html = ada.message(called)["content"]
    assert html.count(f">@{name}</span>") == 2
    assert "Bea</span>" not in html
    assert html.endswith("and Bea</p>")
    text = ada.message(called, apply_markdown=False)["content"]
    assert text.startswith(f"@**{name}|{bea.id}** and @**{name}|{bea.id}**")
    assert name in world["cem"].message(silent)["content"]
    assert fetches(ada, link).status_code == 200
    assert fetches(ada, unlinked).status_code in (403, 404)
    ada.patch(f"/messages/{called}", content=text + "!")  # it is still a mention
    assert f'data-user-id="{bea.id}"' in ada.message(called)["content"]
    assert ada.finds(["search", f'"{name}"']) != []
    assert silent not in world["cem"].finds(["search", "bea"])


def test_messages_are_deleted_with_their_files(world: World, bea: Someone) -> None:
    ada = world["ada"]
    link = uploads(bea, b"tomatoes")["url"]
    said = [bea.says(f"[tomatoes]({link})"), bea.says("soup", "secret"), bea.writes("soup", "ada")]
    kept = ada.says("mine")
    line = ada.opens_queue("delete_message")
    world["olga"].post(f"/users/{bea.id}/erase", messages="delete")
    continue_erasures(world.svc)
    gone = [one for event in line.events() for one in event.get("message_ids", [event.get("message_id")])]
    assert {*said} <= {*gone}
    finish(world)
    assert {*ada.finds()} & {*said, kept} == {kept}
    assert fetches(ada, link).status_code in (403, 404)
    assert world.count("attachment") == 0


@pytest.mark.parametrize("window", [3, 1000], ids=["of few rows", "of more rows than are read"])
def test_many_messages_are_deleted_in_parts(
    world: World, bea: Someone, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    monkeypatch.setattr(steps, "BATCH", 2)
    monkeypatch.setattr(steps, "IDS_AT_A_TIME", window)
    monkeypatch.setattr(steps, "ROWS", 2)
    ada = world["ada"]
    for number in range(5):
        bea.says(f"soup {number}", "lunch", f"topic {number % 2}")
        ada.says(f"@**Bea** {number}")
        uploads(bea, b"tomatoes")
    erased(world, bea, messages="delete")
    assert all("Deleted person" in one["content"] for one in ada.reads())
    assert bea.id not in {one["sender_id"] for one in ada.reads()}
    assert world.count("attachment") == 0


def test_clients_are_told_in_order(world: World, bea: Someone) -> None:
    bea.says("soup")
    bea.post("/users/me/status", status_text="Cooking")
    line = world["ada"].registers(event_types=["realm_user", "user_status", "update_message"])
    called = world["cem"].writes("@**Bea**", "ada")
    line.events()
    world["olga"].post(f"/users/{bea.id}/erase")
    events = line.events()
    changed = [key for one in events if one["type"] == "realm_user" for key in one["person"]]
    assert changed.index("is_active") < changed.index("full_name") < changed.index("new_email")
    (status,) = [one for one in events if one["type"] == "user_status"]
    assert status["status_text"] == ""
    finish(world)
    assert line.is_closed or [one["message_id"] for one in line.events("update_message")] == [called]


def test_a_client_that_has_the_new_name_keeps_its_queue(world: World, bea: Someone) -> None:
    line = world["ada"].opens_queue("realm_user", "message", "update_message")
    late = world["cem"].opens_queue("realm_user")
    world["olga"].post(f"/users/{bea.id}/erase")
    continue_erasures(world.svc)
    world.clock.advance(YOUNG)
    assert continue_erasures(world.svc) > 0
    assert line.events("realm_user")
    assert not line.is_closed
    world.clock.advance(YOUNG)
    continue_erasures(world.svc)
    assert not late.is_closed  # its client has time as always
    world.clock.advance(world.svc.limits.event_queue_idle)
    continue_erasures(world.svc)
    assert late.is_closed


def test_what_is_sent_meanwhile_has_the_new_name(world: World, bea: Someone) -> None:
    ada = world["ada"]
    world["olga"].post(f"/users/{bea.id}/erase")
    continue_erasures(world.svc)
    late = ada.says("soup")  # as if it was rendered before
    world.sql(
        "UPDATE message SET rendered_content = ? WHERE id = ?",
        f'<p><span class="user-mention" data-user-id="{bea.id}">@Bea</span></p>', late,
    )  # fmt: skip
    finish(world)
    assert f"@Deleted person {bea.id}" in ada.message(late)["content"]


# -- who is erased ----------------------------------------------------------------------------------


def test_bots_are_erased_with_their_owner(world: World) -> None:
    ada, robo = world["ada"], world["robo"]
    made = ada.post("/bots", full_name="Ada's secret", short_name="secret")
    robo.says("beep")
    ids = {robo.id, made["user_id"], ada.id}
    erased(world, ada)
    people = {one["user_id"]: one for one in world["olga"].get("/users")["members"]}
    assert {people[one]["full_name"] for one in ids} == {
        f"Deleted bot {robo.id}", f"Deleted bot {made['user_id']}", f"Deleted person {ada.id}",
    }  # fmt: skip
    assert not any(people[one]["is_active"] for one in ids)
    assert places(world, "Ada's secret", "ada@example.org", "secret-bot") == set()


def test_only_owners_erase_and_the_last_of_them_stays(world: World, bea: Someone) -> None:
    path = f"/users/{bea.id}/erase"
    for other in ("adi", "mona", "ada", "bea"):
        world[other].refused("POST", path, code="UNAUTHORIZED_PRINCIPAL")
    olga = world["olga"]
    olga.refused("POST", f"/users/{olga.id}/erase")
    olga.refused("POST", f"/users/{world['robo'].id}/erase")
    olga.refused("POST", f"/users/{world.users['system'].id}/erase")
    olga.refused("POST", "/users/9999/erase")
    olga.refused("POST", path, messages="some")
    assert bea.get("/users/me")["is_active"]
    olga.post(path)
    bea.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    olga.refused("POST", path, code="PERSON_ERASED")
    olga.refused("POST", f"/users/{bea.id}/reactivate", code="PERSON_ERASED")
    (entry,) = olga.get("/audit", kind="account_erased")["entries"]
    assert (entry["actor_id"], entry["target_id"], entry["after"]) == (
        olga.id, bea.id, {"messages": "keep", "bots": 0},
    )  # fmt: skip


def test_who_is_erased_gets_no_name_again(world: World) -> None:
    ada, robo, olga = world["ada"], world["robo"], world["olga"]
    field = olga.post("/realm/profile_fields", name="Nick", field_type=1)["id"]
    world.change_user("olga", can_change_user_emails=True)
    olga.post(f"/users/{ada.id}/erase")
    changes: list[dict[str, Any]] = [
        {"full_name": "Ada"},
        {"role": 300},
        {"new_email": "ada@example.org"},
        {"profile_data": [{"id": field, "value": "Ada"}]},
    ]

    def refused() -> None:
        for change in changes:
            for account in (ada, robo):
                olga.refused("PATCH", f"/users/{account.id}", code="PERSON_ERASED", **change)
        olga.refused("POST", f"/users/{robo.id}/reactivate", code="PERSON_ERASED")
        with pytest.raises(PersonErased):
            set_role(world.svc, f"deleted{ada.id}@deleted.invalid", Role.MODERATOR)

    refused()
    finish(world)
    refused()
    assert places(world, "ada@example.org") == set()
    people = {one["user_id"]: one for one in olga.get("/users")["members"]}
    assert people[ada.id]["full_name"] == f"Deleted person {ada.id}"
    world["bea"].refused("PATCH", f"/users/{ada.id}", code="BAD_REQUEST", full_name="Ada")


def test_former_addresses_are_forgotten(
    make_world: MakeWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "ROWS", 2)
    world = make_world(data_dir=tmp_path / "data", mail_folder=tmp_path / "mail")
    olga, bea = world["olga"], world["bea"]
    addresses = ("Former@Zebrafink.example", "new@zebrafink.example", "pia@example.org")

    def invite(unit: Unit) -> None:
        for address in addresses:
            unit.record(AuditKind.INVITATION_SENT, 7, after={"email": address.upper()})

    units.write(world.svc, invite)
    world.change_user("olga", can_change_user_emails=True)
    olga.post("/invites", invitee_emails=",".join(addresses), invite_as=400, stream_ids=[])
    for address in addresses[:2]:
        world.nobody.request("POST", "/fetch_api_key", username=address, password="wrong")
        olga.patch(f"/users/{bea.id}", new_email=address)
    assert {table for table, _ in places(world, WORDS)} >= {
        "audit_entry",
        "invitation",
        "mail",
        "login_failure",
    }
    assert ("audit_entry", "personal") in places(world, WORDS)
    erased(world, bea)
    assert places(world, WORDS) == set()
    assert {table for table, _ in places(world, addresses[2])} == {"audit_entry", "invitation", "mail"}


@pytest.mark.parametrize("former", [False, True], ids=["address", "former address"])
@pytest.mark.parametrize("stored", range(3))
def test_an_address_is_forgotten_in_all_spellings(
    make_world: MakeWorld, tmp_path: Path, *, former: bool, stored: int
) -> None:
    world = make_world(data_dir=tmp_path / "data", mail_folder=tmp_path / "mail")
    spellings = ("Zoe@Bücher.example", "zoe@xn--bcher-kva.example", "ZOE@XN--BCHER-KVA.EXAMPLE")
    olga, bea = world["olga"], world["bea"]
    world.change_user("olga", can_change_user_emails=True)

    def name_everywhere(unit: Unit) -> None:
        for address in spellings:
            unit.record(AuditKind.INVITATION_SENT, 7, after={"email": address})
            waiting = Mail(
                message_key=address,
                recipient=address,
                kind=MailKind.INVITATION,
                facts={"email": address},
                written_at=unit.now,
                due=unit.now,
            )
            unit.tx.mails.add(waiting)
            unit.tx.mails.add(replace(waiting, message_key="", recipient="olga@example.org"))
            invited = Invitation(
                email=address,
                inviter_id=olga.id,
                invited_at=unit.now,
                expires_at=None,
                role=Role.MEMBER,
                nonce="n",
                token_hash=address,
            )
            unit.tx.invitations.add(invited)

    if former:
        olga.patch(f"/users/{bea.id}", new_email=spellings[stored])
        olga.patch(f"/users/{bea.id}", new_email="bea.now@example.org")
    else:
        world.change_user("bea", email=spellings[stored])
    units.write(world.svc, name_everywhere)
    for address in spellings:
        world.nobody.request("POST", "/fetch_api_key", username=address, password="wrong")
    words = ("zoe@", "bücher", "bcher", "b\\u00fccher")
    assert {table for table, _ in places(world, *words)} >= {
        "audit_entry",
        "mail",
        "invitation",
        "login_failure",
    }
    erased(world, bea)
    assert places(world, *words) == set()


def test_a_former_address_that_somebody_else_has_now_is_left(world: World, bea: Someone) -> None:
    olga, address = world["olga"], "office@example.org"
    world.change_user("olga", can_change_user_emails=True)
    for someone in (bea, world["cem"]):
        olga.patch(f"/users/{someone.id}", new_email=address)
        olga.patch(f"/users/{bea.id}", new_email="bea@example.org")
    world.nobody.request("POST", "/fetch_api_key", username=address, password="wrong")
    erased(world, bea)
    assert {table for table, _ in places(world, address)} >= {"account", "login_failure"}
    cem = world.storage.read(lambda snapshot: snapshot.users.get(world["cem"].id))
    assert cem.email == address


def test_a_deactivated_person_is_erased(world: World, bea: Someone) -> None:
    world["olga"].delete(f"/users/{bea.id}")
    erased(world, bea, messages="delete")
    assert places(world, "bea@example.org") == set()


def test_own_archives_go(world: World, bea: Someone, tmp_path: Path) -> None:
    bea.post("/users/me/exports")
    write_requested(world.svc)
    assert list((tmp_path / "data").rglob("*export-*"))
    erased(world, bea)
    assert not list((tmp_path / "data").rglob("*export-*"))
    assert world.count("requested_export") == 0


def test_an_interrupted_erasure_goes_on(world: World, bea: Someone, monkeypatch: pytest.MonkeyPatch) -> None:
    called = world["ada"].says("@**Bea**")
    world["olga"].post(f"/users/{bea.id}/erase")
    change_texts = steps.change_texts

    def fail(*arguments: Any) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(steps, "change_texts", fail)
    world.clock.advance(YOUNG)
    with pytest.raises(RuntimeError):
        continue_erasures(world.svc)
    (left,) = world.storage.read(lambda snapshot: snapshot.erasures.unfinished())
    assert (left.step, left.full_name) == (Step.MENTIONS, "Bea")
    monkeypatch.setattr(steps, "change_texts", change_texts)
    finish(world)
    assert f"Deleted person {bea.id}" in world["ada"].message(called)["content"]
