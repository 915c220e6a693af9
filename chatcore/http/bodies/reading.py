"""The texts of a request's parameters, from its form and its query string.

The precedence is the same for every method: the form wins over the query string, and the first value of a
repeated name counts. A form is urlencoded or multipart; most endpoints skip the files of a multipart form.
Text must be UTF-8, and a body that cannot be read whole is refused.
"""

from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, NeedData

from chatcore.domain.errors import BadRequest, ChatError
from chatcore.http.bodies.form_decoder import FormDecoder
from chatcore.http.bodies.urlencoded import decode_form
from chatcore.http.response import PIECE_SIZE
from chatcore.storage.slices import in_slices

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

MAX_FIELDS: Final = 1000
"""The maximal number of fields in a form or a query string, and of parts in a multipart body."""

URLENCODED: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = "multipart/form-data"
UTF8_NAMES: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})
"""Names, in lower case, of charsets whose bytes are UTF-8."""

Pairs: TypeAlias = list[tuple[str, str]]
"""Names and texts of parameters, in the order in which they were sent."""


class BodyTooLarge(ChatError):
    """The body has more bytes than the endpoint accepts."""

    status = 413

    def __init__(self, what: str) -> None:
        super().__init__(f"Request body too large: {what}")


class UnsupportedBody(ChatError):
    """A body in an unsupported format; the message names the supported ones."""

    status = 415


def texts_in_request(environ: "WSGIEnvironment", max_body: int) -> dict[str, str]:
    """Return the text of each parameter that was sent, in the form or else in the query.

    :raises BodyTooLarge, UnsupportedBody, BadRequest:
    """
    pairs = _query_pairs(environ)
    if body := _read_body(environ, max_body):
        pairs = _form_pairs(body, environ) + pairs
    return _first_of_each(pairs)


def texts_and_file(environ: "WSGIEnvironment", max_body: int) -> tuple[dict[str, str], bytes | None]:
    """Return the text of each parameter that was sent, and the only file of a multipart form, if there is
    one; for small files, as all of it is in memory.

    :raises BodyTooLarge, UnsupportedBody:
    :raises BadRequest: malformed, or more than one file
    """
    pairs = _query_pairs(environ)
    files: list[bytes] = []  # `_form_pairs` appends to it
    if body := _read_body(environ, max_body):
        pairs = _form_pairs(body, environ, files) + pairs
    if len(files) > 1:
        raise not_one_file()
    return _first_of_each(pairs), files[0] if files else None


def texts_in_query(environ: "WSGIEnvironment") -> dict[str, str]:
    """Return the text of each parameter of the query, for requests whose body is no form.

    :raises BodyTooLarge, BadRequest:
    """
    return _first_of_each(_query_pairs(environ))


def texts_in_form(environ: "WSGIEnvironment", max_body: int) -> dict[str, str]:
    """Return the text of each parameter of the form alone, for requests with secrets.

    :raises BodyTooLarge, UnsupportedBody, BadRequest:
    """
    body = _read_body(environ, max_body)
    return _first_of_each(_form_pairs(body, environ)) if body else {}


def require_none_in_query(environ: "WSGIEnvironment", secrets: Collection[str]) -> None:
    """Refuse a query of a POST that has a secret: addresses stand in the logs of all that pass them on. With
    other methods, some programs have no other place for parameters.

    :raises BadRequest: it has the parameter that `var_name` names
    """
    if environ["REQUEST_METHOD"] != "POST" or not secrets:
        return
    if found := sorted(texts_in_query(environ).keys() & set(secrets)):
        raise BadRequest(f"Send '{found[0]}' in the form: addresses stand in logs", var_name=found[0])


def _query_pairs(environ: "WSGIEnvironment") -> Pairs:
    """:raises BodyTooLarge, BadRequest:"""
    query = environ.get("QUERY_STRING")
    return _read_urlencoded(query.encode("latin-1"), "query string") if query else []


def _first_of_each(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    first: dict[str, str] = {}
    for name, text in pairs:
        first.setdefault(name, text)
    return first


def _read_body(environ: "WSGIEnvironment", max_body: int) -> bytes:
    """Return the whole body; never read more than *max_body* bytes of it."""
    return b"".join(body_pieces(environ, max_body))


def body_pieces(environ: "WSGIEnvironment", max_body: int) -> Iterator[bytes]:
    """Yield the body piece by piece, never more than *max_body* bytes of it.

    :raises BodyTooLarge, BadRequest:
    """
    stated = environ.get("CONTENT_LENGTH")
    if stated:
        if not (stated.isascii() and stated.isdecimal()):
            raise BadRequest("Malformed Content-Length")
        length = int(stated) if len(stated) < 20 else max_body + 1  # `int` takes long for very many digits
        if length > max_body:
            raise _too_many_bytes(max_body)
    elif environ.get("wsgi.input_terminated") and "HTTP_TRANSFER_ENCODING" in environ:
        length = max_body + 1  # not stated: one byte more than the body may have shows that it is too large
    else:
        return
    left = length
    stream = environ["wsgi.input"]
    while left > 0 and (piece := _next_piece(stream, left)):
        left -= len(piece)
        if length - left > max_body:
            raise _too_many_bytes(max_body)
        yield piece
    if stated and left:
        raise BadRequest("The request body ended early")


def _next_piece(stream: IO[bytes], left: int) -> bytes:
    """:raises BadRequest: the stream fails; its error may have the text of the refusal as `answer`"""
    try:
        return stream.read(min(left, PIECE_SIZE))
    except OSError as error:
        raise BadRequest(getattr(error, "answer", "The request body ended early")) from error


def _form_pairs(body: bytes, environ: "WSGIEnvironment", files: list[bytes] | None = None) -> Pairs:
    """Return the fields of a form; append its files to the list, if there is one.

    :raises UnsupportedBody: the form is compressed, not in UTF-8, or of another kind
    :raises BodyTooLarge, BadRequest: too many fields, or a malformed form
    """
    encoding = environ.get("HTTP_CONTENT_ENCODING", "identity")
    if encoding.strip().lower() not in ("", "identity"):
        raise UnsupportedBody("Request bodies must not be compressed")
    content_type = environ.get("CONTENT_TYPE", "")
    if content_type == URLENCODED:  # most forms; it saves the time of parsing
        return _read_urlencoded(body, "form")
    media_type, options = parse_options_header(content_type)
    _require_utf8(options)
    if media_type == URLENCODED:
        return _read_urlencoded(body, "form")
    if media_type == MULTIPART:
        return multipart_fields(body, options.get("boundary", ""), files)
    raise UnsupportedBody(
        f"Send parameters as form fields ({URLENCODED} or {MULTIPART}),"
        " with JSON only inside the fields that call for it"
    )


def _read_urlencoded(data: bytes, source: str) -> Pairs:
    """Return the pairs of *data*, whose *source* the text of a refusal names.

    :raises BodyTooLarge: too many fields
    :raises BadRequest: they are not UTF-8
    """
    if data.count(b"&") >= MAX_FIELDS:
        raise _too_many_fields()
    try:
        return decode_form(data.removeprefix(BOM_UTF8))
    except ValueError as error:
        raise BadRequest(f"The {source} is not UTF-8 text") from error


def multipart_fields(body: bytes, boundary: str, files: list[bytes] | None = None) -> Pairs:
    """Return the text fields of a multipart form; append its files to the list, if there is one.

    :raises BodyTooLarge, UnsupportedBody, BadRequest:
    """
    marker = checked_boundary(boundary)
    try:
        return list(in_slices(_text_parts(body, marker, files)))
    except RequestEntityTooLarge as error:
        raise _too_many_fields() from error
    except ValueError as error:
        raise malformed_form() from error


def checked_boundary(boundary: str) -> bytes:
    """Return the boundary between the parts of a multipart form, as it is in the body.

    :raises BadRequest: there is none, or it is not ASCII
    """
    if not boundary or not boundary.isascii():
        raise BadRequest("Malformed multipart body: no boundary")
    return boundary.encode()


def malformed_form() -> BadRequest:
    """Return the error for a multipart body that cannot be read."""
    return BadRequest("Malformed multipart body")


def not_one_file() -> BadRequest:
    """Return the error for a form with no file, or with several."""
    return BadRequest("You must specify exactly one file to upload")


def _too_many_bytes(max_body: int) -> BodyTooLarge:
    return BodyTooLarge(f"at most {max_body} bytes")


def _too_many_fields() -> BodyTooLarge:
    return BodyTooLarge(f"at most {MAX_FIELDS} fields")


def _require_utf8(options: Mapping[str, str]) -> None:
    """Check the charset among the options of a media type.

    :raises UnsupportedBody: another one
    """
    if options.get("charset", "utf-8").lower() not in UTF8_NAMES:
        raise UnsupportedBody("Request bodies must be in UTF-8")


def _text_parts(body: bytes, boundary: bytes, files: list[bytes] | None) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the fields; append the files to the list, if there is one.

    :raises ValueError: the form is malformed, a field has no name, or its text is not UTF-8
    :raises UnsupportedBody: a text in another charset
    :raises RequestEntityTooLarge: too many parts
    """
    decoder = FormDecoder(boundary, max_parts=MAX_FIELDS)
    decoder.receive_data(body)
    decoder.receive_data(None)
    part: Any = None
    content = b""
    while not isinstance(event := decoder.next_event(), Epilogue | NeedData):
        if isinstance(event, Field | File):
            part, content = event, b""
        elif isinstance(event, Data):
            content += event.data
            if event.more_data:
                continue
            if isinstance(part, Field):
                yield _read_field(part, content)
            elif files is not None and content:  # browsers send an empty file where none was chosen
                files.append(content)


def _read_field(part: Field, content: bytes) -> tuple[str, str]:
    """Return name and text of a field; raises as `_text_parts` does."""
    if not part.name:
        raise ValueError("a part without a name")
    _, options = parse_options_header(part.headers.get("content-type", ""))
    _require_utf8(options)
    return part.name, content.decode()
