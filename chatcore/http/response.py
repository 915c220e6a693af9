"""Responses: usually JSON, or the pieces of a file."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

log = logging.getLogger("chatcore.http")

Headers: TypeAlias = list[tuple[str, str]]

JSON: Final = "application/json"
ANY: Final = "*/*"
PIECE_SIZE: Final = 65_536
"""Bytes of a body that are in memory at a time, in either direction."""
LARGE: Final = 4 * PIECE_SIZE
"""Bytes from which an answer is sent in pieces; otherwise a server may copy all of it."""


class FilePart:
    """A body of *length* bytes of an open file from *start*.

    The file is closed when the body has been sent or is given up.
    """

    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        self.length = length
        self._file = file
        self._start = start

    def __iter__(self) -> Iterator[bytes]:
        left = self.length
        try:
            self._file.seek(self._start)
            while left and (piece := self._file.read(min(left, PIECE_SIZE))):
                left -= len(piece)
                yield piece
        except OSError:
            # A server takes it for a client that is gone, and says nothing.
            log.exception("a file cannot be read to its end")
            raise
        if left:
            log.error("a file ends %d bytes before its end", left)

    def close(self) -> None:
        self._file.close()


class LargeBody:
    """A large body of bytes; *on_close* is called once when it has been sent or abandoned."""

    def __init__(self, content: bytes, on_close: Callable[[], object]) -> None:
        self.length = len(content)
        self._content = content
        self._on_close: Callable[[], object] | None = on_close

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, self.length, LARGE):
            yield self._content[start : start + LARGE]

    def close(self) -> None:
        if self._on_close is not None:
            on_close, self._on_close, self._content = self._on_close, None, b""
            on_close()


Body: TypeAlias = bytes | FilePart | LargeBody


@dataclass(frozen=True, slots=True)
class Response:
    """A response; it receives the headers of all answers on sending, unless it sets them itself."""

    status: int
    body: Body
    headers: Sequence[tuple[str, str]] = ()
    content_type: str = JSON

    @property
    def length(self) -> int:
        return len(self.body) if isinstance(self.body, bytes) else self.body.length


Page: TypeAlias = "Callable[[WSGIEnvironment], Response]"
"""An answer at a path of its own, outside the API."""
