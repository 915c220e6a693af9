"""What a file that is said to be a picture is, as far as can be told without decoding it.

The structure is walked from the first byte to the last: what is cut off, or something else altogether, is
refused. Nothing is resized or drawn anew here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from zlib import crc32

from chatcore.domain.errors import ChatError

MAX_SIDE = 2048
"""Pixels; a few kilobytes can unfold into a picture that is far larger."""


class BadImage(ChatError):
    code = "BAD_IMAGE"

    def __init__(self, message: str = "Could not decode image; send a PNG, GIF, JPEG or WebP.") -> None:
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Picture:
    content_type: str
    width: int
    height: int
    still: bytes = b""
    """Of an animation its first picture, as a file of the same type."""

    @property
    def is_animated(self) -> bool:
        return bool(self.still)


def read_picture(data: bytes) -> Picture:
    """:raises BadImage: no picture of a kind that is taken, a broken one, or one with too many pixels"""
    for signature, read in READERS.items():
        if data.startswith(signature):
            try:
                picture = read(data)
            except IndexError as error:  # it ends where more was to come
                raise BadImage from error
            if not (0 < picture.width <= MAX_SIDE and 0 < picture.height <= MAX_SIDE):
                raise BadImage(f"Images may have {MAX_SIDE} pixels on each side at most.")
            return picture
    raise BadImage


def _cut(data: bytes, at: int, size: int) -> bytes:
    """That many bytes.

    :raises IndexError: there are fewer
    """
    if at + size > len(data):
        raise IndexError(at)
    return data[at : at + size]


def _number(data: bytes, at: int, size: int, *, little: bool = False) -> int:
    return int.from_bytes(_cut(data, at, size), "little" if little else "big")


# -- PNG --------------------------------------------------------------------------------------------

_PNG = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 10_000
"""Far more than any picture has; looking at millions of empty ones would take a second."""
_ANIMATION_CHUNKS = frozenset({b"acTL", b"fcTL", b"fdAT"})


def _png(data: bytes) -> Picture:
    """Without the chunks of its animation an animated PNG is the picture for who knows of none."""
    at, still = len(_PNG), [_PNG]
    kinds: list[bytes] = []
    while not kinds or kinds[-1] != b"IEND":
        size = _number(data, at, 4)
        chunk = _cut(data, at, 12 + size)
        if crc32(chunk[4:-4]) != int.from_bytes(chunk[-4:], "big") or len(kinds) == MAX_CHUNKS:
            raise BadImage
        kinds.append(chunk[4:8])
        if chunk[4:8] not in _ANIMATION_CHUNKS:
            still.append(chunk)
        at += len(chunk)
    if kinds[0] != b"IHDR" or b"IDAT" not in kinds:
        raise BadImage
    width, height = _number(data, 16, 4), _number(data, 20, 4)
    return Picture("image/png", width, height, b"".join(still) if b"acTL" in kinds else b"")


# -- GIF --------------------------------------------------------------------------------------------

_EXTENSION, _IMAGE, _TRAILER = b"!", b",", b";"


def _gif(data: bytes) -> Picture:
    """All up to the end of the first of its pictures, and the trailer, is a GIF of that one."""
    width, height = _number(data, 6, 2, little=True), _number(data, 8, 2, little=True)
    at = 13 + _colors(data[10:11])
    ends: list[int] = []
    while (block := _cut(data, at, 1)) != _TRAILER:
        if block == _EXTENSION:
            at = _after_sub_blocks(data, at + 2)
        elif block == _IMAGE:
            at = _after_sub_blocks(data, at + 11 + _colors(_cut(data, at + 9, 1)))
            ends.append(at)
        else:
            raise BadImage
    if not ends:
        raise BadImage
    return Picture("image/gif", width, height, data[: ends[0]] + _TRAILER if len(ends) > 1 else b"")


def _colors(packed: bytes) -> int:
    """The bytes of the table of colours that these flags announce."""
    flags = packed[0]
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _after_sub_blocks(data: bytes, at: int) -> int:
    while size := data[at]:
        at += size + 1
    return at + 1


# -- JPEG -------------------------------------------------------------------------------------------

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SCAN = 0xDA


def _jpeg(data: bytes) -> Picture:
    at, size = 2, None
    while True:
        if data[at] != 0xFF:
            raise BadImage
        while data[at + 1] == 0xFF:  # a marker may have any number of them
            at += 1
        marker = data[at + 1]
        if marker in _FRAMES:
            size = _number(data, at + 7, 2), _number(data, at + 5, 2)
        if marker == _SCAN:
            break
        at += 2 + _number(data, at + 2, 2)
    if size is None or b"\xff\xd9" not in data[at:]:
        raise BadImage
    return Picture("image/jpeg", *size)


# -- WebP -------------------------------------------------------------------------------------------

_ANIMATED = 0x02


def _webp(data: bytes) -> Picture:
    """Of an animation the first picture could not be had by cutting, so there are only still ones."""
    kind = _cut(data, 12, 4)
    if _cut(data, 8, 4) != b"WEBP" or len(_cut(data, 8, _number(data, 4, 4, little=True))) < 22:
        raise BadImage
    if kind == b"VP8X":
        if data[20] & _ANIMATED:
            raise BadImage("Animations are taken as GIF or PNG.")
        size = _number(data, 24, 3, little=True) + 1, _number(data, 27, 3, little=True) + 1
    elif kind == b"VP8L":
        bits = _number(data, 21, 4, little=True)
        size = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        size = _number(data, 26, 2, little=True) & 0x3FFF, _number(data, 28, 2, little=True) & 0x3FFF
    else:
        raise BadImage
    return Picture("image/webp", *size)


READERS: Mapping[bytes, Callable[[bytes], Picture]] = {
    _PNG: _png,
    b"GIF87a": _gif,
    b"GIF89a": _gif,
    b"\xff\xd8\xff": _jpeg,
    b"RIFF": _webp,
}
"""How a file begins, and what reads the rest of it."""
