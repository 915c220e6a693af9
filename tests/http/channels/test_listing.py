"""GET streams, get_stream_id and the topics of a channel."""

from typing import Any

import pytest

from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.worlds.organization import Someone, World


def listed(who: Someone, **parameters: Any) -> list[str]:
    return [one["name"] for one in who.get("/streams", **parameters)["streams"]]


def topics(who: Someone, channel: str, **parameters: Any) -> list[tuple[str, int]]:
    found = who.get(f"/users/me/{who.world.id(channel)}/topics", **parameters)["topics"]
    return [(topic["name"], topic["max_id"]) for topic in found]


# -- which channels there are -----------------------------------------------------------------------


@pytest.mark.shows("fetch.bots")
def test_a_bot_that_is_made_is_in_no_channels(world: World, olga: Someone, ada: Someone) -> None:
    """A new bot is not even in the default channels, so that its history is empty."""
    olga.post("/default_streams", stream_id=world.id("lunch"))
    new = NewUser(email="echo@example.org", full_name="Echo", is_bot=True, bot_owner_id=world.users["ada"].id)
    made = create_user(world.svc, new)
    world.storage.read(world.know)
    world.keys["echo"] = made.api_key
    echo = world["echo"]
    sent = ada.says("soup")
    assert echo.get("/users/me/subscriptions")["subscriptions"] == []
    assert echo.registers().state["subscriptions"] == []
    assert echo.finds() == []
    assert echo.finds("channel:lunch") == [sent]


@pytest.mark.parametrize(
    ("who", "parameters", "expected"),
    [
        ("ada", {}, ["lunch", "plaza", "secret", "vault"]),
        ("cem", {}, ["lunch", "plaza"]),
        ("gus", {}, ["lunch"]),
        ("olga", {}, ["lunch", "plaza"]),
        ("ada", {"exclude_archived": False}, ["attic", "lunch", "plaza", "secret", "vault"]),
        ("ada", {"include_public": False}, ["lunch", "plaza", "secret", "vault"]),
        ("cem", {"include_public": False}, []),
        ("cem", {"include_subscribed": False}, ["lunch", "plaza"]),
        ("ada", {"include_public": False, "include_subscribed": False}, []),
        ("gus", {"include_web_public": True}, ["lunch", "plaza"]),
        ("cem", {"include_public": False, "include_web_public": True}, ["plaza"]),
        ("cem", {"include_all": True}, ["lunch", "plaza"]),
        ("gus", {"include_all": True}, ["lunch", "plaza"]),
        ("adi", {"include_all": True}, ["lunch", "plaza", "secret", "vault"]),
        (
            "adi",
            {"include_all": True, "exclude_archived": False},
            ["attic", "lunch", "plaza", "secret", "vault"],
        ),
        ("adi", {"include_all_active": True}, ["lunch", "plaza", "secret", "vault"]),
        ("adi", {"include_can_access_content": True}, ["lunch", "plaza"]),
        ("gus", {"include_can_access_content": True, "include_subscribed": False}, ["lunch", "plaza"]),
        ("robo", {"include_public": False}, []),
        (
            "robo",
            {"include_public": False, "include_owner_subscribed": True},
            ["lunch", "plaza", "secret", "vault"],
        ),
        ("cem", {"include_public": False, "include_owner_subscribed": True}, []),
    ],
)
def test_a_list_is_the_union_of_the_requested_kinds(
    world: World, who: str, parameters: dict[str, Any], expected: list[str]
) -> None:
    assert listed(world[who], **parameters) == expected


def test_group_access_shows_a_private_channel(world: World, cem: Someone, gus: Someone) -> None:
    for permission in ("can_subscribe_group", "can_add_subscribers_group", "can_administer_channel_group"):
        value = GroupSetting.of(SystemGroup.MEMBERS)
        world.add_channel(permission, invite_only=True, permissions={permission: value})
    by_content = ["can_add_subscribers_group", "can_subscribe_group"]
    assert listed(cem, include_public=False, include_can_access_content=True) == sorted(
        [*by_content, "lunch", "plaza"]
    )
    assert listed(cem, include_all=True) == sorted(
        ["can_administer_channel_group", *by_content, "lunch", "plaza"]
    )
    assert listed(gus, include_all=True) == ["lunch", "plaza"]


def test_default_channels_are_marked_when_asked_for(ada: Someone) -> None:
    assert "is_default" not in ada.get("/streams")["streams"][0]
    assert [one["is_default"] for one in ada.get("/streams", include_default=True)["streams"]] == [False] * 4


@pytest.mark.shows("level.subscriber-count")
@pytest.mark.shows(
    "channel.stream-id", "channel.date-created", "channel.creator", "channel.first-message",
    "channel.archived",
)  # fmt: skip
def test_a_channel_has_all_its_fields(world: World, ada: Someone) -> None:
    lunch = ada.get("/streams")["streams"][0]
    assert {name: value for name, value in lunch.items() if not name.startswith("can_")} == {
        "stream_id": world.id("lunch"),
        "name": "lunch",
        "description": "",
        "rendered_description": "",
        "date_created": world.channels["lunch"].date_created,
        "creator_id": world["olga"].id,
        "invite_only": False,
        "is_web_public": False,
        "history_public_to_subscribers": True,
        "is_announcement_only": False,
        "is_archived": False,
        "is_recently_active": True,
        "stream_post_policy": 1,
        "topics_policy": "inherit",
        "message_retention_days": None,
        "first_message_id": None,
        "folder_id": None,
        "subscriber_count": 3,
        "stream_weekly_traffic": 0,
    }


@pytest.mark.shows("channel.announcement-only", "channel.post-policy", "change.send-message-group")
@pytest.mark.parametrize(
    ("group", "number"),
    [
        (SystemGroup.EVERYONE, 1),
        (SystemGroup.ADMINISTRATORS, 2),
        (SystemGroup.FULL_MEMBERS, 3),
        (SystemGroup.MODERATORS, 4),
        (SystemGroup.NOBODY, 1),
    ],
)
def test_older_clients_read_a_number_for_who_may_post(
    world: World, ada: Someone, group: SystemGroup, number: int
) -> None:
    world.add_channel("garden", permissions={"can_send_message_group": GroupSetting.of(group)})
    (garden,) = [one for one in ada.get("/streams")["streams"] if one["name"] == "garden"]
    assert (garden["stream_post_policy"], garden["is_announcement_only"]) == (number, number == 2)
    assert garden["can_send_message_group"] == group


@pytest.mark.shows("channel.recently-active")
def test_a_channel_without_messages_for_long_is_not_active(world: World, ada: Someone) -> None:
    world.clock.advance(121 * 86_400)
    active = {one["name"]: one["is_recently_active"] for one in ada.get("/streams")["streams"]}
    assert active["lunch"] is False
    ada.says("is anybody here?")
    active = {one["name"]: one["is_recently_active"] for one in ada.get("/streams")["streams"]}
    assert active["lunch"] is True
    assert active["plaza"] is False


# -- by name ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lunch", " LUNCH ", "Lunch"])
def test_a_name_gives_the_id(world: World, cem: Someone, name: str) -> None:
    assert cem.get("/get_stream_id", stream=name)["stream_id"] == world.id("lunch")


def test_a_name_with_a_blank_comes_encoded(world: World, ada: Someone) -> None:
    garden = world.add_channel("our garden & more")
    assert ada.get("/get_stream_id", stream="our garden & more")["stream_id"] == garden


@pytest.mark.parametrize("who", ["cem", "adi", "gus"])
def test_a_name_that_one_cannot_read_gives_nothing(world: World, who: str) -> None:
    hidden = world[who].refused("GET", "/get_stream_id", stream="secret")
    absent = world[who].refused("GET", "/get_stream_id", stream="absent")
    assert hidden["msg"].replace("secret", "absent") == absent["msg"]
    answer = world[who].refused("GET", "/get_stream_id", code="REQUEST_VARIABLE_MISSING")
    assert answer["var_name"] == "stream"


# -- topics -----------------------------------------------------------------------------------------


@pytest.mark.shows("topic.fields", "topics.lists", "topics.empty-topic")
def test_topics_come_newest_first_in_their_newest_spelling(ada: Someone, cem: Someone) -> None:
    ada.says("1", topic="Today")
    tomorrow = ada.says("2", topic="tomorrow")
    today = ada.says("3", topic="TODAY")
    empty = ada.says("4", topic="")
    expected = [("general chat", empty), ("TODAY", today), ("tomorrow", tomorrow)]
    assert topics(ada, "lunch") == topics(cem, "lunch") == expected
    assert topics(ada, "lunch", allow_empty_topic_name=True)[0] == ("", empty)
    assert topics(ada, "plaza") == []


@pytest.mark.shows("topics.protected")
def test_topics_of_a_protected_history_are_those_received(ada: Someone, cem: Someone) -> None:
    ada.says("1", "vault", "old")
    ada.says("2", "vault", "both")
    ada.joins("vault", principals=[cem.id])
    both = ada.says("3", "vault", "both")
    assert topics(cem, "vault") == [("both", both)]
    ada.says("4", "secret", "shared")
    ada.joins("secret", principals=[cem.id])
    assert [name for name, _ in topics(cem, "secret")] == ["shared"]
    assert len(topics(ada, "vault")) == 2


@pytest.mark.shows("topics.bot")
def test_a_bot_has_topics_by_its_own_subscription(ada: Someone, robo: Someone) -> None:
    ada.says("1", "vault", "old")
    assert robo.refused("GET", f"/users/me/{ada.world.id('vault')}/topics")
    ada.joins("vault", principals=[robo.id])
    new = ada.says("2", "vault", "new")
    assert topics(robo, "vault") == [("new", new)]


@pytest.mark.shows("topics.missing", "topics.private")
@pytest.mark.parametrize("who", ["cem", "adi", "gus"])
def test_a_channel_that_one_cannot_read_has_no_topics(world: World, who: str) -> None:
    world["ada"].says("hush", "secret", "plans")
    hidden = world[who].refused("GET", f"/users/me/{world.id('secret')}/topics")
    assert hidden == world[who].refused("GET", "/users/me/99999/topics")


def test_topics_go_with_the_channel(world: World, ada: Someone, bea: Someone, gus: Someone) -> None:
    ada.says("soup")
    ada.says("hush", "secret")
    ada.says("hello", "plaza")
    bea.leaves("secret")
    gus.leaves("lunch")
    bea.refused("GET", f"/users/me/{world.id('secret')}/topics")
    gus.refused("GET", f"/users/me/{world.id('lunch')}/topics")
    assert [name for name, _ in topics(gus, "plaza")] == ["today"]


def test_spectators_see_topics_of_web_public_channels_only(world: World, ada: Someone) -> None:
    ada.says("hello", "plaza")
    path = f"/users/me/{world.id('plaza')}/topics"
    world.nobody.refused("GET", path, status=401, code="UNAUTHENTICATED_USER")
    world.open_to_the_web()
    assert [name for name, _ in topics(world.nobody, "plaza")] == ["today"]
    for channel_id in (world.id("lunch"), world.id("secret"), 99_999):
        path = f"/users/me/{channel_id}/topics"
        world.nobody.refused("GET", path, status=401, code="UNAUTHENTICATED_USER")
