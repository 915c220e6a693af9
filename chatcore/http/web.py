"""The web client: one page, and its files below a path that holds a hash of them all.

So the page is asked for each time, and its files are stored by browsers for as long as they like.
"""

import hashlib
import mimetypes
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final

from chatcore.http.response import Response

FOLDER: Final = Path(__file__).parent.parent / "web"
PAGE: Final = "index.html"

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob: https: http:",  # pictures in messages may be those of other sites
        "media-src 'self' https: http:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
TYPES: Final = {".js": "text/javascript; charset=utf-8", ".md": "text/markdown; charset=utf-8"}


@cache
def _contents() -> Mapping[str, bytes]:
    """Return the files by their paths below the folder."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.is_file()
    }


@cache
def _version() -> str:
    hashed = hashlib.sha256()
    for name, content in _contents().items():
        hashed.update(f"{name}\0{len(content)}\0".encode() + content)
    return hashed.hexdigest()[:16]


def _page() -> Response:
    """Return the page; whatever the address after it, the rest is done by its scripts."""
    content = _contents()[PAGE].replace(b"{version}", _version().encode())
    headers = [
        ("Cache-Control", "no-cache"),
        ("Content-Security-Policy", POLICY),
        ("ETag", f'"{_version()}"'),
    ]
    return Response(200, content, headers, "text/html; charset=utf-8")


def _file(name: str) -> Response:
    suffix = Path(name).suffix
    content_type = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
    headers = [("Cache-Control", "public, max-age=31536000, immutable"), ("ETag", f'"{_version()}"')]
    return Response(200, _contents()[name], headers, content_type)


def web_pages() -> Mapping[str, Callable[[], Response]]:
    """Return the page and the files of the client by their paths."""
    files = {f"/web/{_version()}/{name}": partial(_file, name) for name in _contents() if name != PAGE}
    return {"/": _page, **files}
