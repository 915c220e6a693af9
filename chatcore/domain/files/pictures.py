"""Accepted formats and limits of pictures of users and emoji."""

from chatcore.domain.errors import ChatError

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
"""Well-tested formats; no other decoder processes untrusted input."""
MAX_PIXELS = 13_000_000
"""Pixels decoded in total, over all frames of an animation. Decoding costs memory and time."""
MAX_JPEG_PIXELS = 25_000_000
"""Typical size of camera pictures. Large JPEGs can be decoded at half resolution or less."""
MAX_JPEG_SCANS = 32
"""Scans of a progressive JPEG, usually ten; decoding each takes time for the whole picture."""
MAX_FRAMES = 500


class BadImage(ChatError):
    """The file is not a picture of an allowed format, or is too large."""

    code = "BAD_IMAGE"

    def __init__(self) -> None:
        super().__init__("Could not decode image; send a PNG, GIF, JPEG or WebP that is not too large.")
