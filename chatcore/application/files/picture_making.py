"""Small square pictures out of whatever people send. Nothing that comes out was in a file before."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

from PIL import (
    Image,
    ImageOps,
    ImageSequence,
    WebPImagePlugin,  # noqa: F401 - Pillow would load all its formats to find this one
)

from chatcore.domain import avatars, custom_emoji
from chatcore.domain.pictures import (
    FORMATS,
    MAX_FRAMES,
    MAX_JPEG_PIXELS,
    MAX_JPEG_SCANS,
    MAX_PIXELS,
    BadImage,
)

MAX_READS = 100_000
"""How often a decoder may go on to the next piece: millions of tiny ones would take seconds."""
JPEGS = ("JPEG", "MPO")
"""A camera's may have more pictures behind the first, which are no animation."""
SCAN = b"\xff\xda"
"""With this each scan of a JPEG begins, and nothing else has it."""

WHOLE: Mapping[str, Mapping[str, int]] = {"GIF": {"disposal": 2}, "PNG": {}, "WEBP": {"kmax": 1}}
"""How a format is told that each picture of an animation takes the place of the one before."""


@dataclass(frozen=True, slots=True)
class Avatar:
    """A picture as PNG, in both sizes."""

    small: bytes
    medium: bytes


def avatar(data: bytes) -> Avatar:
    """The middle of a picture, of an animation that of its first one.

    :raises BadImage: no picture in one of the formats, a broken one, or one with too many pixels
    """
    with _opened(data, avatars.MEDIUM_SIZE) as image:
        medium = _square(_upright(image), avatars.MEDIUM_SIZE)
        return Avatar(_png(_square(medium, avatars.SIZE)), _png(medium))


@dataclass(frozen=True, slots=True)
class Emoji:
    content_type: str
    data: bytes
    still: bytes | None = None
    """Of an animation the first picture, as PNG."""


def emoji(data: bytes) -> Emoji:
    """The middle of a picture as PNG; an animation stays one, in its own format.

    :raises BadImage: as for an avatar; all pictures of an animation count
    """
    with _opened(data, custom_emoji.SIZE) as image:
        kind = str(image.format)
        side = custom_emoji.SIZE
        if image.width == image.height <= custom_emoji.MAX_ANIMATED_SIZE:
            side = image.width
        frames, durations = [], []
        for frame in _frames(image):
            frames.append(_square(_upright(frame), side))
            durations.append(frame.info.get("duration") or custom_emoji.DURATION)
        still = _png(_square(frames[0], custom_emoji.SIZE))
        if len(frames) == 1:
            return Emoji("image/png", still)
        return Emoji(Image.MIME[kind], _animation(kind, frames, durations), still)


# -- reading ----------------------------------------------------------------------------------------


class _File(BytesIO):
    """Of which only so many pieces are read."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        if self.reads > MAX_READS:
            raise BadImage
        return super().read(size)


@contextmanager
def _opened(data: bytes, side: int) -> Iterator[Image.Image]:
    """A picture that is not unpacked yet; whatever is found to be wrong with it then is a bad image too."""
    try:
        with Image.open(_File(data), formats=FORMATS) as image:
            if image.format in JPEGS:
                _require_quick(image, data)
                image.draft("RGB", (2 * side, 2 * side))  # need not be unpacked whole
            _require_size(image.width * image.height)
            yield image
    except Exception as error:  # whatever a decoder says of a broken file
        raise BadImage from error


def _require_quick(jpeg: Image.Image, data: bytes) -> None:
    if jpeg.width * jpeg.height > MAX_JPEG_PIXELS or data.count(SCAN) > MAX_JPEG_SCANS:
        raise BadImage


def _require_size(pixels: int) -> None:
    if pixels > MAX_PIXELS:
        raise BadImage


def _frames(image: Image.Image) -> Iterator[Image.Image]:
    """Each picture in turn, before it is unpacked: how many there are is not known before that."""
    pixels = 0
    for number, frame in enumerate(ImageSequence.Iterator(image)):
        pixels += frame.width * frame.height
        _require_size(pixels)
        if number == MAX_FRAMES:
            raise BadImage
        yield frame
        if image.format in JPEGS:
            return


# -- making anew ------------------------------------------------------------------------------------


def _upright(image: Image.Image) -> Image.Image:
    mode = "RGBA" if image.has_transparency_data else "RGB"
    upright = ImageOps.exif_transpose(image)
    return upright if upright.mode == mode else upright.convert(mode)


def _square(image: Image.Image, side: int) -> Image.Image:
    """The middle, without what else the file said."""
    plain = Image.new(image.mode, (side, side))
    plain.paste(ImageOps.fit(image, (side, side)))
    return plain


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _animation(kind: str, frames: Sequence[Image.Image], durations: Sequence[float]) -> bytes:
    """One that goes on for ever."""
    out = BytesIO()
    first, *others = (frame.convert("RGBA") for frame in frames)
    settings = {"duration": list(durations), "loop": 0, **WHOLE[kind]}
    first.save(out, kind, save_all=True, append_images=others, **settings)
    return out.getvalue()
