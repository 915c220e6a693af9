"""The one file of a multipart form, read a piece at a time: it need not fit into memory."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Epilogue, Field, File, NeedData

from chatcore.domain.errors import BadRequest
from chatcore.domain.uploads import MIB, FileTooLarge, original_name
from chatcore.http.bodies.form_decoder import FormDecoder
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.reading import MAX_FIELDS, BodyTooLarge
from chatcore.http.response import PIECE

FORM: Final = "multipart/form-data"
MAX_HELD: Final = 4 * PIECE
"""Bytes of a form that are kept until what they belong to is complete."""
OVERHEAD: Final = 2**20
"""Bytes that the rest of a form may have beside the file."""
_BACKSLASH: Final = re.compile(r"""\\([\\"])?""")
"""Alone, or as it is written before itself and before a quote."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it comes in. What follows it in the form is looked at when its last piece was taken."""

    name: str
    """As the client calls it; see `domain.uploads.original_name`."""
    content_type: str
    pieces: Iterator[bytes]


def one_file(request: Incoming, max_bytes: int) -> SentFile:
    """The only file of a form, whatever its part is called; fields of text are passed over, and noted.

    :raises BadRequest: no form, no file in it, or malformed; a second file, when the first was taken
    :raises FileTooLarge: more than *max_bytes*, and then some
    :raises BodyTooLarge: too much beside it
    """
    media_type, options = parse_options_header(request.content_type)
    if media_type != FORM:
        raise BadRequest(f"Send exactly one file, as a part of a form ({FORM})")
    boundary = options.get("boundary", "")
    if not boundary or not boundary.isascii():
        raise BadRequest("Malformed multipart body: no boundary")
    parts = _events(_within(request.pieces(max_bytes + OVERHEAD), max_bytes), boundary.encode())
    events = _noting_fields(parts, request)
    for event in events:
        if isinstance(event, File) and (name := _name(event)) is not None:
            return SentFile(name, event.headers.get("content-type", ""), _content(events))
    raise _not_one_file()


def pieces_of_one_file(request: Incoming, max_bytes: int) -> Iterator[bytes]:
    """The same where the file's name does not matter. Nothing of the form is looked at before the first piece
    is taken: what has nothing to do with the file is refused before.
    """
    yield from one_file(request, max_bytes).pieces


def _noting_fields(events: Iterator[Any], request: Incoming) -> Iterator[Any]:
    for event in events:
        if isinstance(event, Field) and event.name:
            request.passed_over.add(event.name)
        yield event


def _within(pieces: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    """A body that is too large is so because of its file: refused in the words of who reads files."""
    try:
        yield from pieces
    except BodyTooLarge as error:
        raise FileTooLarge(max_bytes // MIB) from error


def _name(part: File) -> str | None:
    """The client's name for a file, in which a backslash is also one where it is not written as two.

    Browsers write it as it is, other clients before itself and before quotes.
    """
    disposition = _BACKSLASH.sub(
        lambda found: found[0] if found[1] else r"\\", part.headers["content-disposition"]
    )
    _, options = parse_options_header(disposition)
    return original_name(options.get("filename", ""))


def _not_one_file() -> BadRequest:
    return BadRequest("You must specify exactly one file to upload")


def _content(events: Iterator[Any]) -> Iterator[bytes]:
    """The data of a file whose head was the last event, and then a look at the rest of the form."""
    while (data := next(events)).more_data:
        yield data.data
    yield data.data
    for event in events:
        if isinstance(event, File) and _name(event) is not None:
            raise _not_one_file()


def _events(pieces: Iterable[bytes], boundary: bytes) -> Iterator[Any]:
    """The parts of a form and their data.

    :raises BadRequest, BodyTooLarge:
    """
    decoder = FormDecoder(boundary, max_form_memory_size=MAX_HELD, max_parts=MAX_FIELDS)
    try:
        for piece in pieces:
            decoder.receive_data(piece)
            yield from _ready(decoder)
        decoder.receive_data(None)
        yield from _ready(decoder)
    except RequestEntityTooLarge as error:
        raise BodyTooLarge("too many fields, or too long ones") from error
    except ValueError as error:
        raise BadRequest("Malformed multipart body") from error


def _ready(decoder: FormDecoder) -> Iterator[Any]:
    while not isinstance(event := decoder.next_event(), Epilogue | NeedData):
        yield event
