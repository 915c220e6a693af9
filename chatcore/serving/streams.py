"""Standard error and standard output, written by threads, so that a reader that stands still stops nobody.

Whoever reads the log of a server may stop doing so, and a write to a full pipe waits without end. A thread
may wait; the loop only puts lines into a queue with a bound.
"""

import io
import logging
import os
import select
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Final, TextIO

from gevent import monkey

allocate_lock, start_new_thread = monkey.get_original("_thread", ["allocate_lock", "start_new_thread"])
SimpleQueue = monkey.get_original("queue", "SimpleQueue")
sleep = monkey.get_original("time", "sleep")
poll = monkey.get_original("select", "poll")

MAX_UNWRITTEN: Final = 2**20
"""Bytes that wait to be written; above it they are dropped, until half of them are written."""
BATCH: Final = 65_536
"""Bytes that are written at once, if so many wait."""
PAUSE: Final = 0.02
"""Seconds in which lines gather before they are written: to wake the thread for each of them costs more than
the line.
"""
LAST_SECONDS: Final = 5.0
"""Seconds that the end of a server waits for its last lines to be written."""


class Writer:
    """A thread that writes bytes to a descriptor, in their order.

    What it cannot write in time is dropped, and the number of lines is said where they are missing.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue = SimpleQueue()
        """Bytes, the number of lines that were dropped after them, or None at the end."""
        self._lock = allocate_lock()
        self._unwritten = 0
        self._is_dropping = False
        self._dropped = 0
        self._lost = 0
        """Lines that are lost and not reported yet, as the thread has found out; nobody else touches it."""
        self._ended = allocate_lock()
        self._ended.acquire()
        start_new_thread(self._run, ())

    def put(self, data: bytes) -> None:
        """Let the thread write bytes; never wait."""
        with self._lock:
            most = MAX_UNWRITTEN // 2 if self._is_dropping else MAX_UNWRITTEN
            if self._unwritten + len(data) > most:
                self._is_dropping = True
                self._dropped += data.count(b"\n")
                return
            self._queue_number_of_dropped()
            self._unwritten += len(data)
            self._queue.put(data)

    def end(self) -> None:
        """Wait until everything is written, but not long for a reader that stands still."""
        with self._lock:
            self._queue_number_of_dropped()
            self._queue.put(None)
        self._ended.acquire(timeout=LAST_SECONDS)

    def _queue_number_of_dropped(self) -> None:
        if self._is_dropping:
            self._queue.put(self._dropped)
            self._is_dropping, self._dropped = False, 0

    # -- in the thread ---------------------------------------------------------------------------------

    def _run(self) -> None:
        """Write the lines that were queued, many at once; the thread does nothing else. A number in the queue
        is that of the lines that were dropped there. None ends the thread.
        """
        data = bytearray()
        for item in iter(self._queue.get, None):
            if not data and self._queue.empty():
                sleep(PAUSE)
            if isinstance(item, bytes):
                data += item
            if data and (isinstance(item, int) or len(data) >= BATCH or self._queue.empty()):
                self._write_lines(data)
                data = bytearray()
            if isinstance(item, int):
                self._lost += item
                self._write_number_of_lost()
        self._write_lines(data)
        self._ended.release()

    def _write_lines(self, data: bytearray) -> None:
        self._write_number_of_lost()
        written = self._write(data)
        self._lost += data.count(b"\n", written)
        with self._lock:
            self._unwritten -= len(data)
            if not self._unwritten:
                self._queue_number_of_dropped()

    def _write_number_of_lost(self) -> None:
        """Write how many lines are lost, if there are any and it can be written."""
        if self._lost:
            line = _lost_line(self._lost)
            if self._write(line) == len(line):
                self._lost = 0

    def _write(self, data: bytes | bytearray) -> int:
        """Write as much as can be written, however long it takes; return how much."""
        written = 0
        while written < len(data):
            try:
                written += os.write(self._descriptor, data[written:])
            except BlockingIOError:  # another program has made it so
                ready = poll()
                ready.register(self._descriptor, select.POLLOUT)
                ready.poll()
            except OSError:  # nobody reads it any more, or the disk is full
                break
        return written


def _lost_line(lost: int) -> bytes:
    """Return the line about lost lines, in the form of the log."""
    record = logging.LogRecord(
        __name__,
        logging.WARNING,
        __file__,
        0,
        "%d lines of the log are lost: nobody read them",
        (lost,),
        None,
    )
    handlers = logging.getLogger().handlers
    text = handlers[0].format(record) if handlers else record.getMessage()
    return f"{text}\n".encode()


class Stream(io.TextIOBase):
    """A text stream whose bytes a thread writes to the descriptor of another one."""

    def __init__(self, stream: TextIO, writer: Writer) -> None:
        self._stream = stream
        self._writer = writer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._stream.errors

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if data := text.encode(self.encoding, self.errors or "strict"):
            self._writer.put(data)
        return len(text)


@contextmanager
def written_by_threads() -> Iterator[None]:
    """Write standard error and standard output by threads meanwhile; end with everything written."""
    with ExitStack() as ends:
        for stream, redirect in ((sys.stderr, redirect_stderr), (sys.stdout, redirect_stdout)):
            if _has_descriptor(stream):
                stream.flush()
                writer = Writer(stream.fileno())
                ends.callback(writer.end)
                ends.enter_context(redirect(Stream(stream, writer)))
        yield


def _has_descriptor(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.fileno() >= 0
    except (OSError, ValueError):
        return False
