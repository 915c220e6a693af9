"""A thread that runs a task whenever it is due, such as the delivery of scheduled messages.

Under gevent it is a greenlet.
"""

import logging
import threading
from collections.abc import Callable

from chatcore.application.quiet_log import QuietLog
from chatcore.storage import StorageClosed, StorageNotReady

log = logging.getLogger("chatcore.alarm")

LONGEST_SLEEP = 1.0
"""Seconds after which the task runs at the latest: another process may have changed when it is due, and may
be gone since.
"""


class Alarm:
    """Runs its task once a second, and sooner if the task says that it is due sooner.

    The task runs only after `start`, which servers call, and other programs if they want to deliver.
    """

    def __init__(self, name: str = "chatcore-alarm", longest_sleep: float = LONGEST_SLEEP) -> None:
        self._name = name
        self._longest_sleep = longest_sleep
        self.task: Callable[[], float] = lambda: longest_sleep
        """Does what is due, and returns the seconds until it is due again."""
        self._bell = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Run the task from now on; a second call changes nothing."""
        with self._lock:
            if self._thread is None and not self._stopped:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
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

    def _run(self) -> None:
        quiet_log = QuietLog(log)
        while not self._stopped:
            sleep = self._longest_sleep
            try:
                sleep = min(self.task(), self._longest_sleep)
            except StorageClosed:
                return
            except StorageNotReady as error:
                quiet_log.warning("due work has to wait: %s", error)
            except Exception:
                log.exception("a due task failed")
            self._bell.wait(sleep)
            self._bell.clear()
