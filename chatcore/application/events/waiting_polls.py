"""The polls that wait in a process, one of each queue. Those who use them hold the lock of the hub, unless a
method says otherwise.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from chatcore.application.events.batch import Batch
from chatcore.domain.errors import ChatError
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.events.audience import Users
from chatcore.events.happened import QueueClosed
from chatcore.events.sending import EventToSend
from chatcore.runtime.polls import Distribution, Waiter
from chatcore.storage.slices import INSTANT

POLLS_TOGETHER: Final = 100
"""Polls that are answered, or go on after a long pause, before other work has its turn."""
LONGEST_WAIT: Final = 5.0
"""Seconds for which a poll that begins waits at most for the answers to earlier ones."""
STANDSTILL: Final = 2.0
"""Seconds after which nobody waits any longer for a distribution in which no answer goes on its way."""
PAUSE_PER_POLL: Final = 0.001
"""Seconds of a pause for each further poll that then goes on without a pause of its own."""


class WaitingPolls:
    def __init__(self) -> None:
        self._waiters: dict[QueueId, Waiter] = {}
        self.distributions: tuple[Distribution, ...] = ()
        """The distributions that have answered polls, except some that are over."""
        self._pausing = threading.Lock()
        """Held by a poll that has waited for distributions, while it pauses to let others run."""
        self._without_pause = 0.0
        """The number of polls that may go on without a pause, because the last pause took long."""
        self._has_ended = False

    def __len__(self) -> int:
        return len(self._waiters)

    def __iter__(self) -> Iterator[Waiter]:
        return iter([*self._waiters.values()])

    def __contains__(self, waiter: Waiter) -> bool:
        return self._waiters.get(waiter.queue.id) is waiter

    def of_queue(self, queue_id: QueueId) -> Waiter | None:
        return self._waiters.get(queue_id)

    def add(self, waiter: Waiter) -> None:
        self._waiters[waiter.queue.id] = waiter

    def remove(self, waiter: Waiter) -> bool:
        """Remove a poll; return whether it was still waiting."""
        if waiter not in self:
            return False
        del self._waiters[waiter.queue.id]
        return True

    def leave(self, waiter: Waiter) -> None:
        """Remove a poll that has ended for any reason."""
        self.remove(waiter)
        if waiter.distribution is not None:
            waiter.distribution.end_one()
            waiter.distribution = None

    def dispatch(self, batch: Batch, waiting: Iterable[Waiter], distribution: Distribution) -> None:
        """Answer those of the polls that still wait, and that events of the batch concern."""
        for waiter in waiting:
            if waiter not in self:
                continue
            try:
                events = batch.for_waiter(waiter)
            except ChatError as error:
                self.remove(waiter)
                waiter.fail(error)
                continue
            if events is not None:
                self.remove(waiter)
                distribution.add()
                waiter.distribution = distribution
                if distribution not in self.distributions:
                    self.distributions = (*self._open_distributions(), distribution)
                waiter.answer(events)

    def let_answers_go_first(self, monotonic: Callable[[], float]) -> None:
        """Wait, without the lock of the hub, until the answers that are being distributed now are on their
        way. Answers with events that come meanwhile are not waited for.
        """
        open_distributions = self._open_distributions()
        ends_at = monotonic() + LONGEST_WAIT
        for distribution in open_distributions:
            if _wait_unless_still(distribution, monotonic, ends_at):
                distribution.give_up()  # perhaps it never ends, and would delay each poll that begins
        if open_distributions:
            self._pause_before_going_on(ends_at - monotonic())

    def _open_distributions(self) -> Sequence[Distribution]:
        return [distribution for distribution in self.distributions if not distribution.is_over.has_happened]

    def _pause_before_going_on(self, seconds: float) -> None:
        """Wait for the polls that have waited for longer, at most for this number of seconds. Then pause to
        let others run, such as the polls that have gone on; after a long pause, more polls go on without one.
        """
        if self._pausing.acquire(timeout=max(0.0, seconds)):
            try:
                if self._without_pause >= 1:
                    self._without_pause -= 1
                elif not self._has_ended:
                    began = time.perf_counter()
                    time.sleep(INSTANT)
                    pause = time.perf_counter() - began
                    self._without_pause = min(pause / PAUSE_PER_POLL, POLLS_TOGETHER)
            finally:
                self._pausing.release()

    def end(self, queue_id: QueueId) -> None:
        """Answer the poll of a queue, if one waits, with an empty answer."""
        if (waiter := self._waiters.pop(queue_id, None)) is not None:
            waiter.answer([])

    def end_all(self) -> None:
        """Answer all polls that wait, and keep none waiting behind answers."""
        for queue_id in [*self._waiters]:
            self.end(queue_id)
        self._has_ended = True
        for distribution in self.distributions:
            distribution.give_up()

    def wake_newcomers(self, known: Collection[Waiter], position: Position) -> None:
        """Wake the polls that have not read the log up to a position, so that they look again; those that are
        *known* stay.
        """
        for waiter in set(self._waiters.values()).difference(known):
            if waiter.position < position:
                del self._waiters[waiter.queue.id]
                waiter.wake()

    def due(self, latest: float) -> list[Waiter]:
        """Return the polls whose heartbeat is due at a time."""
        return [waiter for waiter in self._waiters.values() if waiter.due <= latest]

    def first_due(self) -> float | None:
        return min((waiter.due for waiter in self._waiters.values()), default=None)


def _wait_unless_still(distribution: Distribution, monotonic: Callable[[], float], ends_at: float) -> bool:
    """Wait until a distribution is over, at most until a time; return whether it has stood still instead."""
    while (left := ends_at - monotonic()) > 0:
        ended = distribution.ended
        if distribution.is_over.wait(min(left, STANDSTILL)):
            return False
        if distribution.ended == ended and left >= STANDSTILL:
            return True
    return False


def concerned(waiting: Sequence[Waiter], events: Sequence[EventToSend]) -> Sequence[Waiter]:
    """Return the polls that the events may concern: all, unless each event lists its people or its queue."""
    user_ids: set[UserId] = set()
    queue_ids: set[QueueId] = set()
    for event in events:
        if not isinstance(event.audience, Users):
            return waiting
        user_ids.update(event.audience.user_ids)
        if isinstance(event.event, QueueClosed):
            queue_ids.add(event.event.queue_id)
    return [waiter for waiter in waiting if waiter.user_id in user_ids or waiter.queue.id in queue_ids]


def groups_of(waiting: Sequence[Waiter]) -> list[Sequence[Waiter]]:
    """Return the polls in groups of `POLLS_TOGETHER`; without any, one empty group."""
    return [waiting[at : at + POLLS_TOGETHER] for at in range(0, len(waiting) or 1, POLLS_TOGETHER)]
