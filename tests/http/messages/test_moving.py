"""Moving messages to other topics and channels over HTTP, on both stores."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.happened import MessagesDeleted
from tests.worlds.organization import DAY, Someone, World

QUIET = {"send_notification_to_new_thread": False}
EVENTS = ("update_message", "delete_message", "stream", "message", "user_topic")
IN_BULK = {"notification_settings_null": True, "bulk_message_deletion": True}


def topics(who: Someone, channel: str = "lunch") -> dict[str, list[int]]:
    """The messages of a channel by topic."""
    found: dict[str, list[int]] = {}
    for message in who.reads(f"channel:{channel}"):
        found.setdefault(message["subject"], []).append(message["id"])
    return found


def moves(who: Someone, message_id: int, **change: Any) -> None:
    who.patch(f"/messages/{message_id}", **{**QUIET, **change})


@pytest.fixture
def said(ada: Someone) -> list[int]:
    return [ada.says(text) for text in ("one", "two", "three")]


# -- topics -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "moved"),
    [("change_one", slice(1, 2)), ("change_later", slice(1, 3)), ("change_all", slice(0, 3))],
)
def test_a_message_moves_alone_or_with_others(
    ada: Someone, bea: Someone, said: list[int], mode: str, moved: slice
) -> None:
    other = ada.says("other", topic="elsewhere")
    moves(bea, said[1], topic="Later", propagate_mode=mode)
    rest = [one for one in said if one not in said[moved]]
    assert topics(ada) == {**({"today": rest} if rest else {}), "Later": said[moved], "elsewhere": [other]}


@pytest.mark.shows(
    "message.last-moved", "change.last-moved", "edit.user", "edit.timestamp", "edit.prev-channel",
    "edit.channel", "edit.prev-topic", "edit.topic", "edit.only-what-changed",
)  # fmt: skip
def test_a_moved_message_has_its_earlier_places(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    world.clock.advance(60)
    moves(bea, said[0], topic="later", propagate_mode="change_later")
    for message_id in said:
        message = ada.message(message_id)
        assert message["last_moved_timestamp"] == world.svc.now
        assert "last_edit_timestamp" not in message
        assert message["edit_history"] == [
            {"user_id": bea.id, "timestamp": world.svc.now, "prev_topic": "today", "topic": "later"}
        ]
    moves(ada, said[0], stream_id=world.id("secret"))
    assert ada.message(said[0])["edit_history"][0] == {
        "user_id": ada.id,
        "timestamp": world.svc.now,
        "prev_stream": world.id("lunch"),
        "stream": world.id("secret"),
    }


@pytest.mark.shows("message.last-moved")
def test_resolving_is_no_move(ada: Someone, said: list[int]) -> None:
    moves(ada, said[0], topic="✔ today", propagate_mode="change_all")
    message = ada.message(said[0])
    assert message["subject"] == "✔ today"
    assert "last_moved_timestamp" not in message
    assert message["edit_history"][0]["topic"] == "✔ today"


def test_a_text_and_a_topic_are_changed_together(ada: Someone, bea: Someone, said: list[int]) -> None:
    line = bea.opens_queue("update_message")
    moves(ada, said[1], topic="later", content="@**Bea**", propagate_mode="change_later")
    (event,) = line.events()
    assert (event["content"], event["subject"], event["message_ids"]) == ("@**Bea**", "later", said[1:])
    assert event["flags"] == ["mentioned"]
    (edit,) = bea.message(said[1])["edit_history"]
    assert (edit["prev_content"], edit["prev_topic"], edit["topic"]) == ("two", "today", "later")
    assert bea.finds("search:later") == said[1:]
    assert "prev_content" not in bea.message(said[2])["edit_history"][0]


def test_a_move_is_sent_once_in_the_form_of_each_queue(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    capabilities = {"notification_settings_null": True, "empty_topic_name": True}
    lines = [
        bea.opens_queue("update_message"),
        bea.opens_queue("update_message", client_capabilities=capabilities),
    ]
    moves(ada, said[1], topic="", propagate_mode="change_later")
    events = [line.events() for line in lines]
    assert [len(found) for found in events] == [1, 1]
    expected = {
        "type": "update_message",
        "user_id": ada.id,
        "edit_timestamp": world.svc.now,
        "rendering_only": False,
        "message_id": said[1],
        "message_ids": said[1:],
        "flags": [],
        "stream_id": world.id("lunch"),
        "stream_name": "lunch",
        "propagate_mode": "change_later",
        "orig_subject": "today",
        "subject": "general chat",
        "topic_links": [],
    }
    ((shown,), (empty,)) = events
    assert {**shown, "id": 0} == {**expected, "id": 0}
    assert {**empty, "id": 0} == {**expected, "subject": "", "id": 0}


@pytest.mark.shows("level.order-of-ids")
def test_ids_in_events_are_in_order(world: World, ada: Someone) -> None:
    """Messages that come to a topic later than those with greater ids stand before them."""
    early, late = ada.says("1", "plaza", "today"), ada.says("2", "lunch", "today")
    olga = world["olga"]
    ada.joins("secret", principals=[olga.id])
    olga.patch(f"/messages/{early}", stream_id=world.id("lunch"))
    line = ada.opens_queue(
        "update_message", "delete_message", client_capabilities={"bulk_message_deletion": True}
    )
    olga.patch(f"/messages/{late}", topic="soup", propagate_mode="change_all")
    olga.patch(f"/messages/{late}", stream_id=world.id("secret"), propagate_mode="change_all", topic="x")
    olga.post(f"/streams/{world.id('secret')}/delete_topic", topic_name="x")
    ids = [[one for one in event["message_ids"] if one in (early, late)] for event in line.events()]
    assert ids == [[early, late]] * 3


def test_a_moved_message_is_found_in_its_new_topic(ada: Someone, bea: Someone, said: list[int]) -> None:
    moves(ada, said[0], topic="Pumpkins")
    assert bea.finds("topic:pumpkins") == bea.finds("search:pumpkin") == [said[0]]
    assert bea.finds("search:today") == said[1:]


def test_the_links_of_a_topic_are_those_of_the_new_one(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    world["olga"].post(
        "/realm/filters", pattern="#(?P<id>[0-9]+)", url_template="https://bugs.example.com/{id}"
    )
    line = bea.opens_queue("update_message")
    links = [{"text": "#7", "url": "https://bugs.example.com/7"}]
    moves(ada, said[0], topic="about #7")
    assert ada.message(said[0])["topic_links"] == line.events()[0]["topic_links"] == links
    moves(ada, said[0], stream_id=world.id("secret"))
    assert ada.message(said[0])["topic_links"] == links
    assert "topic_links" not in line.events()[0]
    moves(ada, said[0], topic="about nothing")
    assert ada.message(said[0])["topic_links"] == []


def test_a_topic_may_change_its_letters_only(ada: Someone, said: list[int]) -> None:
    moves(ada, said[0], topic="TODAY", propagate_mode="change_all")
    assert topics(ada) == {"TODAY": said}


# -- permissions ------------------------------------------------------------------------------------

NOBODY = GroupSetting.of(SystemGroup.NOBODY)


@pytest.mark.shows("level.channel-moves")
@pytest.mark.parametrize(
    ("permission", "of_channel", "topic"),
    [
        ("can_move_messages_between_topics_group", "can_move_messages_within_channel_group", "later"),
        ("can_resolve_topics_group", "can_resolve_topics_group", "✔ today"),
    ],
)
def test_topics_are_changed_by_who_may_in_the_organization_or_the_channel(
    world: World, bea: Someone, said: list[int], permission: str, of_channel: str, topic: str
) -> None:
    world.change_organization(permissions={permission: NOBODY})
    bea.refused("PATCH", f"/messages/{said[0]}", topic=topic)
    world.permit("lunch", **{of_channel: GroupSetting.of(members=[world.users["bea"].id])})
    moves(bea, said[0], topic=topic)


@pytest.mark.parametrize(
    ("who", "may"), [("olga", True), ("adi", True), ("mona", False), ("bea", False), ("gus", False)]
)
def test_administrators_of_a_channel_move_its_messages(
    world: World, said: list[int], who: str, may: bool
) -> None:
    world.change_organization(
        permissions={
            "can_move_messages_between_topics_group": NOBODY,
            "can_move_messages_between_channels_group": NOBODY,
        }
    )
    if may:
        moves(world[who], said[0], topic="later")
        moves(world[who], said[0], stream_id=world.id("plaza"))
    else:
        world[who].refused("PATCH", f"/messages/{said[0]}", topic="later")
        world[who].refused("PATCH", f"/messages/{said[0]}", stream_id=world.id("plaza"))


@pytest.mark.shows("level.channel-moves")
def test_messages_leave_a_channel_by_its_own_permission(world: World, bea: Someone, said: list[int]) -> None:
    world.change_organization(permissions={"can_move_messages_between_channels_group": NOBODY})
    bea.refused("PATCH", f"/messages/{said[0]}", stream_id=world.id("plaza"))
    world.permit(
        "lunch",
        can_move_messages_out_of_channel_group=GroupSetting.of(members=[world.users["bea"].id]),
    )
    moves(bea, said[0], stream_id=world.id("plaza"))


def test_moving_a_message_needs_permission_to_post_there(world: World, bea: Someone, said: list[int]) -> None:
    world.permit("plaza", can_send_message_group=NOBODY)
    bea.refused("PATCH", f"/messages/{said[0]}", stream_id=world.id("plaza"))
    bea.refused("PATCH", f"/messages/{said[0]}", stream_id=world.id("attic"))


@pytest.mark.parametrize(
    "change", [{"topic": "later"}, {"stream": "plaza"}, {"topic": "x", "stream": "plaza"}]
)
def test_old_messages_are_moved_by_moderators_only(
    world: World, bea: Someone, said: list[int], change: dict[str, str]
) -> None:
    if "stream" in change:
        change = {**change, "stream_id": str(world.id(change["stream"]))}
        del change["stream"]
    world.clock.advance(7 * DAY + 20)
    moves(bea, said[0], **change)
    world.clock.advance(1)
    bea.refused("PATCH", f"/messages/{said[1]}", **change)
    moves(world["mona"], said[1], **change)


def test_the_recent_part_of_a_topic_that_is_partly_too_old_is_named(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    world.clock.advance(8 * DAY)
    new = [ada.says("four"), ada.says("five")]
    refusal = bea.refused(
        "PATCH",
        f"/messages/{new[1]}",
        code="MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
        topic="later",
        propagate_mode="change_all",
    )
    assert refusal["first_message_id_allowed_to_move"] == new[0]
    assert (refusal["total_messages_in_topic"], refusal["total_messages_allowed_to_move"]) == (5, 2)
    moves(bea, new[0], topic="later", propagate_mode="change_later")
    assert topics(ada) == {"today": said, "later": new}
    moves(bea, said[0], topic="✔ today", propagate_mode="change_all")


def test_the_new_topic_obeys_the_rules_of_its_channel(world: World, ada: Someone, said: list[int]) -> None:
    world.set_topics_policy("plaza", "empty_topic_only")
    ada.refused("PATCH", f"/messages/{said[0]}", stream_id=world.id("plaza"))
    moves(ada, said[0], stream_id=world.id("plaza"), topic="")
    world.set_topics_policy("lunch", "disable_empty_topic")
    ada.refused("PATCH", f"/messages/{said[1]}", topic="(no topic)")


@pytest.mark.parametrize("topic", ["✔", "✔ ", "✔ general chat"])
def test_the_empty_topic_is_not_resolved(ada: Someone, topic: str) -> None:
    ada.refused("PATCH", f"/messages/{ada.says('soup', topic='')}", topic=topic)


# -- channels ---------------------------------------------------------------------------------------


def test_users_who_lose_access_to_messages_receive_their_deletion(
    world: World, ada: Someone, bea: Someone, gus: Someone, said: list[int]
) -> None:
    gus.flagged("starred", said[0])
    lines = {who: who.opens_queue(*EVENTS, client_capabilities=IN_BULK) for who in (bea, gus)}
    single = gus.opens_queue("delete_message")
    moves(ada, said[0], stream_id=world.id("secret"), propagate_mode="change_all")
    (kept,) = lines[bea].events("update_message", "delete_message")
    assert (kept["stream_id"], kept["new_stream_id"]) == (world.id("lunch"), world.id("secret"))
    assert "subject" not in kept
    (gone,) = lines[gus].events("update_message", "delete_message")
    assert {**gone, "id": 0} == {
        "type": "delete_message",
        "id": 0,
        "message_ids": said,
        "message_type": "stream",
        "stream_id": world.id("lunch"),
        "topic": "today",
    }
    assert [event["message_id"] for event in single.events()] == said
    assert gus.finds("is:starred") == gus.finds() == []
    assert topics(bea, "secret") == {"today": said}


def test_into_a_public_channel_all_but_guests_follow(
    world: World, ada: Someone, bea: Someone, gus: Someone, said: list[int]
) -> None:
    lines = [who.opens_queue("update_message", "delete_message") for who in (bea, gus)]
    moves(ada, said[0], stream_id=world.id("plaza"))
    ada.joins("plaza", principals=[gus.id])
    head = world.storage.read(lambda snapshot: snapshot.log.head())
    moves(ada, said[1], stream_id=world.id("plaza"))
    events = world.storage.read(lambda snapshot: snapshot.log.after(head, 100))
    assert not any(isinstance(one.event, MessagesDeleted) for one in events)  # which nobody would hear
    announced = [[(event["type"], event["message_id"]) for event in line.events()] for line in lines]
    assert announced[0] == [("update_message", said[0]), ("update_message", said[1])]
    assert announced[1] == [("delete_message", said[0]), ("update_message", said[1])]


def test_unread_messages_stay_unread_for_subscribers_of_both_channels(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    ada.says("later", "secret")
    bea.post("/mark_stream_as_read", stream_id=world.id("secret"))
    bea.flagged("read", said[0])
    bea.flagged("starred", said[1])
    moves(ada, said[0], stream_id=world.id("secret"), propagate_mode="change_all")
    assert [bea.flags(one) for one in said] == [{"read"}, {"starred"}, set()]
    unread = bea.post("/register")["unread_msgs"]["streams"]
    assert [(one["stream_id"], one["unread_message_ids"]) for one in unread] == [
        (world.id("secret"), said[1:])
    ]
    bea.post("/mark_all_as_read")
    assert all("read" in bea.flags(one) for one in said)


def test_moved_messages_are_read_for_users_new_to_them(world: World, ada: Someone, cem: Someone) -> None:
    sent = ada.says("@**all** soup", "secret")
    cem.joins("lunch")
    line = cem.opens_queue(*EVENTS)
    moves(ada, sent, stream_id=world.id("lunch"))
    assert "read" in cem.flags(sent)
    assert cem.finds("channel:lunch") == [sent]
    (event,) = line.events("update_message")
    assert (event["stream_id"], event["stream_name"]) == (world.id("lunch"), "lunch")
    assert "new_stream_id" not in event


def test_stars_stay_where_one_can_still_read(
    world: World, ada: Someone, bea: Someone, cem: Someone, gus: Someone, said: list[int]
) -> None:
    for who in (bea, cem, gus):
        who.flagged("starred", said[0])
    moves(ada, said[0], stream_id=world.id("plaza"))
    assert bea.flags(said[0]) == cem.flags(said[0]) == {"read", "starred", "historical"}
    assert bea.finds("is:starred") == cem.finds("is:starred") == [said[0]]
    assert gus.finds("is:starred") == []
    assert gus.post("/register")["starred_messages"] == []


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("flag", ["starred", "collapsed"])
@pytest.mark.parametrize("joins", [False, True], ids=["outside", "subscribed"])
def test_a_flag_comes_back_with_its_message(
    world: World, olga: Someone, ada: Someone, bea: Someone, flag: str, joins: bool
) -> None:
    """The flag was out of sight with its message."""
    hidden, seen = (ada.says("soup", "secret", "hidden") for _ in range(2))
    bea.flagged(flag, hidden)
    bea.leaves("secret")
    if joins:
        bea.joins("plaza")
    lines = [who.opens_queue("update_message_flags") for who in (bea, ada)]
    moves(ada, hidden, stream_id=world.id("plaza"), propagate_mode="change_all")
    assert [[(e["op"], e["flag"], e["messages"]) for e in line.events()] for line in lines] == [
        [("add", flag, [hidden])],
        [],
    ]
    assert flag in bea.flags(hidden)
    assert flag not in bea.flags(seen)


def test_former_subscribers_keep_stars_in_a_channel(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    bea.flagged("starred", said[0])
    bea.leaves("lunch")
    line = bea.opens_queue("update_message", "delete_message")
    moves(ada, said[0], stream_id=world.id("plaza"))
    assert bea.finds("is:starred") == [said[0]]
    moves(ada, said[0], topic="later")
    assert [event["type"] for event in line.events()] == ["update_message"] * 2
    bea.leaves("secret")
    moves(ada, said[0], stream_id=world.id("secret"))
    assert bea.finds("is:starred") == []
    assert [event["type"] for event in line.events()] == ["delete_message"]


def test_the_first_message_of_a_channel_follows(
    world: World, ada: Someone, bea: Someone, said: list[int]
) -> None:
    line = bea.opens_queue("stream")
    moves(ada, said[0], stream_id=world.id("secret"))
    announced = [(event["stream_id"], event["property"], event["value"]) for event in line.events()]
    assert announced == [
        (world.id("lunch"), "first_message_id", said[1]),
        (world.id("secret"), "first_message_id", said[0]),
    ]


# -- flags and policies that move along -------------------------------------------------------------


def test_a_whole_topic_takes_its_policies_along(
    world: World, ada: Someone, bea: Someone, gus: Someone, said: list[int]
) -> None:
    world.set_policy("bea", "lunch", "today", VisibilityPolicy.FOLLOWED)
    world.set_policy("gus", "lunch", "today", VisibilityPolicy.MUTED)
    line = bea.opens_queue("user_topic")
    moves(ada, said[0], topic="later")
    assert world.policy("bea", "lunch", "today") == VisibilityPolicy.FOLLOWED, "a part stayed"
    moves(ada, said[1], topic="evening", propagate_mode="change_all")
    assert [world.policy("bea", "lunch", topic) for topic in ("today", "evening", "later")] == [0, 3, 0]
    assert [(e["topic_name"], e["visibility_policy"]) for e in line.events()] == [
        ("today", 0),
        ("evening", 3),
    ]
    moves(ada, said[1], stream_id=world.id("secret"), propagate_mode="change_all")
    assert [world.policy(who, "lunch", "evening") for who in ("bea", "gus")] == [0, 0]
    assert [world.policy(who, "secret", "evening") for who in ("bea", "gus")] == [3, 0]


def test_where_two_topics_become_one_the_more_visible_policy_stays(
    world: World, ada: Someone, said: list[int]
) -> None:
    ada.says("there", topic="later")
    world.set_policy("ada", "lunch", "today", VisibilityPolicy.MUTED)
    world.set_policy("ada", "lunch", "later", VisibilityPolicy.UNMUTED)
    world.set_policy("bea", "lunch", "today", VisibilityPolicy.MUTED)
    world.set_policy("gus", "lunch", "later", VisibilityPolicy.MUTED)
    moves(ada, said[0], topic="Later", propagate_mode="change_all")
    assert [world.policy(who, "lunch", "later") for who in ("ada", "bea", "gus")] == [2, 0, 0]


def notices(who: Someone, channel: str = "lunch") -> list[tuple[str, str]]:
    messages = who.reads(f"channel:{channel}", apply_markdown=False)
    return [(m["subject"], m["content"]) for m in messages if m["sender_full_name"] == "Notification Bot"]


def test_both_topics_receive_a_notice_of_a_move(world: World, ada: Someone, said: list[int]) -> None:
    by = f"by @_**Ada|{ada.id}**."
    ada.patch(f"/messages/{said[0]}", topic="later", send_notification_to_old_thread=True)
    assert notices(ada) == [
        ("later", f"A message was moved here from #**lunch>today** {by}"),
        ("today", f"A message was moved to #**lunch>later** {by}"),
    ]
    ada.patch(f"/messages/{said[2]}", topic="evening", propagate_mode="change_later")
    assert notices(ada)[2:] == [("evening", f"2 messages were moved here from #**lunch>today** {by}")]
    ada.patch(f"/messages/{said[2]}", topic="night", propagate_mode="change_all")
    assert notices(ada)[-1] == ("night", f"This topic was moved here from #**lunch>evening** {by}")


def test_the_notice_of_a_move_is_read_for_the_mover(ada: Someone, bea: Someone, said: list[int]) -> None:
    ada.patch(f"/messages/{said[0]}", topic="later")
    ada.patch(f"/messages/{said[1]}", topic="evening")
    for notice in [message for message in bea.reads() if message["sender_full_name"] == "Notification Bot"]:
        assert notice["flags"] == []
        assert ada.flags(notice["id"]) == {"read"}


def test_a_notice_does_not_name_a_private_channel(world: World, ada: Someone, said: list[int]) -> None:
    ada.patch(f"/messages/{said[0]}", stream_id=world.id("secret"), send_notification_to_old_thread=True)
    assert notices(ada) == [("today", f"A message was moved by @_**Ada|{ada.id}**.")]
    ada.patch(f"/messages/{said[0]}", stream_id=world.id("plaza"))
    assert "secret" not in notices(ada, "plaza")[0][1]


def test_resolving_is_said_and_taken_back_within_a_minute(
    world: World, ada: Someone, said: list[int]
) -> None:
    line = world["bea"].opens_queue("delete_message")
    ada.patch(f"/messages/{said[0]}", topic="✔ today", propagate_mode="change_all")
    assert notices(ada) == [("✔ today", f"@_**Ada|{ada.id}** has marked this topic as resolved.")]
    world.clock.advance(59)
    ada.patch(f"/messages/{said[0]}", topic="today", propagate_mode="change_all")
    assert notices(ada) == []
    assert len(line.events()) == 1
    ada.patch(f"/messages/{said[0]}", topic="✔ today", propagate_mode="change_all")
    world.clock.advance(60)
    ada.patch(f"/messages/{said[0]}", topic="today", propagate_mode="change_all")
    assert [text.rpartition(" ")[2] for _, text in notices(ada)] == ["resolved.", "unresolved."]


def test_a_reaction_to_a_moved_message_is_sent_to_those_present_when_it_came(
    ada: Someone, bea: Someone, gus: Someone, world: World
) -> None:
    sent = ada.says("soup")
    ada.joins("vault", principals=[gus.id])
    moves(ada, sent, stream_id=world.id("vault"))
    ada.joins("vault", principals=[bea.id])
    there, later = gus.opens_queue("reaction"), bea.opens_queue("reaction")
    ada.post(f"/messages/{sent}/reactions", emoji_name="tada")
    assert [event["message_id"] for event in there.events()] == [sent]
    assert later.events() == []
    bea.refused("POST", f"/messages/{sent}/reactions", emoji_name="tada")


def test_a_mention_of_everybody_is_none_for_who_came_later(ada: Someone, cem: Someone) -> None:
    """A reader without the message who marks it as unread gets a copy without the mention."""
    sent = ada.says("@**all** soup")
    cem.joins("lunch")
    cem.post("/messages/flags", messages=[sent], op="remove", flag="read")
    assert cem.flags(sent) == {"historical"}
    unread = cem.registers().state["unread_msgs"]
    assert (unread["count"], unread["mentions"]) == (1, [])


def test_a_mention_of_everybody_stays_none_for_who_had_only_marked_the_message_before_the_move(
    world: World, ada: Someone, cem: Someone
) -> None:
    """The message is marked as unread by one who comes to its channel later, and moved to another channel
    of theirs.
    """
    world.add_channel("one", "ada")
    world.add_channel("two", "ada")
    world.add_channel("three", "ada")
    sent = ada.says("@**all** soup", "one", "today")
    ada.patch(f"/messages/{sent}", stream_id=world.id("two"))
    cem.joins("two")
    cem.post("/messages/flags", messages=[sent], op="remove", flag="read")
    cem.joins("three")
    ada.patch(f"/messages/{sent}", stream_id=world.id("three"))
    assert cem.flags(sent) == {"historical"}
    assert cem.registers().state["unread_msgs"]["mentions"] == []
