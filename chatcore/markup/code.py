"""Code blocks: Pygments' lexers behind its table of names, none of its guessing and no plug-ins."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, Final

from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.token import STANDARD_TYPES

from chatcore.markup.escaping import escape_literally

MAX_HIGHLIGHTED: Final = 10_000
"""Characters: longer code is shown without tokens."""

_FIRST_LINE = re.compile(r"(?:::+|#!)(?:(?:/\w+)*[/ ])?([\w#.+-]*)")


@cache
def _names() -> dict[str, str]:
    """Every alias of a lexer, to the lexer's own name."""
    return {alias.lower(): name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


@lru_cache(maxsize=64)
def _lexer(alias: str) -> Lexer:
    return get_lexer_by_name(alias, startinline=True)


def code_block(code: str, language: str) -> str:
    code = code.strip("\n").rstrip()
    alias = language.lower()
    name = _names().get(alias, language)
    attribute = f' data-code-language="{escape_literally(name)}"' if language else ""
    if not language:
        alias = _language_of_first_line(code)
    tokens = _tokens(code, alias)
    return f'<div class="codehilite"{attribute}><pre><span></span><code>{tokens}\n</code></pre></div>'


def _language_of_first_line(code: str) -> str:
    """`#!python`, `#!/usr/bin/python` and `:::python` say which language a block is in."""
    if not code.startswith(("#!", "::")):
        return ""
    found = _FIRST_LINE.match(code)
    return found[1].lower() if found else ""


def _tokens(code: str, alias: str) -> str:
    if alias not in _names() or len(code) > MAX_HIGHLIGHTED:
        return escape_literally(code)
    lexer = _lexer(alias)
    if isinstance(lexer, TextLexer):
        return escape_literally(code)
    parts: list[str] = []
    kind, run = "", ""
    for type, value in lexer.get_tokens(code):
        same = _class_of(type)
        if same != kind:
            _add_spans(parts, kind, run)
            kind, run = same, ""
        run += value
    _add_spans(parts, kind, run)
    return "".join(parts).rstrip("\n")


@cache
def _class_of(type: Any) -> str:
    """The short name of the nearest standard type, and behind it what makes the type a special one."""
    names = []
    while type not in STANDARD_TYPES:
        names.append(type[-1])
        type = type.parent
    return " ".join(
        "-".join([STANDARD_TYPES[type], *reversed(names[place:])]) for place in range(len(names), -1, -1)
    )


def _add_spans(parts: list[str], kind: str, run: str) -> None:
    """A span never goes over the end of a line."""
    run = escape_literally(run)
    if not kind:
        parts.append(run)
        return
    for place, line in enumerate(run.split("\n")):
        if place:
            parts.append("\n")
        if line:
            parts.append(f'<span class="{kind}">{line}</span>')
