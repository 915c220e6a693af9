"""No text makes a lexer take twice as long with every few characters, or chooses the lexer of a part."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache

import pytest
from pygments.lexer import Lexer, RegexLexer
from pygments.lexers import find_lexer_class, get_all_lexers

from chatcore.markup.html.code import CodeBlocks
from chatcore.markup.html.lexers import LANGUAGES, TRAPS, Trap, lexer_of
from tests.markup.html.ambiguity import doubles

CHOOSERS = re.compile(r"\b(?:get_lexer_\w+|guess_lexer\w*|load_lexer_\w+)\(")
DISARMED = {"Markdown", "PostgreSQL SQL dialect"}
"""These choose other lexers by the text, unless an option forbids it."""
SAVED = {
    r"(%r([\W_]))((?:\\\2|(?!\2).)*)(\2[mixounse]*)",
    r"%[qsw]([\W_])((?:\\\1|(?!\1).)*)\1",
    r"(%[QWx]([\W_]))((?:\\\2|(?!\2).)*)(\2)",
    r"(?<=[-+/*%=<>&!^|~,(])(\s*)(%([\t ])(?:(?:\\\3|(?!\3).)*)\3)",
    r"^(\s*)(%([\t ])(?:(?:\\\3|(?!\3).)*)\3)",
    r"(%([^a-zA-Z0-9\s]))((?:\\\2|(?!\2).)*)(\2)",
}
"""Expressions for Ruby's own quotes, in which a lookahead leaves only one way to match."""

TRAPPED = (
    r"((?!\d)(?:[\w$]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|::)+(?:[&*\s])+)(\s*(?:(?:(?://(?:.|(?<=\\)\n)*\n)",
    r"(?s)\$'(\\\\|\\[0-7]+|",
    r'(?s)\$?"(\\\\|\\[0-7]+|',
    r'"(\\[0-7]+|',
    r"'(\\[0-7]+|",
    r"(<<<)(",
    r"\$(?:[_a-z]|[^\x00-\x7f])(?:\w|[^\x00-\x7f])*(\[\S+?\]|->",
    r"s!(\\\\|\\!|[^!])*!",
    r'"(\\\\|\\"|[^"])*"',
    r'raw"(\\\\|\\"|[^"])*"',
    r'(?s)#[pr]x#?"(\\?.)*?"',
    r"\*(\|[^|]+\||(?:\\.|",
)
"""The beginnings of expressions that take very long on some texts; `is_trap` recognizes such texts."""

BAITS = (
    "int a(int b) " + "//\\\n" * 40 + "!",
    "$'" + r"\1" * 40,
    "'" + r"\1234567" * 8,
    "$a = <<<" + "\xe9" * 40,
    "s!" + r"\!" * 40,
    '"' + r"\\" * 40,
    '#px"' + r"\a" * 40,
    "*" + "." * 40,
    "a\n" * 1_400,
)
"""One for each trap."""


@cache
def lexers_behind(name: str) -> set[type[Lexer]]:
    """Return the lexer of a language, the lexers from which it is built, and those that its code names."""
    waiting, found = [type(lexer_of(name))], set[type[Lexer]]()
    while waiting:
        lexer = waiting.pop()
        if lexer in found:
            continue
        found.add(lexer)
        module = vars(sys.modules[lexer.__module__])
        named = [module.get(each) for source in sources(lexer) for each in re.findall(r"\w+Lexer\b", source)]
        waiting += [
            each
            for each in (*lexer.__mro__, *named)
            if isinstance(each, type) and issubclass(each, Lexer) and each.__module__ != Lexer.__module__
        ]
    return found


@cache
def sources(lexer: type[Lexer]) -> tuple[str, ...]:
    """The code of a lexer: of its class, of what that is made from, and of the functions in its rules."""
    rules = [rule for state in getattr(lexer(), "_tokens", {}).values() for rule in state]
    functions = {rule[1] for rule in rules if inspect.isfunction(rule[1])}
    theirs = (each for each in (*lexer.__mro__, *functions) if each.__module__.startswith("pygments.lexers."))
    return tuple(map(inspect.getsource, theirs))


def expressions(lexer: type[Lexer]) -> Iterator[tuple[str, int]]:
    if issubclass(lexer, RegexLexer) and hasattr(lexer, "tokens"):
        for rules in lexer()._tokens.values():
            for matches, *_ in rules:
                if compiled := getattr(matches, "__self__", None):
                    yield compiled.pattern, compiled.flags


def test_the_languages_exist() -> None:
    assert {name for name, *_ in get_all_lexers(plugins=False)} >= LANGUAGES
    assert frozenset().union(*(trap.languages for trap in TRAPS)) <= LANGUAGES
    assert all(find_lexer_class(name).name == name for name in LANGUAGES)


def test_no_expression_of_a_lexer_takes_twice_as_long_with_every_repetition() -> None:
    known: dict[tuple[str, int], bool] = {}
    dangerous = set()
    for name in LANGUAGES:
        for lexer in lexers_behind(name):
            for one in expressions(lexer):
                if one not in known:
                    known[one] = doubles(*one)
                if known[one] and one[0] not in SAVED:
                    dangerous.add(one[0])
    assert {start for start in TRAPPED if any(each.startswith(start) for each in dangerous)} == set(TRAPPED)
    assert not {each for each in dangerous if not each.startswith(TRAPPED)}


@pytest.mark.parametrize(
    ("expression", "does"),
    [
        (r'"(\\\\|\\"|[^"])*"', True),
        (r'"(?:\\.|[^"\\])*"', False),
        (r"(a*)*b", True),
        (r"(a?b?)*c", True),
        (r"(a|b)*c", False),
        (r"(?i)(ab|AB)*c", True),
        (r"(?:a|a)*", False),
        (r"(\w+\s+)*x", False),
        (r"(\w+\s*)*x", True),
        (r"(?=(.|\w)*;)x", True),
    ],
)
def test_doubled_loops_of_lexers_are_recognized(expression: str, does: bool) -> None:
    assert doubles(expression) is does


def test_only_lexers_with_an_option_for_it_choose_other_lexers() -> None:
    choosing = {
        name
        for name in LANGUAGES
        for lexer in lexers_behind(name)
        if any(map(CHOOSERS.search, sources(lexer)))
    }
    assert choosing == DISARMED


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("md", "a\n\n```xpp\nclass a\n```\n"),
        ("postgresql", "create function a() as $$ class a $$ language xpp;"),
    ],
)
def test_a_text_does_not_choose_the_lexer_of_a_part(language: str, code: str) -> None:
    html = CodeBlocks().html(code, language)
    assert html.count("<span") > 2
    assert '<span class="k">class' not in html
    assert ">class a" in html or "class a" in html


@pytest.mark.parametrize(("trap", "code"), list(zip(TRAPS, BAITS, strict=True)), ids=range(len(TRAPS)))
def test_code_that_is_a_trap_has_no_tokens(trap: Trap, code: str) -> None:
    for name in trap.languages:
        alias = find_lexer_class(name).aliases[0]
        assert CodeBlocks().html(code, alias).count("<span") == 1
        assert CodeBlocks().html("a = 'b';\n", alias).count("<span") > 1


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("fish", '"' + r"\\" * 60),
        ("maple", '"' + "if " * 45),
        ("rest", ":" + r"\\" * 60),
        ("rita", '"' + "1" * 60),
    ],
)
def test_texts_that_stopped_the_server(language: str, code: str) -> None:
    assert CodeBlocks().html(code, language).count("<span") == 1
