"""Resumable uploads in the tus protocol, 1.0.0: its core and the extensions that `EXTENSIONS` names.

An upload's id is the path id of its later file. Refusals are `{"message": …}`; their status is rarely 400,
because clients retry after that.
"""

import hashlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Final

from werkzeug.http import http_date

from chatcore.application.arguments import about
from chatcore.application.files import resumable
from chatcore.application.files.resumable import Checksum, UploadProgress
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.files.uploads import FileTooLarge, QuotaExceeded, UploadsDisabled, max_bytes
from chatcore.http.bodies.incoming import Header, Incoming
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.encoding import encode
from chatcore.http.pipeline.envelope import error_response
from chatcore.http.pipeline.routing import API_PREFIX
from chatcore.http.response import Headers, Response

VERSION: Final = "1.0.0"
EXTENSIONS: Final = "creation,creation-with-upload,termination,expiration,checksum"
OFFSET_TYPE: Final = "application/offset+octet-stream"
ALGORITHMS: Final[Mapping[str, Any]] = {
    "sha1": partial(hashlib.sha1, usedforsecurity=False),
    "sha256": hashlib.sha256,
}
MAX_DIGITS: Final = 15
"""Digits of a length or an offset."""

_RESUMABLE: Final = Header("Tus-Resumable", f"The version of the protocol, {VERSION}.", required=True)
_CHECKSUM: Final = Header(
    "Upload-Checksum", f"The checksum of the bytes sent: {' or '.join(ALGORITHMS)}, a blank, and base64."
)
HEADERS_OF_ALL: Final = (_RESUMABLE,)
HEADERS_OF_CREATING: Final = (
    _RESUMABLE,
    Header("Upload-Length", "Bytes of the whole file.", "integer", required=True),
    Header("Upload-Metadata", "Keys with values in base64; `filename` and `filetype` are read."),
    _CHECKSUM,
)
HEADERS_OF_RECEIVING: Final = (
    _RESUMABLE,
    Header("Upload-Offset", "The number of bytes that have arrived before.", "integer", required=True),
    _CHECKSUM,
)
"""Request headers."""

STATUSES: Final[Mapping[type[ChatError], int]] = {
    FileTooLarge: 413,
    QuotaExceeded: 413,
    UploadsDisabled: 413,
}
"""Refusals that are 400 elsewhere."""


class WrongVersion(ChatError):
    """The client requests an unsupported version of the upload protocol."""

    status = 412

    def __init__(self) -> None:
        super().__init__(f"Speak version {VERSION} of the tus protocol")


class LengthRequired(ChatError):
    """An upload must declare its length in advance."""

    status = 411

    def __init__(self) -> None:
        super().__init__("Upload-Length is required; it cannot be told later")


class Unprocessable(ChatError):
    """A malformed header."""

    status = 422


class WrongContentType(ChatError):
    """The bytes of an upload have a media type other than that of the protocol."""

    status = 415

    def __init__(self) -> None:
        super().__init__(f"Send the bytes as {OFFSET_TYPE}")


# The requests


def describe(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Describe this server's support of the tus protocol."""
    try:
        size = max_bytes(svc.limits)
    except UploadsDisabled:
        size = 0
    headers: Headers = [
        ("Tus-Resumable", VERSION),
        ("Tus-Version", VERSION),
        ("Tus-Extension", EXTENSIONS),
        ("Tus-Max-Size", str(size)),
        ("Tus-Checksum-Algorithm", ",".join(ALGORITHMS)),
    ]
    return Response(204, b"", headers)


class UploadParams(Params, frozen=True, kw_only=True):
    upload_id: Annotated[Text, about("The upload's id.")]


def describe_one(svc: Services, caller: Caller, request: Incoming, p: UploadParams) -> Response:
    """Describe this server's support of the tus protocol, at the address of an upload."""
    return describe(svc, caller, request, NoParams())


def create(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Begin a resumable upload, with or without its first bytes."""
    _require_version(request)
    if request.header("Upload-Length") is None:
        raise LengthRequired
    length = _read_number(request, "Upload-Length")
    metadata = request.header("Upload-Metadata") or ""
    entries = _parse_metadata(metadata)
    with_bytes = request.content_type == OFFSET_TYPE
    checksum = _read_checksum(request) if with_bytes else None
    progress = resumable.create(
        svc,
        caller.actor,
        length,
        name=entries.get("filename", ""),
        content_type=entries.get("filetype", ""),
        metadata=metadata,
    )
    if with_bytes and progress.attachment is None:
        pieces = _body_pieces(svc, request)
        progress = resumable.receive(svc, caller.actor, progress.upload.path_id, 0, pieces, checksum=checksum)
    location = f"{request.mount}{API_PREFIX}/tus/{progress.upload.path_id}"
    return _answer(progress, 201, ("Location", location))


def status(svc: Services, caller: Caller, request: Incoming, p: UploadParams) -> Response:
    """Get how many bytes of a resumable upload have arrived."""
    _require_version(request)
    progress = resumable.progress(svc, caller.actor, _upload_id(p))
    headers: Headers = [("Upload-Length", str(progress.length))]
    if progress.upload.metadata:
        headers.append(("Upload-Metadata", progress.upload.metadata))
    return Response(200, b"", [*_progress_headers(progress), *headers])


def receive(svc: Services, caller: Caller, request: Incoming, p: UploadParams) -> Response:
    """Send more bytes of a resumable upload; the last ones complete the file."""
    _require_version(request)
    if request.content_type != OFFSET_TYPE:
        raise WrongContentType
    offset = _read_number(request, "Upload-Offset")
    checksum = _read_checksum(request)
    pieces = _body_pieces(svc, request)
    progress = resumable.receive(svc, caller.actor, _upload_id(p), offset, pieces, checksum=checksum)
    return _answer(progress, 204)


def terminate(svc: Services, caller: Caller, request: Incoming, p: UploadParams) -> Response:
    """Cancel a resumable upload."""
    _require_version(request)
    resumable.terminate(svc, caller.actor, _upload_id(p))
    return Response(204, b"", [("Tus-Resumable", VERSION)])


def _upload_id(p: UploadParams) -> str:
    """Return the id of an upload. Some clients append text to it, after a character that occurs in no id."""
    return p.upload_id.partition("+")[0]


def _body_pieces(svc: Services, request: Incoming) -> Iterator[bytes]:
    return request.pieces(max_bytes(svc.limits))


# Headers


def _require_version(request: Incoming) -> None:
    if request.header("Tus-Resumable") != VERSION:
        raise WrongVersion


def _read_number(request: Incoming, name: str) -> int:
    """Return the number in a header; one with very many digits counts as `10**MAX_DIGITS`.

    :raises Unprocessable: no such header, or not a number
    """
    text = request.header(name) or ""
    if not text.isascii() or not text.isdecimal():
        raise Unprocessable(f"{name} must be a number")
    return int(text) if len(text) <= MAX_DIGITS else 10**MAX_DIGITS


def _parse_metadata(header: str) -> dict[str, str]:
    """Return a file's metadata by key. A header has pairs of a key and base64 of UTF-8, such as
    `filename YS50eHQ=`, or keys alone, separated by commas.

    :raises Unprocessable: a value is not base64 of UTF-8
    """
    entries: dict[str, str] = {}
    for pair in header.split(","):
        key, _, encoded = pair.strip().partition(" ")
        if not key:
            continue
        try:
            entries[key] = b64decode(encoded.strip(), validate=True).decode()
        except ValueError as error:
            raise Unprocessable("Upload-Metadata must hold pairs of a key and base64 of UTF-8") from error
    return entries


def _read_checksum(request: Incoming) -> Checksum | None:
    """Return the checksum of the sent bytes, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`; None without one.

    :raises BadRequest: an unknown algorithm, or no base64
    """
    header = request.header("Upload-Checksum")
    if header is None:
        return None
    algorithm, _, encoded = header.partition(" ")
    start = ALGORITHMS.get(algorithm)
    if start is None:
        raise BadRequest(f"Checksums can be {', '.join(ALGORITHMS)}")
    try:
        expected = b64decode(encoded.strip(), validate=True)
    except ValueError as error:
        raise BadRequest("Upload-Checksum must end in base64") from error
    return Checksum(start, expected)


# Answers


def _progress_headers(progress: UploadProgress) -> Headers:
    headers: Headers = [("Tus-Resumable", VERSION), ("Upload-Offset", str(progress.upload.offset))]
    if progress.attachment is None:
        headers.append(("Upload-Expires", http_date(progress.upload.expires_at)))
    return headers


def _answer(progress: UploadProgress, status: int, *headers: tuple[str, str]) -> Response:
    """Return the state of an upload; for a finished one, the address and the name of the file."""
    attachment = progress.attachment
    if attachment is None:
        return Response(status, b"", [*_progress_headers(progress), *headers])
    body = encode({"url": attachment.url, "uri": attachment.url, "filename": attachment.name})
    return Response(200 if status == 204 else status, body, [*_progress_headers(progress), *headers])


def refuse(error: ChatError, request: Incoming) -> Response:
    """Return a refusal in the format of the protocol."""
    usual = error_response(error)
    headers = [*usual.headers, ("Tus-Resumable", VERSION)]
    if isinstance(error, WrongVersion):
        headers.append(("Tus-Version", VERSION))
    return Response(STATUSES.get(type(error), error.status), encode({"message": error.message}), headers)
