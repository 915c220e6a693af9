"""Pages for browsers: the web client, and the reference in which the API can be tried.

Each is one page, and its files below a path that holds a hash of them all. So the page is asked for each
time, and its files are stored by browsers for as long as they like. Styles that another one imports are
sent with it, which compresses better and needs one request. The service worker of the client stands beside
the page, because its scope is the folder of its address.
"""

import hashlib
import mimetypes
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from chatcore.http.pages.fixed import Fixed
from chatcore.http.pages.imports import insert_links
from chatcore.http.response import Response

CHATCORE: Final = Path(__file__).parents[2]
PAGE: Final = "index.html"
WORKER: Final = "device/worker.js"
SHELL: Final = {".js", ".css", ".svg", ".png"}
"""The kinds of files that a page can need; the others are for readers of the source."""
TYPES: Final = {".js": "text/javascript; charset=utf-8", ".md": "text/markdown; charset=utf-8"}
COMMENTED: Final = {".js", ".css"}
"""The kinds of files that are sent without `FOR_READERS`, except those in `VENDORED`."""
VENDORED: Final = "vendor/"
STYLE_IMPORT: Final = re.compile(r'^@import url\("([^"]+)"\);$', re.MULTILINE)
FOR_READERS: Final = re.compile(
    rb"""
      ^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$    # a comment with lines of its own
    | ^[ \t]*//[^\n]*$
    | /\*\*[^*\n]*@[^*\n]*\*/[ \t]*         # a type
    | (?<=[;,{}()\]])[ ](?:/\*[^*\n]*\*/|//[^"'`\n]*)$   # a comment behind code
    | ^[ \t]+
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""Parts of the source that are not sent, a fifth of it: comments, types and indentation. Lines of comments
are sent empty, so that the line numbers of scripts in browsers are those of the source.
"""


class PageWithFiles:
    """The page at the path *address*, and its files below the path *files*; both come from one folder.
    *policy* has the sources that its Content-Security-Policy allows beside the usual ones, by directive.
    """

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
        policy += "; frame-ancestors " + (" ".join(frame_ancestors) or "'none'")
        return {self._address: Fixed(partial(self._page, policy)), **self._fixed_files}

    def address_of(self, name: str) -> str:
        """Return the address of a file, without the slash at its beginning: it is below that of the mount."""
        return f"{self._files}/{self._version}/{name}".removeprefix("/")

    @cached_property
    def _fixed_files(self) -> Mapping[str, Fixed]:
        files = {
            f"{self._files}/{self._version}/{name}": Fixed(partial(self._answer_file, name))
            for name in self._sent_names
            if name not in (PAGE, WORKER)
        }
        if WORKER in self._file_names:
            files[f"/{Path(WORKER).name}"] = Fixed(self._worker)
        return files

    @cached_property
    def _file_names(self) -> list[str]:
        """Return the paths of the files below the folder."""
        paths = (path for path in self._folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self._folder).as_posix() for path in paths)

    @cached_property
    def _sent_names(self) -> list[str]:
        """Return the paths of the files that are sent: all but the styles that are parts of others."""
        styles = [name for name in self._file_names if name.endswith(".css")]
        parts = {part for style in styles for part in self._parts_of(style)}
        return [name for name in self._file_names if name not in parts]

    def _parts_of(self, style: str) -> list[str]:
        """Return the paths of the styles that a style imports, from its folder; it has nothing else then."""
        return [f"{Path(style).parent}/{part}" for part in STYLE_IMPORT.findall(self._read(style))]

    @cached_property
    def _version(self) -> str:
        """Return a hash of all files, which is part of their addresses. It covers `FOR_READERS` too: another
        pattern changes the files that are sent.
        """
        hashed = hashlib.sha256(FOR_READERS.pattern)
        for name in self._file_names:
            content = (self._folder / name).read_bytes()
            hashed.update(f"{name}\0{len(content)}\0".encode() + content)
        return hashed.hexdigest()[:16]

    def _page(self, policy: str) -> Response:
        """Return the page, the same for any fragment of its address: its scripts show what that says."""
        page = insert_links(self._read(PAGE), self._read)
        content = page.replace("{version}", self._version).encode()
        headers = [("Cache-Control", "no-cache"), ("Content-Security-Policy", policy)]
        return Response(200, content, headers, "text/html; charset=utf-8")

    def _worker(self) -> Response:
        """Return the service worker, which names the files that the page may need."""
        shell = [name for name in self._sent_names if Path(name).suffix in SHELL and name != WORKER]
        content = self._read(WORKER).replace("{files}", " ".join(shell)).replace("{version}", self._version)
        headers = [
            ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", "default-src 'none'; connect-src 'self'"),
        ]
        return Response(200, _for_browsers(content.encode()), headers, TYPES[".js"])

    def _read(self, name: str) -> str:
        return (self._folder / name).read_text("utf-8")

    def _answer_file(self, name: str) -> Response:
        """Return a file; scripts and styles without the parts that only readers of the source need."""
        suffix = Path(name).suffix
        content_type = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
        headers = [("Cache-Control", "public, max-age=31536000, immutable")]
        parts = self._parts_of(name) if suffix == ".css" else []
        content = b"".join((self._folder / one).read_bytes() for one in parts or [name])
        if suffix in COMMENTED and not name.startswith(VENDORED):
            content = _for_browsers(content)
        return Response(200, content, headers, content_type)


def _for_browsers(content: bytes) -> bytes:
    """Return a script or a style without the parts that only readers of the source need."""
    return FOR_READERS.sub(lambda found: b"\n" * found[0].count(b"\n"), content)


CLIENT: Final = PageWithFiles(
    CHATCORE / "web",
    "/",
    "/web",
    img_src="'self' data: blob:",
    media_src="'self'",
    form_action="'self'",
    manifest_src="'self'",
)
REFERENCE: Final = PageWithFiles(
    CHATCORE / "reference", "/api/docs", "/api/docs", img_src="'self' data:", form_action="'none'"
)
