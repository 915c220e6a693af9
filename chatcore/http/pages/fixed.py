"""Pages that are the same for everybody, with their ETags and their compressed form.

No other answers are compressed: in them are secrets beside texts of other people, who could guess a secret by
the length of an answer (see decision 42).
"""

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Final

from werkzeug.http import is_resource_modified, parse_accept_header

from chatcore.http.response import Response
from chatcore.storage.slices import in_slices

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PIECE_SIZE: Final = 4096
"""Bytes that are compressed at a time, a fraction of a millisecond."""
LEVEL: Final = 9
WITH_GZIP_HEADER: Final = 31


class Fixed:
    """A page that *make* returns at the first request; it is kept, compressed too if that makes it smaller.

    The page must be bytes. Each form has an ETag of its own.
    """

    def __init__(self, make: Callable[[], Response]) -> None:
        self._make = make
        self._making = Lock()

    def __call__(self, environ: "WSGIEnvironment") -> Response:
        with self._making:  # making it lets others run, and those who ask for it meanwhile wait
            plain, zipped = self._forms
        response, etag = zipped if zipped is not None and _accepts_gzip(environ) else plain
        if is_resource_modified(environ, etag=etag):
            return response
        return Response(304, b"", response.headers)

    @cached_property
    def _forms(self) -> tuple[tuple[Response, str], tuple[Response, str] | None]:
        """Return the page as it is and, if that is shorter, compressed; each with its entity tag."""
        made = self._make()
        assert isinstance(made.body, bytes)
        content = _compress_content(made.body)
        # Browsers keep the policy of a page that they have stored, so a new policy is a new page.
        etag = hashlib.sha256(repr(made.headers).encode() + made.body).hexdigest()[:16]
        if len(content) >= len(made.body):
            return _with_etag(made, f'"{etag}"'), None
        plain = replace(made, headers=[*made.headers, ("Vary", "Accept-Encoding")])
        zipped = replace(plain, body=content, headers=[*plain.headers, ("Content-Encoding", "gzip")])
        return _with_etag(plain, f'"{etag}"'), _with_etag(zipped, f'"{etag}-gzip"')


def _with_etag(response: Response, etag: str) -> tuple[Response, str]:
    """Return a form of the page with its entity tag among the headers, and the tag."""
    return replace(response, headers=[*response.headers, ("ETag", etag)]), etag


def _accepts_gzip(environ: "WSGIEnvironment") -> bool:
    return parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING")).quality("gzip") > 0


def _compress_content(content: bytes) -> bytes:
    """Compress in slices, as one of the files takes 50 ms. The result is the same in each worker."""
    packer = zlib.compressobj(LEVEL, wbits=WITH_GZIP_HEADER)
    pieces = (content[start : start + PIECE_SIZE] for start in range(0, len(content), PIECE_SIZE))
    return b"".join([*map(packer.compress, in_slices(pieces)), packer.flush()])
