"""Polls that wait behind the answers to earlier ones."""

from math import inf
from typing import Any

from chatcore.application.events.waiting_polls import LONGEST_DISTRIBUTION, WaitingPolls


class SlowDistribution:
    """A distribution that is over after some seconds; waiting for it moves the clock on."""

    def __init__(self, takes: float, *, moves: bool = False) -> None:
        self.is_over: Any = self
        self.ended = 0
        self.waited = 0.0
        self._takes, self._moves = takes, moves

    def wait(self, seconds: float) -> bool:
        self.waited += min(seconds, self._takes)
        self.ended += self._moves
        return self._takes <= seconds


def let_go_first(*distributions: SlowDistribution) -> tuple[list[float], object]:
    """Let a poll wait behind distributions; return how long it has waited for each, and those that others
    wait for.
    """
    polls: Any = WaitingPolls()
    polls.distributions = distributions
    polls.let_answers_go_first(lambda: sum(one.waited for one in distributions))
    return [one.waited for one in distributions], polls.distributions


HALF = LONGEST_DISTRIBUTION / 2


def test_a_poll_waits_for_a_time_at_most_and_others_still_for_answers_that_go_on_their_way() -> None:
    first, long, younger = SlowDistribution(HALF), SlowDistribution(inf, moves=True), SlowDistribution(HALF)
    assert let_go_first(first, long, younger) == ([HALF, HALF, 0], (first, long, younger))


def test_nobody_waits_again_for_a_distribution_in_which_nothing_has_happened() -> None:
    first, endless, younger = SlowDistribution(HALF), SlowDistribution(inf), SlowDistribution(HALF)
    assert let_go_first(first, endless, younger) == ([HALF, HALF, 0], (first, younger))
