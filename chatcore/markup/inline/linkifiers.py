"""Linkifiers: patterns of the administrators that make links, in their order, in messages and topics.

Patterns run on RE2 only, over a part of the text at a time: the text and the pattern bound the work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

import re2

from chatcore.markup.options import Linkifier, Options
from chatcore.markup.source import OPEN
from chatcore.markup.urls.addresses import bare_addresses, safe_address
from chatcore.markup.urls.templates import BadUrlTemplate, check_url_template, read_url_template

MAX_PATTERN_LENGTH: Final = 1_000
MAX_PROGRAM: Final = 2_000
"""Instructions of one compiled pattern: `[0-9]{1,100}` has 200, a Unicode class some hundreds."""
MAX_PROGRAMS: Final = 3_000
"""Instructions of all linkifiers of an organization together: two hundred of the usual kind have 2,500."""
MAX_MATCHES: Final = 1_000
"""Matches of one linkifier in one text."""
EFFORT: Final = 10_000
EFFORT_PER_BYTE: Final = 10
"""Effort per byte of a text, and a base for any text: each match costs the number of its pattern's
instructions.
"""
WINDOW: Final = 600
"""Bytes that are searched for one match, which may have half of them or more."""

_MEMORY: Final = 1 << 20
_MEMORY_OF_ALL: Final = 1 << 22
_EMAIL = re.compile(r"[^/]+@[^/]+")


class BadLinkifier(ValueError):
    """The pattern or the template of a linkifier cannot be used; the text says why."""


def check_linkifier(linkifier: Linkifier) -> None:
    """Raise BadLinkifier if *linkifier* must not be saved. The uniqueness of its pattern is not checked."""
    pattern = linkifier.pattern
    if not pattern or len(pattern) > MAX_PATTERN_LENGTH:
        raise BadLinkifier(f"The pattern must have 1 to {MAX_PATTERN_LENGTH} characters.")
    if not pattern.isprintable():
        raise BadLinkifier("The pattern has characters that have to be written as escapes.")
    try:
        expression, _ = _compile(pattern)
        groups = {name.decode() for name in expression.groupindex}
    except re2.error as problem:
        reason = problem.args[0].decode(errors="replace") if problem.args else ""
        raise BadLinkifier(f"The pattern cannot be used: {reason}") from problem
    try:
        check_url_template(linkifier.url_template, groups)
    except BadUrlTemplate as problem:
        raise BadLinkifier(str(problem)) from problem


def check_linkifiers(linkifiers: tuple[Linkifier, ...]) -> None:
    """Raise BadLinkifier if all linkifiers of an organization are too much work together."""
    if Linkifiers(linkifiers).are_too_complex:
        raise BadLinkifier("The patterns of all linkifiers together are too complex.")


def _make_options(memory: int) -> Any:
    """Return options of RE2 with this much memory in bytes."""
    settings = re2.Options()
    settings.log_errors = False
    settings.max_mem = memory
    return settings


def _compile(pattern: str) -> tuple[Any, int]:
    """Compile *pattern* as group 1, where a linkifier may begin, followed by no letter or digit; return its
    size too.

    :raises BadLinkifier: it is too complex
    """
    settings = _make_options(_MEMORY)
    size = re2.compile(pattern.encode(), settings).programsize
    if size > MAX_PROGRAM:
        raise BadLinkifier("The pattern is too complex.")
    return re2.compile(rf"(?:^|[\s\pZ'\"(,:<])({pattern})(?:$|[^\pL\pN])".encode(), settings), size


@dataclass(frozen=True, slots=True)
class Match:
    start: int
    text: str
    url: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _Compiled:
    """A linkifier ready for use."""

    def __init__(self, linkifier: Linkifier) -> None:
        self.pattern = linkifier.pattern.encode()
        expression, self.size = _compile(linkifier.pattern)
        self._search = expression.search
        self._expand = read_url_template(linkifier.url_template).expand

    def matches(self, text: bytes, effort: _Effort) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, url) of each match, in bytes. The byte after a match may be the one before the
        next.
        """
        position = 0
        for _ in range(MAX_MATCHES):
            if effort.left <= 0:
                return
            window_end = position + WINDOW
            match = self._search(text, position, window_end)
            middle = position + WINDOW // 2
            if window_end < len(text) and (match is None or match.start() > middle):
                position = match.start() if match else middle  # the end of the window may have cut the match
                continue
            if match is None:
                return
            effort.left -= self.size
            start, end = match.span(1)
            if end > start and not (_is_inside(text, start) or _is_inside(text, end)):
                values = {
                    name.decode(): (value or b"").decode(errors="replace")
                    for name, value in match.groupdict().items()
                }
                url = safe_address(self._expand(**values))
                if url:
                    yield start, end, url
            position = max(end, position + 1)


class _Effort:
    """The remaining effort of all linkifiers in a text."""

    def __init__(self, text: bytes) -> None:
        self.left = EFFORT + EFFORT_PER_BYTE * len(text)


def _is_inside(text: bytes, index: int) -> bool:
    """Whether an index is inside a character: RE2 can match single bytes, and such matches do not count."""
    return text[index : index + 1] >= b"\x80" and text[index] & 0xC0 == 0x80


class Linkifiers:
    """The linkifiers of an organization, ready for use. Those that no longer compile, or exceed the limit
    together with the others, are left out.
    """

    def __init__(self, linkifiers: tuple[Linkifier, ...]) -> None:
        self._usable = []
        size = 0
        for linkifier in linkifiers:
            try:
                program = _Compiled(linkifier)
            except (re2.error, BadLinkifier, BadUrlTemplate, UnicodeEncodeError):
                continue
            size += program.size
            if size <= MAX_PROGRAMS:
                self._usable.append(program)
        self.are_too_complex = size > MAX_PROGRAMS
        self._set = self._set_of_all()

    def _set_of_all(self) -> Any:
        """Return all patterns as one set, after an empty pattern that always matches if there is memory."""
        together = re2.Set.SearchSet(_make_options(_MEMORY_OF_ALL))
        try:
            for pattern in (b"", *(each.pattern for each in self._usable)):
                together.Add(pattern)
            together.Compile()
        except re2.error:
            return None
        return together

    def possible(self, text: bytes) -> list[_Compiled]:
        """Return the linkifiers that may match: few, found in one pass for any number of linkifiers."""
        if not self._usable:
            return []
        indexes = self._set.Match(text) if self._set else None
        if indexes is None:
            return self._usable
        return [self._usable[index - 1] for index in sorted(indexes) if index > 0]  # 0 is the empty pattern

    def replace_matches(self, text: str, make: Callable[[str, str], str]) -> str:
        """Return *text* with each match replaced by the result of *make* for its text and url."""
        encoded = text.encode(errors="replace")
        effort = _Effort(encoded)
        for linkifier in self.possible(encoded):
            pieces: list[bytes] = []
            past = 0
            for start, end, url in linkifier.matches(encoded, effort):
                matched = encoded[start:end].decode()
                if OPEN not in matched:
                    pieces += (encoded[past:start], make(matched, url).encode())
                    past = end
            if pieces:
                encoded = b"".join((*pieces, encoded[past:]))
        return encoded.decode()


@lru_cache(maxsize=64)
def compile_linkifiers(linkifiers: tuple[Linkifier, ...]) -> Linkifiers:
    return Linkifiers(linkifiers)


def topic_links(topic: str, options: Options | None = None) -> list[dict[str, str]]:
    """Return the links in a topic, in order. Linkifiers take precedence over bare addresses, earlier over
    later ones.
    """
    options = options or Options()
    kept: list[Match] = []
    for match in _topic_matches(topic, options):
        if all(match.end <= other.start or other.end <= match.start for other in kept):
            kept.append(match)
    return [{"text": match.text, "url": match.url} for match in sorted(kept, key=lambda match: match.start)]


def _topic_matches(topic: str, options: Options) -> Iterator[Match]:
    encoded = topic.encode(errors="replace")
    effort = _Effort(encoded)
    for linkifier in compile_linkifiers(options.linkifiers).possible(encoded):
        for start, end, url in linkifier.matches(encoded, effort):
            yield Match(len(encoded[:start].decode()), encoded[start:end].decode(), url)
    for bare in bare_addresses(topic, file_links=options.file_links):
        url = bare.text
        if not urlsplit(url).scheme:
            url = f"mailto:{url}" if _EMAIL.fullmatch(url) else f"https://{url}"
        yield Match(bare.start, bare.text, url)
