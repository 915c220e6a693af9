"""The elements and attributes that rendered HTML may contain, for a strict parser and as settings of nh3."""

from __future__ import annotations

import re
from collections.abc import Collection
from html.parser import HTMLParser

import nh3

from chatcore.markup.html.formulas import split_at_formulas
from tests.markup.comparing import normalized

ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title", "class", "data-stream-id", "style"},
    "audio": {"controls", "preload", "src", "title"},
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
FORMULA_ATTRIBUTES: dict[str, set[str]] = {
    "annotation": {"encoding"},
    "line": {"x1", "y1", "x2", "y2", "stroke-width"},
    "math": {"xmlns", "display"},
    "menclose": {"notation"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mn": {"mathvariant"},
    "mo": {
        "fence",
        "form",
        "largeop",
        "linebreak",
        "lspace",
        "mathvariant",
        "maxsize",
        "minsize",
        "movablelimits",
        "rspace",
        "separator",
        "stretchy",
    },
    "mover": {"accent"},
    "mpadded": {"style", "mathbackground", "depth", "height", "lspace", "voffset", "width"},
    "mspace": {"height", "linebreak", "mathbackground", "width"},
    "mstyle": {"style", "displaystyle", "mathcolor", "mathbackground", "mathsize", "scriptlevel"},
    "mtable": {
        "align",
        "columnalign",
        "columnlines",
        "columnspacing",
        "displaystyle",
        "rowlines",
        "rowspacing",
        "scriptlevel",
        "side",
        "width",
    },
    "mtd": {"width"},
    "mtext": {"mathvariant"},
    "munder": {"accentunder"},
    "path": {"d"},
    "span": {"class", "aria-hidden", "style", "title"},
    "svg": {
        "xmlns",
        "width",
        "height",
        "viewbox",
        "viewBox",
        "preserveaspectratio",
        "preserveAspectRatio",
        "style",
    },
}
"""The additional elements and attributes of formulas, which no other part of a message may have."""
FORMULA_PLAIN = set(
    "mlabeledtr mphantom mroot mrow msqrt msub msubsup msup mtr munderover semantics".split()  # noqa: SIM905
)
LENGTH = r"-?(?:\d+|\d*\.\d+)(?:e-\d+)?(?:em|px|%)"
VALUE = rf"(?:0|{LENGTH}|calc\(100% [-+] {LENGTH}\)|#[0-9a-fA-F]{{3,8}}|[a-zA-Z]+)"
FORMULA_STYLE = re.compile(rf"(?:[a-z]+(?:-[a-z]+)*: ?{VALUE}(?: {VALUE})*(?:;|$))+")
PLAIN = set(
    "blockquote br code del em h1 h2 h3 h4 h5 h6 hr li p pre strong table tbody thead tr ul".split()  # noqa: SIM905
)
TAGS = PLAIN | set(ATTRIBUTES)
FORMULA_TAGS = FORMULA_PLAIN | set(FORMULA_ATTRIBUTES)
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
MEDIA = re.compile(
    r"https?://|/?user_uploads/(?!(?:.*/)?\.\.?(?:/|$))|/external_content/|/static/|/p/", re.IGNORECASE
)
"""Addresses that a browser fetches without a click."""


class Refused(AssertionError):
    pass


class _StrictReader(HTMLParser):
    """Refuses what is not in the list, not closed or not open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.formula = 0
        """The number of open elements with the formula that is open."""

    def in_formula(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in FORMULA_TAGS or not {name for name, _ in attrs} <= FORMULA_ATTRIBUTES.get(tag, set()):
            raise Refused(f"in a formula: {tag} {attrs}")
        for name, value in attrs:
            if name == "style" and not FORMULA_STYLE.fullmatch(value or ""):
                raise Refused(f"in a formula: {tag} {name}={value!r}")
        self.open.append(tag)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if dict(attrs).get("class") in ("katex", "katex-display") and tag == "span":
            self.formula = self.formula or len(self.open) + 1
        if self.formula:
            self.in_formula(tag, attrs)
            return
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
        if len(self.open) < self.formula:
            self.formula = 0

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
    # What is in formulas is seen to by the strict reader; nh3 does not know all of it.
    html = "".join(split_at_formulas(html)[::2])
    clean = cleaned(html)
    if _comparable(clean) != _comparable(html):
        # nh3 drops addresses that it cannot parse; the strict reader has seen to their schemes.
        left, right = (_comparable(each, without=("href", "src")) for each in (clean, html))
        if left != right:
            raise Refused(f"nh3 makes of it\n{left}\n{right}")


class _SourceReader(HTMLParser):
    """Collects the addresses that a browser fetches without a click."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "poster", "srcset", "data"):
                self.addresses.append(value or "")
            if name == "style":
                self.addresses += re.findall(r"""url\(["']?([^"')]*)""", value or "")


def foreign_sources(html: str) -> list[str]:
    """Return the addresses of other sites that a browser would fetch for this HTML."""
    reader = _SourceReader()
    reader.feed(html)
    reader.close()
    return [address for address in reader.addresses if re.match(r"[a-z]+:|[/\\]{2}", address, re.IGNORECASE)]
