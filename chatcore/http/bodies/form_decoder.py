"""The decoder of multipart forms, with one limit for the heads of all parts, of fields and files alike."""

from typing import Final

from werkzeug.datastructures import Headers
from werkzeug.sansio.multipart import MultipartDecoder

from chatcore.domain.errors import BadRequest

MAX_HEAD: Final = 8192
"""Bytes of the head of one part: enough for the longest name of a file in any encoding."""
MAX_HEADS: Final = 8 * MAX_HEAD
"""Bytes of the heads of all parts together. The limit is low because parsing a few bytes of a head costs as
much as a page of content.
"""


class FormDecoder(MultipartDecoder):
    """A decoder that knows the length of a head before it parses it.

    :raises BadRequest: by `next_event`, if heads are too long
    """

    _length_of_heads = 0

    def _parse_headers(self, data: bytes | bytearray) -> Headers:
        self._length_of_heads += len(data)
        if len(data) > MAX_HEAD or self._length_of_heads > MAX_HEADS:
            raise BadRequest("Malformed multipart body: the head of a part is too long")
        return super()._parse_headers(data)
