"""HTML of mails as lines of Markdown: paragraphs, lists, tables, code, links and quotations; of pictures, the
words that stand for them.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from chatcore.domain.charsets import with_possible_references
from chatcore.domain.received_mail.blocks import code_block, drop_blank_lines, indent_item, table, trim_lines
from chatcore.domain.received_mail.quotations import Line, Mark

_UNCLOSED: Final = re.compile(r"<(?![^<>]{0,20000}>)")
"""The beginning of a tag without an end."""
_BLOCK_NAMES: Final = """
p h1 h2 h3 h4 h5 h6 div section article header footer main nav aside center address figure figcaption
form fieldset dl dt caption body details summary legend
"""
_BLOCKS: Final = frozenset(_BLOCK_NAMES.split())
_SKIPPED: Final = frozenset({"style", "script", "title", "template"})
_EMPTY: Final = frozenset({"img", "input", "meta", "link", "area", "base", "col", "wbr"})
_OF_THE_MAIL: Final = "cid:"
"""The beginning of the address of a picture that is a part of the mail, and so a file below its text."""
_LISTS: Final = frozenset({"ul", "ol"})
_TABLES: Final = frozenset({"table", "tr", "td", "th"})
_FRAMED: Final = _LISTS | _TABLES | {"li", "dd", "blockquote", "pre"}
"""Elements of which the lines are changed as a whole."""
_SIBLINGS: Final = {
    "li": ({"li"}, _LISTS),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
}
"""By element: the siblings that end where it begins, as their ends are often not written, and the parents in
which they are siblings.
"""
_QUOTING_CLASS: Final = "yahoo_quoted"
_MARKS: Final = {
    "gmail_attr": Mark.ATTRIBUTION,
    "moz-cite-prefix": Mark.ATTRIBUTION,
    "gmail_signature": Mark.SIGNATURE,
    "moz-signature": Mark.SIGNATURE,
}
_QUOTED_TEXT: Final = "moz-quote-pre"
"""The class of preformatted text that is no code, but the lines of a plain text."""
_MAX_FRAMES: Final = 15
_MAX_INDENTS: Final = 8
"""Elements around an element that change its lines, and those that indent it; each copies the lines."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_LINK: Final = re.compile(r"(?:https?://|mailto:)[^\s()<>]*")
"""An address that a link in Markdown can have."""


def lines_of_page(html: str) -> list[Line]:
    """Return the lines of a page, without blank ones around them."""
    reader = _Reader()
    # References last: without a comment, its two sides can be one.
    page = with_possible_references(_without_comments(html.replace("\x00", "")))
    reader.feed(_UNCLOSED.sub("&lt;", page))
    reader.close()
    return reader.lines()


def _without_comments(html: str) -> str:
    kept, at = [], 0
    while (begin := html.find("<!--", at)) >= 0:
        kept.append(html[at:begin])
        end = html.find("-->", begin)
        if end < 0:
            return "".join(kept)
        at = end + len("-->")
    return "".join([*kept, html[at:]])


@dataclass(slots=True)
class _Frame:
    """An open element of which the lines are changed as a whole when it ends."""

    tag: str = ""
    lines: list[Line] = field(default_factory=list)
    cells: list[list[Line]] = field(default_factory=list)
    """The cells of a row."""
    rows: list[list[list[Line]]] = field(default_factory=list)
    """The rows of a table."""
    number: int = 1
    """The number of the next item in a list."""
    is_code: bool = False
    is_verbatim: bool = False
    """Whether it is one of the elements that `_Reader` counts as verbatim."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._frames = [_Frame()]
        self._pieces: list[str] = []
        """The pieces of the line that is being read."""
        self._open: list[tuple[str, tuple[Callable[[], None], ...]]] = []
        """The open elements, and what is done when they end."""
        self._counts: Counter[str] = Counter()
        """The number of open elements by tag."""
        self._marks: list[Mark] = []
        self._skipped = 0
        """The number of open elements of which the text is left out."""
        self._verbatim = 0
        """The number of open elements of which the lines and blanks stay as they are."""
        self._link: tuple[str, int] | None = None
        """The address of the open link, if any, and the number of pieces before its text."""

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Leave out what begins with `<![`, as browsers do; the library fails where it knows no such word."""
        return self.parse_bogus_comment(i, report)

    def lines(self) -> list[Line]:
        while self._open:
            self._end_to(self._open[-1][0])
        self._end_paragraph()
        return trim_lines(self._frames[0].lines)

    # -- elements -----------------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in _EMPTY:
            words = attributes.get("alt", "") if tag == "img" else ""
            if words and not attributes.get("src", "").strip().lower().startswith(_OF_THE_MAIL):
                self.handle_data(words)
            return
        if tag in _SKIPPED or self._skipped:
            self._skipped += 1
            self._push(tag, self._end_skipped)
            return
        if tag == "br":
            self._end_line()
        elif tag == "hr":
            self._add([Line("---")])
        elif tag == "a":
            self._begin_link(attributes.get("href", "").strip())
        else:
            self._begin_element(tag, attributes)

    def _begin_element(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element, and keep the steps to be done at its end."""
        if tag in _SIBLINGS:
            self._end_sibling(tag)
        classes = attributes.get("class", "").split()
        mark = next((_MARKS[name] for name in classes if name in _MARKS), None)
        is_quotation = tag == "blockquote" or _QUOTING_CLASS in classes
        is_framed = tag in _FRAMED or is_quotation
        if not is_framed and tag not in _BLOCKS and mark is None:
            return  # it changes nothing, and its end is often misplaced
        self._end_paragraph()
        ends = [self._end_paragraph]
        if mark is not None:
            self._marks.append(mark)
            ends.append(lambda: self._marks.remove(mark))
        if is_framed and self._has_room(tag):
            is_code = tag == "pre" and _QUOTED_TEXT not in classes and not self._marks
            self._begin_frame(tag, attributes, is_quotation=is_quotation, is_code=is_code)
            ends.append(self._end_frame)
        self._push(tag, *ends)

    def _begin_frame(
        self, tag: str, attributes: dict[str, str], *, is_quotation: bool, is_code: bool
    ) -> None:
        if tag == "li" and (number := _NUMBER.fullmatch(attributes.get("value", ""))):
            self._frames[-1].number = int(number[0])
        frame = _Frame("blockquote" if is_quotation else tag, is_code=is_code)
        if number := _NUMBER.fullmatch(attributes.get("start", "")):
            frame.number = int(number[0])
        self._frames.append(frame)
        if tag == "pre":
            frame.is_verbatim = True
            self._verbatim += 1

    def _has_room(self, tag: str) -> bool:
        """Whether another element may change its lines as a whole; deeper ones are paragraphs."""
        indents = sum(frame.tag not in _TABLES for frame in self._frames)
        return len(self._frames) < _MAX_FRAMES and (tag in _TABLES or indents <= _MAX_INDENTS)

    def _push(self, tag: str, *ends: Callable[[], None]) -> None:
        self._open.append((tag, ends))
        self._counts[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        """End the innermost element of this name, with those in it; do nothing if none is open."""
        if tag == "a":
            self._end_link()
        elif self._counts[tag]:
            self._end_to(tag)

    def _end_to(self, tag: str) -> None:
        last = ""
        while last != tag:
            last, ends = self._open.pop()
            self._counts[last] -= 1
            for end in ends:
                end()

    def _end_skipped(self) -> None:
        self._skipped -= 1

    def _end_sibling(self, tag: str) -> None:
        siblings, parents = _SIBLINGS[tag]
        if not any(self._counts[name] for name in siblings):
            return
        for name, _ in reversed(self._open[-_MAX_FRAMES:]):
            if name in parents:
                return
            if name in siblings:
                self._end_to(name)
                return

    def _end_frame(self) -> None:
        frame = self._frames.pop()
        parent = self._frames[-1]
        if frame.is_verbatim:
            self._verbatim -= 1
        lines = frame.lines if frame.tag == "pre" else trim_lines(frame.lines)
        match frame.tag:
            case "blockquote":
                self._add([Line(f"> {line.text}".rstrip()) for line in lines])
            case "ul" | "ol":
                self._end_list(lines, parent)
            case "li" | "dd":
                marker = "* "
                if parent.tag == "ol":
                    marker = f"{parent.number}. "
                    parent.number += 1
                drop_blank_lines(parent.lines)
                parent.lines += indent_item(lines or [Line("")], marker)
            case "pre":
                self._add(code_block(lines) if frame.is_code else lines)
            case "td" | "th" if parent.tag == "tr":
                parent.cells.append(lines)
            case "tr" if parent.tag == "table":
                outside_of_cells = [lines] if lines else []
                parent.rows.append([*outside_of_cells, *frame.cells])
            case "table":
                self._add(lines)
                self._add(table(frame.rows))
            case _:
                self._add(lines)
                for cell in frame.cells:
                    self._add(cell)

    def _end_list(self, lines: Sequence[Line], parent: _Frame) -> None:
        if parent.tag not in (*_LISTS, "li"):
            self._add(lines)
            return
        drop_blank_lines(parent.lines)
        blanks = {"ul": 2, "ol": 3, "li": 0}[parent.tag]
        parent.lines += [*indent_item(lines, " " * blanks), Line("")]

    # -- links and words ----------------------------------------------------------------------------

    def _begin_link(self, address: str) -> None:
        self._end_link()  # links are not nested
        is_link = _LINK.fullmatch(address)
        self._link = (address if is_link else "", len(self._pieces))

    def _end_link(self) -> None:
        if self._link is None:
            return
        address, start = self._link
        self._link = None
        shown = " ".join("".join(self._pieces[start:]).split())
        if not address or not shown or shown in (address, address.removeprefix("mailto:")):
            return
        if self._verbatim:
            self._pieces.append(f" <{address}>")
        elif not re.search(r"[\[\]]", shown):
            self._pieces[start:] = [f"[{shown}]({address})"]

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        if self._verbatim:
            first, *others = data.split("\n")
            self._pieces.append(first)
            for other in others:
                self._end_line()
                self._pieces.append(other)
            return
        before = " " if data[:1].isspace() else ""
        after = " " if data[-1:].isspace() else ""
        words = " ".join(data.split())
        self._pieces.append(f"{before}{words}{after}" if words else " ")

    # -- lines --------------------------------------------------------------------------------------

    def _end_line(self) -> None:
        link = self._link
        self._end_link()
        if link is not None:
            self._link = (link[0], 0)
        text = "".join(self._pieces)
        self._pieces = []
        text = text.rstrip() if self._verbatim else " ".join(text.split())
        self._frames[-1].lines.append(Line(text, self._marks[-1] if self._marks else None))

    def _end_paragraph(self) -> None:
        """End the line that is being read, unless it is blank, and separate the next one by a blank line;
        verbatim text gets no blank line.
        """
        if self._skipped:
            return
        if "".join(self._pieces).strip():
            self._end_line()
        self._pieces = []
        if self._link is not None:
            self._link = (self._link[0], 0)  # it goes on in the next paragraph
        lines = self._frames[-1].lines
        if lines and lines[-1].text and not self._verbatim:
            lines.append(Line(""))

    def _add(self, lines: Sequence[Line]) -> None:
        """Add lines as a paragraph of their own."""
        self._end_paragraph()
        if lines:
            self._frames[-1].lines += [*lines, Line("")]
