"""Polls that wait behind the answers to earlier ones."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from chatcore.application.events import waiting_polls
from chatcore.application.events.waiting_polls import (
    LONGEST_WAIT,
    PAUSE_PER_POLL,
    POLLS_TOGETHER,
    STANDSTILL,
    WaitingPolls,
)
from chatcore.runtime.polls import Distribution
from chatcore.runtime.signals import Signal
from chatcore.storage.slices import INSTANT
from tests.waiting import PATIENCE, until


class SlowDistribution(Distribution):
    """A distribution that is over after some seconds; waiting for it moves the clock on."""

    def __init__(self, takes: float, *, moves: bool = False) -> None:
        super().__init__()
        self.is_over: Any = self
        self.has_happened = False
        self.is_given_up = False
        self.waited = 0.0
        self._takes, self._moves = takes, moves

    def wait(self, seconds: float) -> bool:
        left = self._takes - self.waited
        self.waited += min(seconds, left)
        if self._moves:
            self.add()
            self.end_one()
        return left <= seconds

    def set(self) -> None:
        self.is_given_up = True


def let_go_first(*distributions: SlowDistribution) -> list[tuple[float, bool]]:
    """Let a poll wait behind distributions; return how long it has waited for each, and whether that one was
    given up.
    """
    polls = WaitingPolls()
    polls.distributions = distributions
    polls.let_answers_go_first(lambda: sum(one.waited for one in distributions))
    return [(one.waited, one.is_given_up) for one in distributions]


def moving(takes: float) -> SlowDistribution:
    return SlowDistribution(takes, moves=True)


def test_a_poll_waits_for_a_time_at_most() -> None:
    half = LONGEST_WAIT / 2
    assert let_go_first(moving(half), moving(inf), moving(half)) == [(half, False), (half, False), (0, False)]


def test_nobody_waits_again_for_a_distribution_that_stands_still() -> None:
    found = let_go_first(moving(1), SlowDistribution(inf), moving(1))
    assert found == [(1, False), (STANDSTILL, True), (1, False)]


def test_others_still_wait_for_what_has_not_stood_still_for_long() -> None:
    almost = LONGEST_WAIT - STANDSTILL / 2
    assert let_go_first(moving(almost), SlowDistribution(inf)) == [(almost, False), (STANDSTILL / 2, False)]


class CountedSignal(Signal):
    """A signal that counts those who begin to wait for it."""

    waiting = 0

    def wait(self, seconds: float) -> bool:
        self.waiting += 1
        return super().wait(seconds)


class Turns:
    """Polls that go on after a distribution; each has its turn until `end` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for limit in ("STANDSTILL", "LONGEST_WAIT"):
            monkeypatch.setattr(waiting_polls, limit, 10 * PATIENCE)
        times = SimpleNamespace(sleep=self._have_turn, perf_counter=lambda: 0.0)
        monkeypatch.setattr(waiting_polls, "time", times)
        self.begun: list[float] = []
        self.end = threading.Event()
        self.kill_next = False
        self._polls = WaitingPolls()
        self._distribution = Distribution()

    def stop(self) -> None:
        self._polls.end_all()

    def _have_turn(self, seconds: float) -> None:
        self.begun.append(seconds)
        if self.kill_next:
            self.kill_next = False
            raise SystemExit
        assert self.end.wait(PATIENCE)

    def poll(self, monotonic: Callable[[], float] = time.monotonic) -> threading.Event:
        """Let a poll begin; return what is set when it has gone on."""
        has_gone_on = threading.Event()

        def begin() -> None:
            with suppress(SystemExit):
                self._polls.let_answers_go_first(monotonic)
                has_gone_on.set()

        threading.Thread(target=begin, daemon=True).start()
        return has_gone_on

    def begin_distribution(self) -> None:
        self._distribution = Distribution()
        self._distribution.is_over = self._signal = CountedSignal()
        self._polls.distributions = (self._distribution,)

    def end_distribution(self, polls: int) -> None:
        """End it when so many polls wait; return when one of them has its turn."""
        until(lambda: self._signal.waiting == polls)
        self._distribution.end_one()
        until(lambda: self.begun)


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Turns:
    return Turns(monkeypatch)


def test_polls_that_have_waited_go_on_one_after_another(turns: Turns) -> None:
    turns.begin_distribution()
    polls = [turns.poll() for _ in range(3)]
    turns.end_distribution(polls=3)
    assert not any(poll.wait(0.1) for poll in polls)
    assert len(turns.begun) == 1
    assert turns.poll().wait(PATIENCE)  # nothing is distributed any more
    turns.end.set()
    assert all(poll.wait(PATIENCE) for poll in polls)
    assert turns.begun == [INSTANT] * 3


def test_polls_wait_for_no_turn_when_the_hub_stops(turns: Turns) -> None:
    turns.begin_distribution()
    polls = [turns.poll() for _ in range(3)]
    turns.end_distribution(polls=3)
    turns.stop()
    turns.end.set()
    assert all(poll.wait(PATIENCE) for poll in polls)
    assert len(turns.begun) == 1


def test_a_poll_that_is_killed_in_its_turn_keeps_no_other_one(turns: Turns) -> None:
    turns.begin_distribution()
    turns.kill_next = True
    polls = [turns.poll() for _ in range(2)]
    turns.end_distribution(polls=2)
    turns.end.set()
    until(lambda: sum(poll.is_set() for poll in polls) == 1)
    assert len(turns.begun) == 2


def test_a_poll_waits_for_its_turn_for_a_time_at_most(turns: Turns) -> None:
    turns.begin_distribution()
    first = turns.poll()
    turns.end_distribution(polls=1)
    turns.begin_distribution()
    times = iter([0.0])
    assert turns.poll(lambda: next(times, waiting_polls.LONGEST_WAIT + 1)).wait(PATIENCE)
    assert not first.is_set()
    turns.end.set()
    assert first.wait(PATIENCE)


@pytest.mark.parametrize(
    ("polls", "pause", "pauses"),
    [
        (6, 0.5, 6),
        (6, 1.5, 3),
        (6, 2.5, 2),
        (6, 99, 1),
        (POLLS_TOGETHER + 1, 10**6, 1),
        (POLLS_TOGETHER + 2, 10**6, 2),
    ],
)
def test_if_others_run_for_long_more_polls_go_on(
    monkeypatch: pytest.MonkeyPatch, polls: int, pause: float, pauses: int
) -> None:
    """Polls go on; each pause is so many times as long as that for one more poll."""
    now = [0.0]
    times = SimpleNamespace(
        perf_counter=lambda: now[-1],
        sleep=lambda _: now.append(now[-1] + pause * PAUSE_PER_POLL),
    )
    monkeypatch.setattr(waiting_polls, "time", times)
    waiting = WaitingPolls()
    for _ in range(polls):
        waiting.distributions = (SlowDistribution(0),)
        waiting.let_answers_go_first(time.monotonic)
    assert len(now) - 1 == pauses
