"""Messages as HTML for mails: plain elements with absolute links, which all mail programs show.

It reads HTML that `chatcore.markup` has made, and lets through what it names alone. Pictures, films and
sounds become links: a mail program that fetches them would tell who reads the mail, and has no login.
"""

from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from typing import Final
from urllib.parse import urljoin

from chatcore.domain.charsets import with_possible_references

KEPT: Final = frozenset(
    {"p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "table", "thead"}
    | {"tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6", "div"}
)
"""Elements that a mail has, with the attributes of `DIRECTIONS` at most."""
DIRECTIONS: Final = {
    **dict.fromkeys(("code", "pre"), "ltr"),
    **dict.fromkeys(("p", "blockquote", "li", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"), "auto"),
}
"""Each text goes its own way, whatever language stands around it; code goes from left to right."""
EMPTY: Final = frozenset({"br", "hr", "img"})
SCHEMES: Final = ("http://", "https://", "mailto:")
LEFT_OUT: Final = frozenset(
    {"script", "style", "spoiler-content", "katex-html", "mrow", "message_embed_image"}
)
"""Elements, and classes of elements, whose content no mail has. Of a formula, its source is left."""
HIDDEN: Final = "(hidden text: open the chat to read it)"
MEDIA: Final = {"img": "picture", "video": "film", "audio": "sound"}


def page_of(rendered: str, organization_url: str) -> str:
    """Return the HTML of a message in the form for mails."""
    reader = _Reader(organization_url)
    reader.feed(with_possible_references(rendered))
    reader.close()
    return "".join(reader.parts)


class _Reader(HTMLParser):
    def __init__(self, organization_url: str) -> None:
        super().__init__(convert_charrefs=True)
        self._organization_url = organization_url
        self.parts: list[str] = []
        self._open: list[str] = []
        """The end tag of each open element; empty for those that a mail does not have."""
        self._left_out_depth = 0
        """The number of open elements in which everything is left out, from the outermost on."""
        self._link: str | None = None
        """The address of the open link."""
        self._replaced_depth = 0
        """The number of open elements in which the text is replaced, such as that of an emoji."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if self._is_silent:
            if tag not in EMPTY:
                self._open.append("")
                if self._left_out_depth:
                    self._left_out_depth += 1
                if self._replaced_depth:
                    self._replaced_depth += 1
            return
        if tag in MEDIA:
            self._add_media(tag, attributes)
        if tag in EMPTY:
            if tag in KEPT:
                self.parts.append(f"<{tag}>")
            return
        self._open.append(self._begin(tag, attributes))

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> str:
        """Begin an element and return its end tag; empty if the mail does not have it."""
        classes = attributes.get("class", "").split()
        if LEFT_OUT & {tag, *classes}:
            self._left_out_depth = 1
            if "spoiler-content" in classes:
                self.parts.append(f"<p><em>{HIDDEN}</em></p>")
            return ""
        if "emoji" in classes:
            self._replaced_depth = 1
            self.parts.append(escape(_emoji(classes) or attributes.get("title", "")))
            return ""
        if tag == "a":
            return self._begin_link(attributes.get("href", ""))
        if tag not in KEPT:
            return ""
        start = attributes.get("start", "") if tag == "ol" else ""
        number = f' start="{start}"' if start.isdecimal() else ""
        direction = f' dir="{DIRECTIONS[tag]}"' if tag in DIRECTIONS else ""
        self.parts.append(f"<{tag}{number}{direction}>")
        return f"</{tag}>"

    def _begin_link(self, address: str) -> str:
        """Begin a link and return its end tag. Of a link within another one, and of one with an address that
        no mail has, only the text is kept.
        """
        href = self._absolute(address)
        if href is None or self._link is not None:
            return ""
        self.parts.append(f'<a href="{escape(href)}">')
        self._link = href
        return "</a>"

    def _add_media(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Write a link to a file that is shown or played; within a link, only its name."""
        if "emoji" in attributes.get("class", "").split():
            self.parts.append(escape(attributes.get("alt", "")))
            return
        name = attributes.get("alt") or attributes.get("title") or ""
        if self._link is not None:
            name = name or self._link.rstrip("/").rpartition("/")[2]
            self.parts.append(escape(f"[{MEDIA[tag]}: {name}]"))
        elif (address := self._absolute(attributes.get("src", ""))) is not None:
            name = name or address.rstrip("/").rpartition("/")[2]
            self.parts.append(f'<a href="{escape(address)}">{escape(f"[{MEDIA[tag]}: {name}]")}</a>')

    def handle_endtag(self, tag: str) -> None:
        if not self._open or tag in EMPTY:
            return
        end = self._open.pop()
        if self._left_out_depth:
            self._left_out_depth -= 1
        if self._replaced_depth:
            self._replaced_depth -= 1
        if end == "</a>":
            self._link = None
        self.parts.append(end)

    def handle_data(self, data: str) -> None:
        if not self._is_silent:
            self.parts.append(escape(data, quote=False))

    @property
    def _is_silent(self) -> bool:
        return bool(self._left_out_depth or self._replaced_depth)

    def _absolute(self, address: str) -> str | None:
        """Return the address as others can follow it; None for one that is none of the web or of mail."""
        try:
            absolute = urljoin(f"{self._organization_url}/", address)
        except ValueError:  # no address at all
            return None
        return absolute if absolute.lower().startswith(SCHEMES) else None


def _emoji(classes: list[str]) -> str:
    """Return the characters of an emoji by its class, such as emoji-1f600; empty if it has none."""
    codes = next((name.removeprefix("emoji-") for name in classes if name.startswith("emoji-")), "")
    try:
        return "".join(chr(int(code, 16)) for code in codes.split("-")) if codes else ""
    except (ValueError, OverflowError):
        return ""
