"""Threads that run tasks whenever they are due, such as the delivery of scheduled messages.

Under gevent they are greenlets.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import partial

from chatcore.runtime.quiet_log import QuietLog
from chatcore.storage import StorageClosed, StorageNotReady

log = logging.getLogger("chatcore.alarm")

LONGEST_SLEEP = 1.0
"""Seconds after which the task runs at the latest: another process may have changed when it is due, and may
be gone since.
"""


class Alarm:
    """Runs its task once a second, and sooner if the task says that it is due sooner.

    The task runs only after `start`, which servers call, and other programs if they want to deliver. Without
    a task there is nothing to start.
    """

    def __init__(self, name: str = "chatcore-alarm", longest_sleep: float = LONGEST_SLEEP) -> None:
        self._name = name
        self._longest_sleep = longest_sleep
        self.quiet_log = QuietLog(log)
        self.task: Callable[[], float] | None = None
        """Does what is due, and returns the seconds until it is due again."""
        self._bell = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Run the task from now on; a second call changes nothing."""
        with self._lock:
            if self.task is not None and self._thread is None and not self._stopped:
                self._thread = threading.Thread(
                    target=self._run, args=(self.task,), name=self._name, daemon=True
                )
                self._thread.start()

    def ring(self) -> None:
        """Run the task soon: it may be due earlier than it said."""
        self._bell.set()

    def stop(self) -> None:
        """Do not run the task any more; one that runs now comes to its end."""
        with self._lock:
            self._stopped = True
            thread = self._thread
        self._bell.set()
        if thread is not None:
            thread.join(5)

    @property
    def runs(self) -> bool:
        """Whether the task is run by its thread."""
        return self._thread is not None and not self._stopped

    @property
    def stopped(self) -> bool:
        return self._stopped

    def _run(self, task: Callable[[], float]) -> None:
        """The thread: do the task when it is due or the bell rings, until the alarm is stopped."""
        while not self._stopped:
            sleep = self._longest_sleep
            try:
                sleep = min(task(), self._longest_sleep)
            except StorageClosed:
                return
            except StorageNotReady as error:
                self.quiet_log.tell_not_ready(log, "due work has to wait: %s", error)
            except Exception:
                log.exception("a due task failed")
            self._bell.wait(sleep)
            self._bell.clear()


EXPORT_INTERVAL = 5.0
"""Seconds after which a process looks for exports that another one has begun and left."""
ERASURE_INTERVAL = 5.0
"""Seconds after which a process looks for erasures of people that another one has begun and left."""
MISSED_INTERVAL = 2.0
"""Seconds after which a process looks for messages that people miss."""
DIGEST_INTERVAL = 600.0
"""Seconds after which a process looks for summaries that are due."""
AUDIT_INTERVAL = 600.0
"""Seconds after which a process looks for old entries of the audit log."""
RETENTION_INTERVAL = 600.0
"""Seconds after which a process looks for messages that are older than they are kept."""


@dataclass(frozen=True, slots=True)
class Alarms:
    """The alarms of one process, one for each kind of due work: a kind that takes long delays no other."""

    scheduled: Alarm = field(default_factory=partial(Alarm, "chatcore-scheduled"))
    """Sends scheduled messages and reminders."""
    mail: Alarm = field(default_factory=partial(Alarm, "chatcore-mail"))
    """Sends mails; it has no task in a server that sends none."""
    missed: Alarm = field(default_factory=partial(Alarm, "chatcore-missed", MISSED_INTERVAL))
    """Gathers messages that people miss, for mails; it has no task in a server that sends none."""
    digests: Alarm = field(default_factory=partial(Alarm, "chatcore-digests", DIGEST_INTERVAL))
    """Writes summaries for people who are away; it has no task in a server that sends no mail."""
    push: Alarm = field(default_factory=partial(Alarm, "chatcore-push"))
    """Gathers messages that people miss, and sends pushes about them to their browsers."""
    bots: Alarm = field(default_factory=partial(Alarm, "chatcore-bots"))
    """Lets bots answer the messages that call them."""
    exports: Alarm = field(default_factory=partial(Alarm, "chatcore-exports", EXPORT_INTERVAL))
    """Writes the exports that administrators request."""
    thumbnails: Alarm = field(default_factory=partial(Alarm, "chatcore-thumbnails"))
    """Makes the thumbnails of uploaded images."""
    cards: Alarm = field(default_factory=partial(Alarm, "chatcore-cards"))
    """Fetches the cards of websites that messages link to."""
    audit: Alarm = field(default_factory=partial(Alarm, "chatcore-audit", AUDIT_INTERVAL))
    """Removes old entries of the audit log."""
    retention: Alarm = field(default_factory=partial(Alarm, "chatcore-retention", RETENTION_INTERVAL))
    """Deletes messages that are older than they are kept."""
    erasures: Alarm = field(default_factory=partial(Alarm, "chatcore-erasures", ERASURE_INTERVAL))
    """Removes what is left of people who are being erased."""

    def __post_init__(self) -> None:
        shared = QuietLog(log)  # one cause keeps all of them waiting, and is logged once
        for alarm in self._all():
            alarm.quiet_log = shared

    @property
    def quiet_log(self) -> QuietLog:
        """Return the log of all of them, which says once that the store is not ready."""
        return self.scheduled.quiet_log

    def start(self) -> None:
        for alarm in self._all():
            alarm.start()

    def stop(self) -> None:
        """Start nothing that is due any more; what runs now comes to its end."""
        for alarm in self._all():
            alarm.stop()

    def _all(self) -> Iterator[Alarm]:
        return (getattr(self, each.name) for each in fields(self))
