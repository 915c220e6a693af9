"""HTML as it is compared with the recorded cases: attribute order, blanks beside blocks do not count."""

from __future__ import annotations

import re
from collections.abc import Collection
from html.parser import HTMLParser

BLOCK = re.compile(r"</?(?:p|div|[uo]l|li|blockquote|table|thead|tbody|tr|t[hd]|h[1-6r]|pre)\b")
BREAK = re.compile(r"<br\b")


class _Reader(HTMLParser):
    def __init__(self, unseen: Collection[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._unseen = unseen
        self.parts: list[tuple[str, str]] = []
        self._literal = 0
        self._dropped: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "span":
            self._dropped.append(dict(attrs).get("class") == "w")
            if self._dropped[-1]:
                return
        self._literal += tag in ("pre", "code")
        words = sorted(
            (name, " ".join(sorted((value or "").split())) if name == "class" else value or "")
            for name, value in attrs
            if name not in self._unseen
        )
        self.parts.append(("tag", f"<{tag} {words}>"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self._dropped.pop():
            return
        self._literal -= tag in ("pre", "code")
        self.parts.append(("tag", f"</{tag}>"))

    def handle_data(self, data: str) -> None:
        text = data if self._literal else re.sub(r"\s+", " ", data)
        kind = "code" if self._literal else "text"
        if self.parts and self.parts[-1][0] == kind:
            self.parts[-1] = (kind, self.parts[-1][1] + text)
        else:
            self.parts.append((kind, text))


def _is_block(part: tuple[str, str], *, or_break: bool = False) -> bool:
    kind, text = part
    return kind == "tag" and bool(BLOCK.match(text) or (or_break and BREAK.match(text)))


def normalized(html: str, *, without: Collection[str] = ()) -> str:
    """*html* in a form that is the same for what is the same; attributes *without* are left out."""
    reader = _Reader(without)
    reader.feed(html)
    reader.close()
    parts = [(kind, re.sub(r" +", " ", text) if kind == "text" else text) for kind, text in reader.parts]
    out = []
    for place, (kind, text) in enumerate(parts):
        if kind == "text":
            if place == 0 or _is_block(parts[place - 1], or_break=True):
                text = text.lstrip()
            if place == len(parts) - 1 or _is_block(parts[place + 1]):
                text = text.rstrip()
        out.append(text)
    return "".join(out)
