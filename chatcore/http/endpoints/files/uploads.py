"""Endpoints that upload files, read them, and list the caller's own. Resumable uploads are in `tus`."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import (
    generate_etag,
    is_resource_modified,
    parse_accept_header,
    parse_if_range_header,
    parse_range_header,
    quote_etag,
)

from chatcore.application.arguments import Id, about
from chatcore.application.files import access, uploads
from chatcore.application.files.access import OpenFile
from chatcore.application.services import Services
from chatcore.domain.errors import ChatError, LoginRequired
from chatcore.domain.files.media_types import PDF, essence
from chatcore.domain.files.uploads import NoSuchFile, max_bytes, shown_name
from chatcore.events.payloads.uploads import AttachmentObject
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.multipart import one_file
from chatcore.http.disposition import content_disposition
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.envelope import error_response
from chatcore.http.pipeline.routing import Answer
from chatcore.http.response import FilePart, Headers, Response

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

POLICY: Final = (
    "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'"
)
SANDBOX: Final = "; sandbox"
"""A policy under which nothing in a file can act on behalf of the site. The PDF viewers of browsers do not
work under it.
"""

# Uploading


class UploadAnswer(Answer, frozen=True, kw_only=True):
    url: str
    uri: str
    filename: str


def upload(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> UploadAnswer:
    """Upload a file.

    The form has exactly one file; the name of its part does not matter.
    """
    sent = one_file(request, max_bytes(svc.limits))
    attachment = uploads.upload(svc, caller.actor, sent.name, sent.content_type, sent.pieces)
    return UploadAnswer(url=attachment.url, uri=attachment.url, filename=attachment.name)


class AttachmentsAnswer(Answer, frozen=True, kw_only=True):
    attachments: list[AttachmentObject]
    upload_space_used: int


def list_own(svc: Services, caller: Caller, p: NoParams) -> AttachmentsAnswer:
    """List the caller's uploaded files."""
    own = uploads.own_files(svc, caller.actor)
    return AttachmentsAnswer(attachments=list(own.attachments), upload_space_used=own.space_used)


# Reading


class FileParams(Params, frozen=True, kw_only=True):
    realm_id: Annotated[Id, about("The id of the organization in the address of the file.")]
    filename: Annotated[Text, about("The rest of the address of the file.")]


def read(svc: Services, caller: Caller, request: Incoming, p: FileParams) -> Response:
    """Read an uploaded file."""
    opened = access.open_file(svc, caller.actor_or_none, _path_id(p))
    return serve(opened, request.environ, download=False)


def download(svc: Services, caller: Caller, request: Incoming, p: FileParams) -> Response:
    """Download an uploaded file: browsers save it instead of showing it."""
    opened = access.open_file(svc, caller.actor_or_none, _path_id(p))
    return serve(opened, request.environ, download=True)


class TemporaryUrlParams(Params, frozen=True, kw_only=True):
    realm_id_str: Annotated[Id, about("The id of the organization in the address of the file.")]
    filename: Annotated[Text, about("The rest of the address of the file.")]


class TemporaryUrlAnswer(Answer, frozen=True, kw_only=True):
    url: str


def temporary_url(svc: Services, caller: Caller, p: TemporaryUrlParams) -> TemporaryUrlAnswer:
    """Get an address from which an uploaded file can be read for a minute without an account."""
    path_id = f"{p.realm_id_str}/{p.filename}"
    return TemporaryUrlAnswer(url=access.temporary_url(svc, caller.actor, path_id))


class TemporaryParams(Params, frozen=True, kw_only=True):
    token: Annotated[Text, about("The token in the temporary address.")]
    filename: Annotated[Text, about("The rest of the address of the file.")]


def read_temporary(svc: Services, caller: Caller, request: Incoming, p: TemporaryParams) -> Response:
    """Read an uploaded file from its temporary address."""
    return serve(access.open_temporary(svc, p.token, p.filename), request.environ, download=False)


def _path_id(p: FileParams) -> str:
    return f"{p.realm_id}/{p.filename}"


def serve(
    opened: OpenFile, environ: "WSGIEnvironment", *, download: bool, cache: str = "private, immutable"
) -> Response:
    """Return an answer with the file, or the requested part of it; without content if the client has the file
    already, or the part begins beyond its end.

    *download* makes browsers save the file; *cache* is the value of `Cache-Control`.
    """
    attachment = opened.attachment
    inline = attachment.is_shown and not download
    etag = quote_etag(generate_etag(attachment.path_id.encode()))
    sandbox = "" if inline and essence(attachment.content_type) == PDF else SANDBOX
    headers: Headers = [
        ("Cache-Control", cache),
        ("Content-Disposition", content_disposition(shown_name(attachment.name), inline=inline)),
        ("Content-Security-Policy", POLICY + sandbox),
        ("Accept-Ranges", "bytes"),
        ("ETag", etag),
    ]
    if not is_resource_modified(environ, etag=etag, ignore_if_range=True):
        opened.file.close()
        return Response(304, b"", headers)
    start, end = 0, attachment.size
    status = 200
    if (part := _requested_part(environ, attachment.size, etag)) is not None:
        start, end = part
        status = 206
        if start >= end:
            opened.file.close()
            return Response(416, b"", [*headers, ("Content-Range", f"bytes */{attachment.size}")])
        headers.append(("Content-Range", f"bytes {start}-{end - 1}/{attachment.size}"))
    return Response(status, FilePart(opened.file, start, end - start), headers, attachment.content_type)


def _requested_part(environ: "WSGIEnvironment", size: int, etag: str) -> tuple[int, int] | None:
    """Return start and end of the requested part, in bytes; None for the whole file: if no part or several
    parts are requested, or the part is one of another file than that of the *etag*.
    """
    wanted = parse_range_header(environ.get("HTTP_RANGE"))
    if wanted is None or wanted.units != "bytes" or len(wanted.ranges) != 1:
        return None
    if "HTTP_IF_RANGE" in environ:
        known = parse_if_range_header(environ["HTTP_IF_RANGE"]).etag
        if known is None or quote_etag(known) != etag:
            return None
    start, end = wanted.ranges[0]
    if start < 0:  # so many bytes from the end
        start = max(0, size + start)
    return start, size if end is None else min(end, size)


# Refusals

PLACEHOLDER: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49"
    "44415478da6338030000ce00cd79eeea3d0000000049454e44ae426082"
)
"""A grey picture of one pixel."""
PAGE: Final = "<!doctype html><meta charset=utf-8><title>{title}</title><p>{title}"


def refuse(error: ChatError, request: Incoming) -> Response | None:
    """Return a refusal in a form that suits the place of the file: a picture, a short page, the envelope."""
    if not isinstance(error, NoSuchFile | LoginRequired):
        return None
    envelope = error_response(error)
    headers = [*envelope.headers, ("Vary", "Accept")]
    accepted = parse_accept_header(request.header("Accept"), MIMEAccept)
    as_json = accepted.quality("application/json")
    as_page = accepted.quality("text/html")
    if accepted.quality("image/png") > max(as_json, as_page):
        return Response(error.status, PLACEHOLDER, headers, "image/png")
    if as_page > as_json:
        page = PAGE.format(title=error.message).encode()
        return Response(error.status, page, headers, "text/html; charset=utf-8")
    return replace(envelope, headers=headers)
