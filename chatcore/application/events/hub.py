"""The hub follows the event log once for a process and wakes the polls of queues that receive its events.

The log is authoritative: a poll reads it, and waits only if it has nothing new yet. A commit of this process,
a notification of another, or a slow periodic check only hints to the hub that it should read the log. It uses
threads of the standard library; under gevent these are greenlets.
"""

import logging
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf

from chatcore.application.events.batch import Batch, LogRange, read_on
from chatcore.application.events.polled_here import PolledHere
from chatcore.application.events.queue_notes import QueueNotes
from chatcore.application.events.recent_events import RecentEvents
from chatcore.application.events.restores import begin_anew
from chatcore.application.events.upkeep import Upkeep
from chatcore.application.events.waiting_polls import WaitingPolls, concerned, groups_of
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.domain.limits import Limits
from chatcore.events.queue import Queue
from chatcore.events.sending import EventToSend, heartbeat
from chatcore.runtime.polls import Distribution, Waiter
from chatcore.runtime.quiet_log import QuietLog
from chatcore.settings import Settings
from chatcore.storage import Snapshot, Storage, StorageNotReady, Transaction
from chatcore.storage.slices import let_others

log = logging.getLogger("chatcore.events")

LOG_CHECK_INTERVAL = 2.0
"""Seconds after which the hub reads the log without a hint, and looks whether it is still the same one."""
HEARTBEAT_MARGIN = 2.0
"""Seconds allowed for creating and sending a heartbeat."""
HEARTBEATS_TOGETHER = 0.5
"""Seconds by which a heartbeat may come early, so that one commit serves many polls."""
UPKEEP_INTERVAL = 60.0
"""Seconds between two runs of `maintain`."""


class EventHub:
    """The waiting polls of one process, and its cache of the log."""

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
        """Measures all waiting, as the wall clock can be set."""
        self._limits = limits
        self._settings = settings
        self._lock = threading.Lock()
        self._hint = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_listening = False
        self._stopped = False
        self._position = Position(0)
        self._read_to_end_at = -inf
        self._recent = RecentEvents(limits)
        self._waiting = WaitingPolls()
        self._notes = QueueNotes(clock, monotonic)
        self._polled_here = PolledHere(storage, monotonic)
        self._maintained_at = monotonic()
        self._upkeep = Upkeep(storage, limits, clock, monotonic, idle=self.idle, caught_up=self.caught_up)
        self.quiet_log = QuietLog(log)
        self.chores: list[Callable[[], None]] = []
        """Other periodic tasks, run by whichever process has time."""

    # -- called by polls ----------------------------------------------------------------------------

    def wait(self, queue: Queue, user_id: UserId, position: Position, due: float | None = None) -> Waiter:
        """Start to wait after the log was read up to *position*; an earlier poll of the queue ends.

        *due* None is a poll that begins now.
        """
        if due is None:
            due = self._monotonic() + self._heartbeat_delay()
        waiter = Waiter(queue, user_id, position, due)
        with self._lock:
            self._start(position)
            self._waiting.end(queue.id)
            if self._stopped:
                waiter.answer([])
            elif self._position > position:
                waiter.wake()
            else:
                self._waiting.add(waiter)
        return waiter

    def _heartbeat_delay(self) -> float:
        """Return the seconds until a heartbeat of a poll that begins to wait: never more than promised, and
        different for each poll.
        """
        latest = self._limits.heartbeat_latest - HEARTBEAT_MARGIN
        return latest - random.uniform(0, self._limits.heartbeat_jitter)

    def leave(self, waiter: Waiter) -> None:
        """Remove a poll that has ended for any reason; its client counts as active until now."""
        with self._lock:
            self._notes.acknowledge(waiter.queue)
            self._waiting.leave(waiter)

    def let_answers_go_first(self) -> None:
        self._waiting.let_answers_go_first(self._monotonic)

    def end_poll(self, queue_id: QueueId) -> None:
        """End a poll that waits on the queue, with an empty answer."""
        with self._lock:
            self._waiting.end(queue_id)

    def register(self, queue: Queue) -> None:
        """Note a new queue; the hub follows the log only once a client polls."""
        with self._lock:
            if self._thread is None:
                self._notes.shed()
            self._notes.begin(queue)

    def acknowledge(self, queue: Queue, position: Position, head: Position, caught_up: Position) -> None:
        """Note that an active client has acknowledged *position*. The log ended at *head* then, and has no
        events for the queue between *position* and *caught_up*.

        A poll of the queue that waits in another process ends.
        """
        with self._lock:
            self._start(head)  # so that this is stored even if no client ever waits
            self._notes.acknowledge(queue, position)
            self._notes.catch_up(queue.id, caught_up)
        self._polled_here.claim(queue.id)

    def caught_up(self, queue: Queue) -> Position:
        """Return a position up to which the client has acknowledged all events of the queue."""
        with self._lock:
            return self._notes.caught_up(queue.id)

    def acknowledged_position(self, queue: Queue) -> Position:
        with self._lock:
            return self._notes.acknowledged_position(queue)

    def idle(self, queue: Queue) -> float:
        """Return the seconds since the queue was last in use."""
        with self._lock:
            return self._notes.idle(queue) if self._waiting.of_queue(queue.id) is None else 0.0

    def remembered_events(self, position: Position, head: Position) -> list[EventToSend] | None:
        """Return the events after *position* up to *head*, or None if memory does not hold all of them."""
        with self._lock:
            return None if self._position < head else self._recent.between(position, head)

    def waiter_of(self, queue_id: QueueId) -> Waiter | None:
        """Return the poll that waits on a queue."""
        with self._lock:
            return self._waiting.of_queue(queue_id)

    @property
    def position(self) -> Position:
        """Return the position up to which the log was read."""
        return self._position

    @property
    def is_following(self) -> bool:
        """Whether the hub follows the log: it begins with the first poll, and ends when no queue is left."""
        return self._thread is not None

    @property
    def remembered_size(self) -> int:
        """Return the bytes of the events in memory."""
        with self._lock:
            return self._recent.size

    @property
    def known_queues(self) -> frozenset[QueueId]:
        """Return the queues of which memory holds anything."""
        with self._lock:
            return self._notes.queue_ids | self._polled_here.queue_ids

    @property
    def waiting(self) -> int:
        """Return the number of waiting polls."""
        return len(self._waiting)

    @property
    def lag(self) -> float:
        """Return the seconds since the log was last read to its end; 0 while the hub does not follow it."""
        return self._monotonic() - self._read_to_end_at if self.is_following else 0.0

    @property
    def stopped(self) -> bool:
        """Whether the hub has stopped: polls are answered at once, and nobody waits for new events."""
        return self._stopped

    def stop(self) -> None:
        """Answer all waiting polls and stop following the log; acknowledged positions are stored."""
        with self._lock:
            self._stopped = True
            self._waiting.end_all()
            thread = self._thread
        self._hint.set()
        if thread is not None:
            thread.join(5)
        try:
            self._write_notes()
        except StorageNotReady as error:  # clients receive the same events again
            log.warning("the last acknowledgements of queues could not be written: %s", error)

    # -- the hub's own thread -----------------------------------------------------------------------

    def hint(self) -> None:
        """Let the hub read the log soon."""
        self._hint.set()

    def _start(self, head: Position) -> None:
        """Start to follow the log from *head* on, unless the hub follows it already.

        The caller holds the lock, so this must not use the store: a reader of the store may be waiting for
        the lock.
        """
        if self._thread is not None or self._stopped:
            return
        if not self._is_listening:
            self._storage.on_commit(self.hint)
            self._polled_here.listen(self.end_poll)
            self._is_listening = True
        self._recent.begin(head)
        self._position = head
        self._read_to_end_at = self._monotonic()
        self._thread = threading.Thread(target=self._run, name="chatcore-events", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        log_checked_at = -inf
        while not self._stopped:
            self._hint.wait(self._seconds_until_due())
            self._hint.clear()
            try:
                if self._monotonic() - log_checked_at >= LOG_CHECK_INTERVAL:
                    self._storage.check_log()
                    log_checked_at = self._monotonic()
                self._advance()
                self._beat()
                is_upkeep_due = self._monotonic() - self._maintained_at >= UPKEEP_INTERVAL
                if is_upkeep_due and not self.maintain() and self._end_unless_polled():
                    return
            except Exception as error:
                if self._stopped:
                    return
                if isinstance(error, StorageNotReady):
                    self.quiet_log.tell_not_ready(log, "the event log cannot be followed: %s", error)
                else:
                    log.exception("following the event log failed")
                # The store takes no heartbeats at the moment: the polls that are due get an empty answer.
                self._end_polls(self._find_due(early=0.0), [])
                self._hint.wait(1)

    def _end_unless_polled(self) -> bool:
        """Follow the log no longer, unless a poll has come during upkeep; return whether it is over."""
        with self._lock:
            if self._waiting or self._notes.unwritten():
                return False
            self._thread = None
            return True

    def _seconds_until_due(self) -> float:
        with self._lock:
            first = self._waiting.first_due()
        if first is None:
            return LOG_CHECK_INTERVAL
        return max(0.0, min(LOG_CHECK_INTERVAL, first - self._monotonic()))

    def _advance(self) -> None:
        """Read what is new in the log and answer the polls that it concerns, in groups. Between groups other
        requests run, such as that of the message's sender.
        """
        while True:
            with self._lock:
                position, waiting = self._position, [*self._waiting]
            batch, first, others = self._storage.read(partial(self._first_batch, position, waiting))
            new = batch.log_range
            distribution = Distribution()
            try:
                self._dispatch(batch, first, distribution)
                for group in others:
                    let_others()
                    batch = self._storage.read(partial(self._batch, new, group))
                    self._dispatch(batch, group, distribution)
            finally:
                with self._lock:
                    distribution.end_one()
            if new.is_behind:
                self._storage.write(partial(self._begin_anew_if_behind, position))
                continue
            with self._lock:
                self._position = new.position
                self._recent.add(new.events)  # with the payloads that were just encoded
                if new.events:  # polls that came while these were distributed may lack some
                    self._waiting.wake_newcomers(waiting, new.position)
            if new.is_last:
                self._read_to_end_at = self._monotonic()
                return
            let_others()

    def _begin_anew_if_behind(self, position: Position, tx: Transaction) -> None:
        """Begin anew if the log ends before *position*, up to which it was read: the database was restored
        from a backup. Each repetition skips the same number of positions, until the log reaches *position*.
        """
        while tx.log.head() < position:
            log.warning("the database was restored to an earlier state: all clients register anew")
            begin_anew(tx)

    def _first_batch(
        self, position: Position, waiting: Sequence[Waiter], snapshot: Snapshot
    ) -> tuple[Batch, Sequence[Waiter], Sequence[Sequence[Waiter]]]:
        """Return the next events for the first group of polls, this group, and the others."""
        new = read_on(snapshot, position, self._limits)
        first, *others = groups_of(concerned(waiting, new.events))
        return self._batch(new, first, snapshot), first, others

    def _batch(self, new: LogRange, waiting: Sequence[Waiter], snapshot: Snapshot) -> Batch:
        return Batch(snapshot, new, waiting, self._clock(), self._limits, self._settings)

    def _dispatch(self, batch: Batch, waiting: Iterable[Waiter], distribution: Distribution) -> None:
        with self._lock:
            self._waiting.dispatch(batch, waiting, distribution)

    def _beat(self) -> None:
        """Send a heartbeat to the polls that have waited long enough.

        The heartbeat is stored with their queues, at a position of the log: until it is acknowledged, any
        poll of the queue in any process receives it again. All earlier events are dispatched before it is
        sent.
        """
        if not self._find_due(early=0.0):
            return
        due = self._find_due(early=HEARTBEATS_TOGETHER)
        queue_ids = [waiter.queue.id for waiter in due]

        def beat(tx: Transaction) -> Position:
            position = tx.draw()
            tx.queues.beat(queue_ids, position)
            return position

        position = self._storage.write(beat)
        for waiter in due:
            waiter.heartbeat_position = position
        self._advance()
        self._end_polls(due, [heartbeat(position)])

    def _find_due(self, *, early: float) -> list[Waiter]:
        latest = self._monotonic() + early
        with self._lock:
            return self._waiting.due(latest)

    def _end_polls(self, waiters: Iterable[Waiter], events: Sequence[bytes]) -> None:
        with self._lock:
            for waiter in waiters:
                if self._waiting.remove(waiter):
                    waiter.answer(events)

    # -- upkeep -------------------------------------------------------------------------------------

    def maintain(self) -> bool:
        """Store acknowledged positions, drop idle queues, and delete events that no queue can need.

        Return whether upkeep is needed again: queues exist, or something happened since the last time.
        """
        self._maintained_at = self._monotonic()
        with self._lock:
            for waiter in self._waiting:
                self._notes.acknowledge(waiter.queue)
                self._notes.catch_up(waiter.queue.id, max(waiter.position, self._position))
        self._write_notes()
        tidied = self._upkeep.tidy()
        known = {*tidied.living, *tidied.dead}
        with self._lock:
            self._notes.keep_only(known)
        self._polled_here.keep_only(known)
        for chore in self.chores:
            chore()
        return bool(tidied.living) or tidied.has_grown

    def _write_notes(self) -> None:
        with self._lock:
            notes = self._notes.unwritten()
            self._notes.begin_writing(notes)
        if not notes:
            return
        seen = {note.queue_id: (note.acknowledged, note.last_seen) for note in notes}
        self._storage.write(lambda tx: tx.queues.touch(seen, self._clock()))
        with self._lock:  # until the notes are stored, readers have to find them here
            self._notes.drop_written(notes)
