"""The older form of muting topics."""

from typing import Any

from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.organization import Someone, World

PATH = "/users/me/subscriptions/muted_topics"


def policies(who: Someone) -> list[tuple[str, int]]:
    state = who.registers(fetch_event_types=["user_topic"]).state
    return [(one["topic_name"], one["visibility_policy"]) for one in state["user_topics"]]


def mutes(who: Someone, op: str = "add", **place: Any) -> None:
    who.patch(PATH, topic="soup", op=op, **place)


def test_a_topic_is_muted_and_unmuted(world: World, ada: Someone) -> None:
    line = ada.opens_queue("user_topic")
    for place in ({"stream": "LUNCH"}, {"stream_id": world.id("lunch")}):
        for _ in range(2):
            mutes(ada, **place)
        assert policies(ada) == [("soup", VisibilityPolicy.MUTED)]
        for _ in range(2):
            mutes(ada, "remove", **place)
        assert policies(ada) == []
    assert [event["visibility_policy"] for event in line.events()] == [1, 0, 1, 0]


def test_another_policy_is_not_taken_back(world: World, ada: Someone) -> None:
    world.set_policy("ada", "lunch", "soup", VisibilityPolicy.FOLLOWED)
    mutes(ada, "remove", stream="lunch")
    assert policies(ada) == [("soup", VisibilityPolicy.FOLLOWED)]


def test_channels_that_cannot_be_read_are_as_if_absent(world: World, cem: Someone) -> None:
    for op in ("add", "remove"):
        answers = [
            cem.refused("PATCH", PATH, topic="soup", op=op, stream_id=number)
            for number in (world.id("secret"), 10**9)
        ]
        assert answers[0] == answers[1]
        names = [
            cem.refused("PATCH", PATH, topic="soup", op=op, stream=name) for name in ("secret", "nosuch")
        ]
        assert names[0]["msg"].replace("secret", "nosuch") == names[1]["msg"]


def test_other_requests_are_refused(world: World, ada: Someone) -> None:
    lunch = world.id("lunch")
    for given in (
        {"topic": "soup", "op": "add"},
        {"topic": "soup", "op": "add", "stream": "lunch", "stream_id": lunch},
        {"topic": "soup", "op": "toggle", "stream": "lunch"},
        {"topic": "x" * 61, "op": "add", "stream": "lunch"},
    ):
        ada.refused("PATCH", PATH, **given)
    ada.refused("PATCH", PATH, code="REQUEST_VARIABLE_MISSING", op="add", stream="lunch")
    assert policies(ada) == []
