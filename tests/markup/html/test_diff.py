"""Changes between two versions of a message, marked in HTML."""

import re

import pytest

from chatcore.domain.narrow.words import text_of_html
from chatcore.markup import html_diffs
from chatcore.markup.html import diff

INS, DEL, END = '<span class="highlight_text_inserted">', '<span class="highlight_text_deleted">', "</span>"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("<p>soup</p>", "<p>soup</p>", "<p>soup</p>"),
        ("<p>soup</p>", "<p>hot soup</p>", f"<p>{DEL}soup{END}{INS}hot soup{END}</p>"),
        ("<p>a soup</p>", "<p>a salad</p>", f"<p>a{DEL} soup{END}{INS} salad{END}</p>"),
        ("<p>a b c</p>", "<p>a c</p>", f"<p>a{DEL} b{END} c</p>"),
        ("<p>a b c d</p>", "<p>a x c y</p>", f"<p>a{DEL} b{END}{INS} x{END} c{DEL} d{END}{INS} y{END}</p>"),
        ("<p>a</p>", "<p><b>a</b></p>", "<p><b>a</b></p>"),
        ("<p><i>a</i></p>", "<p>a</p>", "<p>a</p>"),
        ("", "<p>a</p>", f"<p>{INS}a{END}</p>"),
        ("<p>{0} {</p>", "<p>{0} }</p>", f"<p>{{0}}{DEL} {{{END}{INS} }}{END}</p>"),
    ],
)
def test_words_are_marked(before: str, after: str, expected: str) -> None:
    assert html_diffs([(before, after)]) == [expected]


def test_tags_stay_those_of_the_new_text() -> None:
    before, after = "<ul><li>one</li><li>two</li></ul>", '<p>two <a href="/x">one</a></p>'
    (marked,) = html_diffs([(before, after)])
    unmarked = marked.replace(INS, "").replace(DEL, "").replace(END, "")
    assert re.findall("<[^>]*>", unmarked) == ["<p>", '<a href="/x">', "</a>", "</p>"]


def test_very_long_texts_are_replaced_as_a_whole() -> None:
    before = " ".join(f"a{number}" for number in range(2000))
    after = " ".join(f"b{number}" for number in range(2000))
    (marked,) = html_diffs([(before, after)])
    assert marked == f"{DEL}{before}{END}{INS}{after}{END}"
    assert text_of_html(marked) == before + after


def test_all_changes_together_have_one_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Showing many edits of a message takes no longer than showing a few."""
    monkeypatch.setattr(diff, "MAX_CELLS", 9 + 4)
    three_words, two_words = ("<p>s a b c e</p>", "<p>s b c d e</p>"), ("<p>s a b e</p>", "<p>s b d e</p>")
    exact = f"<p>s{DEL} a{END} b c{INS} d{END} e</p>"
    replaced = f"<p>s{DEL} a b c{END}{INS} b c d{END} e</p>"
    found = html_diffs([three_words, three_words, two_words, two_words])
    assert found[:2] == [exact, replaced]
    assert [DEL + " a b" in one for one in found[2:]] == [False, True]
