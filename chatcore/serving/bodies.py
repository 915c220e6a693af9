"""The body of one incoming request, read within limits.

A client chooses the pieces in which it sends a body, so they must not cost more than what they contain: the
framing of chunks is bounded by their content, and whoever reads long without waiting lets others run.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from math import inf
from time import monotonic
from typing import Any, Final

from gevent.pywsgi import Input, _InvalidClientInput

from chatcore.serving.requests import BadRequestHead, read_headers
from chatcore.serving.wire import Wire

MAX_DISCARDED: Final = 2**20
"""Bytes of an unread body that are discarded so that the connection can continue."""
BODY_SECONDS: Final = 20
"""Seconds of waiting for one piece of a body."""
SLOWEST_BODY: Final = 10_000
"""Bytes a second of a piece, beyond its first `BODY_SECONDS`."""
MAX_SIZE_LINE: Final = 256
"""Bytes of the line before a chunk, with extensions, which mean nothing here."""
MAX_FRAMING: Final = 65_536
"""Bytes that the framing of chunks may have beyond those of their content."""
PIECE: Final = 65_536
"""Bytes of a chunk that are read at a time, whatever its size says."""
SLICE: Final = 0.005
"""Seconds of reading without a wait after which others run."""
LOOK_EVERY: Final = 64
"""Chunks between two looks at the clock."""

_SIZE_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?\r\n")


class MalformedBody(_InvalidClientInput):  # type: ignore[misc]
    """A body in chunks that cannot be read, or that has little but framing."""

    answer = "Malformed request body: its chunks are broken, or too small for its length"
    """The text of the answer."""


class Body(Input):  # type: ignore[misc]
    """The body of one request. If it was not read to its end, no request can follow on the connection."""

    def __init__(
        self,
        rfile: Any,
        content_length: int | None,
        sock: Any,
        chunked: bool,
        give_way: Callable[[], object],
    ) -> None:
        super().__init__(rfile, content_length, sock, chunked)
        self.is_lost = False
        self._give_way = give_way
        self.chunk_length, self.position = -1, 0
        """The size of the current chunk, and how much of it, or of a body in one piece, was read."""
        self._chunk_count = self._framing = self._content = 0
        """The chunks so far, and the bytes of their framing and of their content."""

    @property
    def _wire(self) -> Wire:
        wire: Wire = self.rfile.raw
        return wire

    def wait_within(self, while_waiting: Callable[[], AbstractContextManager[object]]) -> None:
        """Enter a context for each wait for the client, and for nothing else."""
        self._wire.while_waiting = while_waiting

    def read(self, length: int | None = None) -> bytes:
        """Read a piece.

        :raises OSError: the body is malformed, ends early or is too slow
        """
        wanted = length if length is not None and length >= 0 else self.content_length or 0
        self._wire.seconds_left = BODY_SECONDS + wanted / SLOWEST_BODY
        try:
            self._let_others()
            data: bytes = super().read(length)
        except BaseException:
            self.is_lost = True
            raise
        finally:
            self._wire.seconds_left = None
        return data

    def _let_others(self) -> None:
        """Let others run if this body was read for long without a wait."""
        if monotonic() - self._wire.waited_at > SLICE:
            self._give_way()
            self._wire.waited_at = monotonic()

    def _chunked_read(self, length: int | None = None, use_readline: bool = False) -> bytes:
        self._send_100_continue()
        reader = self.rfile.readline if use_readline else self.rfile.read
        pieces: list[bytes] = []
        while self.chunk_length != 0 and length != 0:
            left = self.chunk_length - self.position
            if left <= 0:
                self._begin_chunk()
                continue
            piece = reader(min(left, PIECE, PIECE if length is None else length))
            if not piece:
                raise MalformedBody("the body ends early")
            pieces.append(piece)
            self.position += len(piece)
            self._content += len(piece)
            if len(piece) == left and self.rfile.read(2) != b"\r\n":
                raise MalformedBody("a chunk has another length than it says")
            if length is not None:
                length -= len(piece)
            if use_readline and piece.endswith(b"\n"):
                break
        return b"".join(pieces)

    def _begin_chunk(self) -> None:
        """Read the line before a chunk; the last one is empty, and only headers follow it.

        :raises MalformedBody: there is no such line, or chunks have little but framing
        """
        line = self.rfile.readline(MAX_SIZE_LINE)
        size_line = _SIZE_LINE.fullmatch(line)
        if size_line is None:
            raise MalformedBody("a chunk does not say its length")
        self._framing += len(line) + 2
        if self._framing > self._content + MAX_FRAMING:
            raise MalformedBody("the chunks are too small")
        self._chunk_count += 1
        if self._chunk_count % LOOK_EVERY == 0:
            self._let_others()
        size = int(size_line[1], 16)
        if not size:
            self._read_trailers()
        self.chunk_length, self.position = size, 0

    def _read_trailers(self) -> None:
        try:
            for _ in read_headers(self.rfile):
                pass
        except BadRequestHead as error:
            raise MalformedBody(str(error)) from error

    @property
    def ends_connection(self) -> bool:
        """Whether the rest of the body is abandoned: it is large, of unknown length, or the client waits to
        send it.
        """
        left = self._left
        return self.is_lost or left > MAX_DISCARDED or (left > 0 and self.socket is not None)

    @property
    def _left(self) -> float:
        """Return the number of unread bytes; a chunked body does not state one."""
        if self.chunked_input:
            return 0 if self.chunk_length == 0 else inf
        left: int = (self.content_length or 0) - self.position
        return left

    def _discard(self) -> None:
        """Read and drop the rest, or abandon it; the library calls this when the request has its answer."""
        self._wire.while_waiting = nullcontext  # the turn of the request is over
        self.is_lost = self.ends_connection
        with suppress(OSError):
            while not self.is_lost and self._left and self.read(PIECE):
                pass
