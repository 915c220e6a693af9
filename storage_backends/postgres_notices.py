"""Notices between the processes of a PostgreSQL database: of commits, and broadcasts of short texts."""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import psycopg

from storage_backends.postgres_connections import Opened, Pool

CHANNEL = "chatcore_events"
COMMITTED = ""
"""The text of a notice that there may be new events; any other is a broadcast."""

NOTIFY_INTERVAL = 0.01
"""Seconds between two notifications of a process: each one costs a lock on the whole cluster."""

POLL_INTERVAL = 0.1
"""Seconds between two looks at the head of the log, where a pooler keeps LISTEN from working."""


class Notices:
    """One thread that listens, and one that notifies: each begins when it is first needed."""

    def __init__(self, database: Pool) -> None:
        self._database = database
        self._closed = threading.Event()
        self._wakes_notifier = threading.Event()
        self._has_committed = False
        self._texts: deque[str] = deque()
        self._notifier: threading.Thread | None = None
        self._notifier_lock = threading.Lock()
        self._listener: threading.Thread | None = None

    def listen(self, receive: Callable[[str], None]) -> None:
        self._listener = threading.Thread(
            target=self._listen, args=(receive,), name="chatcore-listen", daemon=True
        )
        self._listener.start()

    def _listen(self, receive: Callable[[str], None]) -> None:
        """Receive texts of all processes until the end; a lost connection is made anew."""
        while not self._closed.is_set():
            try:
                with self._database.open(autocommit=True) as connection:
                    if self._database.has_pooler:
                        self._poll_head(connection, receive)
                    else:
                        self._receive_notices(connection, receive)
            except psycopg.Error:
                self._closed.wait(1)

    def _receive_notices(self, connection: Opened, receive: Callable[[str], None]) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        receive(COMMITTED)  # covers commits made before we listened
        while not self._closed.is_set():
            for notice in connection.notifies(timeout=1, stop_after=1):
                receive(notice.payload)

    def _poll_head(self, connection: Opened, receive: Callable[[str], None]) -> None:
        """Receive a notice whenever the head of the log has moved: LISTEN does not work behind a pooler.
        Broadcasts of other processes do not arrive.
        """
        known = None
        while not self._closed.wait(POLL_INTERVAL):
            head = connection.execute("SELECT position FROM log_head").fetchone()
            if head != known:
                known = head
                receive(COMMITTED)

    def announce_commit(self) -> None:
        """Let all processes know that there may be new events."""
        self._has_committed = True
        self._wake_notifier()

    def broadcast(self, text: str) -> None:
        """Send a text to all processes, this one included."""
        self._texts.append(text)
        self._wake_notifier()

    def _wake_notifier(self) -> None:
        with self._notifier_lock:
            if self._notifier is None:
                self._notifier = threading.Thread(target=self._notify, name="chatcore-notify", daemon=True)
                self._notifier.start()
        self._wakes_notifier.set()

    def _notify(self) -> None:
        """Send what is pending, in batches, until the end; a lost connection is made anew."""
        while not self._closed.is_set():
            if not self._wakes_notifier.wait(1):
                continue
            try:
                with self._database.open(autocommit=True) as connection:
                    while not self._closed.is_set():
                        self._send_pending(connection)
                        time.sleep(NOTIFY_INTERVAL)
                        while not self._wakes_notifier.wait(1) and not self._closed.is_set():
                            pass
            except psycopg.Error:
                self.announce_commit()
                self._closed.wait(1)

    def _send_pending(self, connection: Opened) -> None:
        """Send all pending texts, and then the notice of commits if there were any, in one transaction, so
        that every listener receives them in this order.
        """
        self._wakes_notifier.clear()
        texts = [*self._texts]
        sent = [*texts, COMMITTED] if self._has_committed else texts
        self._has_committed = False
        connection.execute("SELECT pg_notify(%s, text) FROM unnest(%s::text[]) AS text", (CHANNEL, sent))
        for _ in texts:  # they stay if the connection is lost
            self._texts.popleft()

    def close(self) -> None:
        self._closed.set()
        self._wakes_notifier.set()
        if self._listener is not None:
            with suppress(psycopg.Error), self._database.open(autocommit=True) as connection:
                connection.execute(f"NOTIFY {CHANNEL}")  # wakes the listener, so that it ends
        for thread in (self._listener, self._notifier):
            if thread is not None and thread is not threading.current_thread():
                thread.join(5)
