"""Addresses: those that may be linked to, bare ones in a text, and links into the realm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from chatcore.markup.options import Options
from chatcore.markup.source import OPEN
from chatcore.markup.urls.tlds import TLDS

SCHEMES: Final = frozenset(
    """
    http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto
    ssh tel urn webcal wtai xmpp
    """.split()  # noqa: SIM905
)
"""The only schemes of links."""
WEB: Final = frozenset({"http", "https"})
"""Schemes of addresses that need a host."""

MAX_NESTED_PARENTHESES: Final = 6
MAX_SEARCHES: Final = 40
"""Searches for addresses in one run of characters without a blank, after which the run counts as noise."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LINE_BREAK = re.compile(r"[\t\n\r]")
"""Characters that browsers leave out."""
_OTHER_HOST = re.compile(r"/[/\\&]")
"""A path that a browser may take for another host's address; `&` may be a slash as a character reference."""
_UPLOADS = "/user_uploads/"
_DOTS = re.compile(r"[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)", re.IGNORECASE)
"""Parts of a path that lead out of it."""
_START = re.compile(
    r"""(?<![^\s'"(,:<])(?=https?://|[\w-]+\.|[\w.-]+@|bitcoin:|file://)""",
)
_DOTTED = re.compile(r"\.\w")
_RUN = re.compile(r"(?<!\S)\S*?(?:\.\w|://|bitcoin:)\S*")
_CLOSING_MARKS = "!:;?),.'\">"
"""They may stand behind an address without being part of it."""
_WITH_SCHEME = re.compile(r"https?://(?P<host>[\w.:@-]+)")
_HOST = re.compile(r"[\w.-]+")
_EMAIL = re.compile(r"[\w.-]+@[\w.-]+\.\w+")
_BITCOIN = re.compile(r"bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}")
_FILE = re.compile(r"file://(?:/[^/ ]*)+/?")
_STOP = re.compile(f'["{OPEN}]')
_PARENTHESIS = re.compile(r"[()]")


def safe_address(url: str) -> str | None:
    """Return *url* in the form for a link, if allowed. Without a scheme it is http, or an e-mail address."""
    if _CONTROL.search(url):
        return None
    url = _LINE_BREAK.sub("", url).replace(" ", "%20")
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme:
        if parts.scheme not in SCHEMES or (parts.scheme in WEB and not parts.netloc):
            return None
        return parts.scheme + url[len(parts.scheme) :]
    if parts.netloc or url.startswith("\\"):
        return None
    if parts.path.startswith("/"):
        return None if _OTHER_HOST.match(parts.path) else url
    if parts.fragment and not parts.path and not parts.query:
        return url
    return safe_address(f"mailto:{url}" if "@" in parts.path and "/" not in parts.path else f"http://{url}")


def relative_to_realm(url: str, options: Options) -> str:
    """Return a link to the realm's pages and uploads without the host, so that it opens in the same
    window.
    """
    prefix = options.realm_url + "/"
    if options.realm_url and url.startswith((prefix + "#", prefix + "user_uploads/")):
        return url[len(prefix) :]
    return url


def upload_path_id(url: str, options: Options) -> str | None:
    """Return the path id of the upload that *url* leads to, or None if it leads to none."""
    path = "/" + url if url.startswith("user_uploads/") else url.removeprefix(options.realm_url)
    if not path.startswith(_UPLOADS) or _DOTS.search(path):
        return None
    return path[len(_UPLOADS) :].partition("?")[0].partition("#")[0] or None


def is_fetched(url: str, options: Options) -> bool:
    """Whether what *url* leads to may be shown in a message: of this server, only uploads."""
    if upload_path_id(url, options) is not None:
        return True
    return options.previews and url.startswith(("http://", "https://"))


@dataclass(frozen=True, slots=True)
class BareAddress:
    start: int
    end: int
    text: str


def bare_addresses(text: str, *, file_links: bool) -> Iterator[BareAddress]:
    """Yield the addresses that stand in *text* without link syntax."""
    if not ("://" in text or _DOTTED.search(text) or "bitcoin:" in text):
        return
    for run in _RUN.finditer(text):
        chunk = run[0]
        core = len(chunk.rstrip(_CLOSING_MARKS))
        past = 0
        searches = 0
        for candidate in _START.finditer(chunk):
            start = candidate.start()
            if start < past:
                continue
            searches += 1
            if searches > MAX_SEARCHES:
                break
            end = _end_of_address(chunk, start, core, file_links)
            if end is not None:
                past = end
                yield BareAddress(run.start() + start, run.start() + end, chunk[start:end])


def _end_of_address(chunk: str, start: int, core: int, file_links: bool) -> int | None:
    """Return the end of the address that begins at *start*, or None if there is none.

    *core* is the length of the chunk without the closing marks at its end, such as the full stop of a
    sentence. Nothing but these marks may follow an address, so it ends at *core* or among the marks.
    """
    with_scheme = _WITH_SCHEME.match(chunk, start)
    host = with_scheme or _match_host(chunk, start, core)
    if host is not None:
        if host.end() >= core:
            # What stands right behind a scheme is a host, even a closing mark.
            return core if with_scheme is None else max(core, with_scheme.start("host") + 1)
        if chunk[host.end()] == "/":
            end = _end_of_path(chunk, host.end() + 1, core)
            if end is not None:
                return end
    others = (_EMAIL, _BITCOIN, _FILE) if file_links else (_EMAIL, _BITCOIN)
    return core if any(other.fullmatch(chunk, start, core) for other in others) else None


def _match_host(chunk: str, start: int, core: int) -> re.Match[str] | None:
    """Return the match of a host name at *start*, or None if its top-level domain is not known."""
    host = _HOST.match(chunk, start)
    assert host is not None, "an address starts with a letter of its host"
    name = host[0] if host.end() < core else chunk[start:core]
    labels = name.split(".")
    return host if len(labels) > 1 and all(labels) and labels[-1] in TLDS else None


def _end_of_path(chunk: str, start: int, core: int) -> int | None:
    """Return the first index from *core* on at which the parentheses of the path are balanced, or None if
    there is none.
    """
    stop = _STOP.search(chunk, start)
    limit = stop.start() if stop else len(chunk)
    depth = 0
    for match in _PARENTHESIS.finditer(chunk, start, limit):
        if depth == 0 and match.start() >= core:
            return max(core, start)
        depth += 1 if match[0] == "(" else -1
        if not 0 <= depth <= MAX_NESTED_PARENTHESES:
            return None
        if depth == 0 and match.end() >= core:
            return match.end()
    return max(core, start) if depth == 0 and limit >= core else None
