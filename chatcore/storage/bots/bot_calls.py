"""The queue of calls: messages about which a bot's service has to be asked."""

from collections.abc import Collection, Sequence
from typing import Protocol

from chatcore.domain.bots.calls import BotCall, DueCall
from chatcore.domain.ids import UserId


class BotCalls(Protocol):
    def add(self, call: BotCall) -> BotCall:
        """Store a call; return it with its id."""

    def find(self, call_id: int) -> BotCall | None: ...

    def count(self, bot_id: UserId) -> int:
        """Return the number of calls of a bot that wait or run."""

    def count_of_caller(self, bot_id: UserId, caller_id: UserId) -> int:
        """Return the number of those calls that somebody's messages have made."""

    def first_of_each_bot(
        self, now: int, limit: int, *, but_of: Collection[UserId] = ()
    ) -> Sequence[DueCall]:
        """Return for each bot the oldest of its calls that are due, at most *limit* calls; those that
        messages of some callers have made are passed over. The oldest one of each owner come first, then the
        second ones, and so on; each time, the oldest first. A bot of which a process is working on a call has
        none.

        Cheap enough to be called every second.
        """

    def taken_a_while_ago(self, now: int) -> Sequence[BotCall]:
        """Return the calls that were taken so long ago that their processes hold their names by now
        (`Storage.holding`), if they live.
        """

    def update(self, call: BotCall) -> None:
        """Write a call that was found before."""

    def remove(self, call_id: int) -> None: ...
