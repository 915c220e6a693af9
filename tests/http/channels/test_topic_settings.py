"""Policies for topics, marking as read, and alert words."""

import pytest

from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.registering import NOW
from tests.worlds.registering_over_http import Api

# -- policies ---------------------------------------------------------------------------------------


def policies(api: Api, who: str) -> list[tuple[str, int]]:
    state = api.state(who, "user_topic", empty_topic_name=True)
    return [(row["topic_name"], row["visibility_policy"]) for row in state["user_topics"]]


@pytest.mark.shows(
    "visibility.default", "visibility.muted", "visibility.unmuted", "visibility.followed",
    "visibility.no-messages", "policies.sets", "event.user-topic", "change.user-topics",
)  # fmt: skip
def test_each_policy_is_set_and_announced(api: Api) -> None:
    follower = api.follow("grace", "user_topic")
    for policy in (1, 2, 3, 0):
        api.ok(
            "grace",
            "POST",
            "user_topics",
            stream_id=api.channel("lunch"),
            topic=" Soup ",
            visibility_policy=policy,
        )
        assert follower.events() == [
            {
                "type": "user_topic",
                "stream_id": api.channel("lunch"),
                "topic_name": "Soup",
                "last_updated": NOW,
                "visibility_policy": policy,
            }
        ]
        assert policies(api, "grace") == ([("Soup", policy)] if policy else [])


@pytest.mark.shows("visibility.unmuted-is-default")
@pytest.mark.parametrize("policy", [0, 2])
def test_unmuting_means_nothing_where_the_channel_is_not_muted(api: Api, policy: int) -> None:
    posted = [api.world.post("lunch", "Soup"), api.world.post("lunch", "Bread")]
    topic = {"stream_id": api.channel("lunch"), "topic": "Soup"}
    for value in (1, policy):
        api.ok("grace", "POST", "user_topics", visibility_policy=value, **topic)
    found = {
        term: [
            message["id"]
            for message in api.ok(
                "grace",
                "GET",
                "messages",
                anchor="newest",
                num_before=9,
                num_after=0,
                narrow=[term.split(":")],
            )["messages"]
        ]
        for term in ("in:home", "is:muted", "is:followed", "is:unread")
    }
    assert found == {"in:home": posted, "is:muted": [], "is:followed": [], "is:unread": posted}
    assert api.state("grace", "message", "update_message_flags")["unread_msgs"]["count"] == 2


def test_clients_that_do_not_know_policies_get_the_muted_topics(api: Api) -> None:
    follower = api.follow("grace", "muted_topics")
    topic = {"stream_id": api.channel("lunch"), "topic": "Soup"}
    api.ok("grace", "POST", "user_topics", visibility_policy=1, **topic)
    assert follower.events() == [{"type": "muted_topics", "muted_topics": [["lunch", "Soup", NOW]]}]
    api.ok("grace", "POST", "user_topics", visibility_policy=3, **topic)
    assert follower.events() == [{"type": "muted_topics", "muted_topics": []}]
    api.ok("grace", "POST", "user_topics", visibility_policy=2, **topic)
    assert follower.events() == []


def test_the_same_policy_again_is_no_change(api: Api) -> None:
    topic = {"stream_id": api.channel("lunch"), "topic": "Soup", "visibility_policy": 3}
    api.ok("grace", "POST", "user_topics", **topic)
    follower = api.follow("grace")
    api.ok("grace", "POST", "user_topics", **{**topic, "topic": "soup"})
    api.ok("grace", "POST", "user_topics", **{**topic, "topic": "Stew", "visibility_policy": 0})
    assert follower.events() == []


@pytest.mark.shows("policies.empty-topic")
@pytest.mark.parametrize("topic", ["", "general chat", "(no topic)", "  general chat "])
def test_the_empty_topic_has_other_names(api: Api, topic: str) -> None:
    old, new = api.follow("grace", "user_topic"), api.follow("grace", "user_topic", empty_topic_name=True)
    api.ok("grace", "POST", "user_topics", stream_id=api.channel("lunch"), topic=topic, visibility_policy=3)
    assert policies(api, "grace") == [("", 3)]
    assert [event["topic_name"] for event in (*old.events(), *new.events())] == ["general chat", ""]


@pytest.mark.shows("policies.length", "limit.topic-length")
def test_a_topic_that_is_too_long_is_refused_here(api: Api) -> None:
    topic = {"stream_id": api.channel("lunch"), "visibility_policy": 1}
    api.ok("grace", "POST", "user_topics", topic="x" * 60, **topic)
    code, text = api.refused("grace", "POST", "user_topics", topic="x" * 61, **topic)
    assert (code, text) == ("BAD_REQUEST", "topic is too long (limit: 60 characters)")
    api.refused("grace", "POST", "user_topics", topic="a\x07b", **topic)


@pytest.mark.shows("visibility.no-others", "policies.sets")
@pytest.mark.parametrize("policy", [-1, 4, 100])
def test_there_are_no_other_policies(api: Api, policy: int) -> None:
    code, _ = api.refused(
        "grace",
        "POST",
        "user_topics",
        stream_id=api.channel("lunch"),
        topic="Soup",
        visibility_policy=policy,
    )
    assert code == "BAD_REQUEST"


@pytest.mark.shows("code.bad-request")
def test_sec_14_a_policy_for_a_channel_one_cannot_see(api: Api) -> None:
    for who, name in (("gil", "attic"), ("grace", "vault"), ("ada", "lab"), ("eve", "lab")):
        for policy in (0, 1):
            refusals = {
                api.refused(
                    who, "POST", "user_topics", stream_id=number, topic="Soup", visibility_policy=policy
                )
                for number in (api.channel(name), 10**9)
            }
            assert refusals == {("BAD_REQUEST", "Invalid channel ID")}
        assert policies(api, who) == []


@pytest.mark.shows("visibility.default")
def test_a_policy_can_be_taken_back_where_one_has_left(api: Api) -> None:
    api.world.set_policy("eve", "lab", "Soup", VisibilityPolicy.MUTED)
    mine = {"stream_id": api.channel("lab"), "topic": "soup"}
    api.refused("eve", "POST", "user_topics", visibility_policy=3, **mine)
    api.ok("eve", "POST", "user_topics", visibility_policy=0, **mine)
    api.refused("eve", "POST", "user_topics", visibility_policy=0, **mine)


# -- marking as read --------------------------------------------------------------------------------


def unread(api: Api, who: str) -> list[int]:
    state = api.state(who, "message", "update_message_flags", empty_topic_name=True)["unread_msgs"]
    rows = [*state["streams"], *state["pms"], *state["huddles"]]
    return sorted(number for row in rows for number in row["unread_message_ids"])


@pytest.mark.shows("flag.per-user", "flags.topic-read", "mark-topic.reads", "change.mark-topic")
def test_a_topic_is_marked_as_read(api: Api) -> None:
    soup = [api.world.post("lunch", "Soup"), api.world.post("lunch", "SOUP")]
    bread = api.world.post("lunch", "Bread")
    follower = api.follow("grace", "update_message_flags")
    for _ in range(2):
        api.ok("grace", "POST", "mark_topic_as_read", stream_id=api.channel("lunch"), topic_name="soup")
    assert unread(api, "grace") == [bread]
    assert follower.events() == [
        {
            "type": "update_message_flags",
            "op": "add",
            "operation": "add",
            "flag": "read",
            "messages": soup,
            "all": False,
        }
    ]
    assert unread(api, "ada") == sorted([*soup, bread])


@pytest.mark.shows("mark-topic.empty-topic")
def test_the_empty_topic_is_marked_as_read_by_its_display_name(api: Api) -> None:
    nameless = api.world.post("lunch", "")
    assert unread(api, "grace") == [nameless]
    api.ok("grace", "POST", "mark_topic_as_read", stream_id=api.channel("lunch"), topic_name="general chat")
    assert unread(api, "grace") == []


def test_a_topic_of_which_nothing_was_received_is_refused(api: Api) -> None:
    api.world.post("lab", "Soup")
    api.world.post("square", "Soup")
    lunch, lab, square = (api.channel(name) for name in ("lunch", "lab", "square"))
    for who, channel in (("grace", lunch), ("grace", square)):
        code, text = api.refused(who, "POST", "mark_topic_as_read", stream_id=channel, topic_name="Soup")
        assert (code, text) == ("BAD_REQUEST", "No such topic 'Soup'")
    for channel in (lab, 10**9):
        code, text = api.refused("eve", "POST", "mark_topic_as_read", stream_id=channel, topic_name="Soup")
        assert (code, text) == ("BAD_REQUEST", "Invalid channel ID")


def test_a_channel_is_marked_as_read(api: Api) -> None:
    posted = [api.world.post("lunch", topic) for topic in ("Soup", "Bread")]
    elsewhere = api.world.post("lab", "Soup")
    follower = api.follow("grace", "update_message_flags")
    for _ in range(2):
        api.ok("grace", "POST", "mark_stream_as_read", stream_id=api.channel("lunch"))
    assert unread(api, "grace") == [elsewhere]
    assert [(event["messages"], event["all"]) for event in follower.events()] == [(posted, False)]
    code, text = api.refused("grace", "POST", "mark_stream_as_read", stream_id=api.channel("vault"))
    assert (code, text) == ("BAD_REQUEST", "Invalid channel ID")


def test_many_messages_are_announced_in_several_events(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.application.messages.marking.BATCH", 2)
    turns: list[None] = []
    monkeypatch.setattr("chatcore.application.messages.marking.let_others", lambda: turns.append(None))
    first = [api.world.post("lunch", "Soup") for _ in range(5)]
    follower = api.follow("grace", "update_message_flags")
    api.ok("grace", "POST", "mark_topic_as_read", stream_id=api.channel("lunch"), topic_name="Soup")
    assert len(turns) == 2, "others get their turn in between"
    second = [api.world.post("lunch", "Soup") for _ in range(4)]
    api.ok("grace", "POST", "mark_stream_as_read", stream_id=api.channel("lunch"))
    announced = [event["messages"] for event in follower.events()]
    assert [len(numbers) for numbers in announced] == [2, 2, 1, 2, 2]
    assert [number for numbers in announced for number in numbers] == [*first, *second]
    assert unread(api, "grace") == []


def test_everything_is_marked_as_read(api: Api) -> None:
    api.world.post("lunch", "Soup")
    api.world.send("ada", "grace")
    api.world.send("ada", "grace", "gil")
    assert len(unread(api, "grace")) == 3
    follower = api.follow("grace", "update_message_flags")
    assert api.ok("grace", "POST", "mark_all_as_read")["complete"] is True
    assert unread(api, "grace") == []
    assert len(unread(api, "gil")) == 2
    (event,) = follower.events()
    assert (event["flag"], event["op"], event["messages"], event["all"]) == ("read", "add", [], True)
    later = api.world.post("lunch", "Soup")
    assert unread(api, "grace") == [later]


# -- alert words ------------------------------------------------------------------------------------


def test_alert_words_are_added_listed_and_removed(api: Api) -> None:
    follower = api.follow("grace", "alert_words")
    added = api.ok("grace", "POST", "users/me/alert_words", alert_words=[" soup ", "", "Bread"])
    assert added["alert_words"] == ["soup", "Bread"]
    announced = [event["alert_words"] for event in follower.events()]
    assert api.ok("grace", "GET", "users/me/alert_words")["alert_words"] == ["soup", "Bread"]
    assert api.ok("ada", "GET", "users/me/alert_words")["alert_words"] == []
    left = api.ok("grace", "DELETE", "users/me/alert_words", alert_words=["SOUP", "tea"])
    assert left["alert_words"] == ["Bread"]
    announced += [event["alert_words"] for event in follower.events()]
    assert announced == [["soup", "Bread"], ["Bread"]]
    assert api.state("grace", "alert_words")["alert_words"] == announced[-1]
    api.refused("grace", "POST", "users/me/alert_words", alert_words=["x" * 101])
    api.refused(None, "GET", "users/me/alert_words")
