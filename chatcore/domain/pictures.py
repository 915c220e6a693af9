"""What is taken for a picture, of people and of emoji alike."""

from chatcore.domain.errors import ChatError

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
"""Well-tried ones; no other decoder is let near what strangers send."""
MAX_PIXELS = 25_000_000
"""Of all pictures of an animation together: unpacked one has to fit into memory, and all take their time."""
MAX_FRAMES = 1000


class BadImage(ChatError):
    code = "BAD_IMAGE"

    def __init__(self) -> None:
        super().__init__("Could not decode image; send a PNG, GIF, JPEG or WebP that is not too large.")
