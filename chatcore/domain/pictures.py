"""What is taken for a picture, of people and of emoji alike."""

from chatcore.domain.errors import ChatError

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
"""Well-tried ones; no other decoder is let near what strangers send."""
MAX_PIXELS = 13_000_000
"""That are unpacked, of all pictures of an animation together: they need memory, and take their time."""
MAX_JPEG_PIXELS = 25_000_000
"""What cameras make; of a large one only every second pixel or fewer need be unpacked."""
MAX_JPEG_SCANS = 32
"""A JPEG may come as a sketch that each scan refines, usually ten; each takes time for the whole picture."""
MAX_FRAMES = 500


class BadImage(ChatError):
    """The file is no picture of an allowed kind, or too large."""

    code = "BAD_IMAGE"

    def __init__(self) -> None:
        super().__init__("Could not decode image; send a PNG, GIF, JPEG or WebP that is not too large.")
