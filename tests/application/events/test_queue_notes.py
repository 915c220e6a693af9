"""Notes on queues beside their rows: a request may read a row just before or after it is stored."""

import pytest
from msgspec.structs import replace

from chatcore.application.events.queue_notes import QueueNotes
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.events.queue import Queue, Registration

WALL, SINCE_BOOT = 1_700_000_000.0, 50.0
LIFE = Registration().lifespan


class Clocks:
    """The wall clock and the monotonic clock, which advance together."""

    def __init__(self) -> None:
        self.passed = 0.0

    def wall(self) -> float:
        return WALL + self.passed

    def monotonic(self) -> float:
        return SINCE_BOOT + self.passed


@pytest.mark.parametrize("is_written", [False, True], ids=["while it is stored", "afterwards"])
@pytest.mark.parametrize("read_row", ["old", "new"])
def test_a_use_that_is_stored_is_no_use_by_another_process(read_row: str, is_written: bool) -> None:
    clocks = Clocks()
    notes = QueueNotes(clocks.wall, clocks.monotonic)
    old = Queue(
        id=QueueId("queue"),
        user_id=UserId(7),
        registration=Registration(),
        created_at=Position(1),
        acknowledged=Position(1),
        last_seen=WALL,
    )
    notes.begin(old)
    clocks.passed = LIFE - 1.0
    notes.acknowledge(old)
    (note,) = notes.unwritten()
    notes.begin_writing([note])
    if is_written:
        notes.drop_written([note])
    new = replace(old, last_seen=note.last_seen)
    clocks.passed += LIFE + 1.0
    assert notes.idle({"old": old, "new": new}[read_row]) == LIFE + 1.0


def test_a_use_by_another_process_counts() -> None:
    clocks = Clocks()
    notes = QueueNotes(clocks.wall, clocks.monotonic)
    queue = Queue(
        id=QueueId("queue"),
        user_id=UserId(7),
        registration=Registration(),
        created_at=Position(1),
        acknowledged=Position(1),
        last_seen=WALL,
    )
    notes.begin(queue)
    clocks.passed = LIFE + 1.0
    assert notes.idle(replace(queue, last_seen=WALL + LIFE)) == 1.0
