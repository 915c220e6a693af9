"""Thumbnails of uploaded images: their formats, names and states, and the limits of making them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from chatcore.domain.files.media_types import SHOWN, starts_with
from chatcore.domain.ids import AttachmentId

MAX_BYTES: Final = 32 * 2**20
"""Bytes of a file above which it gets no thumbnail."""
MAX_PIXELS: Final = 40_000_000
"""Pixels of a still image, or of all decoded frames of an animation: 160 MB while it is decoded."""
MAX_JPEG_PIXELS: Final = 90_000_000
"""Pixels of a JPEG, which is decoded at a fraction of its size; a progressive one is held as a whole."""
MAX_FRAME_PIXELS: Final = 20_000_000
"""Pixels of all frames of an animated thumbnail; longer animations have only a still one."""
MAX_ATTEMPTS: Final = 3
"""Attempts of processes that ended while they made a thumbnail."""
ATTEMPT_SECONDS: Final = 120
"""Seconds after which another process may try."""
FULL_SIZE: Final = (4032, 3024)
"""Maximum size of the copy of an image that browsers cannot show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThumbnailFormat:
    name: str
    max_width: int
    max_height: int
    format: str
    animated: bool


STILL: Final = ThumbnailFormat(
    name="840x560.webp", max_width=840, max_height=560, format="webp", animated=False
)
MOVING: Final = replace(STILL, name="840x560-anim.webp", animated=True)
FORMATS: Final[Sequence[ThumbnailFormat]] = (STILL, MOVING)
CONTENT_TYPE: Final = "image/webp"
"""The media type of all thumbnails."""


IMAGES: Final[Mapping[str, Callable[[bytes], bool]]] = {
    "image/png": SHOWN["image/png"],
    "image/jpeg": SHOWN["image/jpeg"],
    "image/gif": SHOWN["image/gif"],
    "image/webp": SHOWN["image/webp"],
    "image/avif": SHOWN["image/avif"],
    "image/tiff": starts_with(b"II*\0", b"MM\0*"),
}
"""The types of images that have thumbnails, with a test of the first bytes."""


def image_type(beginning: bytes) -> str | None:
    """Return the type of an image by its first bytes, whatever it is called."""
    return next((kind for kind, is_kind in IMAGES.items() if is_kind(beginning)), None)


class ImageState(StrEnum):
    PENDING = "pending"
    """The thumbnails are not made yet."""
    READY = "ready"
    FAILED = "failed"
    """No thumbnails can be made: the file is damaged or too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedImage:
    """The image in an uploaded file."""

    attachment_id: AttachmentId
    content_type: str
    """By its content."""
    width: int
    height: int
    """Pixels as it is shown, that is, after its rotation."""
    is_animated: bool
    state: ImageState
    attempts: int = 0
    """Times that a process has begun to make its thumbnails."""
    due: int = 0
    """The time from which the next process may try, while it is pending."""

    @property
    def transcoded(self) -> str:
        """Return the name of its copy for browsers; empty if browsers show the file itself."""
        if self.content_type in SHOWN or self.state is ImageState.FAILED:
            return ""
        width, height = fit_size(self.width, self.height, FULL_SIZE)
        return f"{width}x{height}.webp"


class Derived(StrEnum):
    """The files that are made of an image, by the ends of their keys."""

    STILL = "-still"
    MOVING = "-moving"
    FULL = "-full"


def derived_key(file_key: str, derived: Derived) -> str:
    return f"{file_key}{derived}"


def fit_size(width: int, height: int, into: tuple[int, int]) -> tuple[int, int]:
    """Return the size of an image that fits into another size; it is never enlarged."""
    scale = min(1, into[0] / width, into[1] / height)
    return max(1, round(width * scale)), max(1, round(height * scale))


_FORMAT = re.compile(r"[0-9]{1,5}x[0-9]{1,5}(-anim)?\.(?:webp|png|jpe?g|gif|avif)")


def derived_by_name(image: UploadedImage, name: str) -> Derived | None:
    """Return the file with this name in its address, or the nearest one to another size, if any."""
    if name == image.transcoded:
        return Derived.FULL
    if not (match := _FORMAT.fullmatch(name)):
        return None
    return Derived.MOVING if match[1] and image.is_animated else Derived.STILL
