"""Group commit: concurrent writers queue up, run one after another, and are made durable together.

The first in the queue leads. It obtains the write lock, runs those that wait by then, each under a savepoint,
commits them together, and only then lets them go on. Meanwhile the next batch gathers.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import Protocol, TypeVar

from peewee import PeeweeException

from chatcore.storage.transaction import StorageNotReady, Transaction
from storage_backends.sql.backend import Backend
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that a writer waits for the lock of another process."""
MAX_BATCH = 100
"""Units of work that one commit may carry."""
BATCH_SECONDS = 0.05
"""Seconds after which a batch takes no further unit of work, so that the first need not wait for the last."""
PROBE_PATIENCE = 1.0
PROBE_INTERVAL = 2.0
"""Seconds for which the outcome of the last commit says whether another would succeed."""

SAVE = Statement("SAVEPOINT one")
GO_BACK = Statement("ROLLBACK TO one")
RELEASE = Statement("RELEASE one")


class Interrupted(StorageNotReady):
    """The commit that carried a unit of work was broken off; whether it happened is not known."""


class OpenTransaction(Transaction, Protocol):
    """A transaction as its leader sees it."""

    head: int

    def flush(self) -> bool:
        """Write the announced events; whether there were any."""


class Job:
    """A unit of work in the queue, and what became of it."""

    def __init__(self, work: Callable[[Transaction], object]) -> None:
        self.work = work
        self.until = time.monotonic() + PATIENCE
        self.turn = threading.Event()
        self.leads = False
        self.result: object = None
        self.error: BaseException | None = None

    def finish(self, error: BaseException | None = None) -> None:
        self.error = self.error or error
        self.turn.set()


class GroupCommit:
    """The writers of one store.

    *begin* makes the transaction of one unit of work, given the head of the log; *committed* is called after
    a commit that carried events.
    """

    def __init__(
        self,
        backend: Backend,
        begin: Callable[[Session, int], OpenTransaction],
        committed: Callable[[], None],
    ) -> None:
        self._backend = backend
        self._begin = begin
        self._committed = committed
        self._lock = threading.Lock()
        self._waiting: list[Job] = []
        self._has_leader = False
        self._failure: str | None = None
        """Why the last commit could not be made, where the database was at fault."""
        self._tried_at = -inf

    def write(self, work: Callable[[Transaction], T]) -> T:
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
            job.error = None  # or the error, its traceback and the job would keep each other alive

    def probe(self) -> None:
        """Find out whether a commit succeeds just now: from the last one, or by an empty one.

        :raises StorageNotReady: the last one failed
        """
        if time.monotonic() - self._tried_at >= PROBE_INTERVAL:
            with self._transaction(time.monotonic() + PROBE_PATIENCE) as head:
                self._backend.commit(head)  # written even though it is as it was
            self._note(None)
        elif self._failure is not None:
            raise StorageNotReady(self._failure)

    def _wait(self, job: Job) -> None:
        """Wait until the job is done, or has to lead."""
        try:
            job.turn.wait()
        except BaseException:  # this thread is being ended; it must not stay in the queue, to lead one day
            with self._lock:
                if job not in self._waiting:
                    raise
                self._waiting.remove(job)
            if job.leads:
                self._pass_on()
            raise

    def _lead(self, own: Job) -> None:
        batch: list[Job] = []
        announced = False
        try:
            time.sleep(0)  # whoever is ready to write may join this commit
            announced = self._commit(own, batch)
        except Exception as error:
            for job in batch or self._out_of_patience(own):
                job.finish(error)
        except BaseException as error:
            own.finish(error)
            for job in batch:  # what ends this thread must not end those of the others
                job.finish(Interrupted("the commit was broken off"))
        finally:
            self._pass_on(without=own)
            for job in batch:
                job.finish()
        if announced:
            self._committed()

    def _out_of_patience(self, own: Job) -> list[Job]:
        """The leader that did not obtain the lock, and those behind it that may not wait any longer."""
        now = time.monotonic()
        with self._lock:
            over = [job for job in self._waiting if job is own or job.until <= now]
            self._waiting = [job for job in self._waiting if job not in over]
        return over

    def _pass_on(self, without: Job | None = None) -> None:
        """Let the next in the queue lead, if there is one."""
        with self._lock:
            if without in self._waiting:
                self._waiting.remove(without)
            self._has_leader = bool(self._waiting)
            if self._waiting:
                self._waiting[0].leads = True
                self._waiting[0].turn.set()

    def _commit(self, own: Job, batch: list[Job]) -> bool:
        """Run waiting jobs in one transaction, which are added to *batch*; whether any announced an event."""
        announced = False
        with self._transaction(own.until) as start:
            head = start
            for job in self._gathered(batch):
                head, has_announced = self._run(job, head, is_first=job is batch[0])
                announced = announced or has_announced
            self._backend.commit(head if head != start else None)
        if head != start:
            self._note(None)
        elif self._failure is not None:
            self._tried_at = -inf  # it may have had nothing to write: the next probe has to find out
        return announced

    def _gathered(self, batch: list[Job]) -> Iterator[Job]:
        """The jobs of one commit: those that wait now, as far as there is time for them."""
        end = time.monotonic() + BATCH_SECONDS
        for _ in range(min(len(self._waiting), MAX_BATCH)):
            with self._lock:
                if not self._waiting or (batch and time.monotonic() > end):
                    return
                batch.append(self._waiting.pop(0))
            yield batch[-1]

    @contextmanager
    def _transaction(self, until: float) -> Iterator[int]:
        """A transaction that is alone in the store, for the body to commit; the head of the log."""
        with self._backend.connection():
            try:
                yield self._backend.begin_write(until)
            except BaseException as error:
                with suppress(PeeweeException):  # a connection that cannot even do this is closed by the pool
                    self._backend.rollback()
                if isinstance(error, Exception) and self._backend.has_gone(error):
                    self._note(str(error))
                raise

    def _note(self, failure: str | None) -> None:
        self._failure, self._tried_at = failure, time.monotonic()

    def _run(self, job: Job, head: int, *, is_first: bool) -> tuple[int, bool]:
        """Run one job. Only those that have others before them need a savepoint to go back to."""
        session = Session(self._backend)
        tx = self._begin(session, head)
        if not is_first:
            session.run(SAVE)
        try:
            job.result = job.work(tx)
            announced = tx.flush()
        except Exception as error:
            if is_first or self._backend.has_gone(error):  # which may have ended the transaction already
                raise
            job.error = error
            session.run(GO_BACK)
            session.run(RELEASE)
            return head, False
        if not is_first:
            session.run(RELEASE)
        return tx.head, announced
