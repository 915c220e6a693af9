"""Lists: the bullets mixed, two blanks a level, tight and loose items."""

from __future__ import annotations

import pytest

from tests.markup.said import html_of


def test_bullets_mix_in_one_list() -> None:
    assert html_of("* a\n- b\n+ c") == "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>"


def test_the_first_number_is_the_start_and_the_others_do_not_matter() -> None:
    assert html_of("3. a\n9. b") == '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'


def test_a_list_may_hang_below_a_text() -> None:
    assert html_of("a\n* b\n1. c") == "<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>"
    assert html_of("a\n10. b") == "<p>a<br>\n10. b</p>"


@pytest.mark.parametrize("marker", ["```", "~~~"])
def test_a_list_hangs_in_a_fenced_quote_but_not_in_code(marker: str) -> None:
    assert "<ul>" in html_of(f"{marker}quote\na\n* b\n{marker}")
    assert "<ul>" not in html_of(f"{marker}\na\n* b\n{marker}")
    assert "<ul>" in html_of(f"{marker}\na\n{marker}\nb\n* c")


def test_items_nest_by_two_blanks() -> None:
    assert html_of("* a\n  * b\n    * c\n* d") == (
        "<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>"
    )


def test_an_empty_line_makes_the_items_around_it_loose() -> None:
    assert (
        html_of("* a\n* b\n\n* c") == "<ul>\n<li>a</li>\n<li>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n</li>\n</ul>"
    )


def test_an_indented_paragraph_belongs_to_the_item_before_it() -> None:
    assert html_of("* a\n\n  b\n\nc") == "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>\n<p>c</p>"


def test_an_indented_paragraph_belongs_to_the_item_as_deep_as_itself() -> None:
    html = html_of("* a\n  * b\n\n    c\n\n  d")
    assert "<p>b</p>\n<p>c</p>" in html
    assert html.endswith("<p>d</p>\n</li>\n</ul>")


def test_too_deep_an_indentation_leads_to_the_deepest_item() -> None:
    assert html_of("* a\n\n* b\n\n      c").count("<p>") == 2
    assert html_of("* a\n\n      c").startswith('<ul>\n<li>a<div class="codehilite">')


def test_text_below_a_heading_in_an_item_stays_in_the_item() -> None:
    assert html_of("* # a\nb") == "<ul>\n<li>\n<h1>a</h1>\n<br>\nb</li>\n</ul>"
    assert html_of("* # a\nb\nc\n\n* d").count("<p>") == 2


def test_an_item_of_items_is_one_list() -> None:
    assert html_of("* * a\n  * b") == "<ul>\n<li>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</li>\n</ul>"


def test_a_heading_of_an_item_stays_one_when_more_follows() -> None:
    assert html_of("* # a\n\n  b\n\n    c").count("<h1>a</h1>") == 1


def test_other_blocks_cannot_stand_between_items() -> None:
    assert html_of("* * a\n  * b\n  # c").count("<li>") == 3
    assert html_of("* a\n\n  > b") == (
        "<ul>\n<li>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</li>\n</ul>"
    )


def test_lists_nest_only_so_deep() -> None:
    html = html_of("- " * 100 + "a")
    assert 10 < html.count("<ul>") <= 40
    assert "- - a" in html


@pytest.mark.parametrize(
    "text",
    [
        "```spoiler\ntext\n- a\n```",
        "```QUOTE\ntext\n- a\n```",
        "~~~\n```\n~~~\ntext\n- a",
        "```\ntext\n- a\n```",
    ],
)
def test_within_a_fence_that_may_be_code_a_list_needs_an_empty_line(text: str) -> None:
    """The rule for lists recognizes fences by a simpler rule than that for code, as clients expect."""
    assert "<ul>" not in html_of(text)
    assert "<ul>" in html_of("```quote\ntext\n- a\n```")
