"""Linkifiers: patterns of the administrators that make links, in their order, in messages and topics.

Patterns run on RE2 only, which is linear in the text whatever the pattern is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

import re2
import uritemplate

from chatcore.markup.options import Linkifier, Options
from chatcore.markup.source import OPEN
from chatcore.markup.urls import bare_addresses, safe_address

MAX_PATTERN_LENGTH: Final = 1_000
MAX_MATCHES: Final = 1_000
"""Of one linkifier in one text."""

_NAME = r"[A-Za-z0-9_]+(?:\*|:[1-9][0-9]{0,3})?"
_EXPRESSION = re.compile(rf"\{{[+#./;?&]?{_NAME}(?:,{_NAME})*\}}")
_EMAIL = re.compile(r"[^/]+@[^/]+")
SCHEME: Final = re.compile(r"https?://[^{}/?#]+(?:[/?#]|$)", re.IGNORECASE)
"""How a template begins whose variables fill neither scheme nor host."""


class BadLinkifier(ValueError):
    """The pattern or the template of a linkifier cannot be used; the text says why."""


def check_linkifier(linkifier: Linkifier) -> None:
    """Raises BadLinkifier when *linkifier* must not be saved. Its pattern being unique is not checked."""
    if not linkifier.pattern or len(linkifier.pattern) > MAX_PATTERN_LENGTH:
        raise BadLinkifier(f"The pattern must have 1 to {MAX_PATTERN_LENGTH} characters.")
    try:
        groups = {name.decode() for name in _compile(linkifier.pattern).groupindex}
    except re2.error as problem:
        reason = problem.args[0].decode(errors="replace") if problem.args else ""
        raise BadLinkifier(f"The pattern cannot be used: {reason}") from problem
    if set("{}") & set(_EXPRESSION.sub("", linkifier.url_template)):
        raise BadLinkifier("The URL template is not valid.")
    if not SCHEME.match(linkifier.url_template):
        raise BadLinkifier("The URL template must begin with http:// or https:// and a host.")
    variables = set(uritemplate.variables(linkifier.url_template))
    if missing := sorted(groups - variables):
        raise BadLinkifier(f"These groups of the pattern are not in the URL template: {', '.join(missing)}")
    if missing := sorted(variables - groups):
        raise BadLinkifier(
            f"These variables of the URL template are not in the pattern: {', '.join(missing)}"
        )


def _compile(pattern: str) -> Any:
    """*pattern* as group 1, where a linkifier may begin, and followed by no letter or digit."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 22
    re2.compile(pattern.encode(), options)
    return re2.compile(rf"(?:^|[\s\pZ'\"(,:<])({pattern})(?:$|[^\pL\pN])".encode(), options)


@dataclass(frozen=True, slots=True)
class Match:
    start: int
    text: str
    url: str


class _Compiled:
    """A linkifier ready for use; one that can no longer be compiled matches nothing."""

    def __init__(self, linkifier: Linkifier) -> None:
        try:
            self._pattern = _compile(linkifier.pattern)
        except re2.error:
            self._pattern = None
        self._template = uritemplate.URITemplate(linkifier.url_template)

    def matches(self, text: bytes) -> Iterator[tuple[int, int, str]]:
        """(start, end, url) of each match, in bytes. What follows a match may be what precedes the next."""
        position = 0
        for _ in range(MAX_MATCHES):
            found = self._pattern.search(text, position) if self._pattern else None
            if found is None:
                return
            start, end = found.span(1)
            if end > start and not (_is_inside(text, start) or _is_inside(text, end)):
                values = {
                    name.decode(): (value or b"").decode(errors="replace")
                    for name, value in found.groupdict().items()
                }
                if url := safe_address(self._template.expand(values)):
                    yield start, end, url
            position = max(end, position + 1)


def _is_inside(text: bytes, place: int) -> bool:
    """RE2 can match single bytes of a character: such matches are none."""
    return text[place : place + 1] >= b"\x80" and text[place] & 0xC0 == 0x80


@lru_cache(maxsize=4096)
def _compiled(linkifier: Linkifier) -> _Compiled:
    return _Compiled(linkifier)


def replace_matches(text: str, options: Options, make: Callable[[str, str], str]) -> str:
    """*text* with what *make* returns for the text and the url of each match."""
    for linkifier in options.linkifiers:
        encoded = text.encode(errors="replace")
        pieces: list[str] = []
        past = 0
        for start, end, url in _compiled(linkifier).matches(encoded):
            matched = encoded[start:end].decode()
            if OPEN not in matched:
                pieces += (encoded[past:start].decode(), make(matched, url))
                past = end
        if pieces:
            text = "".join((*pieces, encoded[past:].decode()))
    return text


def topic_links(topic: str, options: Options | None = None) -> list[dict[str, str]]:
    """The links in a topic as they appear. Linkifiers win over bare addresses, earlier over later ones."""
    options = options or Options()
    kept: list[Match] = []
    for match in _topic_matches(topic, options):
        if all(
            match.start + len(match.text) <= other.start or other.start + len(other.text) <= match.start
            for other in kept
        ):
            kept.append(match)
    return [{"text": match.text, "url": match.url} for match in sorted(kept, key=lambda match: match.start)]


def _topic_matches(topic: str, options: Options) -> Iterator[Match]:
    encoded = topic.encode(errors="replace")
    for linkifier in options.linkifiers:
        for start, end, url in _compiled(linkifier).matches(encoded):
            yield Match(len(encoded[:start].decode()), encoded[start:end].decode(), url)
    for bare in bare_addresses(topic, file_links=options.file_links):
        scheme = (
            "" if urlsplit(bare.text).scheme else "mailto:" if _EMAIL.fullmatch(bare.text) else "https://"
        )
        url = scheme + bare.text
        yield Match(bare.start, bare.text, url)
