"""Pictures of users and of emoji, readable by anybody with the address."""

from os import SEEK_END
from typing import BinaryIO, Final

from chatcore.http.response import FilePart, Headers, Response

HEADERS: Final[Headers] = [
    ("Cache-Control", "public, max-age=31536000, immutable"),
    ("Content-Disposition", "inline"),
    ("Content-Security-Policy", "default-src 'none'; sandbox"),
]
"""Headers that allow caching for ever: a new picture gets a new address."""


def picture_response(file: BinaryIO, content_type: str) -> Response:
    size = file.seek(0, SEEK_END)
    return Response(200, FilePart(file, 0, size), HEADERS, content_type)
