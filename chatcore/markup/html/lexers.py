"""Languages with syntax highlighting, and the texts for which their lexers would take too long.

Sixty characters can make many of Pygments' lexers run for years. The lexers listed here were reviewed:
tests/markup/html/test_lexers.py finds expressions whose time doubles, scripts/check_lexers.py times each
lexer on texts made to be slow. Docs: docs/decisions/0014-code-of-rare-languages-is-plain.md.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.lexers.sql import PostgresLexer

LANGUAGES: Final = frozenset(
    line
    for line in """
Ada
ApacheConf
Arduino
Awk
Bash
Bash Session
BibTeX
C
C#
C++
CMake
COBOL
CSS
CSS+PHP
CUDA
Clojure
CoffeeScript
Common Lisp
Crystal
Cypher
Cython
D
Dart
Diff
Docker
Elixir
Elm
Erlang
Erlang erl session
F#
Fish
Fortran
GDScript
GLSL
Gherkin
Gleam
Go
GraphQL
Groovy
HTML
HTML+Django/Jinja
HTML+PHP
Haskell
INI
Idris
Isabelle
JSON
JSX
Java
JavaScript
JavaScript+PHP
Julia
Julia console
Kotlin
Lean
Lean4
LessCss
Lua
Makefile
Markdown
Mathematica
Matlab
MySQL
NASM
Nginx configuration file
Nimrod
Nix
OCaml
Objective-C
Octave
PHP
Perl
PostgreSQL SQL dialect
PowerShell
PowerShell Session
Properties
Protocol Buffer
Python
Python 2.x
Python Traceback
Python console session
RConsole
Racket
Rocq Prover
Ruby
Ruby irb session
Rust
S
SCSS
SPARQL
SQL
Sass
Scala
Scheme
Standard ML
Swift
TOML
TSX
Tcl
TeX
Terraform
Turtle
TypeScript
Typst
VB.net
Vue
WebAssembly
XML
XML+PHP
YAML
Zig
sqlite3con
systemverilog
verilog
vhdl
""".splitlines()
    if line
)
"""Languages by Pygments' names."""


class Trap(NamedTuple):
    """A kind of code for which some lexers take too long."""

    languages: frozenset[str]
    bait: re.Pattern[str]
    allowed: int = 0
    """Occurrences up to which code gets tokens."""


def _trap(languages: str, bait: str, allowed: int = 0) -> Trap:
    return Trap(frozenset(languages.split(", ")), re.compile(bait, re.MULTILINE), allowed)


TRAPS: Final = (
    _trap("Arduino, C, C++, CUDA, Objective-C", r"//.*\\$", 8),
    _trap("Bash, Bash Session, Docker, Fish, Fortran, Makefile", r"\\[\\0-7]", 8),
    _trap("Bash, Bash Session, Docker, Fish, Fortran, Makefile", r"\\[0-7]{4}"),
    _trap("PHP, CSS+PHP, HTML+PHP, JavaScript+PHP, XML+PHP", r"<<<['\"]?\w*[^\W\x00-\x7f]"),
    _trap("Perl", r"\\[\\!]", 8),
    _trap("Scala", r"\\[\\\"]", 8),
    _trap("Racket", r"\\", 8),
    _trap("Common Lisp", r"\*[^\n.]*(?:\.[^\n.]*){8}"),
    _trap("C#, Groovy, Java", r"(?:[\w.\[\]$<>?]+\s+){60}|[\w.\[\]$<>?]{80}"),
)


class _Postgres(PostgresLexer):
    """A lexer that treats the body of a function as a string: the text must not choose its language."""

    def _get_lexer(self, lang: str) -> None:
        return None


@cache
def _names_by_alias() -> dict[str, str]:
    """Return every alias of a lexer with the lexer's own name."""
    return {alias.lower(): name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


def name_of(language: str) -> str | None:
    """Return the canonical name of a language that Pygments knows."""
    return _names_by_alias().get(language.lower())


def lexer_of(name: str) -> Lexer | None:
    """Return a lexer for a listed language. It calls no other lexer that the text names.

    Each text gets a new one, because some lexers keep state.
    """
    if name not in LANGUAGES:
        return None
    if name == PostgresLexer.name:
        return _Postgres()
    lexer = find_lexer_class(name)  # Pygments loads it, and keeps it
    return None if lexer is None else lexer(startinline=True, handlecodeblocks=False)


def is_trap(code: str, name: str) -> bool:
    """Whether the lexer of this language may take very long for *code*."""
    return any(
        name in trap.languages and sum(1 for _ in trap.bait.finditer(code)) > trap.allowed for trap in TRAPS
    )
