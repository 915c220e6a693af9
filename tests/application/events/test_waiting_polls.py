"""Polls that wait behind the answers to earlier ones."""

from math import inf
from typing import Any

from chatcore.application.events.waiting_polls import LONGEST_DISTRIBUTION, WaitingPolls


class SlowDistribution:
    """A distribution that is over after some seconds; waiting for it moves the clock on."""

    def __init__(self, takes: float) -> None:
        self.is_over: Any = self
        self.waited = 0.0
        self._takes = takes

    def wait(self, seconds: float) -> bool:
        self.waited += min(seconds, self._takes)
        return self._takes <= seconds


def test_a_poll_waits_for_a_time_at_most_and_nobody_for_the_same_again() -> None:
    half = LONGEST_DISTRIBUTION / 2
    first, endless, younger = (SlowDistribution(takes) for takes in (half, inf, LONGEST_DISTRIBUTION))
    polls: Any = WaitingPolls()
    polls.distributions = (first, endless, younger)

    def monotonic() -> float:
        return first.waited + endless.waited + younger.waited

    polls.let_answers_go_first(monotonic)
    assert (first.waited, endless.waited, younger.waited) == (half, half, 0)
    assert polls.distributions == (first, younger)
    polls.let_answers_go_first(monotonic)
    assert endless.waited == half
