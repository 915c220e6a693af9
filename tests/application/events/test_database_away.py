"""A database that is away, while nobody sends a request."""

import itertools
import threading

import pytest

from chatcore.storage import StorageNotReady
from tests.waiting import until
from tests.worlds.organization import World

THREADS = {"chatcore-events", "chatcore-scheduled", "chatcore-bots", "chatcore-thumbnails"}


def test_all_who_wait_for_it_write_one_line_together(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    numbers, tries = itertools.count(), list[str]()

    def fail(*_: object) -> None:
        tries.append(threading.current_thread().name)
        raise StorageNotReady(f"another reason, {next(numbers)}")

    queue = world["ada"].post("/register")
    world["ada"].get("/events", queue_id=queue["queue_id"], last_event_id=-1, dont_block=True)
    with monkeypatch.context() as patch:
        for name in ("read", "write", "check_log"):
            patch.setattr(world.storage, name, fail)
        world.svc.alarms.start()
        until(lambda: all(tries.count(name) > 1 for name in THREADS), lambda: str(tries))
        world.svc.alarms.stop()
    assert len([one for one in caplog.messages if "another reason" in one]) == 1
