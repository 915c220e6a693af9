"""Queues and polls while the wall clock is set: only the time that has really passed counts."""

import pytest

from chatcore.application.events.queue_notes import GRACE
from tests.waiting import until
from tests.worlds.organization import DAY, MakeWorld, Someone, World

JUMPS = pytest.mark.parametrize(
    "jump", [DAY, 3600, -3600, -DAY], ids=["a day on", "an hour on", "an hour back", "a day back"]
)


@pytest.mark.every_case_on_postgresql
@JUMPS
def test_a_poll_gets_its_heartbeat_in_time(world: World, ada: Someone, jump: int) -> None:
    poll = ada.opens_queue("message").waits()
    world.clock.jump(jump)
    world.happens()
    assert not poll.is_over
    world.clock.advance(60)
    world.happens()
    (beat,) = poll.answer()
    assert beat["type"] == "heartbeat"


@JUMPS
def test_no_queue_ends_while_its_client_polls(world: World, ada: Someone, jump: int) -> None:
    line, other = ada.opens_queue("message"), ada.opens_queue("message")
    poll = other.waits()
    world.clock.advance(300)
    line.peek()
    world.clock.jump(jump)
    world.svc.hub.maintain()
    assert line.peek() == []
    poll.answer()
    assert other.peek()[0]["type"] == "heartbeat"
    world.clock.advance(590)
    line.peek()
    world.svc.hub.maintain()
    world.clock.advance(590)
    world.svc.hub.maintain()
    assert line.peek() == []


@JUMPS
def test_a_queue_that_nobody_polls_ends_after_ten_minutes(world: World, ada: Someone, jump: int) -> None:
    line = ada.opens_queue("message")
    line.peek()
    world.clock.jump(jump)
    world.clock.advance(590)
    world.svc.hub.maintain()
    assert world.count("event_queue") == 1
    world.clock.advance(11)
    world.svc.hub.maintain()
    line.refused()
    assert world.count("event_queue") == 0


def test_a_queue_that_was_never_polled_ends_too(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    world.clock.advance(590)
    world.svc.hub.maintain()
    world.clock.advance(11)
    line.refused()


@pytest.mark.every_case_on_postgresql
@JUMPS
def test_upkeep_goes_on(world: World, ada: Someone, jump: int) -> None:
    line = ada.opens_queue("message")
    line.peek()
    world.svc.hub.maintain()
    world.clock.jump(jump)
    world.clock.advance(61)
    sent = ada.says("soup")
    assert line.messages() == [sent]
    line.peek()

    def is_written() -> bool:
        world.happens()
        queue = world.storage.read(lambda snapshot: snapshot.queues.find(line.id))
        world.clock.advance(1)
        return queue is not None and queue.acknowledged >= sent

    until(is_written)


@JUMPS
def test_a_queue_in_use_elsewhere_does_not_end_here(make_world: MakeWorld, jump: int) -> None:
    """A process that does not serve the queue knows it only by its row."""
    here, there = make_world(), make_world()
    line = there["ada"].opens_queue("message")
    for step in range(14):
        there.clock.advance(60)
        here.clock.advance(60)
        if step == 7:
            here.clock.jump(jump)
            there.clock.jump(jump)
        here.svc.hub.maintain()
        assert line.peek() == []
        there.svc.hub.maintain()
    for _ in range(11):
        here.clock.advance(60)
        here.svc.hub.maintain()
    assert here.count("event_queue") == 0, "but when it is not in use any more, it ends"


@pytest.mark.parametrize("jump", [0, 700, DAY, -DAY])
def test_a_queue_lives_for_a_while_after_a_restart(make_world: MakeWorld, jump: int) -> None:
    """A restarted server does not know how long it was idle: the clock may have been set meanwhile."""
    before = make_world()
    line = before["ada"].opens_queue("message")
    line.peek()
    before.svc.hub.maintain()
    before.close()
    after = make_world()
    after.clock.jump(jump)
    after.svc.hub.maintain()
    after.clock.advance(GRACE - 1)
    after.svc.hub.maintain()
    assert after.count("event_queue") == 1
    after.clock.advance(600 if jump <= 0 else 2)
    after.svc.hub.maintain()
    assert after.count("event_queue") == 0


@JUMPS
def test_the_queue_idle_for_longest_makes_room_by_the_time_that_has_passed(
    world: World, ada: Someone, jump: int
) -> None:
    idle, used = ada.opens_queue("message"), ada.opens_queue("message")
    world.clock.advance(30)
    world.clock.jump(jump)
    used.peek()
    for _ in range(world.svc.limits.max_event_queues_per_user - 1):
        ada.opens_queue("message")
    idle.refused()
    assert used.peek() == []
