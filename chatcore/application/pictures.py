"""Small square pictures out of whatever people send. Nothing that comes out was in a file before."""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageOps

from chatcore.domain.avatars import MAX_PIXELS, MEDIUM_SIZE, SIZE, BadImage

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
"""Well-tried ones; Pillow's other decoders are not let near what strangers send."""


@dataclass(frozen=True, slots=True)
class Square:
    """A picture as PNG, in both sizes."""

    small: bytes
    medium: bytes


def square(data: bytes) -> Square:
    """The middle of a picture, of an animation that of its first frame.

    :raises BadImage: no picture in one of the formats, a broken one, or one with too many pixels
    """
    try:
        return _square(data)
    except Exception as error:  # whatever a decoder says of a broken file
        raise BadImage from error


def _square(data: bytes) -> Square:
    with Image.open(BytesIO(data), formats=FORMATS) as image:
        if image.width * image.height > MAX_PIXELS:
            raise BadImage
        image.draft("RGB", (2 * MEDIUM_SIZE, 2 * MEDIUM_SIZE))  # a large JPEG need not be unpacked whole
        mode = "RGBA" if image.has_transparency_data else "RGB"
        upright = ImageOps.exif_transpose(image).convert(mode)
    return Square(*(_png(ImageOps.fit(upright, (side, side))) for side in (SIZE, MEDIUM_SIZE)))


def _png(image: Image.Image) -> bytes:
    plain = Image.new(image.mode, image.size)  # without what else the file said
    plain.paste(image)
    out = BytesIO()
    plain.save(out, "PNG")
    return out.getvalue()
