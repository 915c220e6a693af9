"""Faults that every request meets are one line a minute in the log."""

import logging

import pytest

from chatcore.runtime import quiet_log
from chatcore.runtime.quiet_log import QuietLog


def test_each_cause_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    quiet = QuietLog(logging.getLogger("chatcore.test"), lambda: now)
    for cause in ("full", "full", "locked", "full"):
        quiet.warning("not ready: %s", cause)
    now = quiet_log.INTERVAL
    quiet.warning("not ready: %s", OSError("full"))
    assert caplog.messages == ["not ready: full", "not ready: locked", "not ready: full"]


def test_causes_without_end_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    quiet = QuietLog(logging.getLogger("chatcore.test"), lambda: 0.0)
    for number in range(1_000):
        quiet.warning("not ready: %s", number)
    assert len(caplog.messages) == quiet_log.MAX_CAUSES
