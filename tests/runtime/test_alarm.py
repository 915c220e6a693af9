"""The thread that does what is due."""

import logging
import threading
from collections.abc import Iterator

import pytest

from chatcore.runtime.alarm import Alarm, Alarms
from chatcore.storage import StorageClosed, StorageNotReady
from tests.waiting import until

NEVER = float("inf")
NEVER_HERE = 3600.0
"""Seconds that are longer than any test."""


class Task:
    """Counts its runs, and fails in those for which it has errors."""

    def __init__(self, *errors: Exception | None, sleep: float = NEVER) -> None:
        self.errors = list(errors)
        self.runs = 0
        self.sleep = sleep

    def __call__(self) -> float:
        self.runs += 1
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        return self.sleep


@pytest.fixture
def alarm() -> Iterator[Alarm]:
    alarm = Alarm()
    yield alarm
    alarm.stop()


def threads() -> int:
    return sum(thread.name == "chatcore-alarm" for thread in threading.enumerate())


def test_a_task_runs_when_it_is_due_and_at_a_ring(alarm: Alarm) -> None:
    alarm.task = task = Task(sleep=0.01)
    alarm.start()
    until(lambda: task.runs > 30)
    task.sleep = NEVER
    for _ in range(2):
        before = task.runs
        alarm.ring()
        until(lambda before=before: task.runs > before)  # type: ignore[misc]


def test_a_task_that_is_never_due_is_asked_now_and_then(alarm: Alarm) -> None:
    alarm.task = task = Task()
    alarm.start()
    until(lambda: task.runs > 1)


def test_a_ring_counts_once() -> None:
    alarm = Alarm(longest_sleep=NEVER_HERE)
    alarm.task = task = Task()
    alarm.start()
    until(lambda: task.runs > 0)
    for before in range(1, 50):
        alarm.ring()
        until(lambda before=before: task.runs > before)  # type: ignore[misc]
    alarm.stop()
    assert task.runs == 50


def test_there_is_one_thread_and_none_after_the_end(alarm: Alarm) -> None:
    alarm.start()
    assert threads() == 0
    alarm.task = Task()
    alarm.start()
    alarm.start()
    assert threads() == 1
    alarm.stop()
    assert threads() == 0
    alarm.start()
    assert threads() == 0


def test_a_failure_is_logged_and_the_task_goes_on(alarm: Alarm, caplog: pytest.LogCaptureFixture) -> None:
    alarm.task = task = Task(StorageNotReady("gone"), OSError("full"))
    alarm.start()
    for run in (1, 2, 3):
        alarm.ring()
        until(lambda run=run: task.runs >= run)  # type: ignore[misc]
    levels = [(record.levelno, record.getMessage()) for record in caplog.records]
    assert levels == [
        (logging.WARNING, "due work has to wait: gone"),
        (logging.ERROR, "a due task failed"),
    ]


def test_what_keeps_all_alarms_waiting_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    alarms = Alarms()
    tasks = [Task(StorageNotReady("gone")) for _ in range(3)]
    alarms.scheduled.task, alarms.bots.task, alarms.thumbnails.task = tasks
    alarms.start()
    for alarm in (alarms.scheduled, alarms.bots, alarms.thumbnails):
        alarm.ring()
    until(lambda: all(task.runs >= 2 for task in tasks))
    alarms.stop()
    assert [record.getMessage() for record in caplog.records] == ["due work has to wait: gone"]


def test_a_closed_store_ends_the_thread(alarm: Alarm, caplog: pytest.LogCaptureFixture) -> None:
    alarm.task = Task(StorageClosed())
    alarm.start()
    until(lambda: threads() == 0)
    assert caplog.records == []
