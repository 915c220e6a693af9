"""Faults that every request meets are one line a minute in the log."""

import logging

import pytest

from chatcore.runtime import quiet_log
from chatcore.runtime.quiet_log import QuietLog
from chatcore.storage import StorageNotReady


def test_each_cause_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    quiet = QuietLog(logging.getLogger("chatcore.test"), lambda: now)
    for cause in ("full", "full", "locked", "full"):
        quiet.warning("not ready: %s", cause)
    now = quiet_log.INTERVAL
    quiet.warning("not ready: %s", OSError("full"))
    assert caplog.messages == ["not ready: full", "not ready: locked", "not ready: full"]


def test_a_store_that_is_not_ready_is_one_line_a_minute_whatever_the_reasons(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = 0.0
    quiet = QuietLog(logging.getLogger("chatcore.test"), lambda: now)
    others = [logging.getLogger(f"chatcore.test.{name}") for name in ("events", "alarm")]
    for minute in range(2):
        now = minute * quiet_log.INTERVAL
        for reason in ("nobody answers", "all connections are in use"):
            for log in others:
                quiet.tell_not_ready(log, "has to wait: %s", StorageNotReady(reason))
        quiet.warning("not ready: %s", "full")
    said = ["has to wait: nobody answers", "not ready: full"]
    assert caplog.messages == said * 2


def test_causes_without_end_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    quiet = QuietLog(logging.getLogger("chatcore.test"), lambda: 0.0)
    for number in range(1_000):
        quiet.warning("not ready: %s", number)
    assert len(caplog.messages) == quiet_log.MAX_CAUSES
