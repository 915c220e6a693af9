"""Making small square pictures from files of users. The result contains no bytes of the file."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from math import isfinite

from PIL import (
    Image,
    ImageOps,
    ImageSequence,
    WebPImagePlugin,  # noqa: F401 - Pillow would load all its formats to find this one
)

from chatcore.domain.files.pictures import (
    FORMATS,
    MAX_FRAMES,
    MAX_JPEG_PIXELS,
    MAX_JPEG_SCANS,
    MAX_PIXELS,
    BadImage,
)
from chatcore.domain.organization import custom_emoji
from chatcore.domain.organization.pictures import ICON_SIZE, LOGO_SIZE
from chatcore.domain.people import avatars

MAX_READS = 100_000
"""Maximum number of reads by a decoder: millions of tiny pieces would take seconds."""
JPEGS = ("JPEG", "MPO")
"""Formats of JPEG; a camera's file may have more pictures behind the first, which are no animation."""
SCAN = b"\xff\xda"
"""Marker at the beginning of each scan of a JPEG, and of nothing else."""

DEEP_MODES = ("I", "F")
"""The beginnings of the modes of gray with more than 8 bits."""

WHOLE: Mapping[str, Mapping[str, int]] = {"GIF": {"disposal": 2}, "PNG": {}, "WEBP": {"kmax": 1}}
"""Options by format which say that each frame of an animation replaces the one before."""


@dataclass(frozen=True, slots=True)
class Avatar:
    """A picture as PNG, in both sizes."""

    small: bytes
    medium: bytes


def avatar(data: bytes) -> Avatar:
    """Make an avatar of the middle of a picture, or of the first frame of an animation.

    :raises BadImage: no picture in one of the formats, a broken one, or one with too many pixels
    """
    with _open_picture(data, avatars.MEDIUM_SIZE) as image:
        medium = _cut_square(upright(image), avatars.MEDIUM_SIZE)
        return Avatar(_encode_png(_cut_square(medium, avatars.SIZE)), _encode_png(medium))


def icon(data: bytes) -> bytes:
    """Make an icon, as PNG, of the middle of a picture.

    :raises BadImage: as for an avatar
    """
    with _open_picture(data, ICON_SIZE) as image:
        return _encode_png(_cut_square(upright(image), ICON_SIZE))


def logo(data: bytes) -> bytes:
    """Make a logo, as PNG, from a whole picture. It is reduced to the size of logos if it is larger, and
    never enlarged.

    :raises BadImage: as for an avatar
    """
    with _open_picture(data, max(LOGO_SIZE)) as image:
        whole = upright(image)
        whole.thumbnail(LOGO_SIZE)
        return _encode_png(without_metadata(whole))


@dataclass(frozen=True, slots=True)
class EmojiPicture:
    content_type: str
    data: bytes
    still: bytes | None = None
    """The first frame of an animation, as PNG."""


def emoji(data: bytes) -> EmojiPicture:
    """Make an emoji of the middle of a picture, as PNG; an animation stays one, in its own format.

    :raises BadImage: as for an avatar; all frames of an animation count
    """
    with _open_picture(data, custom_emoji.SIZE) as image:
        kind = str(image.format)
        side = custom_emoji.SIZE
        if image.width == image.height <= custom_emoji.MAX_ANIMATED_SIZE:
            side = image.width
        frames, durations = [], []
        for frame in _frames(image):
            frames.append(_cut_square(upright(frame), side))
            durations.append(frame.info.get("duration") or custom_emoji.DURATION)
        still = _encode_png(_cut_square(frames[0], custom_emoji.SIZE))
        if len(frames) == 1:
            return EmojiPicture("image/png", still)
        return EmojiPicture(Image.MIME[kind], _animation(kind, frames, durations), still)


# -- reading ----------------------------------------------------------------------------------------


class RestrictedFile(BytesIO):
    """A file of which only a limited number of pieces can be read."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        if self.reads > MAX_READS:
            raise BadImage
        return super().read(size)


@contextmanager
def _open_picture(data: bytes, side: int) -> Iterator[Image.Image]:
    """Yield a picture that is not decoded yet; errors found while decoding it are `BadImage`, too."""
    try:
        with Image.open(RestrictedFile(data), formats=FORMATS) as image:
            if image.format in JPEGS:
                _require_quick(image, data)
                image.draft("RGB", (2 * side, 2 * side))  # allows decoding at a smaller size
            _require_size(image.width * image.height)
            yield image
    except Exception as error:  # decoders raise many types for a broken file
        raise BadImage from error


def _require_quick(jpeg: Image.Image, data: bytes) -> None:
    if jpeg.width * jpeg.height > MAX_JPEG_PIXELS or data.count(SCAN) > MAX_JPEG_SCANS:
        raise BadImage


def _require_size(pixels: int) -> None:
    if pixels > MAX_PIXELS:
        raise BadImage


def _frames(image: Image.Image) -> Iterator[Image.Image]:
    """Yield each frame before it is decoded: only decoding reveals the number of frames."""
    pixels = 0
    for number, frame in enumerate(ImageSequence.Iterator(image)):
        pixels += frame.width * frame.height
        _require_size(pixels)
        if number == MAX_FRAMES:
            raise BadImage
        yield frame
        if image.format in JPEGS:
            return


# -- encoding ---------------------------------------------------------------------------------------


def upright(image: Image.Image) -> Image.Image:
    """Decode a picture, turn it as it is shown, and return it with 8 bits for each color."""
    turned = ImageOps.exif_transpose(image)
    if turned.mode.startswith(DEEP_MODES):
        return _with_eight_bits(turned).convert("RGB")
    mode = "RGBA" if image.has_transparency_data else "RGB"
    return turned if turned.mode == mode else turned.convert(mode)


def _with_eight_bits(gray: Image.Image) -> Image.Image:
    """Return a picture of deep gray from black to white: Pillow would cut off what is above 255."""
    gray.info.pop("transparency", None)  # a number of 16 bits
    numbers = gray if gray.mode in ("I;16", "F") else gray.convert("I").convert("F")
    black, white = _black_and_white(gray.mode, *numbers.getextrema())
    scale = 255 / (white - black)
    return numbers.point(lambda value: value * scale + (0.5 - black * scale)).convert("L")


def _black_and_white(mode: str, lowest: float, highest: float) -> tuple[float, float]:
    """Return the numbers that mean black and white in a picture whose numbers are between these.

    Formats of 32 bits do not say them. Black is 0, then, and white is the first of the usual numbers that is
    not exceeded; if no number is usual, they are the lowest and the highest of the picture, which have to
    differ and be finite.
    """
    if mode.startswith("I;16"):
        return 0, 0xFFFF
    usual_whites = (1, 0xFF, 0xFFFF) if mode == "F" else (0xFF, 0xFFFF)
    for white in usual_whites:
        if lowest >= 0 and highest <= white:
            return 0, white
    can_be_scaled = isfinite(highest - lowest) and highest > lowest
    return (lowest, highest) if can_be_scaled else (0, 1)


def _cut_square(image: Image.Image, side: int) -> Image.Image:
    """Return the middle of a picture, without the metadata of the file."""
    return without_metadata(ImageOps.fit(image, (side, side)))


def without_metadata(image: Image.Image) -> Image.Image:
    """Return a picture without the metadata of the file."""
    plain = Image.new(image.mode, image.size)
    plain.paste(image)
    return plain


def _encode_png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _animation(kind: str, frames: Sequence[Image.Image], durations: Sequence[float]) -> bytes:
    """Encode an animation that repeats for ever."""
    out = BytesIO()
    first, *others = (frame.convert("RGBA") for frame in frames)
    settings = {"duration": list(durations), "loop": 0, **WHOLE[kind]}
    first.save(out, kind, save_all=True, append_images=others, **settings)
    return out.getvalue()
