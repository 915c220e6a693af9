"""A heartbeat is an event of its queue: every poll in any process receives it until it is acknowledged."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from chatcore.domain.limits import Limits
from chatcore.storage import StorageNotReady
from tests.waiting import PATIENCE
from tests.worlds.organization import Line, MakeWorld, Someone, World


def beats(world: World, line: Line) -> dict[str, Any]:
    """The heartbeat that a poll gets when a minute has passed."""
    poll = line.waits()
    world.clock.advance(60)
    world.svc.hub.hint()
    (beat,) = poll.answer()
    assert beat == {"type": "heartbeat", "id": beat["id"]}
    assert beat["id"] > line.last
    return beat


@pytest.mark.shows("queue.heartbeat", "events.heartbeat", "event.heartbeat")
def test_a_heartbeat_is_repeated_until_it_is_acknowledged(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    beat = beats(world, line)
    assert line.peek() == [beat]
    assert line.peek() == [beat]
    assert line.peek(last_event_id=beat["id"]) == []
    line.refused("BAD_REQUEST")  # what was acknowledged does not come again


@pytest.mark.shows("queue.heartbeat", "events.heartbeat", "event.heartbeat")
def test_a_heartbeat_stands_in_its_place_among_the_events(world: World, ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("message")
    beat = beats(world, line)
    sent = ada.says("soup")
    events = line.peek()
    assert [event["id"] for event in events] == [beat["id"], sent]
    assert events[0] == beat
    assert line.messages() == [sent]
    assert line.peek() == []
    second = beats(world, line)
    assert second["id"] > sent
    assert line.peek() == [second]


def test_an_event_before_a_heartbeat_comes_before_it(world: World, ada: Someone, bea: Someone) -> None:
    line, other = bea.opens_queue("message"), bea.opens_queue("typing")
    sent = ada.says("soup")
    for _ in range(2):
        other.last = beats(world, other)["id"]
    world.storage.write(lambda tx: tx.queues.beat([line.id], other.last))  # type: ignore[list-item,arg-type]
    assert [event["id"] for event in line.peek()] == [sent, other.last]


@pytest.mark.shows("queue.heartbeat", "events.heartbeat", "event.heartbeat")
def test_a_heartbeat_is_known_to_other_processes_and_after_a_restart(make_world: MakeWorld) -> None:
    one, other = make_world(), make_world()
    line = one["ada"].opens_queue("message")
    beat = beats(one, line)
    elsewhere = Line(other["ada"], {"queue_id": line.id, "last_event_id": line.last})
    assert elsewhere.peek() == [beat]
    for world in (one, other):
        world.close()
    again = Line(make_world()["ada"], {"queue_id": line.id, "last_event_id": line.last})
    assert again.peek() == [beat]
    assert again.peek(last_event_id=beat["id"]) == []


def test_many_that_are_due_get_one_heartbeat_in_one_commit(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [ada.opens_queue("message") for _ in range(5)]
    polls = [line.waits() for line in lines]
    write, commits = world.storage.write, []

    def counted(work: Any) -> Any:
        commits.append(work)
        return write(work)

    monkeypatch.setattr(world.storage, "write", counted)
    world.clock.advance(59)
    world.svc.hub.hint()
    answers = [poll.answer() for poll in polls]
    assert answers == [answers[0]] * 5
    assert len(commits) == 1


# -- a store that cannot be written to --------------------------------------------------------------


@pytest.mark.parametrize("error", [StorageNotReady("the disk is full"), OSError("out for lunch")])
def test_a_poll_that_is_due_ends_while_the_store_cannot_be_written(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    line, other = ada.opens_queue("message"), ada.opens_queue("message")
    due = line.waits()

    def refuse(work: Any) -> Any:
        raise error

    world.clock.advance(30)
    later = other.waits()
    with monkeypatch.context() as patch:
        patch.setattr(world.storage, "write", refuse)
        world.clock.advance(29)
        world.svc.hub.hint()
        assert due.answer() == []
        assert not later.is_over
        again = line.waits()
    world.svc.hub.hint()
    sent = ada.says("soup")
    for poll in (again, later):
        assert [event["message"]["id"] for event in poll.answer()] == [sent]


def test_a_poll_ends_even_if_nobody_answers_it(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the store did not even refuse to write."""
    monkeypatch.setattr("chatcore.application.events.long_polls.OVERDUE", 0.05)
    world = make_world(limits=replace(Limits(), heartbeat_latest=2, heartbeat_jitter=0))
    ada = world["ada"]
    line, enough = ada.opens_queue("message"), threading.Event()

    def hang(work: Any) -> Any:
        enough.wait(PATIENCE)
        raise StorageNotReady("it hangs")

    with monkeypatch.context() as patch:
        patch.setattr(world.storage, "write", hang)
        assert ada.get("/events", queue_id=line.id, last_event_id=line.last)["events"] == []
        enough.set()
