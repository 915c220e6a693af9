"""The audit log: each change of the organization has one entry, and administrators read them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from chatcore.application.organization.audit import forget_old_entries
from chatcore.application.people import logins
from chatcore.application.people.credentials import renew_key
from chatcore.application.services import Services
from chatcore.domain.network_addresses import UNKNOWN
from chatcore.domain.organization import audit as rules
from chatcore.domain.organization.audit_values import MAX_ITEMS, MAX_SIZE, MAX_TEXT
from chatcore.storage.conformance.makers import error_of
from tests.application.retention.days import pass_days
from tests.storage_backends.spying import statements
from tests.worlds.browsers import logs_in, opens_browser
from tests.worlds.files import files_world, form, part, send_form
from tests.worlds.organization import FROM, MakeWorld, World, succeeded
from tests.worlds.pictures import picture

__all__ = ["files_world"]

PASSWORD = "correct horse battery"
Entry = Mapping[str, Any]


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    world = make_world(mail_folder=None)
    for name in ("olga", "adi"):
        world.change_user(name, can_create_users=True, can_change_user_emails=True)
    return world


def entries(world: World, **wanted: Any) -> list[Entry]:
    found: list[Entry] = world["olga"].get("/audit", **wanted)["entries"]
    return found


def brief(entry: Entry) -> tuple[str, Any, Any]:
    return entry["kind"], entry["before"], entry["after"]


def group_of(world: World) -> int:
    made = world["ada"].post("/user_groups/create", name="cooks", description="", members=[world["ada"].id])
    return int(made["group_id"])


def invites(world: World) -> int:
    world["olga"].post("/invites/multiuse")
    (invitation,) = world["olga"].get("/invites")["invites"]
    return int(invitation["id"])


def changes_role(world: World) -> None:
    world["olga"].patch(f"/users/{world['bea'].id}", role=300)


def renames_other(world: World) -> None:
    world["olga"].patch(f"/users/{world['bea'].id}", full_name="Beatrix")


def creates_account(world: World) -> None:
    world["olga"].post("/users", email="new@example.org", full_name="New", password=PASSWORD)


def creates_channel(world: World) -> None:
    world["ada"].joins("soups")


def changes_channel(world: World) -> None:
    world["olga"].patch(f"/streams/{world.id('lunch')}", new_name="dinner")


def permits_in_channel(world: World) -> None:
    world["olga"].patch(f"/streams/{world.id('lunch')}", can_send_message_group={"new": 2})


def subscribes_others(world: World) -> None:
    world["olga"].joins("lunch", principals=[world["cem"].id])


def unsubscribes_others(world: World) -> None:
    world["olga"].delete("/users/me/subscriptions", subscriptions=["lunch"], principals=[world["bea"].id])


def deletes_message_of_other(world: World) -> None:
    world["olga"].delete(f"/messages/{world['ada'].says('a secret recipe')}")


ONE: Mapping[str, tuple[Callable[[World], object], str, Any, Any]] = {
    "a role": (changes_role, "role_changed", {"role": 400}, {"role": 300}),
    "a name of somebody else": (
        renames_other, "name_changed", {"full_name": "Bea"}, {"full_name": "Beatrix"},
    ),
    "one's own name": (
        lambda world: world["ada"].patch("/settings", full_name="Ada L."),
        "name_changed", {"full_name": "Ada"}, {"full_name": "Ada L."},
    ),
    "an address": (
        lambda world: world["olga"].patch(f"/users/{world['bea'].id}", new_email="b@example.org"),
        "address_changed", {"email": "bea@example.org"}, {"email": "b@example.org"},
    ),
    "a new account": (
        creates_account, "account_created", {},
        {"email": "new@example.org", "full_name": "New", "role": 400},
    ),
    "an account that goes": (
        lambda world: world["olga"].delete(f"/users/{world['bea'].id}"), "account_deactivated", {}, {},
    ),
    "an own account that goes": (
        lambda world: world["bea"].delete("/users/me"), "account_deactivated", {}, {},
    ),
    "a key": (lambda world: world["ada"].post("/users/me/api_key/regenerate"), "key_renewed", {}, {}),
    "a setting": (
        lambda world: world["olga"].patch("/realm", invite_required=False),
        "organization_changed", {"invite_required": True}, {"invite_required": False},
    ),
    "retention": (
        lambda world: world["olga"].patch("/realm", message_retention_days=30),
        "organization_changed", {"message_retention_days": -1}, {"message_retention_days": 30},
    ),
    "a permission": (
        lambda world: world["olga"].patch("/realm", can_create_groups={"new": 2}),
        "organization_changed", {"can_create_groups": 6}, {"can_create_groups": 2},
    ),
    "a default of newcomers": (
        lambda world: world["olga"].patch("/realm/user_settings_defaults", twenty_four_hour_time=True),
        "organization_changed", {"twenty_four_hour_time": False}, {"twenty_four_hour_time": True},
    ),
    "a domain": (
        lambda world: world["olga"].post("/realm/domains", domain="example.org", allow_subdomains=False),
        "organization_changed", {"domains": []},
        {"domains": [{"domain": "example.org", "allow_subdomains": False}]},
    ),
    "a default channel": (
        lambda world: world["olga"].post("/default_streams", stream_id=world.id("lunch")),
        "organization_changed", {"default_channel_ids": []}, None,
    ),
    "a new linkifier": (
        lambda world: world["olga"].post(
            "/realm/filters", pattern="#(?P<id>[0-9]+)", url_template="https://x.example/{id}"
        ),
        "linkifiers_changed", {"items": []}, None,
    ),
    "a new playground": (
        lambda world: world["olga"].post(
            "/realm/playgrounds", name="P", pygments_language="Python", highlighter_language="Python",
            url_template="https://x.example/{code}",
        ),
        "playgrounds_changed", {"items": []}, None,
    ),
    "a new profile field": (
        lambda world: world["olga"].post("/realm/profile_fields", field_type=1, name="Motto"),
        "profile_fields_changed", {"items": []}, None,
    ),
    "a new channel": (creates_channel, "channel_created", {}, None),
    "a channel that is renamed": (changes_channel, "channel_changed", {"name": "lunch"}, {"name": "dinner"}),
    "a permission in a channel": (
        permits_in_channel, "channel_changed", None, {"can_send_message_group": 2},
    ),
    "the privacy of a channel": (
        lambda world: world["olga"].patch(f"/streams/{world.id('lunch')}", is_private=True),
        "channel_changed", {"invite_only": False, "history_public_to_subscribers": True},
        {"invite_only": True, "history_public_to_subscribers": False},
    ),
    "an archived channel": (
        lambda world: world["olga"].delete(f"/streams/{world.id('lunch')}"), "channel_archived", {}, {},
    ),
    "others who are subscribed": (subscribes_others, "others_subscribed", {}, None),
    "others who are unsubscribed": (unsubscribes_others, "others_unsubscribed", None, {}),
    "a new group": (group_of, "group_created", {}, None),
    "a new bot": (
        lambda world: world["ada"].post("/bots", full_name="Robi", short_name="robi"),
        "account_created", {}, None,
    ),
    "a key of a bot": (
        lambda world: world["ada"].post(f"/bots/{world['robo'].id}/api_key/regenerate"),
        "key_renewed", {}, {},
    ),
    "the owner of a bot": (
        lambda world: world["ada"].patch(f"/bots/{world['robo'].id}", bot_owner_id=world["bea"].id),
        "bot_owner_changed", None, None,
    ),
    "an invitation": (invites, "invitation_sent", {}, None),
    "an export": (
        lambda world: world["olga"].post("/export/realm"),
        "export_requested", {}, {"export_type": "public"},
    ),
    "consent to exports": (
        lambda world: world["ada"].patch("/settings", allow_private_data_export=True),
        "export_consent_changed", {"allow_private_data_export": False}, {"allow_private_data_export": True},
    ),
    "a deleted message of somebody else": (deletes_message_of_other, "message_deleted", None, {}),
}  # fmt: skip
"""What somebody does, and the one entry of it; None for values that are compared no further."""


@pytest.mark.parametrize("name", ONE)
def test_a_change_has_one_entry(world: World, name: str) -> None:
    act, kind, before, after = ONE[name]
    act(world)
    (entry,) = entries(world)
    assert entry["kind"] == kind
    assert before in (None, entry["before"])
    assert after in (None, entry["after"])
    assert entry["actor_id"] in {world[name].id for name in ("olga", "ada", "bea")}
    assert (entry["origin"], entry["client"], entry["address"]) == ("request", "tests", FROM["REMOTE_ADDR"])
    assert entry["timestamp"] == int(world.clock.now)


@pytest.mark.parametrize("header", ["x" * 5000, "192.0.2.1  olga@example.org"])
def test_what_is_no_address_is_in_no_entry(world: World, header: str) -> None:
    olga = world["olga"]
    environ = {"REMOTE_ADDR": header}
    answer = olga.client.patch(
        "/api/v1/realm", data={"name": "Salads"}, headers=olga.headers, environ_base=environ
    )
    assert answer.status_code == 200
    (entry,) = entries(world)
    assert entry["address"] == UNKNOWN


UNNOTED: Mapping[str, Callable[[World], object]] = {
    "sending, reading and editing one's own": lambda world: (
        message_id := world["ada"].says("soup"),
        world["ada"].patch(f"/messages/{message_id}", content="stew"),
        world["bea"].flagged("starred", message_id),
        world["bea"].reads("channel:lunch"),
        world["ada"].delete(f"/messages/{message_id}"),
    ),
    "joining and leaving by oneself": lambda world: (
        world["cem"].joins("lunch"),
        world["cem"].leaves("lunch"),
    ),
    "settings of one's own": lambda world: world["ada"].patch("/settings", twenty_four_hour_time=True),
    "a setting that stays": lambda world: world["olga"].patch("/realm", invite_required=True),
    "a refusal of a rule": lambda world: world["ada"].request("PATCH", "/realm", invite_required=False),
    "a refusal at the end": lambda world: world["olga"].request(
        "PATCH", f"/users/{world['bea'].id}", full_name="Beatrix", role=17, new_email="nonsense"
    ),
    "what is rolled back": lambda world: world["olga"].request(
        "PATCH", f"/streams/{world.id('lunch')}", new_name="dinner", is_private=True, is_default_stream=True
    ),
}


@pytest.mark.parametrize("name", UNNOTED)
def test_what_changes_nothing_of_the_organization_has_no_entry(world: World, name: str) -> None:
    UNNOTED[name](world)
    assert entries(world) == []


def with_password(world: World) -> None:
    world["olga"].post("/users", email="new@example.org", full_name="New", password=PASSWORD)
    world.take_keys()


def tries(world: World, name: str, password: str) -> int:
    """Try to log in with a browser, and return the status of the answer."""
    given = {"username": name, "password": password}
    return opens_browser(world).request("POST", "/accounts/login", **given).status_code


def test_logins_are_noted_and_failed_ones_without_the_name_that_was_tried(world: World) -> None:
    with_password(world)
    user_id = world["new"].id
    assert tries(world, "new@example.org", "wrong") != 200
    assert tries(world, PASSWORD, "x") != 200
    assert tries(world, "new@example.org", PASSWORD) == 200
    logins = [(entry["kind"], entry["actor_id"], entry["target_id"]) for entry in entries(world)[:-1]]
    assert logins == [
        ("logged_in", user_id, user_id),
        ("login_failed", None, None),
        ("login_failed", None, user_id),
    ]
    assert PASSWORD not in json.dumps(entries(world))


def test_not_all_failed_logins_are_noted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.application.people.login_attempts.MAX_FAILED_LOGINS", 2)
    for _ in range(3):
        tries(world, "bea@example.org", "wrong")
    assert len(entries(world, kind="login_failed")) == 2
    world.clock.advance(86_401)
    tries(world, "bea@example.org", "wrong")
    assert len(entries(world, kind="login_failed")) == 3


def test_failed_logins_of_the_future_hide_none(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is ahead has noted them, or the clock was set back."""
    monkeypatch.setattr("chatcore.application.people.login_attempts.MAX_FAILED_LOGINS", 2)
    world.clock.jump(365 * 86_400)
    for _ in range(3):
        tries(world, "bea@example.org", "wrong")
    world.clock.jump(-365 * 86_400)
    for _ in range(3):
        tries(world, "bea@example.org", "wrong")
    times = [entry["timestamp"] - int(world.clock.now) for entry in entries(world, kind="login_failed")]
    assert times == [0, 0, 365 * 86_400, 365 * 86_400]


def test_many_failed_logins_elsewhere_hide_none_of_an_account(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.application.people.login_attempts.MAX_FAILED_LOGINS", 1)
    monkeypatch.setattr("chatcore.application.people.login_attempts.MAX_LOGINS_OF_NOBODY", 2)
    for name in ("nobody", "nothing", "none", "bea", "bea", "olga"):
        tries(world, f"{name}@example.org", "wrong")
    found = [entry["target_id"] for entry in entries(world, kind="login_failed")]
    assert found == [world["olga"].id, world["bea"].id, None, None]


def test_commands_are_noted_as_the_console(world: World) -> None:
    console = replace(world.svc, origin=rules.Origin(rules.OriginKind.CONSOLE))
    renew_key(console, "bea@example.org")
    (entry,) = entries(world, origin="console")
    assert (entry["kind"], entry["actor_id"], entry["address"]) == ("key_renewed", None, "")


def test_the_log_has_no_secrets_and_no_texts_of_messages(world: World) -> None:
    with_password(world)
    key = world["ada"].post("/users/me/api_key/regenerate")["api_key"]
    world.take_keys()
    world["new"].patch("/settings", old_password=PASSWORD, new_password="another horse battery")
    world.take_keys()
    deletes_message_of_other(world)
    world["ada"].patch(f"/bots/{world['robo'].id}", config_data={"token": "of a service"})
    template = "https://x.example/of-a-link/"
    world["olga"].post("/realm/filters", pattern="#(?P<id>[0-9]+)", url_template=template + "{id}")
    world["olga"].post(
        "/realm/playgrounds", name="P", pygments_language="Python", highlighter_language="Python",
        url_template=template + "{code}",
    )  # fmt: skip
    field = {"subtype": "custom", "url_pattern": template + "%(username)s"}
    world["olga"].post("/realm/profile_fields", field_type=7, name="Site", field_data=field)
    found = json.dumps(entries(world))
    for secret in (
        key,
        PASSWORD,
        "another horse",
        "secret recipe",
        "of a service",
        "of-a-link",
        *world.keys.values(),
    ):
        assert secret not in found


def test_values_are_bounded(world: World) -> None:
    world["olga"].patch("/realm", description="x" * 900)
    (entry,) = entries(world)
    assert len(entry["after"]["description"]) == MAX_TEXT
    people = world.add_people(300, to="lunch")
    world["olga"].delete("/users/me/subscriptions", subscriptions=["lunch"], principals=people)
    assert len(json.dumps(entries(world)[0]["before"])) < MAX_SIZE
    assert entries(world)[0]["before"]["user_ids"][-1] == "… and 200 more"


def test_only_administrators_read_the_log(world: World) -> None:
    for name in ("mona", "ada", "gus", "robo"):
        world[name].refused("GET", "/audit", code="UNAUTHORIZED_PRINCIPAL", status=400)
    assert world.nobody.request("GET", "/audit").status_code == 401
    assert world["adi"].get("/audit")["entries"] == []


@pytest.mark.parametrize(
    ("wanted", "kinds"),
    [
        ({"kind": "role_changed"}, ["role_changed"]),
        ({"target_type": "channel"}, ["channel_created"]),
        ({"actor_id": 10**9}, []),
        ({"since": 2_000_000_000}, []),
        ({"until": 2_000_000_000, "limit": 1}, ["role_changed"]),
    ],
)
def test_the_log_is_narrowed(world: World, wanted: Mapping[str, Any], kinds: Sequence[str]) -> None:
    creates_channel(world)
    changes_role(world)
    assert [entry["kind"] for entry in entries(world, **wanted)] == kinds


@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "nonsense"},
        {"limit": 0},
        {"limit": 1001},
        {"before": -1},
        {"since": 2**63},
        {"actor_id": "ada"},
    ],
)
def test_bad_wishes_are_refused(world: World, wanted: Mapping[str, Any]) -> None:
    assert world["olga"].request("GET", "/audit", **wanted).status_code == 400


def test_pages_are_complete_while_others_write(world: World) -> None:
    for number in range(6):
        world["olga"].patch("/realm", name=f"Name {number}")
    found: list[int] = []
    before: dict[str, int] = {}
    while page := entries(world, limit=2, **before):
        found += [entry["id"] for entry in page]
        before = {"before": found[-1]}
        world["olga"].patch("/realm", name=f"After {found[-1]}")
    assert len(found) == len(set(found)) == 6
    assert found == sorted(found, reverse=True)


def test_an_audited_change_costs_one_statement_and_others_none(world: World) -> None:
    def count(act: Callable[[], object]) -> list[str]:
        with statements(world.storage) as ran:
            act()
        return [text for text, _ in ran if "audit_" in text]

    assert len(count(lambda: changes_role(world))) == 1
    assert len(count(lambda: subscribes_others(world))) == 1
    assert count(lambda: world["ada"].says("soup")) == []
    assert count(lambda: world["bea"].reads("channel:lunch")) == []


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit_entry",
        "UPDATE audit_entry SET actor_id = 1",
        "UPDATE audit_entry SET after = '[]'",
        "UPDATE audit_entry SET address = '192.0.2.99'",
        "UPDATE audit_entry SET personal = '{\"after\": {}}'",
    ],
)
def test_the_database_keeps_entries_as_they_are(world: World, statement: str) -> None:
    renames_other(world)
    before = entries(world)
    error_of(Exception, lambda: world.sql(statement))
    assert entries(world) == before


def test_the_database_permits_that_a_person_is_emptied_out_of_entries(world: World) -> None:
    renames_other(world)
    (before,) = entries(world)
    world.sql("UPDATE audit_entry SET address = '', personal = '{}'")
    assert entries(world) == [{**before, "address": "", "before": {}, "after": {}}]


def test_old_entries_are_removed_by_the_due_work(make_world: MakeWorld) -> None:
    world = make_world(audit_days=30)
    changes_role(world)
    assert forget_old_entries(world.svc) == 30 * 86_400
    pass_days(world, 1)
    renames_other(world)
    pass_days(world, 29)
    assert forget_old_entries(world.svc) == 86_400
    assert [entry["kind"] for entry in entries(world)] == ["name_changed"]


@pytest.mark.parametrize("days", [40, 3650])
def test_a_clock_that_is_set_ahead_removes_no_entries(make_world: MakeWorld, days: int) -> None:
    """Also not if the same wrong clock comes back after some hours, or on another day."""
    world = make_world(audit_days=30)
    changes_role(world)
    for hours in (1, 6, 30, 50):
        world.clock.jump(days * 86_400)
        forget_old_entries(world.svc)
        world.clock.jump(-days * 86_400)
        forget_old_entries(world.svc)
        world.clock.advance(hours * 3600)
    assert [entry["kind"] for entry in entries(world)] == ["role_changed"]


def test_entries_are_removed_a_day_after_the_first_one_is_too_old(make_world: MakeWorld) -> None:
    world = make_world(audit_days=30)
    changes_role(world)
    world.clock.advance(30 * 86_400)
    assert forget_old_entries(world.svc) == inf
    world.clock.advance(86_399)
    assert forget_old_entries(world.svc) == inf
    assert [entry["kind"] for entry in entries(world)] == ["role_changed"]
    world.clock.advance(1)
    forget_old_entries(world.svc)
    assert entries(world) == []


def test_a_password_has_one_entry_whoever_sets_it(world: World) -> None:
    with_password(world)
    world["new"].patch("/settings", old_password=PASSWORD, new_password="another horse battery")
    assert [entry["kind"] for entry in entries(world)] == ["password_set", "account_created"]


def test_a_session_that_ends_has_an_entry(world: World) -> None:
    browser = logs_in(world, "bea")
    browser.request("POST", "/accounts/logout")
    kinds = [(entry["kind"], entry["actor_id"]) for entry in entries(world)]
    assert kinds == [("session_ended", world["bea"].id), ("logged_in", world["bea"].id)]


def test_mappings_are_bounded(world: World) -> None:
    choices = {str(number): {"text": str(number), "order": "1"} for number in range(150)}
    world["olga"].post("/realm/profile_fields", field_type=3, name="Soup", field_data=choices)
    ((item,),) = [entry["after"]["items"] for entry in entries(world)]
    assert item["field_data"] == dict(list(choices.items())[:MAX_ITEMS])


def test_of_a_picture_the_log_has_no_more_than_that_there_is_one(files_world: World) -> None:
    sent = form(part(picture(), "picture.png"))
    for path, query in (("icon", {}), ("logo", {"night": "false"}), ("logo", {"night": "true"})):
        succeeded(send_form(files_world["olga"], sent, path=f"/realm/{path}", query=query))
    assert [(entry["before"], entry["after"]) for entry in reversed(entries(files_world))] == [
        ({name: False}, {name: True}) for name in ("icon_key", "logo_key", "night_logo_key")
    ]


def test_a_login_whose_session_is_refused_is_not_noted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with_password(world)
    is_right_password = logins.is_right_password

    def is_right_but_late(svc: Services, *given: Any) -> bool:
        renew_key(svc, "new@example.org")  # while the password is verified
        return is_right_password(svc, *given)

    monkeypatch.setattr(logins, "is_right_password", is_right_but_late)
    assert tries(world, "new@example.org", PASSWORD) == 401
    assert [entry["kind"] for entry in entries(world)] == ["key_renewed", "account_created"]
