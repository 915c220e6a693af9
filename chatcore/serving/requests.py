"""The head of one incoming request, read strictly."""

import re
from collections.abc import Iterator
from typing import Any, Final

MAX_REQUEST_LINE: Final = 131_072
"""Bytes: 5000 ids of 16 digits, with escaped separators, and some more parameters."""
MAX_HEADER_LINE: Final = 8192
"""Bytes of one header."""
MAX_HEADERS: Final = 100
LINE_END: Final = b"\r\n"
MAX_HEADER_BYTES: Final = 32_768


class BadRequestHead(ValueError):
    """A request with an invalid request line or headers."""

    status = "400 Bad Request"
    answer = "Malformed HTTP request"
    """The text of the answer."""


class RequestLineTooLong(BadRequestHead):
    status = "414 URI Too Long"
    answer = f"The address with its query is too long (limit: {MAX_REQUEST_LINE} bytes)"


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
ONLY_ONCE: Final = frozenset({"authorization", "content-length", "content-type", "host", "transfer-encoding"})
"""Headers allowed only once: a proxy and this server could choose different ones of two."""


def read_headers(rfile: Any) -> Iterator[tuple[str, str]]:
    """Yield names in lower case and values, up to the empty line behind them.

    Only CRLF ends a line: a proxy that passes on a bare LF would see another header, or another request.

    :raises BadRequestHead: malformed, too many, or too long
    """
    count = total_bytes = 0
    while (line := rfile.readline(MAX_HEADER_LINE)) != LINE_END:
        total_bytes += len(line)
        if not line.endswith(b"\n") or total_bytes > MAX_HEADER_BYTES or count >= MAX_HEADERS:
            raise BadRequestHead("the headers are too long or end early")
        name, colon, value = line.removesuffix(LINE_END).decode("latin-1").partition(":")
        value = value.strip(" \t")
        if not colon or not _TOKEN.fullmatch(name) or _CONTROL.search(value):
            raise BadRequestHead("malformed header")
        yield name.lower(), value
        count += 1


class Head:
    """The headers of one request, with the methods that pywsgi needs."""

    status = ""

    def __init__(self, rfile: Any, version: str) -> None:
        self._version = version
        self.pairs: list[tuple[str, str]] = []
        self._values: dict[str, str] = {}
        for name, value in read_headers(rfile):
            self._add_header(name, value)
        self._check_framing()
        if version == "HTTP/1.1" and "host" not in self._values:
            raise BadRequestHead("no Host")

    def _add_header(self, name: str, value: str) -> None:
        if name in self._values and name in ONLY_ONCE:
            raise BadRequestHead(f"two headers {name}")
        self.pairs.append((name, value))
        self._values[name] = value

    def _check_framing(self) -> None:
        """Require at most one statement of where the body ends.

        :raises BadRequestHead: there are two, or one that cannot be followed
        """
        length, coding = self.get("content-length"), self.get("transfer-encoding")
        if length is not None and not (length.isascii() and length.isdecimal() and len(length) < 19):
            raise BadRequestHead("malformed Content-Length")
        if coding is not None and (length is not None or coding.lower() != "chunked"):
            raise BadRequestHead("the body's length is not clear")
        if coding is not None and self._version == "HTTP/1.0":  # an HTTP/1.0 proxy may not know chunks
            raise BadRequestHead("Transfer-Encoding in HTTP/1.0")

    def get(self, name: str, default: str | None = None) -> str | None:
        return self._values.get(name.lower(), default)

    getheader = get

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    @property
    def typeheader(self) -> str | None:
        return self._values.get("content-type")
