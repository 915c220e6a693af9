"""At most one poll waits for a queue, in any process; on PostgreSQL, which several processes share."""

import threading
from collections.abc import Iterator

import pytest

from tests.waiting import PATIENCE
from tests.worlds.organization import Line, Someone, World


@pytest.fixture
def two(postgres_url: str) -> Iterator[tuple[World, World]]:
    worlds = World(postgres_url), World(postgres_url)
    for world in worlds:
        listens = threading.Event()
        world.storage.on_commit(listens.set)
        assert listens.wait(PATIENCE), "what was committed before is looked for once the listener is there"
    yield worlds
    for world in worlds:
        world.close()


def at(world: World, line: Line) -> Line:
    """Return the queue of a line, as another server serves it."""
    return Line(Someone(world, line.owner.name), {"queue_id": line.id, "last_event_id": line.last})


def test_a_newer_poll_ends_the_older_in_another_process(two: tuple[World, World]) -> None:
    here, there = two
    line = here["ada"].opens_queue("message")
    for _ in range(3):
        older = at(here, line).waits()
        newer = at(there, line).waits()
        assert older.answer() == []
        newest = at(here, line).waits()
        assert newer.answer() == []
        sent = there["bea"].says("soup")
        events = newest.answer()
        assert [event["message"]["id"] for event in events] == [sent]
        line.last = sent


def test_a_poll_that_does_not_wait_ends_one_in_another_process(two: tuple[World, World]) -> None:
    here, there = two
    line = here["ada"].opens_queue("message")
    poll = line.waits()
    assert at(there, line).peek() == []
    assert poll.answer() == []


def test_polls_in_one_process_notify_nobody(
    two: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = two
    line = here["ada"].opens_queue("message")
    sent: list[str] = []
    monkeypatch.setattr(here.storage, "broadcast", sent.append)
    for _ in range(5):
        line.peek()
    assert len(sent) == 1


def test_the_later_of_two_claims_holds(two: tuple[World, World], monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes receive the claims in the same order, whichever was sent first."""
    here, there = two
    line = here["ada"].opens_queue("message")
    sent: list[tuple[World, str]] = []
    for world in two:
        monkeypatch.setattr(world.storage, "broadcast", lambda text, world=world: sent.append((world, text)))
    earlier, later = at(there, line).waits(), at(here, line).waits()
    for _, text in sent:
        for world in two:
            world.storage.receive(text)
    assert earlier.answer() == []
    assert not later.is_over


def test_a_claim_that_was_lost_does_not_stand_in_the_way_for_ever(
    two: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = two
    line = here["ada"].opens_queue("message")
    with monkeypatch.context() as patch:
        patch.setattr(here.storage, "broadcast", lambda text: None)
        poll = line.waits()
    here.clock.advance(11)
    at(there, line).peek()
    assert poll.answer() == []
