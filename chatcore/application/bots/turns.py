"""The order of the calls of bots, in which nobody's slow services delay the bots of everybody else.

A few calls of the bots of one owner, and a few by the messages of one person, run at a time. Of those that
may run, the owner whose bots were called longest ago comes first, then the bot that was.
"""

import threading
from collections import Counter
from collections.abc import Collection, Iterable
from math import inf
from typing import Final

from chatcore.domain.bots.calls import DueCall
from chatcore.domain.ids import UserId

RUNNING_OF_ACCOUNT: Final = 2
"""Calls of one owner's bots, and calls by one person, that run at a time in a process."""


class Turns:
    """The calls of bots of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_owner: Counter[UserId] = Counter()
        self._of_caller: Counter[UserId] = Counter()
        self._owner_called: dict[UserId, float] = {}
        """The time at which a bot of each owner was last called."""
        self._bot_called: dict[UserId, float] = {}

    @property
    def running(self) -> int:
        """Return the number of calls that run."""
        with self._lock:
            return self._of_owner.total()

    @property
    def busy_callers(self) -> Collection[UserId]:
        """Return those whose calls have to wait. Those of other people to the same bots pass them."""
        with self._lock:
            return [caller_id for caller_id, count in self._of_caller.items() if count >= RUNNING_OF_ACCOUNT]

    def first(self, due: Iterable[DueCall]) -> DueCall | None:
        """Return the call that comes next, of some that are not by busy callers; None if all have to wait for
        others of their owners.
        """
        with self._lock:
            return min(filter(self._may_run, due), key=self._turn_key, default=None)

    def begin(self, due: DueCall, now: float) -> None:
        with self._lock:
            self._of_owner[due.owner_id] += 1
            self._of_caller[due.caller_id] += 1
            self._owner_called[due.owner_id] = self._bot_called[due.call.bot_id] = now

    def end(self, due: DueCall) -> None:
        with self._lock:
            self._of_owner[due.owner_id] -= 1
            self._of_caller[due.caller_id] -= 1
            self._of_owner += Counter()  # forgets accounts without any
            self._of_caller += Counter()

    def _may_run(self, due: DueCall) -> bool:
        return self._of_owner[due.owner_id] < RUNNING_OF_ACCOUNT

    def _turn_key(self, due: DueCall) -> tuple[float, float, int]:
        """Return the key that sorts calls by their turn: by when the owner's bots were called last, then by
        when this bot was, then by id.
        """
        owner_called = self._owner_called.get(due.owner_id, -inf)
        return owner_called, self._bot_called.get(due.call.bot_id, -inf), due.call.id
