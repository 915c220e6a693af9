"""What an edit changed, marked in HTML."""

import re

import pytest

from chatcore.domain.words import text_of_html
from chatcore.markup import html_diff

INS, DEL, END = '<span class="highlight_text_inserted">', '<span class="highlight_text_deleted">', "</span>"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("<p>soup</p>", "<p>soup</p>", "<p>soup</p>"),
        ("<p>soup</p>", "<p>hot soup</p>", f"<p>{DEL}soup{END}{INS}hot{END}{INS} soup{END}</p>"),
        ("<p>a soup</p>", "<p>a salad</p>", f"<p>a{DEL} soup{END}{INS} salad{END}</p>"),
        ("<p>a b c</p>", "<p>a c</p>", f"<p>a{DEL} b{END} c</p>"),
        ("<p>a</p>", "<p><b>a</b></p>", "<p><b>a</b></p>"),
        ("<p><i>a</i></p>", "<p>a</p>", "<p>a</p>"),
        ("", "<p>a</p>", f"<p>{INS}a{END}</p>"),
    ],
)
def test_words_are_marked(before: str, after: str, expected: str) -> None:
    assert html_diff(before, after) == expected


def test_tags_stay_those_of_the_new_text() -> None:
    before, after = "<ul><li>one</li><li>two</li></ul>", '<p>two <a href="/x">one</a></p>'
    unmarked = html_diff(before, after).replace(INS, "").replace(DEL, "").replace(END, "")
    assert re.findall("<[^>]*>", unmarked) == ["<p>", '<a href="/x">', "</a>", "</p>"]


def test_of_very_long_texts_all_is_replaced() -> None:
    before = " ".join(f"a{number}" for number in range(2000))
    after = " ".join(f"b{number}" for number in range(2000))
    marked = html_diff(before, after)
    assert text_of_html(marked) == before + after
    assert marked.count(DEL) == marked.count(INS) == 2000
