"""The initial state: messages and topics."""

import pytest

from chatcore.domain.limits import Limits
from chatcore.domain.messages.flags import Flag
from chatcore.domain.topics import VisibilityPolicy
from chatcore.storage import Storage
from tests.worlds.registering import NOW, World


@pytest.fixture
def world(storage: Storage) -> World:
    return World(storage, enable_spectator_access=True)


def test_unread_messages_are_grouped_by_where_they_are(world: World) -> None:
    soup = [world.post("lunch", "Soup"), world.post("lunch", "soup")]
    salad = world.post("lunch", "Salad")
    lab = world.post("lab", "Leak")
    own = world.send("grace")
    direct = [world.send("ada", "grace"), world.send("ada", "grace")]
    group = world.send("ada", "grace", "gil")
    world.send("ada", "gil")

    unread = world.state("grace")["unread_msgs"]
    lunch_id, lab_id = world.channels["lunch"].id, world.channels["lab"].id
    ada, grace, gil = world.id("ada"), world.id("grace"), world.id("gil")
    assert unread == {
        "count": 8,
        "pms": [
            {"other_user_id": ada, "sender_id": ada, "unread_message_ids": direct},
            {"other_user_id": grace, "sender_id": grace, "unread_message_ids": [own]},
        ],
        "streams": [
            {"stream_id": lab_id, "topic": "Leak", "unread_message_ids": [lab]},
            {"stream_id": lunch_id, "topic": "Salad", "unread_message_ids": [salad]},
            {"stream_id": lunch_id, "topic": "Soup", "unread_message_ids": soup},
        ],
        "huddles": [
            {"user_ids_string": f"{ada},{grace},{gil}", "unread_message_ids": [group]},
        ],
        "mentions": [],
        "old_unreads_missing": False,
    }


def test_muted_topics_are_listed_as_unread_but_not_counted(world: World) -> None:
    world.post("lunch", "Soup")
    world.post("lunch", "Salad")
    assert world.state("grace")["unread_msgs"]["count"] == 2
    world.set_policy("grace", "lunch", "soup", VisibilityPolicy.MUTED)
    unread = world.state("grace")["unread_msgs"]
    assert unread["count"] == 1
    assert [topic["topic"] for topic in unread["streams"]] == ["Salad", "Soup"]


def test_a_mention_of_everybody_counts_only_where_the_topic_is_not_muted(world: World) -> None:
    everybody = world.post("lunch", "Soup", channel_wildcard=True)
    muted = world.post("lunch", "Noise", channel_wildcard=True)
    by_name = world.post("lunch", "Noise", flags={"grace": Flag.MENTIONED})
    direct = world.send("ada", "grace", flags={"grace": Flag.MENTIONED})
    world.set_policy("grace", "lunch", "Noise", VisibilityPolicy.MUTED)
    unread = world.state("grace")["unread_msgs"]
    assert unread["mentions"] == [everybody, by_name, direct]
    assert muted not in unread["mentions"]


def test_read_messages_and_those_in_left_channels_are_not_unread(world: World) -> None:
    first, second = world.post("lunch", "Soup"), world.post("lunch", "Soup")
    world.storage.write(lambda tx: tx.flags.set(world.id("grace"), tx.messages.by_ids([first]), Flag.READ))
    assert world.state("grace")["unread_msgs"]["streams"][0]["unread_message_ids"] == [second]
    assert world.state("eve")["unread_msgs"]["count"] == 0


def test_old_unread_messages_are_cut_and_the_client_is_informed(world: World) -> None:
    ids = [world.post("lunch", "Soup") for _ in range(4)]
    object.__setattr__(world.svc, "limits", Limits(max_unread_in_register=3))
    unread = world.state("grace")["unread_msgs"]
    assert unread["old_unreads_missing"] is True
    assert unread["streams"][0]["unread_message_ids"] == ids[1:]


@pytest.mark.shows("register.without-empty-topic-name")
def test_the_empty_topic_has_a_name_for_clients_that_do_not_know_it(world: World) -> None:
    world.post("lunch", "")
    world.set_policy("grace", "lunch", "", VisibilityPolicy.MUTED)
    for capable, topic in ((True, ""), (False, "general chat")):
        state = world.state("grace", empty_topic_name=capable)
        assert state["unread_msgs"]["streams"][0]["topic"] == topic
        assert state["user_topics"][0]["topic_name"] == topic
        assert state["muted_topics"] == [["lunch", topic, NOW]]


def test_topic_policies_of_channels_one_cannot_see_are_left_out(world: World) -> None:
    world.set_policy("eve", "lunch", "Soup", VisibilityPolicy.FOLLOWED)
    world.set_policy("eve", "lab", "Secret", VisibilityPolicy.MUTED)
    state = world.state("eve")
    assert state["user_topics"] == [
        {
            "stream_id": world.channels["lunch"].id,
            "topic_name": "Soup",
            "last_updated": NOW,
            "visibility_policy": 3,
        }
    ]
    assert state["muted_topics"] == []


def test_recent_conversations_come_newest_first_without_oneself(world: World) -> None:
    first = world.send("grace", "ada")
    group = world.send("ada", "grace", "gil")
    own = world.send("grace")
    assert world.state("grace")["recent_private_conversations"] == [
        {"max_message_id": own, "user_ids": []},
        {"max_message_id": group, "user_ids": sorted([world.id("ada"), world.id("gil")])},
        {"max_message_id": first, "user_ids": [world.id("ada")]},
    ]


def test_starred_messages_and_the_newest_id(world: World) -> None:
    assert world.state("grace", ["message"])["max_message_id"] == -1
    starred = [world.post("lunch", "Soup", flags={"grace": Flag.STARRED}) for _ in range(2)]
    newest = world.post("lunch", "Soup")
    state = world.state("grace")
    assert state["starred_messages"] == starred
    assert state["max_message_id"] == newest
    assert world.state("ada")["starred_messages"] == []
