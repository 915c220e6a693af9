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

MAX_EFFORT: Final = 3_000
"""How many characters of a message get tokens; what is longer is shown without."""
MAX_LINE: Final = 200
"""Code with longer lines gets none either: with those most lexers can be made to take very long."""
SLOW: Final = frozenset(
    {
        "AspectJ",
        "Ceylon",
        "CSS+mozpreproc",
        "Delphi",
        "Devicetree",
        "Evoque",
        "Fantom",
        "Gosu",
        "HTML+Evoque",
        "Javascript+mozpreproc",
        "Kal",
        "Mason",
        "MCSchema",
        "MoinMoin/Trac Wiki markup",
        "Nemerle",
        "Org Mode",
        "PEG",
        "Perl6",
        "Pug",
        "Ragel",
        "Ragel in Java Host",
        "SARL",
        "Systemd",
        "Thrift",
        "tiddler",
        "Transact-SQL",
        "urlencoded",
        "Wikitext",
        "X++",
        "XML+Evoque",
        "XML+Myghty",
        "Xtend",
        "XUL+mozpreproc",
        "Zeek",
    }
)
"""Lexers that can be made to take very long even so: found by giving 40 short texts over and over to each."""
SLOW_WITH_WORDS: Final = frozenset({"C#", "Groovy", "Java"})
"""These only with many words in a row and nothing between them, or with a very long one."""
SLOWER: Final = 10
"""How many times as much effort is reckoned for a slow lexer."""

_MANY_WORDS = re.compile(r"(?:[\w.\[\]$<>?]+\s+){60}|[\w.\[\]$<>?]{80}")
_SPECIAL = frozenset("&<>\"'")
_FIRST_LINE = re.compile(r"(?:::+|#!)(?:(?:/\w+)*[/ ])?([\w#.+-]*)")


@cache
def _names() -> dict[str, str]:
    """Every alias of a lexer, to the lexer's own name."""
    return {alias.lower(): name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


@lru_cache(maxsize=64)
def _lexer(alias: str) -> Lexer:
    return get_lexer_by_name(alias, startinline=True)


class CodeBlocks:
    """The code blocks of one message. Together they get only so much effort."""

    def __init__(self) -> None:
        self._left = MAX_EFFORT

    def html(self, code: str, language: str) -> str:
        code = code.strip("\n").rstrip()
        alias = language.lower() or _language_of_first_line(code)
        name = _names().get(alias, "")
        attribute = f' data-code-language="{escape_literally(name or language)}"' if language else ""
        tokens = _tokens(code, alias) if name and self._may_take(code, name) else escape_literally(code)
        return f'<div class="codehilite"{attribute}><pre><span></span><code>{tokens}\n</code></pre></div>'

    def _may_take(self, code: str, name: str) -> bool:
        is_slow = name in SLOW or (name in SLOW_WITH_WORDS and _MANY_WORDS.search(code))
        effort = len(code) * (SLOWER if is_slow else 1)
        if effort > self._left or max(map(len, code.split("\n"))) > MAX_LINE:
            return False
        self._left -= effort
        return True


def _language_of_first_line(code: str) -> str:
    """`#!python`, `#!/usr/bin/python` and `:::python` say which language a block is in."""
    if not code.startswith(("#!", "::")):
        return ""
    found = _FIRST_LINE.match(code)
    return found[1].lower() if found else ""


def _tokens(code: str, alias: str) -> str:
    lexer = _lexer(alias)
    if isinstance(lexer, TextLexer):
        return escape_literally(code)
    parts: list[str] = []
    kind, run = "", ""
    for type, value in lexer.get_tokens(code):
        same = _class_of(type)
        if same == kind:
            run += value
        else:
            parts.append(_spans(kind, run))
            kind, run = same, value
    parts.append(_spans(kind, run))
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


def _spans(kind: str, run: str) -> str:
    """A span never goes over the end of a line."""
    if not _SPECIAL.isdisjoint(run):
        run = escape_literally(run)
    if not kind or not run:
        return run
    if "\n" not in run:
        return f'<span class="{kind}">{run}</span>'
    return "\n".join(f'<span class="{kind}">{line}</span>' if line else "" for line in run.split("\n"))
