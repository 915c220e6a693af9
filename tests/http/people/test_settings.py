"""Changing one's own settings, name, address and password."""

from typing import Any

import pytest

from chatcore.application.people import passwords
from chatcore.application.people.accounts import NewUser, allow_email_changes, create_user
from chatcore.application.services import Services
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.settings import SETTINGS, LegacyGroup, UserSetting, Value
from chatcore.domain.roles import Role
from tests.worlds.registering_over_http import Api, Body, MakeApi

PASSWORD = "correct horse"
LEGACY = ("update_display_settings", "update_global_notifications")


def another(name: str, setting: UserSetting) -> Value:
    """A value that the setting does not begin with."""
    if name == "timezone":
        return "Europe/London"
    if setting.allowed:
        return next(one for one in setting.allowed if one != setting.default)
    return not setting.default if isinstance(setting.default, bool) else int(setting.default or 0) + 1


def legacy_event(name: str, value: Value, email: str = "grace@example.org") -> Body:
    if SETTINGS[name].legacy == LegacyGroup.NOTIFICATIONS:
        return {"type": LEGACY[1], "user": email, "notification_name": name, "setting": value}
    return {"type": LEGACY[0], "user": email, "setting_name": name, "setting": value}


def placeholder(api: Api, name: str) -> str:
    return f"user{api.id(name)}@{api.svc.settings.host}"


# -- settings ---------------------------------------------------------------------------------------


@pytest.mark.shows("level.settings")
@pytest.mark.shows(
    "event.user-settings", "event.display-settings", "event.global-notifications",
    "register.without-settings-object", "register.without-display-settings",
)  # fmt: skip
def test_every_setting_can_be_changed_and_is_announced_in_both_forms(api: Api) -> None:
    old = api.follow("grace", "user_settings", *LEGACY)
    new = api.follow("grace", "user_settings", *LEGACY, user_settings_object=True)
    others = api.follow("ada", "user_settings", *LEGACY)
    values = {name: another(name, setting) for name, setting in SETTINGS.items()}
    announced: list[Body] = []
    for name, value in values.items():
        if name == "email_address_visibility":
            continue  # it changes the address by which the older events name the user
        api.ok("grace", "PATCH", "settings", **{name: value})
        named = {"language_name": "العربية"} if name == "default_language" else {}
        changed = {"type": "user_settings", "op": "update", "property": name, "value": value, **named}
        legacy = {**legacy_event(name, value), **named}
        announced += [changed, legacy] if SETTINGS[name].legacy else [changed]
        assert new.events() == [changed]
    assert old.events() == announced
    assert others.events() == []
    api.ok("grace", "PATCH", "settings", email_address_visibility=2)
    state = api.state("grace", "user_settings", *LEGACY)
    assert {name: state["user_settings"][name] for name in values} == values
    flat = {name for name, setting in SETTINGS.items() if setting.legacy}
    assert {name: state[name] for name in flat} == {name: values[name] for name in flat}


def test_several_settings_are_changed_at_once(api: Api) -> None:
    follower = api.follow("grace", "user_settings")
    answer = api.ok("grace", "PATCH", "settings", color_scheme=2, enter_sends=True, emojiset="google", nap=1)
    assert answer["ignored_parameters_unsupported"] == ["nap"]
    assert [(event["property"], event["value"]) for event in follower.events()] == [
        ("color_scheme", 2),
        ("enter_sends", True),
    ]
    assert set(answer) == {"result", "msg", "ignored_parameters_unsupported"}


def test_an_unchanged_value_is_no_change(api: Api) -> None:
    follower = api.follow("grace")
    for _ in range(2):
        api.ok("grace", "PATCH", "settings", full_name="Grace", email="grace@example.org", timezone="")
        api.ok("grace", "PATCH", "settings", full_name=" ", email="", old_password="wrong", new_password="")
        api.ok("grace", "PATCH", "settings", email_address_visibility=1, presence_enabled=True)
    assert follower.events() == []


@pytest.mark.shows("level.settings")
def test_a_clock_may_have_no_choice(api: Api) -> None:
    for value in (True, None):
        # The text "null" is the value.
        api.ok("grace", "PATCH", "settings", twenty_four_hour_time="null" if value is None else "true")
        assert api.state("grace")["user_settings"]["twenty_four_hour_time"] is value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("enter_sends", "yes"),
        ("enter_sends", "1"),
        ("enter_sends", "null"),
        ("color_scheme", "4"),
        ("color_scheme", "dark"),
        ("color_scheme", "1.0"),
        ("color_scheme", "true"),
        ("web_font_size_px", "-1"),
        ("web_font_size_px", "99999999999999999999"),
        ("email_notifications_batching_period_seconds", "604801"),
        ("emojiset", "other"),
        ("emojiset", '"google"'),
        ("notification_sound", "gong"),
        ("default_language", "tlh"),
        ("timezone", "Europe/Atlantis"),
        ("timezone", "../../etc/passwd"),
        ("timezone", "europe/london"),
        ("email_address_visibility", "6"),
    ],
)
def test_other_values_are_refused(api: Api, name: str, value: str) -> None:
    before = api.state("grace")["user_settings"]
    code, text = api.refused("grace", "PATCH", "settings", **{"starred_message_counts": False, name: value})
    is_no_number = value in ("dark", "1.0", "true", "99999999999999999999")
    assert code == ("REQUEST_VARIABLE_INVALID" if is_no_number else "BAD_REQUEST")
    assert f"'{name}'" in text
    assert api.state("grace")["user_settings"] == before


def test_settings_are_changed_all_or_none(api: Api) -> None:
    assert api.refused("grace", "PATCH", "settings", enter_sends=True, full_name="x|1")[0] == "BAD_REQUEST"
    assert api.refused("grace", "PATCH", "settings", full_name="Amazing", email="x")[0] == "BAD_REQUEST"
    assert api.state("grace")["user_settings"]["enter_sends"] is False
    assert api.user("grace").full_name == "Grace"


def test_bots_have_no_settings(api: Api) -> None:
    api.add_bot("robot", "grace")
    assert api.refused("robot", "PATCH", "settings", enter_sends=True)[0] == "BAD_REQUEST"
    assert api.refused(None, "PATCH", "settings", enter_sends=True)[0] == "UNAUTHORIZED"


def test_all_users_are_notified_of_the_time_zone(api: Api) -> None:
    follower = api.follow("gil", "realm_user")
    api.ok("grace", "PATCH", "settings", timezone="Asia/Tokyo")
    person = {"user_id": api.id("grace"), "email": "grace@example.org", "timezone": "Asia/Tokyo"}
    assert follower.events() == [{"type": "realm_user", "op": "update", "person": person}]
    assert api.ok("gil", "GET", f"users/{api.id('grace')}")["user"]["timezone"] == "Asia/Tokyo"


def test_users_who_hide_their_presence_are_offline(api: Api) -> None:
    follower = api.follow("gil", "user_status")
    for enabled in (False, False, True):
        api.ok("grace", "PATCH", "settings", presence_enabled=enabled)
    announced = {"type": "user_status", "user_id": api.id("grace")}
    assert follower.events() == [{**announced, "away": True}, {**announced, "away": False}]


def test_the_address_is_hidden_and_shown(api: Api) -> None:
    grace = api.id("grace")
    guest, owner = api.follow("gil", "realm_user"), api.follow("ada", "realm_user")
    for visibility, address, seen_by_guest in (
        (3, placeholder(api, "grace"), None),
        (4, placeholder(api, "grace"), None),
        (1, "grace@example.org", "grace@example.org"),
    ):
        api.ok("grace", "PATCH", "settings", email_address_visibility=visibility)
        user = api.ok("gil", "GET", f"users/{grace}", client_gravatar=False)["user"]
        assert (user["email"], user["delivery_email"]) == (address, seen_by_guest)
        people = [event["person"] for event in guest.events()]
        announced = {name: value for person in people for name, value in person.items()}
        assert announced["delivery_email"] == seen_by_guest
        if visibility != 4:  # otherwise it is the same placeholder as before
            assert announced["new_email"] == address
            assert announced.get("avatar_url", user["avatar_url"]) == user["avatar_url"]
        assert ("new_email" in announced) == (visibility != 4)
    assert [event["person"].get("delivery_email") for event in owner.events()][:1] == ["grace@example.org"]


def test_a_hidden_address_is_in_no_event_for_who_may_not_see_it(api: Api) -> None:
    follower = api.follow("gil")
    api.ok("grace", "PATCH", "settings", email_address_visibility=4)
    api.ok("grace", "PATCH", "settings", full_name="Grace Hopper", timezone="Asia/Tokyo", enter_sends=True)
    assert "grace@example.org" not in str(follower.events())


# -- name and address -------------------------------------------------------------------------------


def test_people_rename_themselves(api: Api) -> None:
    follower = api.follow("gil", "realm_user")
    api.ok("grace", "PATCH", "settings", full_name=" Grace Hopper ")
    person = {"user_id": api.id("grace"), "full_name": "Grace Hopper"}
    assert follower.events() == [{"type": "realm_user", "op": "update", "person": person}]


@pytest.mark.parametrize("name", ["x", "a" * 101, "a@b", "a|12", "a\x07b"])
def test_names_outside_the_rules_are_refused(api: Api, name: str) -> None:
    assert api.refused("grace", "PATCH", "settings", full_name=name)[0] == "BAD_REQUEST"


def test_where_names_are_not_to_be_changed(make_api: MakeApi) -> None:
    api = make_api(name_changes_disabled=True, email_changes_disabled=True)
    assert "disabled" in api.refused("grace", "PATCH", "settings", full_name="Amazing Grace")[1]
    assert "disabled" in api.refused("grace", "PATCH", "settings", email="g@example.org")[1]
    api.ok("grace", "PATCH", "settings", full_name="Grace", email="grace@example.org")
    api.ok("ada", "PATCH", "settings", full_name="Ada Lovelace")
    assert api.user("ada").full_name == "Ada Lovelace"


def test_only_who_may_change_addresses_changes_the_own_one(api: Api) -> None:
    for who in ("ada", "mary", "grace", "gil"):
        assert api.refused(who, "PATCH", "settings", email="new@example.org")[0] == "BAD_REQUEST"
    allow_email_changes(api.svc, "ada@example.org")
    assert "in use" in api.refused("ada", "PATCH", "settings", email="Grace@example.org")[1]
    follower = api.follow("gil", "realm_user")
    api.ok("ada", "PATCH", "settings", email="new@example.org")
    assert {"user_id": api.id("ada"), "new_email": "new@example.org"} in [
        event["person"] for event in follower.events()
    ]
    assert api.user("ada").email == "new@example.org"


# -- the password -----------------------------------------------------------------------------------


@pytest.fixture
def with_password(api: Api) -> Api:
    login = create_user(
        api.svc, NewUser(email="pat@example.org", full_name="Pat", role=Role.MEMBER, password=PASSWORD)
    )
    api.world.users["pat"] = api.svc.storage.read(lambda snapshot: snapshot.users.get(login.user_id))
    return api


def log_in(api: Api, password: str) -> tuple[int, Body]:
    return api.call(None, "POST", "fetch_api_key", username="pat@example.org", password=password)


def test_with_a_new_password_the_old_key_is_worth_nothing(with_password: Api) -> None:
    api = with_password
    key = log_in(api, PASSWORD)[1]["api_key"]
    follower = api.follow("gil")
    api.ok("pat", "PATCH", "settings", old_password=PASSWORD, new_password="staple battery")
    assert follower.events() == []
    assert log_in(api, PASSWORD)[0] == 401
    status, body = log_in(api, "staple battery")
    assert status == 200
    assert body["api_key"] != key


def test_one_of_two_simultaneous_changes_of_a_password_is_refused(
    with_password: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request would use a password that is no longer valid, and that others may know."""
    api = with_password
    change = {"old_password": PASSWORD, "new_password": "staple battery"}

    def meanwhile(svc: Services, password: str) -> str:
        monkeypatch.undo()
        api.ok("pat", "PATCH", "settings", **change)
        return passwords.hash_of_password(svc, password)

    monkeypatch.setattr("chatcore.application.people.settings.hash_of_password", meanwhile)
    refused = api.refused("pat", "PATCH", "settings", **{**change, "new_password": "stolen horse"})
    assert refused == ("BAD_REQUEST", "Wrong password!")
    assert [log_in(api, password)[0] for password in ("stolen horse", "staple battery")] == [401, 200]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("wrong", "staple battery", "Wrong password"),
        ("", "staple battery", "Wrong password"),
        ("x" * 10_000, "staple battery", "Wrong password"),
        (PASSWORD, "short", "6 to 100"),
        (PASSWORD, "x" * 101, "6 to 100"),
    ],
)
def test_passwords_that_are_not_taken(with_password: Api, old: str, new: str, reason: str) -> None:
    api = with_password
    code, text = api.refused("pat", "PATCH", "settings", old_password=old, new_password=new, enter_sends=True)
    assert code == "BAD_REQUEST"
    assert reason in text
    assert api.state("pat")["user_settings"]["enter_sends"] is False
    assert log_in(api, PASSWORD)[0] == 200


def test_users_without_a_password_cannot_prove_it(api: Api) -> None:
    refused = api.refused("grace", "PATCH", "settings", old_password="", new_password="staple battery")
    assert refused == ("BAD_REQUEST", "Wrong password!")


def test_passwords_are_not_tried_for_ever(with_password: Api) -> None:
    api = with_password
    tries = [
        api.refused("pat", "PATCH", "settings", old_password="guess", new_password="staple battery")[0]
        for _ in range(7)
    ]
    assert tries == ["BAD_REQUEST"] * 5 + ["RATE_LIMIT_HIT"] * 2
    assert log_in(api, PASSWORD)[0] == 200, "which is counted apart"


def test_no_passwords_where_there_are_none(make_api: MakeApi) -> None:
    api = make_api(password_auth_enabled=False)
    refused = api.refused("grace", "PATCH", "settings", old_password="x", new_password="staple battery")
    assert refused[0] == "PASSWORD_AUTH_DISABLED"


# -- limited guests ---------------------------------------------------------------------------------


def test_limited_guests_are_notified_of_visible_users(make_api: MakeApi) -> None:
    api = make_api(permissions={"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)})
    follower = api.follow("gil")
    changes: dict[str, Any] = {
        "full_name": "New Name", "timezone": "Asia/Tokyo", "email_address_visibility": 4,
        "presence_enabled": False,
    }  # fmt: skip
    api.ok("mary", "PATCH", "settings", **changes)
    assert follower.events() == []
    api.ok("grace", "PATCH", "settings", **changes)
    assert {event["type"] for event in follower.events()} == {"realm_user", "user_status"}
