"""Media types of uploads: which one a file is stored with, and whether a browser may show it itself.

What a client says of a file is kept, but nothing is believed that could hurt: a file is shown inside a
browser only when its type is on the list and its first bytes are of that type.
"""

import mimetypes
import re
from collections.abc import Callable, Mapping
from functools import cache

BEGINNING = 65_536
"""Bytes of a file that are looked at."""
UNKNOWN = "application/octet-stream"
PLAIN_TEXT = "text/plain"
PDF = "application/pdf"
MAX_LENGTH = 200

_TOKEN = r"[A-Za-z0-9!#$&^_.+-]{1,100}"
_MEDIA_TYPE = re.compile(
    rf'{_TOKEN}/{_TOKEN}(?:[ ]*;[ ]*{_TOKEN}=(?:{_TOKEN}|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*'
)

MORE_TYPES: Mapping[str, str] = {
    ".avif": "image/avif",
    ".flac": "audio/flac",
    ".heic": "image/heic",
    ".m4a": "audio/mp4",
    ".md": "text/markdown",
    ".webm": "video/webm",
    ".webp": "image/webp",
}


def stored_type(said: str, name: str, beginning: bytes) -> str:
    """The type of a file of which the client says *said*; without a usable word, its name tells.

    Plain text of which nobody says how it is written gets the charset that it looks like.
    """
    media_type = said.strip()
    if len(media_type) > MAX_LENGTH or not _MEDIA_TYPE.fullmatch(media_type):
        media_type = _known_types().guess_type(name.replace("/", "_"), strict=False)[0] or UNKNOWN
    if essence(media_type) == PLAIN_TEXT and "charset=" not in media_type.lower():
        media_type += f"; charset={text_charset(beginning)}"
    return media_type


@cache
def _known_types() -> mimetypes.MimeTypes:
    """The types that come with Python, not those of the machine: the answer is the same everywhere."""
    known = mimetypes.MimeTypes()
    for ending, media_type in MORE_TYPES.items():
        known.add_type(media_type, ending)
    return known


def essence(media_type: str) -> str:
    """The type without its parameters."""
    return media_type.partition(";")[0].strip().lower()


def text_charset(beginning: bytes) -> str:
    """How a text is written, as far as its beginning tells."""
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        beginning.decode()
    except UnicodeDecodeError as error:
        # A character may be cut at the end of what is looked at.
        return "utf-8" if len(beginning) - error.start < 4 and len(beginning) >= BEGINNING else "windows-1252"
    return "utf-8"


def _starts(*signatures: bytes) -> Callable[[bytes], bool]:
    return lambda beginning: beginning.startswith(signatures)


def _holds(signature: bytes, at: int) -> Callable[[bytes], bool]:
    return lambda beginning: beginning[at : at + len(signature)] == signature


def _riff(kind: bytes) -> Callable[[bytes], bool]:
    return lambda beginning: beginning[:4] == b"RIFF" and beginning[8:12] == kind


def _is_audio_frame(beginning: bytes) -> bool:
    return beginning[:3] == b"ID3" or (beginning[:1] == b"\xff" and beginning[1:2] >= b"\xe0")


SHOWN: Mapping[str, Callable[[bytes], bool]] = {
    PDF: _starts(b"%PDF-"),
    "image/gif": _starts(b"GIF87a", b"GIF89a"),
    "image/jpeg": _starts(b"\xff\xd8\xff"),
    "image/png": _starts(b"\x89PNG\r\n\x1a\n"),
    "image/webp": _riff(b"WEBP"),
    "image/avif": _holds(b"ftypavi", 4),
    "audio/aac": _is_audio_frame,
    "audio/flac": _starts(b"fLaC"),
    "audio/mpeg": _is_audio_frame,
    "audio/wav": _riff(b"WAVE"),
    "audio/mp4": _holds(b"ftyp", 4),
    "video/mp4": _holds(b"ftyp", 4),
    "video/webm": _starts(b"\x1a\x45\xdf\xa3"),
    PLAIN_TEXT: lambda beginning: True,
}
"""What a browser may show itself, and how it begins. Nothing that can hold a script is in it."""


def is_shown(media_type: str, beginning: bytes) -> bool:
    """Whether a file of this type, which begins so, may be shown in a browser."""
    begins_right = SHOWN.get(essence(media_type))
    return begins_right is not None and begins_right(beginning)
