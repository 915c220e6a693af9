"""Pages for browsers: the web client, and the reference in which the API can be tried.

Each is one page, and its files below a path that holds a hash of them all. So the page is asked for each
time, and its files are stored by browsers for as long as they like.
"""

import hashlib
import mimetypes
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from chatcore.http.pages.fixed import Fixed
from chatcore.http.pages.imports import links_to_imports
from chatcore.http.response import Response

CHATCORE: Final = Path(__file__).parents[2]
PAGE: Final = "index.html"
NOBODY: Final = "'none'"
TYPES: Final = {".js": "text/javascript; charset=utf-8", ".md": "text/markdown; charset=utf-8"}
COMMENTED: Final = {".js", ".css"}
VENDORED: Final = "vendor/"
COMMENT: Final = re.compile(rb"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.DOTALL | re.MULTILINE)
"""A comment with lines of its own: a sixth of what would be sent, for those who read the source alone. Its
lines stay, empty, so that browsers name the lines of the source.
"""


class Site:
    """The page at *address*, and its files below *files*; both come from one folder."""

    def __init__(self, folder: Path, address: str, files: str, **policy: str) -> None:
        self._folder = folder
        self._address = address
        self._files = files
        self._allowed = {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "connect-src": "'self'",
            **{name.replace("_", "-"): sources for name, sources in policy.items()},
            "base-uri": "'none'",
        }

    def pages(
        self, frame_ancestors: Sequence[str] = (), *, foreign_media: bool = False
    ) -> Mapping[str, Fixed]:
        """Return the page and its files by their paths; pages of *frame_ancestors* may show it in a frame.
        With *foreign_media*, it may show pictures, films and sounds of other sites.
        """
        allowed = dict(self._allowed)
        if foreign_media:
            allowed |= {name: f"{allowed[name]} https: http:" for name in ("img-src", "media-src")}
        policy = "; ".join(f"{name} {sources}" for name, sources in allowed.items())
        policy += f"; frame-ancestors {' '.join(frame_ancestors) or NOBODY}"
        return {self._address: Fixed(partial(self._page, policy)), **self._fixed_files}

    @cached_property
    def _fixed_files(self) -> Mapping[str, Fixed]:
        return {
            f"{self._files}/{self._version}/{name}": Fixed(partial(self._file, name))
            for name in self._names
            if name != PAGE
        }

    @cached_property
    def _names(self) -> list[str]:
        """Return the paths of the files below the folder."""
        paths = (path for path in self._folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self._folder).as_posix() for path in paths)

    @cached_property
    def _version(self) -> str:
        hashed = hashlib.sha256()
        for name in self._names:
            content = (self._folder / name).read_bytes()
            hashed.update(f"{name}\0{len(content)}\0".encode() + content)
        return hashed.hexdigest()[:16]

    def _page(self, policy: str) -> Response:
        """Return the page; whatever the address after it, the rest is done by its scripts."""
        page = self._text(PAGE)
        links = "\n    ".join(links_to_imports(page, self._text))
        content = page.replace("{imports}", links).replace("{version}", self._version).encode()
        headers = [("Cache-Control", "no-cache"), ("Content-Security-Policy", policy)]
        return Response(200, content, headers, "text/html; charset=utf-8")

    def _text(self, name: str) -> str:
        return (self._folder / name).read_text("utf-8")

    def _file(self, name: str) -> Response:
        suffix = Path(name).suffix
        content_type = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
        headers = [("Cache-Control", "public, max-age=31536000, immutable")]
        content = (self._folder / name).read_bytes()
        if suffix in COMMENTED and not name.startswith(VENDORED):
            content = COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), content)
        return Response(200, content, headers, content_type)


CLIENT: Final = Site(
    CHATCORE / "web",
    "/",
    "/web",
    img_src="'self' data: blob:",
    media_src="'self'",
    form_action="'self'",
)
REFERENCE: Final = Site(
    CHATCORE / "reference", "/api/docs", "/api/docs", img_src="'self' data:", form_action="'none'"
)
