"""Pictures for accounts without one: a mirrored pattern and a colour derived from a text, as a PNG."""

import colorsys
import hashlib
import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

CELLS: Final = 5
"""Cells of the pattern on each side; the border around it is a little more than half a cell wide."""
FILLED: Final = 8
"""Filled cells among the fifteen of the left side and the middle, so that each text has a figure."""
NOBODY: Final = ("..#..", ".###.", "..#..", ".###.", "#####")
LIGHT: Final = (240, 240, 240)
GREY: Final = (150, 150, 150)

Color = tuple[int, int, int]


@lru_cache(1024)
def identicon(text: str, size: int) -> bytes:
    """Return the picture of *text*, *size* pixels on each side; the result is deterministic."""
    digest = hashlib.sha256(text.encode()).digest()
    hue, lightness = digest[0] / 256, 0.4 + digest[1] / 1280
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, 0.55)
    width = CELLS // 2 + 1
    filled = sorted(range(width * CELLS), key=lambda cell: digest[2 + cell])[:FILLED]
    rows = []
    for number in range(CELLS):
        left = "".join(".#"[number * width + column in filled] for column in range(width))
        rows.append(left + left[-2::-1])  # mirrored at the middle column
    return _png(rows, (round(red * 255), round(green * 255), round(blue * 255)), size)


@lru_cache(4)
def nobody(size: int) -> bytes:
    """Return the picture of an unknown user."""
    return _png(NOBODY, GREY, size)


def _png(rows: Sequence[str], color: Color, size: int) -> bytes:
    """Encode a picture with two colours and one bit per pixel."""
    cell = size * 4 // 25
    border = (size - CELLS * cell) // 2
    width = (size + 7) // 8
    empty = bytes(1 + width)  # each line begins with its filter type, here none
    lines = [empty] * border
    for row in rows:
        pixels = "0" * border + "".join(("1" if mark == "#" else "0") * cell for mark in row)
        line = b"\0" + int(pixels.ljust(width * 8, "0"), 2).to_bytes(width, "big")
        lines += [line] * cell
    lines += [empty] * (size - len(lines))
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 1, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes([*LIGHT, *color])),
            _chunk(b"IDAT", zlib.compress(b"".join(lines), 9)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
