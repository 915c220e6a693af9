"""Polls that wait behind the answers to earlier ones."""

from math import inf
from typing import Any

from chatcore.application.events.waiting_polls import LONGEST_WAIT, STANDSTILL, WaitingPolls
from chatcore.runtime.polls import Distribution


class SlowDistribution(Distribution):
    """A distribution that is over after some seconds; waiting for it moves the clock on."""

    def __init__(self, takes: float, *, moves: bool = False) -> None:
        super().__init__()
        self.is_over: Any = self
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
