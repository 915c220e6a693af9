"""Paragraphs, headings, rules, quotes, fences, spoilers and indented code."""

from __future__ import annotations

import pytest

from tests.markup.said import html_of


def test_an_empty_text_is_an_empty_text() -> None:
    assert html_of("") == html_of(" \n\n ") == ""
    assert html_of("  \n\na") == "<p>a</p>"


def test_a_newline_is_a_break_and_an_empty_line_a_paragraph() -> None:
    assert html_of("one\ntwo\r\n\rthree") == "<p>one<br>\ntwo</p>\n<p>three</p>"


def test_control_characters_of_our_own_and_surrogates_do_not_get_through() -> None:
    assert html_of("a\0\x02b\x03\ud800é") == "<p>ab\ufffdé</p>"


def test_a_heading_may_stand_in_the_middle_of_a_paragraph() -> None:
    assert html_of("a\n## Plan ##\nb") == "<p>a</p>\n<h2>Plan</h2>\n<p>b</p>"


def test_seven_hashes_or_no_blank_make_no_heading() -> None:
    assert html_of("####### a\n#b") == "<p>####### a<br>\n#b</p>"


def test_the_second_of_two_candidates_can_be_the_heading() -> None:
    assert html_of("#a\n# b") == "<p>#a</p>\n<h1>b</h1>"


def test_a_rule_parts_the_text_around_it() -> None:
    assert html_of("a\n- - -\nb") == "<p>a</p>\n<hr>\n<p>b</p>"
    assert html_of("***") == html_of("___") == "<hr>"


def test_a_quote_goes_on_over_lazy_lines_until_an_empty_one() -> None:
    assert html_of("> a\nb\n\n> c") == (
        "<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<blockquote>\n<p>c</p>\n</blockquote>"
    )


def test_a_quote_needs_some_text() -> None:
    assert html_of(">\n>") == "<p>&gt;<br>\n&gt;</p>"
    assert html_of("a > b") == "<p>a &gt; b</p>"


def test_quotes_nest_only_so_deep() -> None:
    html = html_of("> " * 60 + "a")
    assert html.count("<blockquote>") == 40
    assert "&gt; &gt; a" in html


def test_a_fenced_quote_is_a_quote() -> None:
    assert html_of("```quote\na\n\nb\n```\nc") == html_of("> a\n>\n> b\n\nc")


def test_a_fence_is_closed_by_its_own_marker_only() -> None:
    assert html_of("~~~\n```\n~~~~\n~~~") == (
        '<div class="codehilite"><pre><span></span><code>```\n~~~~\n</code></pre></div>'
    )


def test_a_fence_with_a_backtick_behind_its_marker_is_text() -> None:
    assert html_of("```a~b\nc") == "<p>```a~b<br>\nc</p>"


def test_an_open_fence_runs_to_the_end_and_loses_its_blank_lines() -> None:
    assert html_of("```\na\n\n\n") == html_of("```\na\n```")


@pytest.mark.parametrize("fence", ["```", "~~~", "```\n\n", "a\n```", "````quote\n```", "````spoiler h\n```"])
def test_a_fence_that_opens_on_the_last_line_is_an_empty_code_block(fence: str) -> None:
    assert html_of(fence).count('<div class="codehilite"><pre><span></span><code>\n</code></pre></div>') == 1


@pytest.mark.parametrize("fence", ["```quote", "```spoiler head", "```math", "````quote\n```spoiler head"])
def test_a_quote_spoiler_or_formula_without_anything_in_it_stays_as_it_is_typed(fence: str) -> None:
    html = html_of(fence)
    assert f"<p>{fence.rpartition(chr(10))[2]}</p>" in html or html == f"<p>{fence}</p>"


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("one\n", "<p>one</p>"),
        ("one\n\n \n", "<p>one</p>"),
        ("```quote\nhi\n```", "<blockquote>\n<p>hi</p>\n</blockquote>"),
        ("```quote\nhi\n```\nmore", "<blockquote>\n<p>hi</p>\n</blockquote>\n<p>more</p>"),
        ("* a\n\n", "<ul>\n<li>a</li>\n</ul>"),
    ],
)
def test_blank_lines_at_the_end_of_a_spoiler_add_nothing(body: str, html: str) -> None:
    assert html_of(f"````spoiler h\n{body}\n````").endswith(f'aria-hidden="true">\n{html}\n</div></div>')


def test_fences_nest_only_so_deep() -> None:
    text = "\n".join("`" * length + "quote" for length in range(3, 20)) + "\na"
    assert html_of(text).count("<blockquote>") == 10


def test_the_default_language_is_for_fences_without_one() -> None:
    assert 'data-code-language="Python"' in html_of("```\nx\n```", default_code_language="python")
    assert "<blockquote>" in html_of("```\nx\n```", default_code_language="quote")


def test_a_spoiler_hides_blocks_behind_a_header_of_blocks() -> None:
    assert html_of("```spoiler The **end**\n* a\n```") == (
        '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <strong>end</strong></p>\n</div>'
        '<div class="spoiler-content" aria-hidden="true">\n<ul>\n<li>a</li>\n</ul>\n</div></div>'
    )


def test_a_spoiler_without_a_header_has_an_empty_one() -> None:
    assert '<div class="spoiler-header">\n</div>' in html_of("```spoiler\na\n```")


def test_math_is_shown_as_its_source_a_part_at_a_time() -> None:
    assert html_of("```math\na < b\n\n\n\nc\n```") == (
        '<p><span class="tex-error">a &lt; b</span></p>\n<p><span class="tex-error">c</span></p>'
    )


def test_four_blanks_make_code_and_two_do_not() -> None:
    code = '<div class="codehilite"><pre><span></span><code>{}\n</code></pre></div>'
    assert html_of("    x = 1") == code.format("x = 1")
    assert html_of("    a\n\n\n    b\nc") == code.format("a\n\n\nb") + "\n<p>c</p>"
    assert html_of("  a") == "<p>a</p>"
    assert html_of("    a", indented_code=False) == "<p>a</p>"


def test_indented_code_may_follow_fenced_code() -> None:
    assert html_of("```\na\n```\n\n    b").count("<pre>") == 2
