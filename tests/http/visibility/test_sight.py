"""Complete events for users who gain or lose visibility of channels, people or bots."""

from typing import Any

import pytest

from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.people.users import EmailVisibility
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from tests.http.events.test_queues import ALL_CAPABILITIES
from tests.worlds.groups import fills, just, makes
from tests.worlds.organization import Line, MakeWorld, Someone, World

OLD: dict[str, Any] = {"client_capabilities": {}}
MODERN: dict[str, Any] = {"client_capabilities": ALL_CAPABILITIES}


# -- channels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", [True, False])
def test_a_client_that_knows_no_null_gets_what_it_stands_for(world: World, cem: Someone, own: bool) -> None:
    world.choose("cem", enable_stream_email_notifications=own)
    old, modern = cem.opens_queue("subscription", **OLD), cem.opens_queue("subscription", **MODERN)
    cem.joins("lunch")
    ((announced,), (null,)) = (
        [event["subscriptions"][0] for event in line.events()] for line in (old, modern)
    )
    assert (announced["email_notifications"], announced["desktop_notifications"]) == (own, False)
    assert "wildcard_mentions_notify" not in announced
    assert (null["email_notifications"], null["wildcard_mentions_notify"]) == (None, None)
    (listed,) = cem.registers(**OLD).state["subscriptions"]
    assert {**announced, "subscribers": None} == {**listed, "subscribers": None}


def test_subscribers_of_a_channel_that_becomes_visible_are_counted_once(
    world: World, ada: Someone, bea: Someone, olga: Someone
) -> None:
    cooks = makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_add_subscribers_group=cooks)
    by_group = bea.opens_queue("stream", "subscription")
    by_role = world["cem"].opens_queue("stream", "subscription")
    fills(ada, cooks, add=[bea.id])
    olga.patch(f"/users/{world['cem'].id}", role=200)
    for line in (by_group, by_role):
        created, *peers = line.events()
        den = world.id("den")
        (count,) = (one["subscriber_count"] for one in created["streams"] if one["stream_id"] == den)
        assert (count, [e["user_ids"] for e in peers if e["stream_ids"] == [den]]) == (0, [[ada.id]])


def test_a_channel_without_subscribers_announces_none(world: World, bea: Someone, olga: Someone) -> None:
    void = world.add_channel("void", invite_only=True)
    line = bea.opens_queue("stream", "subscription")
    olga.patch(f"/users/{bea.id}", role=200)
    created, *peers = line.events()
    assert void in [one["stream_id"] for one in created["streams"]]
    assert [void] not in [event["stream_ids"] for event in peers]


def test_subscribers_of_an_archived_channel_are_sent_to_clients_that_know_of_them(
    world: World, ada: Someone, bea: Someone
) -> None:
    cooks = makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_administer_channel_group=cooks)
    world.archive("den")
    old, modern = bea.opens_queue("subscription", **OLD), bea.opens_queue("subscription", **MODERN)
    fills(ada, cooks, add=[bea.id])
    assert old.events() == []
    assert [(event["op"], event["user_ids"]) for event in modern.events()] == [("peer_add", [ada.id])]


def policies(line: Line) -> list[object]:
    return [
        event["muted_topics"]
        if event["type"] == "muted_topics"
        else (event["stream_id"], event["topic_name"], event["visibility_policy"])
        for event in line.events("muted_topics", "user_topic")
    ]


@pytest.mark.parametrize("by", ["being subscribed", "a group", "a role"])
def test_topic_policies_come_back_with_a_private_channel(
    world: World, ada: Someone, bea: Someone, olga: Someone, by: str
) -> None:
    cooks = makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_administer_channel_group=cooks, principals=[ada.id, bea.id])
    world.set_policy("bea", "den", "Noise", VisibilityPolicy.MUTED)
    world.set_policy("bea", "den", "News", VisibilityPolicy.FOLLOWED)
    bea.leaves("den")
    line = bea.registers()
    assert (line.state["user_topics"], line.state["muted_topics"]) == ([], [])
    match by:
        case "being subscribed":
            ada.joins("den", principals=[bea.id])
        case "a group":
            fills(ada, cooks, add=[bea.id])
        case _:
            olga.patch(f"/users/{bea.id}", role=200)
    den = world.id("den")
    muted, *rows = policies(line)
    assert muted == [["den", "Noise", world.svc.now]]
    assert sorted(rows, key=str) == [(den, "News", 3), (den, "Noise", 1)]


def test_who_has_muted_no_topic_there_hears_of_no_muted_topics(
    world: World, ada: Someone, bea: Someone
) -> None:
    cem = world["cem"]
    ada.joins("den", invite_only=True, principals=[ada.id, bea.id, cem.id])
    world.set_policy("bea", "den", "Noise", VisibilityPolicy.MUTED)
    world.set_policy("cem", "den", "News", VisibilityPolicy.FOLLOWED)
    lines = []
    for someone in (bea, cem):
        someone.leaves("den")
        lines.append(someone.opens_queue("muted_topics"))
    ada.joins("den", principals=[bea.id, cem.id])
    assert [policies(line) for line in lines] == [[[["den", "Noise", world.svc.now]]], []]


def test_a_list_of_muted_topics_names_no_invisible_channel(world: World, ada: Someone, bea: Someone) -> None:
    world.set_policy("bea", "secret", "noise", VisibilityPolicy.MUTED)
    bea.leaves("secret")
    line = bea.opens_queue("muted_topics")
    bea.post("/user_topics", stream_id=world.id("lunch"), topic="noise", visibility_policy=1)
    assert policies(line) == [[["lunch", "noise", world.svc.now]]]


def test_each_client_gets_the_muted_topics_in_its_own_form(world: World, bea: Someone) -> None:
    """Two clients that are notified at once receive different lists."""
    knows = {"empty_topic_name": True}
    polls = [bea.opens_queue("muted_topics", client_capabilities=one).waits() for one in ({}, knows)]
    bea.post("/user_topics", stream_id=world.id("lunch"), topic="", visibility_policy=1)
    names = [event["muted_topics"][0][1] for poll in polls for event in poll.answer()]
    assert names == ["general chat", ""]


# -- bots and pictures ------------------------------------------------------------------------------


def test_a_new_bot_is_sent_to_its_owner_with_its_key(
    world: World, ada: Someone, olga: Someone, bea: Someone
) -> None:
    owner, administrator, others = (who.opens_queue("realm_bot") for who in (ada, olga, bea))
    new = NewUser(email="echo@example.org", full_name="Echo", is_bot=True, bot_owner_id=ada.actor.user_id)
    login = create_user(world.svc, new)
    (event,) = owner.events()
    assert (event["op"], event["bot"]["api_key"]) == ("add", login.api_key)
    assert event["bot"] == ada.registers().state["realm_bots"][-1]
    (announced,) = administrator.events()
    assert announced["bot"] == {**event["bot"], "api_key": ""} == olga.registers().state["realm_bots"][-1]
    assert others.events() == []
    logged = world.storage.read(lambda snapshot: snapshot.log.after(0, 1000))  # type: ignore[arg-type]
    assert login.api_key not in str(logged)


def test_a_waiting_poll_receives_a_new_bot(world: World, ada: Someone) -> None:
    poll = ada.opens_queue("realm_bot").waits()
    new = NewUser(email="echo@example.org", full_name="Echo", is_bot=True, bot_owner_id=ada.actor.user_id)
    login = create_user(world.svc, new)
    (event,) = poll.answer()
    assert event["bot"]["api_key"] == login.api_key


def test_a_picture_is_sent_when_a_client_can_no_longer_generate_it(make_world: MakeWorld) -> None:
    world = make_world()
    olga, bea, cem = world["olga"], world["bea"], world["cem"]
    world.change_user("cem", email_visibility=int(EmailVisibility.MODERATORS))
    olga.patch(f"/users/{bea.id}", role=300)
    line = bea.opens_queue("realm_user", client_gravatar=True)
    olga.patch(f"/users/{bea.id}", role=400)
    announced = [event["person"] for event in line.events() if event["person"]["user_id"] == cem.id]
    (user,) = [one for one in bea.get("/users", client_gravatar=True)["members"] if one["user_id"] == cem.id]
    assert [set(person) & {"delivery_email", "avatar_url"} for person in announced] == [
        {"delivery_email"},
        {"avatar_url"},
    ]
    assert announced[1]["avatar_url"] == user["avatar_url"] is not None


# -- people that a limited guest knows --------------------------------------------------------------


@pytest.fixture
def limited(world: World) -> World:
    """Guests know those of their channels and conversations, and bots."""
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    return world


def people(line: Line) -> list[tuple[str, str]]:
    found = [event for event in line.events("realm_user") if event["op"] != "update"]
    return [(event["op"], event["person"]["full_name"]) for event in found]


def test_users_become_visible_and_invisible_to_a_guest_with_a_channel(
    limited: World, ada: Someone, cem: Someone, gus: Someone
) -> None:
    old = gus.opens_queue("realm_user", **OLD)
    modern = gus.opens_queue("realm_user", **MODERN)
    cem.joins("lunch", "plaza")
    assert people(old) == people(modern) == [("add", "Cem")]
    cem.leaves("plaza")
    assert people(old) == people(modern) == []
    cem.leaves("lunch")
    assert people(old) == [("remove", "Unknown user"), ("add", "Unknown user")]
    assert people(modern) == [("remove", "Unknown user")]
    gus.leaves("lunch")
    assert people(modern) == [("remove", "Unknown user")] * 2
    ada.joins("lunch", principals=[gus.id])
    assert people(modern) == [("add", "Ada"), ("add", "Bea")]


def test_users_become_visible_to_a_guest_with_a_conversation(
    limited: World, cem: Someone, gus: Someone
) -> None:
    line = gus.opens_queue("realm_user", "message", **MODERN)
    cem.writes("hello", "gus", "olga")
    cem.writes("hello", "gus", "olga")
    events = line.events()
    assert [event["type"] for event in events] == ["realm_user", "realm_user", "message", "message"]
    assert [event["person"]["full_name"] for event in events[:2]] == ["Olga", "Cem"]


def test_statuses_become_visible_with_users(limited: World, cem: Someone, gus: Someone) -> None:
    cem.post("/users/me/status", status_text="out")
    line = gus.opens_queue("user_status")
    cem.joins("lunch")
    (event,) = line.events()
    assert (event["user_id"], event["status_text"]) == (cem.id, "out")


def test_memberships_in_groups_become_visible_with_users(
    limited: World, ada: Someone, cem: Someone, gus: Someone
) -> None:
    staff = makes(ada, "staff", cem, can_join_group=just(ada, cem))
    ada.joins("den", principals=[gus.id], can_administer_channel_group=just(ada, cem))
    line = gus.registers(**MODERN)
    cem.joins("den")

    def announced() -> dict[str, object]:
        found: dict[str, object] = {}
        for event in line.events("user_group", "stream"):
            about = event.get("group_id", event.get("name"))
            if about == staff:
                found[event["op"]] = event.get("user_ids", event.get("data"))
            if about == "den":
                found[event["property"]] = event["value"]
        return found

    assert announced() == {
        "add_members": [cem.id],
        "update": {"can_join_group": just(ada, cem)},
        "can_administer_channel_group": just(ada, cem),
    }
    cem.leaves("den")
    assert announced() == {
        "remove_members": [cem.id],
        "update": {"can_join_group": just(ada)},
        "can_administer_channel_group": just(ada),
    }


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("is_prompt", [False, True], ids=["late", "prompt"])
def test_a_new_guest_loses_deactivated_people_in_groups(
    limited: World, olga: Someone, ada: Someone, bea: Someone, is_prompt: bool
) -> None:
    staff = makes(ada, "staff", limited["mona"], ada)
    line = bea.registers(**MODERN)
    members = {one["id"]: set(one["members"]) for one in line.state["realm_user_groups"]}

    def listen() -> None:
        for event in line.events("user_group"):
            if event["op"] == "add_members":
                members[event["group_id"]] |= set(event["user_ids"])
            if event["op"] == "remove_members":
                members[event["group_id"]] -= set(event["user_ids"])

    olga.delete(f"/users/{limited['mona'].id}")
    if is_prompt:
        listen()
    olga.patch(f"/users/{bea.id}", role=int(Role.GUEST))
    listen()
    fresh = {one["id"]: set(one["members"]) for one in bea.registers(**MODERN).state["realm_user_groups"]}
    assert members == fresh
    assert limited["mona"].id not in members[staff]


def test_a_new_guest_and_a_new_member_are_in_the_groups_of_their_roles(world: World, ada: Someone) -> None:
    line = ada.registers()
    for name, role in (("dot", Role.GUEST), ("dan", Role.MEMBER)):
        user_id = create_user(
            world.svc, NewUser(email=f"{name}@example.org", full_name=name, role=role)
        ).user_id
        announced = {
            event["group_id"] for event in line.events("user_group") if event["user_ids"] == [user_id]
        }
        groups = ada.registers().state["realm_user_groups"]
        assert announced == {group["id"] for group in groups if user_id in group["members"]} != set()
