"""Positions from which polls continue, and the lifespan of queues."""

import msgspec
import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.events.queue import Capabilities, Queue, Registration, cursor_after


def queue(*, created_at: int = 10, acknowledged: int = 10, lifespan: int = 600) -> Queue:
    return Queue(
        id=QueueId("q"),
        user_id=UserId(1),
        registration=Registration(lifespan=lifespan),
        created_at=Position(created_at),
        acknowledged=Position(acknowledged),
        last_seen=1000.0,
    )


@pytest.mark.parametrize(
    ("acknowledged", "last_event_id", "cursor"),
    [(10, -1, 10), (10, 10, 10), (10, 15, 15), (15, 15, 15), (15, 17, 17)],
)
def test_a_poll_goes_on_after_what_it_has(acknowledged: int, last_event_id: int, cursor: int) -> None:
    assert cursor_after(queue(acknowledged=acknowledged), last_event_id) == cursor


@pytest.mark.parametrize(("acknowledged", "last_event_id"), [(15, -1), (15, 14), (10, 9), (10, 0), (10, -2)])
def test_positions_behind_the_queue_are_refused(acknowledged: int, last_event_id: int) -> None:
    with pytest.raises(BadRequest):
        cursor_after(queue(acknowledged=acknowledged), last_event_id)


def test_a_queue_expires_after_its_own_time() -> None:
    assert not queue().is_expired(600)
    assert queue().is_expired(601)
    assert not queue(lifespan=3600).is_expired(601)


def test_a_queue_wants_what_it_asked_for() -> None:
    everything, some = Registration(), Registration(event_types=("message", "user_topic", "muted_topics"))
    assert everything.wants("anything")
    assert everything.wants("muted_topics")
    assert [some.wants(one) for one in ("message", "user_topic", "muted_topics", "stream")] == [
        True,
        True,
        False,
        False,
    ]
    assert Registration(event_types=("muted_topics",)).wants("muted_topics")
    assert not Registration(event_types=()).wants("message")
    assert Capabilities() == Registration().capabilities
    assert msgspec.json.decode(b"{}", type=Registration).has_keys, "as it was stored before"
