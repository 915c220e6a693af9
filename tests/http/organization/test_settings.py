"""Settings of the organization: changed over HTTP, announced to all users, and enforced."""

from typing import Any

import pytest

from chatcore import BadRequest, open_chat
from chatcore.application.organization.settings import change_organization, organization_settings
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.errors import InsufficientRole, InvalidParameter
from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.settings import (
    CHANNEL_SETTINGS,
    MODERATION_CHANNEL,
    SETTINGS,
    UNLIMITED,
)
from tests.storage_backends.spying import statements
from tests.worlds.organization import DAY, NOW, MakeWorld, Someone, World

OTHER_VALUES: dict[str, Any] = {
    "name": "Salad Society",
    "description": "For *everybody*",
    "topics_policy": "disable_empty_topic",
    "message_edit_history_visibility_policy": "none",
    "default_code_block_language": "python",
    "waiting_period_threshold": 3,
    "upload_quota_mib": 7,
    "welcome_message_custom_text": "Ask *Mona*.",
    "giphy_rating": 3,
    "video_chat_provider": 1,
    "jitsi_server_url": "https://meet.example",
    "default_language": "de",
    "digest_weekday": 6,
    "org_type": 30,
}
"""New values for settings whose kind does not suggest one."""


def realm(who: Someone) -> dict[str, Any]:
    return who.post("/register", fetch_event_types=["realm"])


def another(world: World, name: str) -> Any:
    now = organization_settings(world.svc)[name]
    if isinstance(now, bool):
        return not now
    if name in CHANNEL_SETTINGS:
        return world.id("secret" if name == MODERATION_CHANNEL else "lunch")
    return OTHER_VALUES.get(name, 77)


@pytest.mark.shows("level.encrypted-push")
def test_every_setting_is_changed_and_announced_as_in_the_state(make_world: MakeWorld) -> None:
    world = make_world(development=True)  # where there is a second way to log in
    olga, bea = world["olga"], world["bea"]
    line = bea.registers(event_types=["realm"])
    for name in SETTINGS:
        value = another(world, name)
        olga.patch("/realm", **{name: value})
        olga.patch("/realm", **{name: value})
        events = line.events()
        changed = [event for event in events if event.get("property") == name]
        assert [event["value"] for event in changed] == [value], f"{name}: once"
        for event in events:
            announced = event.get("data") or {event["property"]: event["value"]}
            assert event["op"] == ("update_dict" if "data" in event else "update")
            line.state.update({f"realm_{one}": now for one, now in announced.items()})
        fresh = bea.post("/register", fetch_event_types=["realm"])
        differing = {one for one in fresh if one.startswith("realm_") and fresh[one] != line.state[one]}
        assert differing == set(), name


def test_a_request_that_changes_nothing_stores_nothing(world: World) -> None:
    olga = world["olga"]
    wanted = {"name": "Salad Society", "can_create_groups": {"new": SystemGroup.OWNERS.group_id}}
    for writes in (1, 0):
        with statements(world.storage) as sent:
            olga.patch("/realm", **wanted)
        assert sum(one.startswith('INSERT INTO "organization"') for one, _ in sent) == writes


def test_no_limit_is_a_word_and_no_channel_a_number(world: World) -> None:
    olga = world["olga"]
    where, how_long = "new_stream_announcements_stream_id", "message_content_edit_limit_seconds"
    olga.patch("/realm", **{where: world.id("lunch"), how_long: 30})
    line = olga.registers(event_types=["realm"])
    olga.patch("/realm", **{where: -1, how_long: UNLIMITED})
    assert {event["property"]: event["value"] for event in line.events()} == {where: -1, how_long: None}
    olga.patch("/realm", **{how_long: 5})
    olga.patch("/realm", **{how_long: None})
    assert organization_settings(world.svc)[how_long] is None
    assert organization_settings(world.svc)[where] is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": " "}, "The name of the organization can't be empty."),
        ({"name": "x" * 41}, "The name of the organization is too long (limit: 40 characters)."),
        ({"name": "a\u202eb"}, "Invalid character in the name of the organization, at position 2."),
        ({"description": "x" * 1001}, "Bad value for 'description': Expected at most 1000 characters"),
        ({"description": "a\x01"}, "Invalid character in description, at position 2."),
        ({"default_code_block_language": "a\nb"}, "Invalid character in text, at position 2."),
        (
            {"topics_policy": "inherit"},
            "Bad value for 'topics_policy': Expected one of allow_empty_topic, disable_empty_topic",
        ),
        ({"message_content_edit_limit_seconds": 0}, "Expected 1 to 2147483647"),
        ({"message_content_edit_limit_seconds": "for ever"}, "Expected an integer or 'unlimited'"),
        ({"waiting_period_threshold": 36_501}, "Expected 0 to 36500"),
        ({"waiting_period_threshold": UNLIMITED}, "waiting_period_threshold"),
        ({"enable_read_receipts": 1}, "enable_read_receipts"),
        ({"new_stream_announcements_stream_id": 999_999}, "Invalid channel ID"),
        ({"new_stream_announcements_stream_id": -2}, "new_stream_announcements_stream_id"),
        ({"moderation_request_channel_id": 999_999}, "Invalid channel ID"),
        ({"message_retention_days": 0}, "Expected 1 to 36500"),
        ({"giphy_rating": 6}, "giphy_rating"),
        ({"video_chat_provider": 2}, "video_chat_provider"),
        ({"digest_weekday": 7}, "digest_weekday"),
        ({"org_type": 1}, "org_type"),
        ({"default_language": "xx"}, "default_language"),
        ({"jitsi_server_url": "meet.example"}, "jitsi_server_url is not the address of a server"),
        ({"jitsi_server_url": "javascript:alert(1)"}, "jitsi_server_url is not the address of a server"),
        ({"jitsi_server_url": "https://a@meet.example"}, "jitsi_server_url is not the address of a server"),
        ({"jitsi_server_url": "https://meet.example:x"}, "jitsi_server_url is not the address of a server"),
        (
            {"jitsi_server_url": "https://meet.example?a"},
            "jitsi_server_url is not the address of a server",
        ),
        ({"authentication_methods": {"Email": False}}, "At least one authentication method must be enabled."),
        ({"authentication_methods": {"Other": True}}, "Invalid authentication method: Other"),
        ({"can_create_groups": {"new": 999_999}}, "Invalid user group ID: 999999"),
        ({"can_create_groups": {"old": 13}}, "'can_create_groups' has no 'new' value"),
        (
            {"can_manage_all_groups": {"new": SystemGroup.NOBODY.group_id}},
            "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
        ),
    ],
)
def test_an_invalid_value_is_refused_with_the_whole_request(
    world: World, changes: dict[str, Any], said: str
) -> None:
    before = organization_settings(world.svc)
    code = (
        "REQUEST_VARIABLE_INVALID" if changes == {"waiting_period_threshold": "unlimited"} else "BAD_REQUEST"
    )
    body = world["olga"].refused("PATCH", "/realm", code=code, allow_message_editing=False, **changes)
    assert said in body["msg"]
    assert organization_settings(world.svc) == before


def test_an_archived_channel_is_not_chosen(world: World) -> None:
    field = {"new_stream_announcements_stream_id": world.id("attic")}
    assert world["olga"].refused("PATCH", "/realm", **field)["msg"] == "Invalid channel ID"


def test_nothing_is_announced_in_a_channel_that_was_archived(world: World) -> None:
    for name in ("new_stream_announcements_stream_id", "signup_announcements_stream_id"):
        world["olga"].patch("/realm", **{name: world.id("lunch")})
    world.archive("lunch")
    line = world["bea"].opens_queue("message")
    create_user(world.svc, NewUser(email="newt@example.org", full_name="Newt"))
    world["ada"].post("/users/me/subscriptions", subscriptions=[{"name": "soups"}])
    assert line.events() == []


def test_administrators_change_settings_and_owners_a_few_more(world: World) -> None:
    for name, setting in SETTINGS.items():
        change = {name: another(world, name)}
        if setting.of_owners:
            refusal = world["adi"].refused("PATCH", "/realm", code="UNAUTHORIZED_PRINCIPAL", **change)
            assert refusal["msg"] == "Must be an organization owner"
        else:
            world["adi"].patch("/realm", **change)
    assert {name for name in SETTINGS if SETTINGS[name].of_owners} == {
        "disallow_disposable_email_addresses", "emails_restricted_to_domains", "enable_spectator_access",
        "invite_required", "message_retention_days", "password_auth_enabled", "upload_quota_mib",
        "waiting_period_threshold",
    }  # fmt: skip
    for who in ("mona", "ada", "gus", "robo"):
        for change in ({"name": ""}, {}):
            refusal = world[who].refused("PATCH", "/realm", code="UNAUTHORIZED_PRINCIPAL", **change)
            assert refusal["msg"] == "Must be an organization administrator"


def test_read_receipts_can_be_had(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    message_id = ada.says("soup")
    bea.flagged("read", message_id)
    ada.refused("GET", f"/messages/{message_id}/read_receipts")
    world["adi"].patch("/realm", enable_read_receipts=True)
    assert ada.get(f"/messages/{message_id}/read_receipts")["user_ids"] == [bea.id]


def test_new_full_members_receive_the_channels_visible_to_them(world: World) -> None:
    world.add_user("young", date_joined=NOW - 2 * DAY)
    young = world["young"]
    world["ada"].joins("den", invite_only=True, can_add_subscribers_group=SystemGroup.FULL_MEMBERS.group_id)
    line = young.registers(event_types=["stream"])
    for days, op in ((5, "delete"), (1, "create")):
        world["olga"].patch("/realm", waiting_period_threshold=days)
        assert [(event["op"], event["streams"][0]["stream_id"]) for event in line.events()] == [
            (op, world.id("den"))
        ]


def test_a_description_is_shown_before_the_login(world: World) -> None:
    world["olga"].patch("/realm", name=" Salads ", description="For *everybody*\nwho eats")
    announced = world.nobody.get("/server_settings")
    assert announced["realm_name"] == "Salads"
    assert announced["realm_description"] == "<p>For <em>everybody</em><br>\nwho eats</p>"


def test_the_channel_for_moderation_requests_is_private(world: World) -> None:
    refusal = world["olga"].refused("PATCH", "/realm", moderation_request_channel_id=world.id("lunch"))
    assert refusal["msg"] == "Moderation request channel must be private."


def test_nothing_is_a_word_or_a_number(world: World) -> None:
    olga = world["olga"]
    olga.patch("/realm", message_retention_days=7, jitsi_server_url="https://meet.example/")
    state = realm(olga)
    assert (state["realm_message_retention_days"], state["realm_jitsi_server_url"]) == (
        7,
        "https://meet.example",
    )
    for nothing in ("unlimited", -1):
        olga.patch("/realm", message_retention_days=7, jitsi_server_url="https://meet.example/")
        olga.patch("/realm", message_retention_days=nothing, jitsi_server_url="default")
        state = realm(olga)
        assert (state["realm_message_retention_days"], state["realm_jitsi_server_url"]) == (-1, None)


def test_required_topics_have_two_names(world: World) -> None:
    olga, ada = world["olga"], world["ada"]
    message = {"type": "channel", "to": world.id("lunch"), "topic": "", "content": "x"}

    for changes, status in (
        ({"mandatory_topics": True}, 400),
        ({"topics_policy": "allow_empty_topic"}, 200),
        ({"topics_policy": "disable_empty_topic"}, 400),
        ({"mandatory_topics": False}, 200),
        ({"mandatory_topics": False, "topics_policy": "disable_empty_topic"}, 400),
    ):
        olga.patch("/realm", **changes)
        state = realm(olga)
        assert state["realm_mandatory_topics"] is (status == 400), changes
        assert (state["realm_topics_policy"] == "disable_empty_topic") is (status == 400), changes
        assert ada.request("POST", "/messages", **message).status_code == status, changes


def test_owners_disable_ways_to_log_in(make_world: MakeWorld) -> None:
    world = make_world(development=True)
    olga = world["olga"]
    refusal = olga.refused("PATCH", "/realm", authentication_methods={"Dev": False})
    assert refusal["msg"] == "The authentication method 'Dev' cannot be disabled."
    world["adi"].refused(
        "PATCH", "/realm", code="UNAUTHORIZED_PRINCIPAL", authentication_methods={"Email": False, "Dev": True}
    )
    for enabled in (False, True):
        olga.patch("/realm", authentication_methods={"Email": enabled, "Dev": True})
        assert realm(olga)["realm_authentication_methods"]["Email"]["enabled"] is enabled


def test_sec_the_only_way_to_log_in_stays(world: World) -> None:
    olga = world["olga"]
    for change in ({"password_auth_enabled": False}, {"authentication_methods": {"Email": False}}):
        refusal = olga.refused("PATCH", "/realm", name="Locked out", **change)
        assert refusal["msg"] == "At least one authentication method must be enabled."
    assert (realm(olga)["realm_email_auth_enabled"], realm(olga)["realm_name"]) == (
        True,
        "Analytical Society",
    )
    change_organization(world.svc, {"password_auth_enabled": False})  # a program that logs people in itself
    olga.patch("/realm", password_auth_enabled=False, name="Members of a program")
    olga.patch("/realm", password_auth_enabled=True)


def test_new_people_are_announced_and_have_the_language(world: World) -> None:
    world["olga"].patch("/realm", signup_announcements_stream_id=world.id("lunch"), default_language="de")
    line = world["ada"].registers(event_types=["message"])
    newt = create_user(world.svc, NewUser(email="newt@example.org", full_name="Newt"))
    (event,) = line.events()
    assert (event["message"]["display_recipient"], event["message"]["subject"]) == ("lunch", "signups")
    assert "joined this organization." in event["message"]["content"]
    create_user(world.svc, NewUser(email="bot@example.org", full_name="Bot", is_bot=True))
    assert line.events() == []
    assert world.storage.read(lambda snapshot: snapshot.users.get(newt.user_id)).settings == {
        "default_language": "de"
    }


def test_every_permission_is_changed_and_announced_as_in_the_state(world: World) -> None:
    olga, bea = world["olga"], world["bea"]
    line = bea.registers(event_types=["realm"])
    for name, permission in ORGANIZATION_PERMISSIONS.items():
        state = realm(bea)
        now = state[f"realm_{name}"]
        new: Any = {"direct_members": sorted([world["ada"].id, olga.id]), "direct_subgroups": []}
        if permission.require_system_group:
            new = next(int(group.group_id) for group in permission.allowed if group.group_id != now)
        stale = {"new": new, "old": SystemGroup.FULL_MEMBERS.group_id}
        olga.refused("PATCH", "/realm", code="EXPECTATION_MISMATCH", **{name: stale})
        assert line.events() == []
        for _ in range(2):
            olga.patch("/realm", **{name: {"new": new}})
        events = line.events()
        changed = [event["data"] for event in events if event.get("data", {}).get(name)]
        assert changed == [{name: new}]
        for event in events:
            announced = event.get("data") or {event["property"]: event["value"]}
            line.state.update({f"realm_{one}": value for one, value in announced.items()})
        fresh = realm(bea)
        assert {one for one in fresh if one.startswith("realm_") and fresh[one] != line.state[one]} == set()


OF_OWNERS = {
    "can_create_groups",
    "can_create_web_public_channel_group",
    "can_invite_users_group",
    "can_manage_all_groups",
    "create_multiuse_invite_group",
}


def test_roles_that_change_permissions(world: World) -> None:
    for name, permission in ORGANIZATION_PERMISSIONS.items():
        new = {"new": int(next(iter(permission.allowed), SystemGroup.MEMBERS).group_id)}
        for who in ("adi", "mona", "ada", "gus", "robo"):
            if who == "adi" and name not in OF_OWNERS:
                world[who].patch("/realm", **{name: new})
            else:
                world[who].refused("PATCH", "/realm", code="UNAUTHORIZED_PRINCIPAL", **{name: new})


def test_a_permission_is_enforced_at_once(world: World) -> None:
    ada, nobody = world["ada"], {"new": SystemGroup.NOBODY.group_id}
    group = {"description": "", "members": [ada.id]}
    ada.post("/user_groups/create", name="one", **group)
    world["olga"].patch("/realm", can_create_groups=nobody, can_create_public_channel_group=nobody)
    ada.refused("POST", "/user_groups/create", name="two", **group)
    ada.refused("POST", "/users/me/subscriptions", subscriptions=[{"name": "garden"}])
    assert realm(ada)["realm_create_public_stream_policy"] == 1


def test_guests_start_anew_when_they_know_of_other_people(world: World) -> None:
    gus, ada = world["gus"], world["ada"]
    line, others = gus.registers(), ada.registers()
    world["olga"].patch("/realm", can_access_all_users_group={"new": SystemGroup.MEMBERS.group_id})
    gus.refused("GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=line.id, last_event_id=-1)
    assert others.events()
    line = gus.registers()
    world["olga"].patch("/realm", can_access_all_users_group={"new": SystemGroup.EVERYONE.group_id})
    gus.refused("GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=line.id, last_event_id=-1)


def test_a_program_changes_permissions() -> None:
    with open_chat() as chat:
        ada = chat.users.create("ada@example.com", "Ada Fox")
        chat.organization.change(permissions={"can_create_groups": ada})
        holders = chat.organization.permissions()["can_create_groups"]
        assert holders == GroupSetting.of(members=[ada.user_id])
        with pytest.raises(InvalidParameter, match="Expected one of can_access_all_users_group"):
            chat.organization.change(permissions={"can_fly": ada})


def test_a_program_changes_settings_with_an_actor_or_without() -> None:
    with open_chat() as chat:
        ada = chat.users.create("ada@example.com", "Ada Fox")
        chat.organization.change({"enable_read_receipts": True})
        assert chat.organization.settings()["enable_read_receipts"] is True
        with pytest.raises(InsufficientRole, match="administrator"):
            chat.organization.change({"enable_read_receipts": False}, by=ada)
        with pytest.raises(InvalidParameter, match="Expected one of name, description"):
            chat.organization.change({"enable_reed_receipts": True})
        assert chat.organization.settings()["enable_read_receipts"] is True
    for name in ("", "x" * 300):
        with pytest.raises(BadRequest, match="The name of the organization"):
            open_chat(organization=name)


# -- the welcome ------------------------------------------------------------------------------------

WELCOME = "/realm/test_welcome_bot_custom_message"


@pytest.mark.shows("level.welcome")
def test_administrators_try_the_end_of_the_welcome(world: World) -> None:
    adi = world["adi"]
    sent = adi.post(WELCOME, welcome_message_custom_text="*Salad*, @**all**")["message_id"]
    message = adi.message(sent)
    assert (message["type"], message["sender_full_name"]) == ("private", "Notification Bot")
    assert message["content"].startswith("<p><em>Salad</em>")
    assert adi.registers().state["realm_welcome_message_custom_text"] == ""


def test_only_administrators_send_a_trial_welcome_and_its_text_is_checked(world: World) -> None:
    for name in ("mona", "ada", "gus"):
        world[name].refused(
            "POST", WELCOME, code="UNAUTHORIZED_PRINCIPAL", welcome_message_custom_text="Salad"
        )
    for text in ("", " ", "x" * 8001):
        world["adi"].refused("POST", WELCOME, welcome_message_custom_text=text)
    world["adi"].refused("POST", WELCOME, code="REQUEST_VARIABLE_MISSING")
    assert world["adi"].reads("is:dm") == []


def test_clients_receive_the_key_for_searching_gifs(make_world: MakeWorld) -> None:
    for settings, key in (({}, ""), ({"giphy_api_key": "abc"}, "abc")):
        world = make_world(**settings)
        assert world["gus"].post("/register", fetch_event_types=["giphy"])["giphy_api_key"] == key
