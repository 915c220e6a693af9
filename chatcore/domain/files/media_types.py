"""Media types of uploads: the stored type of a file, and whether a browser may display it inline.

The client's type is stored but not trusted: a browser displays a file inline only if its type is on the list
and its first bytes match that type.
"""

import mimetypes
import re
from collections.abc import Callable, Mapping
from functools import cache

from chatcore.domain.charsets import codec_of, guessed_codec

BEGINNING = 65_536
"""Bytes of a file that are inspected."""
UNKNOWN = "application/octet-stream"
PLAIN_TEXT = "text/plain"
PDF = "application/pdf"
MAX_LENGTH = 200

_TOKEN = r"[A-Za-z0-9!#$&^_.+-]{1,100}"
_MEDIA_TYPE = re.compile(
    rf'{_TOKEN}/{_TOKEN}(?:[ ]*;[ ]*{_TOKEN}=(?:{_TOKEN}|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*'
)

_CHARSET = re.compile(r';\s*charset="?([^";\s]+)', re.IGNORECASE)

MORE_TYPES: Mapping[str, str] = {
    ".avif": "image/avif",
    ".flac": "audio/flac",
    ".heic": "image/heic",
    ".m4a": "audio/mp4",
    ".md": "text/markdown",
    ".webm": "video/webm",
    ".webp": "image/webp",
}


def stored_type(declared_type: str, name: str, beginning: bytes) -> str:
    """Return the type to store for a file: the one that the client has declared, if it is usable; otherwise
    the name decides.

    Plain text without a charset that is known gets the one that its first bytes suggest.
    """
    media_type = declared_type.strip()
    if len(media_type) > MAX_LENGTH or not is_media_type(media_type):
        media_type = _known_types().guess_type(name.replace("/", "_"), strict=False)[0] or UNKNOWN
    if essence(media_type) == PLAIN_TEXT:
        charset = _CHARSET.search(media_type)
        if charset is None or codec_of(charset[1]) is None:
            return f"{essence(media_type)}; charset={text_charset(beginning)}"
    return media_type


def is_media_type(text: str) -> bool:
    """Whether a text can be the type of a file in a header."""
    return _MEDIA_TYPE.fullmatch(text) is not None


@cache
def _known_types() -> mimetypes.MimeTypes:
    """Return the types that come with Python, not those of the machine, for the same results everywhere."""
    known = mimetypes.MimeTypes()
    for ending, media_type in MORE_TYPES.items():
        known.add_type(media_type, ending)
    return known


def essence(media_type: str) -> str:
    """Return the type without its parameters."""
    return media_type.partition(";")[0].strip().lower()


def text_charset(beginning: bytes) -> str:
    """Guess the charset of a text from its first bytes."""
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    codec = guessed_codec(beginning, is_cut=len(beginning) >= BEGINNING)
    return "windows-1252" if codec == "cp1252" else codec


def starts_with(*signatures: bytes) -> Callable[[bytes], bool]:
    """Return the test whether the first bytes of a file are one of the signatures."""
    return lambda beginning: beginning.startswith(signatures)


def _holds(signature: bytes, at: int) -> Callable[[bytes], bool]:
    return lambda beginning: beginning[at : at + len(signature)] == signature


def _riff(kind: bytes) -> Callable[[bytes], bool]:
    return lambda beginning: beginning[:4] == b"RIFF" and beginning[8:12] == kind


def _is_audio_frame(beginning: bytes) -> bool:
    return beginning[:3] == b"ID3" or (beginning[:1] == b"\xff" and beginning[1:2] >= b"\xe0")


SHOWN: Mapping[str, Callable[[bytes], bool]] = {
    PDF: starts_with(b"%PDF-"),
    "image/gif": starts_with(b"GIF87a", b"GIF89a"),
    "image/jpeg": starts_with(b"\xff\xd8\xff"),
    "image/png": starts_with(b"\x89PNG\r\n\x1a\n"),
    "image/webp": _riff(b"WEBP"),
    "image/avif": _holds(b"ftypavi", 4),
    "audio/aac": _is_audio_frame,
    "audio/flac": starts_with(b"fLaC"),
    "audio/mpeg": _is_audio_frame,
    "audio/wav": _riff(b"WAVE"),
    "audio/mp4": _holds(b"ftyp", 4),
    "video/mp4": _holds(b"ftyp", 4),
    "video/webm": starts_with(b"\x1a\x45\xdf\xa3"),
    PLAIN_TEXT: lambda beginning: True,
}
"""Types that a browser may display inline, with a test of the first bytes. None can contain a script."""


def is_shown(media_type: str, beginning: bytes) -> bool:
    """Whether a file with this type and these first bytes may be displayed in a browser."""
    begins_right = SHOWN.get(essence(media_type))
    return begins_right is not None and begins_right(beginning)


def shown_picture_type(content: bytes) -> str | None:
    """Return the type of a picture that a browser may display, by its first bytes; None for another file."""
    pictures = (media_type for media_type in SHOWN if media_type.startswith("image/"))
    return next((media_type for media_type in pictures if SHOWN[media_type](content)), None)
