"""Statuses of users."""

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.security.attacking import nothing_changes
from tests.worlds.organization import Someone, World
from tests.worlds.registering_over_http import Api, Body, MakeApi

HOUSE = {"emoji_name": "house", "emoji_code": "1f3e0", "reaction_type": "unicode_emoji"}
APPLE = {"emoji_name": "apple", "emoji_code": "1f34e"}
NO_EMOJI = {"emoji_name": "", "emoji_code": "", "reaction_type": ""}


def status(api: Api, name: str, viewer: str = "gil") -> Body:
    found: Body = api.ok(viewer, "GET", f"users/{api.id(name)}/status")["status"]
    everybody = api.state(viewer, "user_status")["user_status"]
    assert everybody.get(str(api.id(name)), {}) == found
    return found


@pytest.mark.shows(
    "reaction.unicode", "status.empty", "status.text", "status.emoji", "get-status.status",
    "change.user-status",
)  # fmt: skip
def test_only_what_is_set_is_there(api: Api) -> None:
    assert status(api, "grace") == {}
    api.ok("grace", "POST", "users/me/status", status_text=" at lunch ")
    assert status(api, "grace") == {"status_text": "at lunch"}
    api.ok("grace", "POST", "users/me/status", **HOUSE)
    assert status(api, "grace") == {"status_text": "at lunch", **HOUSE}
    api.ok("grace", "POST", "users/me/status", status_text="")
    assert status(api, "grace") == HOUSE
    api.ok("grace", "POST", "users/me/status", emoji_name="", emoji_code="", reaction_type="unicode_emoji")
    assert status(api, "grace") == {}


@pytest.mark.shows("status.text")
def test_changed_parts_are_announced(api: Api) -> None:
    follower = api.follow("gil", "user_status")
    grace = api.id("grace")
    for body, announced in (
        ({"status_text": "out", **HOUSE}, {"status_text": "out", **HOUSE}),
        ({"status_text": "out", "emoji_name": "house"}, None),
        ({"status_text": "", "emoji_name": "apple"}, {"status_text": "", **APPLE}),
        ({"emoji_name": ""}, NO_EMOJI),
        ({"away": True}, {"away": True}),
        ({"away": True}, None),
        ({"away": False}, {"away": False}),
    ):  # fmt: skip
        api.ok("grace", "POST", "users/me/status", **body)
        expected = [] if announced is None else [{"type": "user_status", "user_id": grace, **announced}]
        assert follower.events() == expected, body


@pytest.mark.shows(
    "status.away", "register.without-settings-object", "event.user-settings",
    "event.global-notifications",
)  # fmt: skip
def test_away_is_a_setting(api: Api) -> None:
    old = api.follow("grace", "user_settings", "update_global_notifications")
    new = api.follow("grace", "user_settings", "update_global_notifications", user_settings_object=True)
    api.ok("grace", "POST", "users/me/status", away=True)
    assert status(api, "grace") == {"away": True}
    assert api.state("grace")["user_settings"]["presence_enabled"] is False
    changed = {"type": "user_settings", "op": "update", "property": "presence_enabled", "value": False}
    legacy = {
        "type": "update_global_notifications",
        "user": "grace@example.org",
        "notification_name": "presence_enabled",
        "setting": False,
    }
    assert old.events() == [changed, legacy]
    assert new.events() == [changed]
    api.ok("grace", "POST", "users/me/status", away=False)
    assert status(api, "grace") == {}


@pytest.mark.shows("status.emoji", "status.kinds")
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "did not pass any new values"),
        ({"status_text": "x" * 61}, "too long"),
        ({"status_text": "a\x01b"}, "Invalid character"),
        ({"emoji_code": "1f3e0"}, "must pass emoji_name"),
        ({"reaction_type": "unicode_emoji"}, "must pass emoji_name"),
        ({"emoji_name": "no such emoji"}, "does not exist"),
        ({"emoji_name": "house", "emoji_code": "1f34e"}, "Invalid emoji name"),
        ({"emoji_name": "house", "emoji_code": "ffff"}, "Invalid emoji code"),
        ({"emoji_name": "house", "emoji_code": "1", "reaction_type": "realm_emoji"}, "does not exist"),
        ({"emoji_name": "house", "reaction_type": "service_extra_emoji"}, "does not exist"),
        ({"emoji_name": "house", "reaction_type": "sticker"}, "Invalid emoji type"),
    ],
)
def test_statuses_that_are_refused(api: Api, body: Body, reason: str) -> None:
    code, text = api.refused("grace", "POST", "users/me/status", **body)
    assert code == "BAD_REQUEST"
    assert reason in text


@pytest.mark.shows("status.kinds")
@pytest.mark.parametrize(("brand", "word"), [("", "service"), ("acme", "acme")])
def test_the_servers_own_emoji_is_in_statuses(make_api: MakeApi, brand: str, word: str) -> None:
    api = make_api(compat_brand=brand)
    follower = api.follow("gil", "user_status")
    kind = f"{word}_extra_emoji"
    emoji = {"emoji_name": word, "emoji_code": word, "reaction_type": kind}
    for body in ({"emoji_name": word, "reaction_type": kind}, {"emoji_name": ""}, {"emoji_name": word}):
        api.ok("grace", "POST", "users/me/status", **body)
    assert status(api, "grace") == emoji
    announced = {"type": "user_status", "user_id": api.id("grace")}
    assert follower.events() == [{**announced, **emoji}, {**announced, **NO_EMOJI}, {**announced, **emoji}]


def test_bots_have_no_status(api: Api) -> None:
    bot = api.add_bot("robot", "grace")
    assert api.refused("robot", "POST", "users/me/status", status_text="x")[0] == "BAD_REQUEST"
    assert api.ok("grace", "GET", f"users/{bot.id}/status")["status"] == {}


@pytest.mark.shows("get-status.unknown")
def test_the_status_of_nobody(api: Api) -> None:
    assert api.refused("grace", "GET", f"users/{10**9}/status") == ("BAD_REQUEST", "No such user")
    assert api.refused(None, "GET", f"users/{api.id('grace')}/status")[0] == "UNAUTHORIZED"


def test_limited_guests_see_the_status_of_visible_users(make_api: MakeApi) -> None:
    api = make_api(permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)})
    for name in ("grace", "mary"):
        api.ok(name, "POST", "users/me/status", status_text="out")
    assert status(api, "grace") == {"status_text": "out"}
    assert api.refused("gil", "GET", f"users/{api.id('mary')}/status") == (
        "BAD_REQUEST",
        "No such user",
    )
    assert set(api.state("gil", "user_status")["user_status"]) == {str(api.id("grace"))}


# -- statuses of others -----------------------------------------------------------------------------


@pytest.mark.shows("level.status-of-others")
def test_administrators_set_the_status_of_others(world: World, ada: Someone) -> None:
    line = ada.opens_queue("user_status")
    world["adi"].post(f"/users/{world['bea'].id}/status", status_text="on leave", emoji_name="house")
    assert [event["status_text"] for event in line.events()] == ["on leave"]
    assert ada.get(f"/users/{world['bea'].id}/status")["status"]["emoji_name"] == "house"


@pytest.mark.parametrize(
    ("who", "whom", "status"),
    [
        ("mona", "bea", {"status_text": "on leave"}),
        ("bea", "bea", {"status_text": "on leave"}),
        ("adi", "cem", {"status_text": "on leave"}),  # deactivated
        ("adi", "robo", {"status_text": "on leave"}),
        ("adi", "bea", {}),
        ("adi", "bea", {"status_text": "a" * 61}),
        ("adi", "bea", {"emoji_code": "1f3e0"}),
        ("adi", "bea", {"emoji_name": "no such"}),
    ],
)
def test_which_status_of_others_is_not_set(world: World, who: str, whom: str, status: dict[str, str]) -> None:
    world.change_user("cem", is_active=False)
    with nothing_changes(world):
        world[who].refused("POST", f"/users/{world[whom].id}/status", **status)
        world[who].refused("POST", "/users/99999/status", status_text="on leave")
