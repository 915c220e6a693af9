"""Follows the event log once for a process and wakes those who wait on queues that are concerned.

The log is the truth: a poll reads it, and waits only when there is nothing in it yet. What wakes the hub
(a commit of this process, a notification of another, a slow poll) is a hint. It uses threads of the
standard library; under gevent these are greenlets.
"""

import logging
import random
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from chatcore.application.events.batch import Batch
from chatcore.application.events.polled_here import PolledHere
from chatcore.application.events.queue_notes import QueueNotes
from chatcore.application.events.recent_events import RecentEvents
from chatcore.application.events.restores import begin_anew
from chatcore.application.groups.system_members import announce_new_full_members
from chatcore.application.polls import Waiter
from chatcore.application.queue_closing import close_queues
from chatcore.application.quiet_log import QuietLog
from chatcore.application.turns import let_others
from chatcore.domain.errors import ChatError
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.domain.limits import Limits
from chatcore.events.queue import Queue
from chatcore.events.wire import WireEvent, heartbeat
from chatcore.settings import Settings
from chatcore.storage import Snapshot, Storage, StorageNotReady, Transaction

log = logging.getLogger("chatcore.events")

SLOW_POLL = 2.0
"""Seconds after which the log is looked at without a hint."""
HEARTBEAT_MARGIN = 2.0
"""Seconds that a heartbeat may take to be made and sent."""
HEARTBEATS_TOGETHER = 0.5
"""Seconds by which a heartbeat may come early, so that one commit serves many polls."""
MAINTENANCE = 60.0


class EventHub:
    """The waiting polls of one process, and what it remembers of the log."""

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], float],
        limits: Limits,
        settings: Settings,
        monotonic: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._monotonic = monotonic
        """Measures all waiting: the clock on the wall can be set."""
        self._limits = limits
        self._settings = settings
        self._lock = threading.Lock()
        self._hint = threading.Event()
        self._thread: threading.Thread | None = None
        self._hears = False
        self._stopped = False
        self._position = Position(0)
        self._recent = RecentEvents(limits)
        self._waiters: dict[QueueId, Waiter] = {}
        self._notes = QueueNotes(clock, monotonic)
        self._polled_here = PolledHere(storage, monotonic)
        self._maintained_at = monotonic()
        self._old_head = Position(0)
        self._heads: list[tuple[float, Position]] = []
        """When upkeep was done within the last `event_queue_idle` seconds, and where the log was then."""
        self.chores: list[Callable[[], None]] = []
        """What else is to be done now and then, by whichever process has the time."""

    # -- called by polls ----------------------------------------------------------------------------

    def wait(self, queue: Queue, user_id: UserId, position: Position, due: float | None = None) -> Waiter:
        """Begin to wait after having looked at the log up to *position*; a poll before it is let go.

        *due* None is a poll that begins now.
        """
        if due is None:
            due = self._monotonic() + self._patience()
        waiter = Waiter(queue, user_id, position, due)
        with self._lock:
            self._start(position)
            self._let_go(queue.id)
            if self._stopped:
                waiter.answer([])
            elif self._position > position:
                waiter.look_again()
            else:
                self._waiters[queue.id] = waiter
        return waiter

    def _patience(self) -> float:
        """Seconds until a heartbeat: never more than promised, and not the same for all."""
        latest = self._limits.heartbeat_latest - HEARTBEAT_MARGIN
        return latest - random.uniform(0, self._limits.heartbeat_jitter)

    def leave(self, waiter: Waiter) -> None:
        """The poll is over, however it ended; until now its client was there."""
        with self._lock:
            self._notes.acknowledge(waiter.queue)
            if self._waiters.get(waiter.queue.id) is waiter:
                del self._waiters[waiter.queue.id]

    def end_poll(self, queue_id: QueueId) -> None:
        """Answer a poll that waits on the queue, with nothing."""
        with self._lock:
            self._let_go(queue_id)

    def register(self, queue: Queue) -> None:
        """Note that a queue was just made; the log is followed only once somebody polls."""
        with self._lock:
            if self._thread is None:
                self._notes.shed()
            self._notes.begin(queue)

    def acknowledge(self, queue: Queue, position: Position, head: Position, looked: Position) -> None:
        """Note that the client has everything up to *position*, and is there; the log was at *head* then,
        and between *position* and *looked* there is nothing for the queue.

        A poll of the queue that waits in another process is answered.
        """
        with self._lock:
            self._start(head)  # to write this down one day, even if nobody ever waits
            self._notes.acknowledge(queue, position)
            self._notes.look(queue.id, looked)
        self._polled_here.claim(queue.id)

    def looked(self, queue: Queue) -> Position:
        """Up to where there is nothing that its client has not been given and acknowledged."""
        with self._lock:
            return self._notes.looked(queue.id)

    def acknowledged(self, queue: Queue) -> Position:
        with self._lock:
            return self._notes.acknowledged(queue)

    def idle(self, queue: Queue) -> float:
        """Seconds since the queue was last in use."""
        with self._lock:
            return 0.0 if queue.id in self._waiters else self._notes.idle(queue)

    def remembered(self, position: Position, head: Position) -> list[WireEvent] | None:
        """The events after *position* up to *head*, or None where they are not all in memory."""
        with self._lock:
            return None if self._position < head else self._recent.between(position, head)

    @property
    def waiting(self) -> int:
        """How many polls wait."""
        return len(self._waiters)

    @property
    def stopped(self) -> bool:
        """Whether nobody waits any more: from now on polls answer at once, and hear of nothing new."""
        return self._stopped

    def stop(self) -> None:
        """Answer all waiting polls and stop following the log; what was acknowledged is written."""
        with self._lock:
            self._stopped = True
            for queue_id in list(self._waiters):
                self._let_go(queue_id)
            thread = self._thread
        self._hint.set()
        if thread is not None:
            thread.join(5)
        try:
            self._write_notes()
        except StorageNotReady as error:  # clients get again what they have
            log.warning("what was acknowledged last is not written: %s", error)

    # -- the hub's own thread -----------------------------------------------------------------------

    def _start(self, head: Position) -> None:
        """Begin to follow the log from *head* on, if nobody does.

        The lock is held, so the store must not be asked here: who reads may be waiting for the lock.
        """
        if self._thread is not None or self._stopped:
            return
        if not self._hears:
            self._storage.on_commit(self._hint.set)
            self._polled_here.listen(self.end_poll)
            self._hears = True
        self._recent.begin(head)
        self._position = head
        self._thread = threading.Thread(target=self._run, name="chatcore-events", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        quiet_log = QuietLog(log)
        while not self._stopped:
            self._hint.wait(self._until_due())
            self._hint.clear()
            try:
                self._advance()
                self._beat()
                if self._monotonic() - self._maintained_at >= MAINTENANCE and not self.maintain():
                    with self._lock:
                        if not self._waiters and not self._notes.unwritten():  # nobody has come meanwhile
                            self._thread = None
                            return
            except Exception as error:
                if self._stopped:
                    return
                if isinstance(error, StorageNotReady):
                    quiet_log.warning("the event log cannot be followed: %s", error)
                else:
                    log.exception("following the event log failed")
                self._end_due()
                self._hint.wait(1)

    def _until_due(self) -> float:
        with self._lock:
            first = min((waiter.due for waiter in self._waiters.values()), default=None)
        return SLOW_POLL if first is None else max(0.0, min(SLOW_POLL, first - self._monotonic()))

    def _advance(self) -> None:
        """Look at what is new in the log, and answer the polls that it concerns."""
        while True:
            with self._lock:
                position, waiting = self._position, list(self._waiters.values())
            batch = self._storage.read(partial(self._batch, position, waiting))
            if batch.is_behind:
                self._storage.write(partial(self._require_ahead, position))
                continue
            with self._lock:
                self._position = batch.position
                self._dispatch(batch, waiting)
                self._recent.add(batch.events)  # with the forms that were just made
            if not batch.has_more:
                return
            let_others()

    def _require_ahead(self, position: Position, tx: Transaction) -> None:
        """Begin anew where the log ends before what was read already: the database is an older one now."""
        while tx.log.head() < position:
            log.warning("the database was put back to an earlier state; all clients register anew")
            begin_anew(tx)

    def _batch(self, position: Position, waiting: Sequence[Waiter], snapshot: Snapshot) -> Batch:
        return Batch(snapshot, position, waiting, self._clock(), self._limits, self._settings)

    def _dispatch(self, batch: Batch, waiting: Iterable[Waiter]) -> None:
        informed = {waiter.queue.id: waiter for waiter in waiting}
        for queue_id, waiter in list(self._waiters.items()):
            if informed.get(queue_id) is not waiter:
                # It came while the batch was read, which therefore knows nothing of its owner.
                if batch.events and waiter.position < batch.position:
                    del self._waiters[queue_id]
                    waiter.look_again()
                continue
            try:
                events = batch.for_waiter(waiter)
            except ChatError as error:
                del self._waiters[queue_id]
                waiter.fail(error)
                continue
            if events is not None:
                del self._waiters[queue_id]
                waiter.answer(events)

    def _beat(self) -> None:
        """Send a heartbeat to the polls that have waited long enough.

        It is noted with their queues, at a position of the log: until it is acknowledged, any poll of the
        queue in any process gets it again. Whatever came before it has been dispatched when it is sent.
        """
        if not (due := self._due(early=0.0)):
            return
        due = self._due(early=HEARTBEATS_TOGETHER)
        queue_ids = [waiter.queue.id for waiter in due]

        def beat(tx: Transaction) -> Position:
            position = tx.draw()
            tx.queues.beat(queue_ids, position)
            return position

        position = self._storage.write(beat)
        for waiter in due:
            waiter.heartbeat = position
        self._advance()
        self._end(due, [heartbeat(position)])

    def _due(self, *, early: float) -> list[Waiter]:
        latest = self._monotonic() + early
        with self._lock:
            return [waiter for waiter in self._waiters.values() if waiter.due <= latest]

    def _end_due(self) -> None:
        """Answer the polls that are due with nothing: the store does not take heartbeats just now."""
        self._end(self._due(early=0.0), [])

    def _end(self, waiters: Iterable[Waiter], events: Sequence[bytes]) -> None:
        with self._lock:
            for waiter in waiters:
                if self._waiters.get(waiter.queue.id) is waiter:
                    del self._waiters[waiter.queue.id]
                    waiter.answer(events)

    def _let_go(self, queue_id: QueueId) -> None:
        if (waiter := self._waiters.pop(queue_id, None)) is not None:
            waiter.answer([])

    # -- upkeep -------------------------------------------------------------------------------------

    def maintain(self) -> bool:
        """Write what was acknowledged, drop idle queues, and forget events that no queue can need.

        Whether it has to be done again: there are queues, or something happened since the last time.
        """
        self._maintained_at = self._monotonic()
        with self._lock:
            for queue_id, waiter in self._waiters.items():
                self._notes.acknowledge(waiter.queue)
                self._notes.look(queue_id, max(waiter.position, self._position))
        self._write_notes()
        before = self._old_head
        self._old_head, living = self._storage.write(self._tidy)
        with self._lock:
            self._notes.keep_only(living)
        self._polled_here.keep_only(living)
        for chore in self.chores:
            chore()
        return bool(living) or self._old_head > before

    def _write_notes(self) -> None:
        with self._lock:
            notes = self._notes.unwritten()
        if not notes:
            return
        seen = {note.queue_id: (note.acknowledged, note.last_seen) for note in notes}
        self._storage.write(lambda tx: tx.queues.touch(seen, self._clock()))
        with self._lock:  # until it is written, who asks has to find it here
            self._notes.written(notes)

    def _head_long_ago(self, head: Position) -> Position:
        """The end of the log as long ago as queues may rest.

        Only what was older counts as lag: however much one account makes happen in a few minutes, nobody
        who has polled since then loses a queue.
        """
        now = self._monotonic()
        since = now - self._limits.event_queue_idle
        self._heads.append((now, head))
        while len(self._heads) > 1 and self._heads[1][0] <= since:
            del self._heads[0]
        at, position = self._heads[0]
        return position if at <= since else Position(0)

    def _tidy(self, tx: Transaction) -> tuple[Position, Collection[QueueId]]:
        """The newest position, and the queues that are left.

        What was looked through in vain for a queue neither leaves it behind nor has to be kept for it.
        """
        head = tx.log.head()
        long_ago = self._head_long_ago(head)
        living: dict[QueueId, Position] = {}
        dead: list[QueueId] = []
        for queue in tx.queues.all():
            reached = max(queue.acknowledged, self.looked(queue))
            if queue.is_expired(self.idle(queue)) or long_ago - reached > self._limits.max_event_queue_lag:
                dead.append(queue.id)
            else:
                living[queue.id] = reached
        close_queues(tx, dead)
        # A queue that is being registered right now starts at a head that is not older than this.
        tx.log.forget(min((*living.values(), head, self._old_head)))
        announce_new_full_members(tx, int(self._clock()))
        return head, living.keys()
