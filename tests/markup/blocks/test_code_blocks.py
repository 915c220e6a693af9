"""Code blocks: languages, and tokens as Pygments' own formatter makes them."""

from __future__ import annotations

import html
import re

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from chatcore.markup.html.code import MAX_EFFORT, MAX_LINE, CodeBlocks
from tests.markup.said import html_of

PYTHON = """'''Doc
string.'''
from a import b  # c


@d
def e(f: int = 0x1F) -> str:
    return f"{f!r}\\n" + 'g'
"""


def code_block(code: str, language: str) -> str:
    return CodeBlocks().html(code, language)


def test_a_language_has_a_canonical_name() -> None:
    assert code_block("x", "PY").startswith('<div class="codehilite" data-code-language="Python">')
    assert code_block("x", "text").endswith("<code>x\n</code></pre></div>")


def test_an_unknown_language_is_kept_as_typed() -> None:
    assert code_block("a < 'b'", 'My"Lang') == (
        '<div class="codehilite" data-code-language="My&quot;Lang"><pre><span></span>'
        "<code>a &lt; &#x27;b&#x27;\n</code></pre></div>"
    )


@pytest.mark.parametrize("line", ["#!python", ":::python", "#!/usr/bin/python", "::: python"])
def test_the_first_line_may_say_the_language(line: str) -> None:
    block = code_block(f"{line}\nimport a", "")
    assert "data-code-language" not in block
    assert '<span class="kn">import</span>' in block


@pytest.mark.parametrize(
    "code", ["import a", "#! \nimport a", "::\nimport a", "#!/bin/env-python/x\nimport a"]
)
def test_else_code_without_a_language_has_no_tokens(code: str) -> None:
    assert code_block(code, "").count("<span") == 1


def test_one_colon_says_no_language() -> None:
    assert "<code>:a\n" in code_block(":a", "")


@pytest.mark.parametrize(
    ("code", "language"),
    [
        (PYTHON, "python"),
        ('{"a": [1, true, null]}\n\n', "json"),
        ("$a = f('b');\n?>\n<p>c</p>\n", "php"),
        ("<p class='a'>\n\n<!-- b\nc --></p>", "html"),
        ("a:\n  - b: 'c' # d", "yaml"),
        ('def a\n  "#{b}"\nend', "ruby"),
        ("/- a -/ theorem b : c := by\n  simp", "lean"),
        ("\\pi \\textbf{a}", "tex"),
    ],
)
def test_the_tokens_are_those_of_the_formatter(code: str, language: str) -> None:
    lexer = get_lexer_by_name(language, startinline=True)
    expected = highlight(code.strip("\n").rstrip(), lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    found = re.search(r"<code>(.*)\n</code>", code_block(code, language), re.DOTALL)
    assert found
    assert _merged(found[1]) == _merged(expected)


def _merged(tokens: str) -> list[tuple[str, str]]:
    """(class, character) all along: where spans begin and end within a class does not matter."""
    marks = []
    for kind, in_span, plain in re.findall(r'<span class="([^"]*)">([^<]*)</span>|([^<]+)', tokens):
        marks += [(kind, character) for character in html.unescape(in_span or plain)]
    return marks


def test_only_so_much_code_of_a_message_has_tokens() -> None:
    line = "import a\n"
    assert code_block(line * (MAX_EFFORT // len(line)), "python").count("<span") > 1
    assert code_block(line * (MAX_EFFORT // len(line) + 2), "python").count("<span") == 1
    blocks = CodeBlocks()
    lines = line * (MAX_EFFORT // len(line) // 2 - 1)
    halves = [blocks.html(f"{lines}{number}", "python") for number in range(3)]
    assert [half.count("<span") > 1 for half in halves] == [True, True, False]


def test_code_with_a_very_long_line_has_no_tokens() -> None:
    assert code_block("#" * MAX_LINE, "python").count("<span") == 2
    assert code_block("#" * (MAX_LINE + 1), "python").count("<span") == 1


def test_the_same_block_again_costs_nothing() -> None:
    line = "import a\n"
    blocks = CodeBlocks()
    halves = [blocks.html(line * (MAX_EFFORT // len(line)), "python") for _ in range(3)]
    assert len(set(halves)) == 1
    assert halves[0].count("<span") > 1


def test_a_rare_language_keeps_its_name_but_has_no_tokens() -> None:
    assert code_block("a < 'b'", "XPP") == (
        '<div class="codehilite" data-code-language="X++"><pre><span></span>'
        "<code>a &lt; &#x27;b&#x27;\n</code></pre></div>"
    )


def test_blank_ends_of_lines_are_cut_in_fences() -> None:
    assert "<code>a\n\nb\n</code>" in html_of("```\n\na  \n   \nb\t\n\n```")
