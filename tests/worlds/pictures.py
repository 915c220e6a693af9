"""Pictures that users send, and files that only claim to be pictures."""

from functools import cache
from io import BytesIO
from struct import pack
from typing import Any
from zlib import compress, crc32

from PIL import Image

Color = tuple[int, int, int]
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


@cache
def picture(kind: str = "PNG", size: tuple[int, int] = (300, 200), color: Color = RED, **more: Any) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, color).save(out, kind, **more)
    return out.getvalue()


def animation(kind: str = "GIF", size: tuple[int, int] = (40, 40), frames: int = 3, **more: Any) -> bytes:
    """Return an animation. Its first frame is red, and successive frames differ."""
    out = BytesIO()
    shown = [Image.new("RGB", size, (RED, GREEN, BLUE)[number % 3]) for number in range(frames)]
    settings = {"save_all": True, "append_images": shown[1:], "duration": 50, **more}
    shown[0].save(out, kind, **settings)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


def colors(data: bytes) -> list[tuple[int, ...]]:
    """Return the colors in the middle of each frame of an animation."""
    image, found = opened(data), []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        pixel = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
        assert isinstance(pixel, tuple)
        found.append(tuple(round(part / 255) * 255 for part in pixel))
    return found


def many_scans(number: int) -> bytes:
    """Return a JPEG whose last scan repeats up to this number of scans."""
    first, *scans = picture("JPEG", progressive=True).removesuffix(b"\xff\xd9").split(b"\xff\xda")
    scans += [scans[-1]] * (number - len(scans))
    return b"\xff\xda".join([first, *scans]) + b"\xff\xd9"


# -- by hand ----------------------------------------------------------------------------------------


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    """Return a chunk of a PNG."""
    return len(data).to_bytes(4, "big") + kind + data + crc32(kind + data).to_bytes(4, "big")


def png(width: int, height: int, *between: bytes) -> bytes:
    """Return a PNG that declares this size, with almost no data."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    pieces = [chunk(b"IHDR", head), *between, chunk(b"IDAT", compress(bytes(100))), chunk(b"IEND")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(pieces)


def gif(width: int, height: int, frames: int) -> bytes:
    """Return a GIF whose frames are as large as the whole, each of a few bytes."""
    size = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    frame = b"!\xf9\x04\0\x0a\0\0\0" + b",\0\0\0\0" + size + b"\0\x02\x02D\x01\0"
    return b"GIF89a" + size + b"\x80\0\0" + b"\0\0\0\xff\xff\xff" + frame * frames + b";"


# -- deep gray --------------------------------------------------------------------------------------

NUMBERS = {"I;16": "<H", "I;16B": ">H", "I": "<i", "F": "<f"}


def gray_ramp(mode: str, kind: str, black: float, white: float, width: int = 256) -> bytes:
    """Return a picture of gray with more than 8 bits, from black at the left to white at the right."""
    number = float if mode == "F" else int
    row = [number(black + (white - black) * column / (width - 1)) for column in range(width)]
    rows = b"".join(pack(NUMBERS[mode], one) for one in row) * width
    out = BytesIO()
    Image.frombytes(mode, (width, width), rows).save(out, kind)
    return out.getvalue()


def grays(data: bytes) -> list[int]:
    """Return five shades of a picture, from its left to its right."""
    image = opened(data).convert("L")
    return [int(image.getpixel((step * (image.width - 1) // 4, image.height // 2))) for step in range(5)]  # type: ignore[arg-type]


def is_ramp(data: bytes) -> bool:
    """Whether a picture goes evenly from black to white; encoders may change a shade a little."""
    return all(
        abs(found - wanted) <= 6 for found, wanted in zip(grays(data), (0, 64, 127, 191, 255), strict=True)
    )
