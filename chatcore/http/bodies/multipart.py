"""The one file of a multipart form, read piece by piece, because it may not fit into memory."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Epilogue, Field, File, NeedData

from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import MIB, FileTooLarge, original_name
from chatcore.http.bodies.form_decoder import FormDecoder
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.reading import (
    MAX_FIELDS,
    MULTIPART,
    BodyTooLarge,
    checked_boundary,
    malformed_form,
    not_one_file,
)
from chatcore.http.response import PIECE_SIZE

MAX_HELD: Final = 4 * PIECE_SIZE
"""Bytes of a form that are kept until the part that they belong to is complete."""
OVERHEAD: Final = 2**20
"""Bytes that the rest of a form may have beside the file."""
_BACKSLASH: Final = re.compile(r"""\\([\\"])?""")
"""A backslash that stands alone, or that escapes a backslash or a quote."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that is being received. The form behind it is checked after its last piece."""

    name: str
    """The client's name for the file; see `domain.files.uploads.original_name`."""
    content_type: str
    pieces: Iterator[bytes]


def one_file(request: Incoming, max_bytes: int) -> SentFile:
    """Return the only file of a form, whatever the name of its part; text fields are skipped and noted.

    :raises BadRequest: the body is not a form, has no file, or is malformed; after the last piece: it has a
        second file
    :raises FileTooLarge: more than *max_bytes* and the allowance for the rest of the form
    :raises BodyTooLarge: the rest of the form is too large
    """
    events = _noting_fields(_form_events(request, max_bytes), request)
    for event in events:
        if isinstance(event, File) and (name := _file_name(event)) is not None:
            return SentFile(name, event.headers.get("content-type", ""), _file_pieces(events))
    raise not_one_file()


def pieces_of_one_file(request: Incoming, max_bytes: int) -> Iterator[bytes]:
    """Yield the pieces of the only file, for callers that ignore its name. The form is parsed only when the
    first piece is requested, so that refusals that do not concern the file come first.
    """
    yield from one_file(request, max_bytes).pieces


def file_with_fields(
    request: Incoming, max_bytes: int, names: Collection[str]
) -> tuple[bytes, dict[str, str]]:
    """Return the only file of a form and the first text of each field with one of the names, wherever they
    are in the form; for small files, as all of it is in memory.

    :raises BadRequest: the body is not a form, does not have exactly one file, is malformed, or has a text
        that is not UTF-8
    :raises FileTooLarge: more than *max_bytes* and the allowance for the rest of the form
    :raises BodyTooLarge: the rest of the form is too large
    """
    files: list[bytes] = []
    fields: dict[str, str] = {}
    events = _form_events(request, max_bytes)
    for event in events:
        if isinstance(event, File) and _file_name(event) is not None:
            files.append(b"".join(_data_of_part(events)))
        elif isinstance(event, Field) and event.name in names:
            try:
                fields.setdefault(event.name, b"".join(_data_of_part(events)).decode())
            except UnicodeDecodeError as error:
                raise BadRequest(f"The field '{event.name}' is not UTF-8") from error
        elif isinstance(event, Field) and event.name:
            request.passed_over.add(event.name)
    if len(files) != 1:
        raise not_one_file()
    return files[0], fields


def _data_of_part(events: Iterator[Any]) -> Iterator[bytes]:
    """Yield the data of the part whose head was the last event."""
    while (data := next(events)).more_data:
        yield data.data
    yield data.data


def _noting_fields(events: Iterator[Any], request: Incoming) -> Iterator[Any]:
    """Yield the events, and note the names of text fields as passed over by the request."""
    for event in events:
        if isinstance(event, Field) and event.name:
            request.passed_over.add(event.name)
        yield event


def _body_pieces(request: Incoming, max_bytes: int) -> Iterator[bytes]:
    """Yield the body. One that is too large is refused as a file that is too large: the file is the reason.

    :raises FileTooLarge: more than *max_bytes* and the allowance for the rest of the form
    """
    try:
        yield from request.pieces(max_bytes + OVERHEAD)
    except BodyTooLarge as error:
        raise FileTooLarge(max_bytes // MIB) from error


def _file_name(part: File) -> str | None:
    """Return the client's name for a file; None if the part has none, and so no file was chosen.

    Browsers send a backslash as it is, and it is escaped here before the header is parsed; other clients have
    escaped it, and quotes, with a backslash.
    """
    disposition = _BACKSLASH.sub(
        lambda match: match[0] if match[1] else r"\\", part.headers["content-disposition"]
    )
    _, options = parse_options_header(disposition)
    return original_name(options.get("filename", ""))


def _file_pieces(events: Iterator[Any]) -> Iterator[bytes]:
    """Yield the data of the file whose head was the last event, then check the rest of the form.

    :raises BadRequest: it has a second file
    """
    yield from _data_of_part(events)
    for event in events:
        if isinstance(event, File) and _file_name(event) is not None:
            raise not_one_file()


def _parse_form(pieces: Iterable[bytes], boundary: bytes) -> Iterator[Any]:
    """Yield a form as events of Werkzeug's decoder: the head of each part (`Field` or `File`), then its data.

    :raises BadRequest: the form is malformed
    :raises BodyTooLarge: it has too many fields, or too long ones
    """
    decoder = FormDecoder(boundary, max_form_memory_size=MAX_HELD, max_parts=MAX_FIELDS)
    try:
        for piece in pieces:
            decoder.receive_data(piece)
            yield from _complete_events(decoder)
        decoder.receive_data(None)
        yield from _complete_events(decoder)
    except RequestEntityTooLarge as error:
        raise BodyTooLarge("too many fields, or too long ones") from error
    except ValueError as error:
        raise malformed_form() from error


def _form_events(request: Incoming, max_bytes: int) -> Iterator[Any]:
    """Yield the events of the form in a request (`_parse_form`).

    :raises BadRequest, FileTooLarge, BodyTooLarge: as `one_file` does
    """
    media_type, options = parse_options_header(request.content_type)
    if media_type != MULTIPART:
        raise BadRequest(f"Send exactly one file, as a part of a form ({MULTIPART})")
    boundary = checked_boundary(options.get("boundary", ""))
    return _parse_form(_body_pieces(request, max_bytes), boundary)


def _complete_events(decoder: FormDecoder) -> Iterator[Any]:
    while not isinstance(event := decoder.next_event(), Epilogue | NeedData):
        yield event
