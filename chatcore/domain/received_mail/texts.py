"""The parts of a mail that become a message: its subject as a topic, and its text without quotations and
signature.
"""

import re
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

from chatcore.domain.characters import stripped_name
from chatcore.domain.charsets import with_possible_references

NO_SUBJECT: Final = "Email with no subject"

_REPLY = re.compile(r"\s*(?:re|fwd?|aw|wg|antw|sv|vs|tr|rv)\s*(?:\[\d+\])?\s*:", re.IGNORECASE)
"""The beginning of the subject of an answer, or of a mail that was passed on, in some languages."""
_ATTRIBUTION = re.compile(
    r"(?:On|Am|Le|El|Il|Op|Den|Em)\b.{1,300}\b"
    r"(?:wrote|schrieb.{0,100}|a écrit|escribió|ha scritto|schreef.{0,100}|skrev|escreveu)\s?:",
    re.IGNORECASE,
)
"""The line over a quotation."""
_ORIGINAL = re.compile(
    r"-{2,}\s?(?:original message|ursprüngliche nachricht|message d'origine)\s?-{2,}", re.IGNORECASE
)
_SIGNATURE: Final = ("-- ", "--")
_WRAPPED: Final = 3
"""Lines over which the line over a quotation may be wrapped."""


def topic_of(subject: str) -> str:
    """Return the subject without the prefixes of answers, and characters that topics cannot have."""
    subject = stripped_name(subject).strip()
    while found := _REPLY.match(subject):
        subject = subject[found.end() :].strip()
    return subject or NO_SUBJECT


def without_quotations(text: str) -> str:
    """Return a text without what follows it from earlier mails; a text that is all quotation stays."""
    lines = text.split("\n")
    end = next((i for i in range(len(lines)) if _begins_quotation(lines, i)), len(lines))
    kept = lines[:end]
    while kept and (not kept[-1].strip() or kept[-1].startswith(">")):
        kept.pop()
    return "\n".join(kept).strip("\n") or text


def _begins_quotation(lines: Sequence[str], at: int) -> bool:
    if _ORIGINAL.fullmatch(lines[at].strip()):
        return True
    if not lines[at].strip():
        return False
    for count in range(1, _WRAPPED + 1):
        joined = " ".join(line.strip() for line in lines[at : at + count])
        if _ATTRIBUTION.fullmatch(joined):
            after = (lines[i] for i in range(at + count, len(lines)))
            return next((line for line in after if line.strip()), ">").startswith(">")
    return False


def without_signature(text: str) -> str:
    """Return a text up to the line that separates a signature; a text that is all signature stays."""
    lines = text.split("\n")
    end = max((i for i, line in enumerate(lines) if line in _SIGNATURE), default=len(lines))
    return "\n".join(lines[:end]).strip("\n") or text


def text_of_html(html: str, *, quotations: bool = True, signature: bool = True) -> str:
    """Return a page's text in Markdown: paragraphs, lists, links and quotations, no pictures."""
    reader = _Reader(quotations=quotations, signature=signature)
    reader.feed(_OPEN.sub("&lt;", _without_comments(with_possible_references(html))))
    reader.close()
    return reader.text()


_OPEN: Final = re.compile(r"<(?![^<>]{0,20000}>)")
"""The beginning of a tag without an end."""
_BLOCKS: Final = frozenset(
    {"p", "div", "table", "tr", "ul", "ol", "section", "article", "header", "footer", "h1", "h2", "h3", "h4"}
    | {"h5", "h6", "pre", "center"}
)
_SKIPPED_TAGS: Final = frozenset({"style", "script", "head", "title", "template", "noscript"})
_EMPTY: Final = frozenset({"br", "hr", "img", "input", "meta", "link", "area", "base", "col", "wbr"})
_QUOTING_CLASSES: Final = ("gmail_quote", "yahoo_quoted", "moz-cite-prefix")
_SIGNATURE_CLASSES: Final = ("gmail_signature", "moz-signature")
_PARAGRAPHS: Final = frozenset({"p", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"})


def _without_comments(html: str) -> str:
    kept, at = [], 0
    while (begin := html.find("<!--", at)) >= 0:
        kept.append(html[at:begin])
        end = html.find("-->", begin)
        if end < 0:
            return "".join(kept)
        at = end + len("-->")
    return "".join([*kept, html[at:]])


class _Reader(HTMLParser):
    def __init__(self, *, quotations: bool, signature: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._skipped_classes = (
            *(() if quotations else _QUOTING_CLASSES),
            *(() if signature else _SIGNATURE_CLASSES),
        )
        self._quotations = quotations
        self._pieces: list[str] = []
        self._skipped: list[str] = []
        """The open elements within an element that is left out, beginning with it; empty elsewhere."""
        self._skipped_counts: Counter[str] = Counter()
        """The number of these elements by tag."""
        self._link: tuple[str, int] | None = None
        """The address of the open link, if any, and the number of pieces before its text."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _EMPTY:
            if tag == "br" and not self._skipped:
                self._pieces.append("\n")
            return
        if self._skipped or self._is_skipped(tag, given):
            self._skipped.append(tag)
            self._skipped_counts[tag] += 1
            return
        if tag in _BLOCKS or tag == "blockquote":
            self._pieces.append("\n\n" if tag in _PARAGRAPHS else "\n")
        if tag == "li":
            self._pieces.append("\n* ")
        if tag == "a":
            self._end_link()  # links are not nested
            address = given.get("href", "").strip()
            is_link = address.startswith(("http://", "https://", "mailto:")) and not re.search(
                r"[\s()<>]", address
            )
            self._link = (address if is_link else "", len(self._pieces))

    def _is_skipped(self, tag: str, attrs: dict[str, str]) -> bool:
        classes = attrs.get("class", "").split()
        is_quotation = tag == "blockquote" and not self._quotations
        return tag in _SKIPPED_TAGS or is_quotation or any(one in self._skipped_classes for one in classes)

    def handle_endtag(self, tag: str) -> None:
        if tag in _EMPTY:
            return
        if self._skipped:
            self._end_skipped(tag)
            return
        if tag in _BLOCKS or tag == "blockquote":
            self._pieces.append("\n\n" if tag in _PARAGRAPHS else "\n")
        if tag == "a":
            self._end_link()

    def _end_skipped(self, tag: str) -> None:
        """End the innermost element of this name, with those in it; do nothing if none is open."""
        last = "" if self._skipped_counts[tag] else tag
        while last != tag:
            last = self._skipped.pop()
            self._skipped_counts[last] -= 1

    def _end_link(self) -> None:
        if self._link is None:
            return
        address, start = self._link
        self._link = None
        shown = " ".join("".join(self._pieces[start:]).split())
        if address and shown and shown != address and not re.search(r"[\[\]]", shown):
            self._pieces[start:] = [f"[{shown}]({address})"]

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            blank = " " if data[:1].isspace() else ""
            after = " " if data[-1:].isspace() else ""
            words = " ".join(data.split())
            self._pieces.append(f"{blank}{words}{after}" if words else " ")

    def text(self) -> str:
        lines = [" ".join(line.split()) for line in "".join(self._pieces).replace("\x00", "").split("\n")]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
