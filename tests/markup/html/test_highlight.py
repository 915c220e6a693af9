"""Search hits in rendered messages."""

from __future__ import annotations

import re

import pytest

from chatcore.domain.narrow.words import MARKED_WORD, hit_test, parse_query, possible_hit_finder, search_words
from chatcore.markup import highlight, highlight_text
from tests.markup.said import html_of

_OPEN = '<span class="highlight">'
HIT = _OPEN + "{}</span>"


def is_rose(word: str) -> bool:
    return word.lower().rstrip("s") == "rose"


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("हिन्दी", "हिन्दी"),
        ("தமிழ்", "தமிழ்"),
        ("שָׁלוֹם", "שלום"),
        ("e\u0301te\u0301", "\xe9t\xe9"),
        ("\xe9t\xe9", "ete"),
        ("a\u0308rger", "\xe4rger"),
        ("stra\xdfe", "strasse"),
        ("日本語", "日本"),
        ("foo_bar", "bar"),
    ],
)
def test_search_hits_are_marked_with_all_of_their_signs(text: str, query: str) -> None:
    words, _ = parse_query(query)
    assert set(words) <= set(search_words(text))
    for find in (MARKED_WORD.finditer, possible_hit_finder(words)):
        assert (
            highlight(f"<p>a {text}, b</p>", hit_test(words), words=find) == f"<p>a {HIT.format(text)}, b</p>"
        )


def test_hits_are_marked_in_text_only() -> None:
    html = html_of("Roses and [rose](https://rose.example/rose) :rose:")
    marked = highlight(html, is_rose)
    assert marked.startswith("<p>" + HIT.format("Roses") + " and ")
    assert f'<a href="https://rose.example/rose">{HIT.format("rose")}</a>' in marked
    assert f'title="rose">:{HIT.format("rose")}:</span>' in marked
    assert re.sub(r'<span class="highlight">([^<]*)</span>', r"\1", marked) == html


def test_a_phrase_is_marked_in_any_case_and_over_tags() -> None:
    assert highlight("<p>Red <em>rose</em>s</p>", lambda word: False, ("red rose", "")) == (
        f"<p>{HIT.format('Red ')}<em>{HIT.format('rose')}</em>s</p>"
    )


def test_a_phrase_is_found_behind_what_lower_case_makes_longer() -> None:
    assert highlight("<p>İ Red ß</p>", lambda word: False, ("RED",)) == f"<p>İ {HIT.format('Red')} ß</p>"
    assert highlight("<p>ΟΔΟΣ οδος</p>", lambda word: False, ("οδοσ",)) == (
        f"<p>{HIT.format('ΟΔΟΣ')} {HIT.format('οδος')}</p>"
    )


def test_a_phrase_is_marked_as_often_as_it_fits() -> None:
    assert highlight("aaaaa", lambda word: False, ("aa",)) == f"{HIT.format('aa')}{HIT.format('aa')}a"


def test_overlapping_hits_are_one() -> None:
    assert highlight("<p>red rose bed</p>", is_rose, ("red rose", "rose bed", "ose")) == (
        f"<p>{HIT.format('red rose bed')}</p>"
    )


def test_hits_side_by_side_are_two() -> None:
    assert highlight("<p>red rose</p>", lambda word: False, ("red ", "rose")) == (
        f"<p>{HIT.format('red ')}{HIT.format('rose')}</p>"
    )


def test_references_are_marked_as_a_whole() -> None:
    assert highlight("<p>a &amp; b & c</p>", lambda word: False, ("& b",)) == (
        f"<p>a {HIT.format('&amp;')}{HIT.format(' b')} & c</p>"
    )


def test_without_hits_nothing_changes() -> None:
    html = html_of("**a** b")
    assert highlight(html, is_rose, ("x",)) == html


def test_a_topic_is_escaped_and_marked() -> None:
    assert highlight_text("<roses> & rose", is_rose) == (
        f"&lt;{HIT.format('roses')}&gt; &amp; {HIT.format('rose')}"
    )


def test_the_caller_may_say_what_a_word_is() -> None:
    assert (
        highlight_text("c++ c", lambda word: word == "c++", words=re.compile(r"\S+").finditer)
        == f"{HIT.format('c++')} c"
    )


def test_each_line_has_its_hits() -> None:
    html = html_of("rose\n* bed\n* [roses](https://rose.example)\n\n```\n<rose>\n\nbed\nrose\n```")
    marked = highlight(html, is_rose)
    assert marked.count(_OPEN) == 4
    assert marked.replace(_OPEN, "").replace("</span>", "") == html.replace("</span>", "")


def test_a_phrase_may_have_several_lines() -> None:
    assert highlight("<p>red<br>\nrose bed</p>", is_rose, ("red\nrose",)) == (
        f"<p>{HIT.format('red')}<br>{HIT.format(chr(10) + 'rose')} bed</p>"
    )


def test_an_attribute_may_have_several_lines() -> None:
    assert highlight('<a title="a\nrose">red</a>\nrose', is_rose) == (
        f'<a title="a\nrose">red</a>\n{HIT.format("rose")}'
    )


def test_lines_of_attributes_are_not_those_of_references() -> None:
    assert highlight('<p><a title="a\nb">y</a>&#10;z rose</p>', is_rose) == (
        f'<p><a title="a\nb">y</a>&#10;z {HIT.format("rose")}</p>'
    )


def test_a_reference_of_thousands_of_digits_is_no_character() -> None:
    reference = f"&#{'0' * 4400}65;"  # in messages of older versions
    assert highlight(f"<p>{reference} rose</p>", is_rose) == f"<p>{reference} {HIT.format('rose')}</p>"


def test_a_word_goes_on_behind_tags_and_references() -> None:
    assert highlight("<p>r<em>o<b></b></em>s&#101;s</p>", is_rose) == (
        f"<p>{HIT.format('r')}<em>{HIT.format('o')}<b></b></em>"
        f"{HIT.format('s')}{HIT.format('&#101;')}{HIT.format('s')}</p>"
    )
    assert highlight("<p>red&lt;</p><p>&gt;</p>", is_rose, ("<>",)) == (
        f"<p>red{HIT.format('&lt;')}</p><p>{HIT.format('&gt;')}</p>"
    )
