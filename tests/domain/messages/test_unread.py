"""Unread messages by topic and conversation."""

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.unread import Unread, UnreadMessages, unread_for
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.topics import VisibilityPolicy

LUNCH, LAB = ChannelId(3), ChannelId(2)
MUTING = Viewer(topic_policies={(LUNCH, "noise"): VisibilityPolicy.MUTED})


def ids(*numbers: int) -> list[MessageId]:
    return [MessageId(number) for number in numbers]


def people(*numbers: int) -> frozenset[UserId]:
    return frozenset(map(UserId, numbers))


POSTED = UnreadMessages(
    topics={
        (LUNCH, "soup"): ("Soup", ids(2, 6)),
        (LUNCH, "noise"): ("Noise", ids(1, 3)),
        (LAB, "leak"): ("Leak", ids(4)),
    },
    conversations={people(7, 8): ids(5, 8), people(7): ids(7)},
    naming=ids(3, 5),
    to_all=ids(1, 2),
)


def listed(limit: int = 100) -> Unread:
    return unread_for(MUTING, POSTED, limit=limit)


def test_topics_are_in_order_and_conversations_as_they_were_found() -> None:
    found = listed()
    assert [(one.channel_id, one.topic, one.message_ids) for one in found.topics] == [
        (LAB, "Leak", [4]),
        (LUNCH, "Noise", [1, 3]),
        (LUNCH, "Soup", [2, 6]),
    ]
    assert [(one.user_ids, one.message_ids) for one in found.conversations] == [
        (people(7, 8), [5, 8]),
        (people(7), [7]),
    ]


def test_muted_topics_are_listed_but_not_counted() -> None:
    found = listed()
    assert [one.topic for one in found.topics if one.is_muted] == ["Noise"]
    assert found.count == 6


def test_a_mention_of_everybody_counts_outside_of_muted_topics_and_one_by_name_everywhere() -> None:
    assert listed().mentions == [2, 3, 5]


def test_the_list_is_complete_if_there_are_fewer_than_were_looked_for() -> None:
    assert (listed(limit=9).is_complete, listed(limit=8).is_complete) == (True, False)
