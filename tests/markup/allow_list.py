"""The elements and attributes that rendered HTML may contain, for a strict parser and as settings of nh3."""

from __future__ import annotations

import re
from collections.abc import Collection
from html.parser import HTMLParser

import nh3

from tests.markup.comparing import normalized

ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title", "class", "data-stream-id", "style"},
    "audio": {"controls", "preload", "src", "title", "data-original-url"},
    "div": {"class", "aria-hidden", "data-code-language"},
    "img": {
        "alt",
        "class",
        "src",
        "title",
        "data-original-content-type",
        "data-original-dimensions",
        "data-transcoded-image",
        "data-animated",
    },
    "ol": {"start"},
    "span": {"class", "aria-label", "role", "title", "data-user-id", "data-user-group-id"},
    "td": {"style"},
    "th": {"style"},
    "time": {"datetime"},
    "video": {"preload", "src"},
}
PLAIN = set(
    "blockquote br code del em h1 h2 h3 h4 h5 h6 hr li p pre strong table tbody thead tr ul".split()  # noqa: SIM905
)
TAGS = PLAIN | set(ATTRIBUTES)
VOID = {"br", "hr", "img"}
STYLE = re.compile(r'text-align: (?:left|center|right);|background-image: url\("[^"\\()<>\s]*"\)')
SCHEMES = set(
    """
    http https ftp file bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto
    ssh tel urn webcal wtai xmpp
    """.split()  # noqa: SIM905
)
"""A copy of the list in the code, so that an error there is found."""
ADDRESS = re.compile(rf"(?:{'|'.join(SCHEMES)}):|/(?![/\\])|#|user_uploads/", re.IGNORECASE)
MEDIA = re.compile(r"https?://|/?user_uploads/(?!(?:.*/)?\.\.?(?:/|$))|/static/|/p/", re.IGNORECASE)
"""Addresses that a browser fetches without a click."""


class Refused(AssertionError):
    pass


class _StrictReader(HTMLParser):
    """Refuses what is not in the list, not closed or not open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS or not {name for name, _ in attrs} <= ATTRIBUTES.get(tag, set()):
            raise Refused(f"{tag} {attrs}")
        if len({name for name, _ in attrs}) < len(attrs):
            raise Refused(f"the same attribute twice: {tag} {attrs}")
        if tag in ("a", "p") and tag in self.open:
            raise Refused(f"{tag} in {tag}")
        for name, value in attrs:
            if name in ("href", "src") and not ADDRESS.match(value or ""):
                raise Refused(f"{name}={value!r}")
            if name == "src" and dict(attrs).get("class") != "emoji" and not MEDIA.match(value or ""):
                raise Refused(f"{tag} of {value!r}")
            if name == "style" and not STYLE.fullmatch(value or ""):
                raise Refused(f"{name}={value!r}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise Refused(f"</{tag}> after {self.open}")

    def handle_comment(self, data: str) -> None:
        raise Refused(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        raise Refused(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        raise Refused(f"instruction {data!r}")

    def unknown_decl(self, data: str) -> None:
        raise Refused(f"declaration {data!r}")


def cleaned(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel=None,
        clean_content_tags=set(),
    )


def _comparable(html: str, *, without: Collection[str] = ()) -> str:
    """The HTML without control characters and references to them: parsers differ there, without harm."""
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]", "", normalized(html, without=without))
    return re.sub(" +", " ", text)


def require_safe(html: str) -> None:
    """Raises if *html* is not well-formed, not within the list, or if nh3 would change it."""
    reader = _StrictReader()
    reader.feed(html)
    reader.close()
    if reader.open:
        raise Refused(f"not closed: {reader.open}")
    clean = cleaned(html)
    if _comparable(clean) != _comparable(html):
        # nh3 drops addresses that it cannot parse; the strict reader has seen to their schemes.
        left, right = (_comparable(each, without=("href", "src")) for each in (clean, html))
        if left != right:
            raise Refused(f"nh3 makes of it\n{left}\n{right}")
