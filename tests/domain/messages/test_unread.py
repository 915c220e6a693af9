"""Unread messages by topic and conversation."""

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.unread import Unread, UnreadMessage, group_unread
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.topics import VisibilityPolicy

LUNCH, LAB = ChannelId(3), ChannelId(2)
MUTING = Viewer(topic_policies={(LUNCH, "noise"): VisibilityPolicy.MUTED})


def posted(number: int, channel: ChannelId, topic: str, flags: Flag = Flag.NONE) -> UnreadMessage:
    return UnreadMessage(MessageId(number), channel, topic, topic.lower(), frozenset(), int(flags))


def direct(number: int, *people: int, flags: Flag = Flag.NONE) -> UnreadMessage:
    return UnreadMessage(MessageId(number), None, "", None, frozenset(map(UserId, people)), int(flags))


def grouped(*messages: UnreadMessage) -> Unread:
    return group_unread(messages, MUTING, is_complete=True)


def test_topics_are_in_order_and_spelled_as_in_their_first_unread_message() -> None:
    found = grouped(posted(1, LUNCH, "Soup"), posted(2, LUNCH, "soup"), posted(3, LAB, "Leak"))
    assert [(one.channel_id, one.topic, one.message_ids) for one in found.topics] == [
        (LAB, "Leak", [3]),
        (LUNCH, "Soup", [1, 2]),
    ]
    assert (found.count, found.conversations, found.is_complete) == (3, [], True)


def test_conversations_have_all_their_people() -> None:
    found = grouped(direct(1, 7, 8), direct(2, 7), direct(3, 7, 8, 9), direct(4, 8, 7))
    assert {one.user_ids: one.message_ids for one in found.conversations} == {
        frozenset({7, 8}): [1, 4],
        frozenset({7}): [2],
        frozenset({7, 8, 9}): [3],
    }
    assert found.count == 4


def test_muted_topics_are_listed_but_not_counted() -> None:
    found = grouped(posted(1, LUNCH, "Noise"), posted(2, LUNCH, "Soup"))
    assert [(one.topic, one.is_muted) for one in found.topics] == [("Noise", True), ("Soup", False)]
    assert found.count == 1


def test_a_mention_of_everybody_counts_outside_of_muted_topics_and_one_by_name_everywhere() -> None:
    found = grouped(
        posted(1, LUNCH, "Noise", Flag.CHANNEL_WILDCARD),
        posted(2, LUNCH, "Soup", Flag.CHANNEL_WILDCARD),
        posted(3, LUNCH, "Noise", Flag.MENTIONED),
        direct(4, 7, 8, flags=Flag.MENTIONED),
        direct(5, 7, 8),
    )
    assert found.mentions == [2, 3, 4]
