"""What is sent back: JSON as a rule, or the pieces of a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final, TypeAlias

Headers: TypeAlias = list[tuple[str, str]]

JSON: Final = "application/json"
PIECE: Final = 65_536
"""Bytes of a body that are in memory at a time, in either direction."""


class FilePart:
    """*length* bytes of an open file from *start* on, as a body; closed when it was sent, or need not be."""

    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        self.length = length
        self._file = file
        self._start = start

    def __iter__(self) -> Iterator[bytes]:
        self._file.seek(self._start)
        left = self.length
        while left and (piece := self._file.read(min(left, PIECE))):
            left -= len(piece)
            yield piece

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True, slots=True)
class Response:
    """What is sent back; headers that every answer has are added when it goes out, unless it sets them."""

    status: int
    body: bytes | FilePart
    headers: Sequence[tuple[str, str]] = ()
    content_type: str = JSON

    @property
    def length(self) -> int:
        return len(self.body) if isinstance(self.body, bytes) else self.body.length
