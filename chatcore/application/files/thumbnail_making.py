"""Making thumbnails: decoding images of users and encoding them anew, without the metadata of the files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import (
    AvifImagePlugin,  # noqa: F401 - Pillow would load all its formats to find this one
    Image,
    ImageSequence,
)
from PIL.TiffImagePlugin import TiffImageFile

from chatcore.application.files.picture_making import JPEGS, SCAN, RestrictedFile, upright, without_metadata
from chatcore.domain.files.pictures import MAX_FRAMES, MAX_JPEG_PIXELS, MAX_JPEG_SCANS, BadImage
from chatcore.domain.files.thumbnails import (
    FULL_SIZE,
    MAX_FRAME_PIXELS,
    MAX_PIXELS,
    MOVING,
    STILL,
    Derived,
    fit_size,
)
from chatcore.domain.files.thumbnails import MAX_JPEG_PIXELS as MAX_PIXELS_OF_JPEG

DECODERS: Final[Mapping[str, str]] = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/avif": "AVIF",
    "image/tiff": "TIFF",
}
TIFF_COMPRESSIONS: Final = frozenset(
    {"raw", "packbits", "tiff_lzw", "tiff_deflate", "tiff_adobe_deflate", "group3", "group4"}
)
"""The ways in which a TIFF may be compressed, of the many that its decoder knows. Formats within it, such as
JPEG, would have to be bounded as they are outside.
"""
MAX_TILE: Final = 2048 * 2048
"""Pixels of a tile of a TIFF, which the decoder holds as a whole: it may be larger than the image."""
BITS_PER_SAMPLE: Final = 258
TILE_WIDTH: Final = 322
TILE_LENGTH: Final = 323
ORIENTATION: Final = 0x0112
ON_ITS_SIDE: Final = range(5, 9)
"""Values of the orientation that exchange width and height."""
DURATION: Final = 100
"""Milliseconds of a frame that does not say how long it is shown."""


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """The size of an image as it is shown, and whether it moves."""

    width: int
    height: int
    is_animated: bool
    is_too_large: bool


def header(data: bytes, content_type: str) -> ImageHeader:
    """Read the header of an image, however large it is.

    :raises BadImage: it is not readable
    """
    with _open_image(data, content_type) as image:
        width, height = image.size
        # The method of PNG would decode the image.
        if Image.Image.getexif(image).get(ORIENTATION) in ON_ITS_SIDE:
            width, height = height, width
        return ImageHeader(width, height, _is_animated(image), _is_too_large(image, data))


def thumbnails(data: bytes, content_type: str, *, transcode: bool) -> Mapping[Derived, bytes]:
    """Make the thumbnails of an image, and with *transcode* a copy that browsers can show.

    :raises BadImage: it is damaged or too large
    """
    with _open_image(data, content_type) as image:
        if _is_too_large(image, data):
            raise BadImage
        still_size = (STILL.max_width, STILL.max_height)
        largest = FULL_SIZE if transcode else still_size
        if image.format in JPEGS:
            image.draft("RGB", (2 * largest[0], 2 * largest[1]))  # decodes at a smaller size
        made = {}
        first = upright(image)
        if transcode:
            made[Derived.FULL] = _encode_webp(_shrink_image(first, FULL_SIZE))
        made[Derived.STILL] = _encode_webp(_shrink_image(first, still_size))
        moving = _make_moving(image) if _is_animated(image) else None
        if moving is not None:
            made[Derived.MOVING] = moving
        return made


def _make_moving(image: Image.Image) -> bytes | None:
    """Make the animated thumbnail; return None if the animation is too long."""
    size = fit_size(*image.size, (MOVING.max_width, MOVING.max_height))
    frames, durations = [], []
    decoded = 0  # pixels
    for number, frame in enumerate(ImageSequence.Iterator(image)):
        decoded += frame.width * frame.height
        kept = (number + 1) * size[0] * size[1]
        if number >= MAX_FRAMES or decoded > MAX_PIXELS or kept > MAX_FRAME_PIXELS:
            return None
        frames.append(_shrink_image(upright(frame), size))
        durations.append(round(frame.info.get("duration") or DURATION))
    out = BytesIO()
    first, *others = frames
    first.save(
        out, "WEBP", save_all=True, append_images=others, duration=durations, loop=0, quality=75, method=2
    )
    return out.getvalue()


@contextmanager
def _open_image(data: bytes, content_type: str) -> Iterator[Image.Image]:
    """Yield an image that is not decoded yet; errors found while decoding it are `BadImage`, too.

    `Image.open` has a limit of its own, which would hide the size of a larger image; here nothing is decoded
    before `_is_too_large` has looked at the size.
    """
    Image.preinit()
    read_header, _ = Image.OPEN[DECODERS[content_type]]
    try:
        with read_header(RestrictedFile(data), "") as image:
            yield image
    except Exception as error:  # decoders raise many types for a broken file
        raise BadImage from error


def _is_animated(image: Image.Image) -> bool:
    """Whether an image moves; further pictures in a camera's JPEG or a TIFF are no frames."""
    return image.format not in (*JPEGS, "TIFF") and bool(getattr(image, "is_animated", False))


def _is_too_large(image: Image.Image, data: bytes) -> bool:
    pixels = image.width * image.height
    if isinstance(image, TiffImageFile):
        return _is_too_large_tiff(image)
    if image.format not in JPEGS:
        return pixels > MAX_PIXELS
    if "progressive" in image.info and (pixels > MAX_JPEG_PIXELS or data.count(SCAN) > MAX_JPEG_SCANS):
        return True
    return pixels > MAX_PIXELS_OF_JPEG


def _is_too_large_tiff(image: TiffImageFile) -> bool:
    """Whether a TIFF may be too large to decode; one with another compression than `TIFF_COMPRESSIONS` always
    counts as too large. A sample of several bytes counts as so many pixels.
    """
    if image.info.get("compression") not in TIFF_COMPRESSIONS:
        return True
    tile_pixels = image.tag_v2.get(TILE_WIDTH, 0) * image.tag_v2.get(TILE_LENGTH, 0)
    bytes_per_sample = max(image.tag_v2.get(BITS_PER_SAMPLE, (8,))) / 8
    counted_pixels = image.width * image.height * max(1, bytes_per_sample)
    return bool(tile_pixels > MAX_TILE or counted_pixels > MAX_PIXELS)


def _shrink_image(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return a copy that fits into the size, without the metadata of the original."""
    wanted = fit_size(*image.size, size)
    return without_metadata(image.resize(wanted) if wanted != image.size else image)


def _encode_webp(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "WEBP", quality=80, method=3)
    return out.getvalue()
