"""Group commit: concurrent writers queue up, run one after another, and become durable together.

The first in the queue leads. It obtains the write lock, runs up to `MAX_BATCH` waiting jobs, each after the
first under a savepoint, commits them together, and only then releases their threads. Meanwhile the next batch
gathers.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import Protocol, TypeVar

from peewee import PeeweeException

from chatcore.storage.transaction import OutcomeUnknown, StorageNotReady, Transaction
from storage_backends.sql.backend import LOCK_SECONDS, Backend
from storage_backends.sql.memory import HeadRows, Memory, Recall, head_of
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

T = TypeVar("T")

MAX_BATCH = 100
"""Units of work that one commit may carry."""
BATCH_SECONDS = 0.05
"""Seconds after which a batch accepts no further unit of work, so that the first
need not wait for the last.
"""
PROBE_PATIENCE = 1.0
"""Seconds that a probe waits for the lock."""
PROBE_INTERVAL = 2.0
"""Seconds for which the outcome of the last commit predicts the next one."""

SAVE = Statement("SAVEPOINT one")
GO_BACK = Statement("ROLLBACK TO one")
RELEASE = Statement("RELEASE one")


class OpenTransaction(Transaction, Protocol):
    """A transaction from the view of its leader."""

    def flush(self) -> bool:
        """Write the announced events; return whether there were any."""


class Job:
    """A unit of work in the queue, with its outcome."""

    def __init__(self, work: Callable[[Transaction], object]) -> None:
        self.work = work
        self.until = time.monotonic() + LOCK_SECONDS
        self.woken = threading.Event()
        self.leads = False
        self.result: object = None
        self.error: BaseException | None = None

    def finish(self, error: BaseException | None = None) -> None:
        self.error = self.error or error
        self.woken.set()


class GroupCommit:
    """The writers of one store.

    *begin* makes the transaction of one unit of work from the head of the log. *committed* is called after a
    commit that carried events, and *batched* after each commit with the number of units of work in it and its
    seconds.
    """

    def __init__(
        self,
        backend: Backend,
        memory: Memory,
        begin: Callable[[Session, int], OpenTransaction],
        committed: Callable[[], None],
        batched: Callable[[int, float], None],
    ) -> None:
        self._backend = backend
        self._memory = memory
        self._begin = begin
        self._committed = committed
        self._batched = batched
        self.begin_anew: Callable[[Transaction], object] | None = None
        """The first unit of work in a database whose log is not the adopted one."""
        self._lock = threading.Lock()
        self._waiting: list[Job] = []
        self._has_leader = False
        self._failure: str | None = None
        """The reason why the last commit failed, if the database was at fault."""
        self._tried_at = -inf

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Queue *work* for the next group. The first one in the queue leads: it runs and commits the whole
        group, while the others wait for it, or for the lead of the group after it.
        """
        job = Job(work)
        with self._lock:
            self._waiting.append(job)
            job.leads = not self._has_leader
            self._has_leader = True
        try:
            if not job.leads:
                self._wait(job)
            if job.leads:
                self._lead(job)
            if job.error is not None:
                raise job.error
            return job.result  # type: ignore[return-value]
        finally:
            job.error = None  # breaks the cycle of error, traceback and job

    @property
    def waiting(self) -> int:
        """Return the number of units of work in the queue."""
        return len(self._waiting)

    def probe(self) -> None:
        """Find out whether a commit succeeds at present: from the last one if it is recent, otherwise by an
        empty one.

        :raises StorageNotReady: the last one is recent, and failed
        """
        if time.monotonic() - self._tried_at >= PROBE_INTERVAL:
            with self._transaction(time.monotonic() + PROBE_PATIENCE) as head_rows:
                self._backend.commit(head_of(head_rows))  # written although it is unchanged
            self._note(None)
        elif self._failure is not None:
            raise StorageNotReady(self._failure)

    def _wait(self, job: Job) -> None:
        """Wait until the job is done or has to lead.

        :raises StorageNotReady: its turn did not come in time
        """
        try:
            if not job.woken.wait(job.until - time.monotonic()):
                self._withdraw(job)
                job.woken.wait()  # it runs now
        except BaseException:  # this thread is ending; the job must leave the queue, or it would lead one day
            with self._lock:
                if job not in self._waiting:
                    raise
                self._waiting.remove(job)
            if job.leads:
                self._pass_on()
            raise

    def _withdraw(self, job: Job) -> None:
        """Remove a job from the queue, unless its turn has come."""
        with self._lock:
            if job.leads or job not in self._waiting:
                return
            self._waiting.remove(job)
        raise StorageNotReady("the database is temporarily unavailable: earlier changes take too long")

    def _lead(self, own: Job) -> None:
        """Run and commit the units of work of waiting writers, beginning with the leader's own."""
        batch: list[Job] = []
        announced = False
        try:
            time.sleep(0)  # lets other threads that are ready to write join this commit
            announced = self._run_batch(own, batch)
        except Exception as error:
            for job in batch or self._out_of_patience(own):
                job.finish(error)
        except BaseException as error:
            own.finish(error)
            for job in batch:  # an error that ends this thread must not end those of the others
                job.finish(OutcomeUnknown("the commit was broken off"))
        finally:
            self._pass_on(without=own)
            for job in batch:
                job.finish()
        if announced:
            self._committed()

    def _out_of_patience(self, own: Job) -> list[Job]:
        """Remove the leader's own job, as it did not obtain the lock, and the waiting ones whose time is up;
        return them.
        """
        now = time.monotonic()
        with self._lock:
            over = [job for job in self._waiting if job is own or job.until <= now]
            self._waiting = [job for job in self._waiting if job not in over]
        return over

    def _pass_on(self, without: Job | None = None) -> None:
        """Let the next job in the queue lead, if there is one."""
        with self._lock:
            if without in self._waiting:
                self._waiting.remove(without)
            self._has_leader = bool(self._waiting)
            if self._waiting:
                self._waiting[0].leads = True
                self._waiting[0].woken.set()

    def _run_batch(self, own: Job, batch: list[Job]) -> bool:
        """Run waiting jobs in one transaction, adding them to *batch*, and commit it; return whether any
        announced an event.
        """
        began_at = time.monotonic()
        with self._transaction(own.until) as head_rows:
            start = head_of(head_rows)
            session = Session(self._backend, Recall(self._memory, head_rows))
            head, announced = self._begin_anew_on_other_log(session, start)
            most = min(len(self._waiting), MAX_BATCH)
            for job in self._batch_jobs(batch, most):
                head, has_announced = self._run(
                    job, session, head, is_first=job is batch[0], is_alone=most == 1
                )
                announced = announced or has_announced
            self._commit(head if head != start else None)
            self._backend.note_log()
        self._batched(sum(job.error is None for job in batch), time.monotonic() - began_at)
        if head != start:
            self._note(None)
        elif self._failure is not None:
            self._tried_at = -inf  # there may have been nothing to write: the next probe has to find out
        return announced

    def _commit(self, head: int | None) -> None:
        """Commit the transaction, with the end of the log if it has moved.

        :raises OutcomeUnknown: the connection broke, perhaps after the database had committed
        """
        try:
            self._backend.commit(head)
        except Exception as error:
            if not self._backend.has_broken(error):
                raise
            self._note(str(error))
            raise OutcomeUnknown(
                f"the connection broke in a commit: {' '.join(str(error).split())}"
            ) from error

    def _begin_anew_on_other_log(self, session: Session, head: int) -> tuple[int, bool]:
        """Begin anew if a new connection leads to another log than the adopted one, as after a failover: no
        unit of work may draw positions there that clients know from the lost end of the adopted one.

        Return the head of the log after it, and whether an event was announced.
        """
        if self.begin_anew is None or self._backend.follows_log():
            return head, False
        tx = self._begin(session, head)
        if not tx.log.is_copied():
            return head, False
        self.begin_anew(tx)
        announced = tx.flush()
        session.settle()
        return session.head, announced

    def _batch_jobs(self, batch: list[Job], most: int) -> Iterator[Job]:
        """Yield the jobs of one commit: those that wait now, as far as time allows."""
        end = time.monotonic() + BATCH_SECONDS
        for _ in range(most):
            with self._lock:
                if not self._waiting or (batch and time.monotonic() > end):
                    return
                batch.append(self._waiting.pop(0))
            yield batch[-1]

    @contextmanager
    def _transaction(self, until: float) -> Iterator[HeadRows]:
        """Open a transaction that is alone in the store, for the body to commit; yield the rows of
        `memory.HEAD`.
        """
        with self._backend.connection():
            try:
                yield self._backend.begin_write(until)
            except BaseException as error:
                with suppress(PeeweeException):  # the pool closes a connection that cannot even do this
                    self._backend.rollback()
                if isinstance(error, Exception) and self._backend.has_gone(error):
                    self._note(str(error))
                raise

    def _note(self, failure: str | None) -> None:
        self._failure, self._tried_at = failure, time.monotonic()

    def _run(
        self, job: Job, session: Session, head: int, *, is_first: bool, is_alone: bool
    ) -> tuple[int, bool]:
        """Run one job; return the head of the log after it, and whether it announced an event. Only jobs with
        others before them need a savepoint to return to. The commit raises the errors of the last statements
        of a job that is alone.
        """
        tx = self._begin(session, head)
        if not is_first:
            session.run(SAVE)
        try:
            job.result = job.work(tx)
            announced = tx.flush()
            if not is_alone:
                session.settle()
        except Exception as error:
            if is_first or self._backend.has_gone(error):  # the error may have ended the transaction already
                raise
            job.error = error
            with suppress(Exception):  # errors that follow from that one
                session.settle()
            session.run(GO_BACK)
            session.run(RELEASE)
            return head, False
        if not is_first:
            session.run(RELEASE)
        return session.head, announced
