"""Code blocks: tokens in the form of Pygments' own formatter, by the lexers in lexers.py."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pygments.token import STANDARD_TYPES

from chatcore.markup.escaping import escape_literally

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_EFFORT: Final = 3_000
"""Characters of code in a message that get tokens; the rest is shown without."""
MAX_LINE: Final = 200
"""Code with longer lines gets no tokens: with those, most lexers can be made to take very long."""
_SPECIAL = frozenset("&<>\"'")
_FIRST_LINE = re.compile(r"(?:::+|#!)(?:(?:/\w+)*[/ ])?([\w#.+-]*)")


class CodeBlocks:
    """The code blocks of one message, which share a limit of effort."""

    def __init__(self) -> None:
        self._effort_left = MAX_EFFORT
        self._rendered: dict[tuple[str, str], str] = {}

    def html(self, code: str, language: str) -> str:
        """Render a code block; identical blocks are rendered once."""
        if (code, language) not in self._rendered:
            self._rendered[code, language] = self._render_block(code.strip("\n").rstrip(), language)
        return self._rendered[code, language]

    def _render_block(self, code: str, language: str) -> str:
        from chatcore.markup.html import lexers  # a megabyte, and most texts have no code

        name = lexers.name_of(language or _language_of_first_line(code))
        attribute = f' data-code-language="{escape_literally(name or language)}"' if language else ""
        lexer = lexers.lexer_of(name) if name else None
        if lexer and name and self._has_room_for(code) and not lexers.is_trap(code, name):
            self._effort_left -= len(code)
            html = render_tokens(code, lexer)
        else:
            html = escape_literally(code)
        return f'<div class="codehilite"{attribute}><pre><span></span><code>{html}\n</code></pre></div>'

    def _has_room_for(self, code: str) -> bool:
        return len(code) <= self._effort_left and max(map(len, code.split("\n"))) <= MAX_LINE


def _language_of_first_line(code: str) -> str:
    """Return the language that the first line names, as in `#!python`, `#!/usr/bin/python` or `:::python`; ""
    if it names none.
    """
    match = _FIRST_LINE.match(code)
    return match[1].lower() if match else ""


def render_tokens(code: str, lexer: Lexer) -> str:
    """Return highlighted code as HTML: one span for each run of tokens of the same class."""
    parts: list[str] = []
    kind, run = "", ""
    for type, value in lexer.get_tokens(code):
        next_kind = _class_of(type)
        if next_kind == kind:
            run += value
        else:
            parts.append(_make_spans(kind, run))
            kind, run = next_kind, value
    parts.append(_make_spans(kind, run))
    return "".join(parts).rstrip("\n")


@cache
def _class_of(type: Any) -> str:
    """Return the short name of the nearest standard type, followed by the parts that make the type
    special.
    """
    names = []
    while type not in STANDARD_TYPES:
        names.append(type[-1])
        type = type.parent
    return " ".join(
        "-".join([STANDARD_TYPES[type], *reversed(names[index:])]) for index in range(len(names), -1, -1)
    )


def _make_spans(kind: str, run: str) -> str:
    """Return the text *run* in spans of the class *kind*, if any, none of which crosses the end of a line."""
    if not _SPECIAL.isdisjoint(run):
        run = escape_literally(run)
    if not kind or not run:
        return run
    if "\n" not in run:
        return f'<span class="{kind}">{run}</span>'
    return "\n".join(f'<span class="{kind}">{line}</span>' if line else "" for line in run.split("\n"))
