"""Emphasis, code, math, times, references: each by its rank."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest

from chatcore.markup import Facts, GroupFact, Options
from chatcore.markup.inline.linkifiers import compile_linkifiers
from chatcore.markup.inline.rules import InlineRun
from chatcore.markup.tree import Found
from tests.markup.said import html_of


def inner(text: str, **changes: object) -> str:
    html = html_of(text, **changes)
    assert html.startswith("<p>")
    assert html.endswith("</p>")
    return html[3:-4]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*x*", "<em>x</em>"),
        ("**x**", "<strong>x</strong>"),
        ("***x***", "<strong><em>x</em></strong>"),
        ("~~x~~", "<del>x</del>"),
        ("~~~x~~~", "~~~x~~~"),
        ("a * x *", "a * x *"),
        ("_x_ __x__", "_x_ __x__"),
        ("*a\nb*", "*a<br>\nb*"),
        ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
        ("*a **b** c*", "<em>a <strong>b</strong> c</em>"),
        ("*a *b*c*", "<em>a <em>b</em>c</em>"),
        ("~~a *b* ~~", "<del>a <em>b</em> </del>"),
        (r"\*a\*", r"\<em>a\</em>"),
    ],
)
def test_emphasis_is_rendered(text: str, html: str) -> None:
    assert inner(text) == html


def test_behind_code_in_bold_text_a_bare_link_is_found() -> None:
    assert inner("**`a` https://b.example/ c**") == (
        '<strong><code>a</code> <a href="https://b.example/">https://b.example/</a> c</strong>'
    )


def test_in_nested_emphasis_all_rules_apply_again() -> None:
    assert inner("**a *b.com* c**") == '<strong>a <em><a href="http://b.com">b.com</a></em> c</strong>'


def test_emphasis_nests_only_so_deep() -> None:
    html = inner("*a " * 50 + "b*" * 50)
    depths = accumulate(1 if mark == "<em>" else -1 for mark in re.findall("</?em>", html))
    assert max(depths) == 10


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("` a  b `", "<code> a  b </code>"),
        ("``a`b``", "<code>a`b</code>"),
        ("a ` b", "a ` b"),
        ("```a`", "<code>``a</code>"),
        ("`a``b`", "<code>a``b</code>"),
        ("\\`a`", "\\`a`"),
        ("\\``a`", "\\`<code>a</code>"),
        ("\\\\`a`", "\\\\<code>a</code>"),
        ('`*a* "<&amp;`', '<code>*a* "&lt;&amp;amp;</code>'),
        ("`a\nb`", "<code>a\nb</code>"),
        ("`a` `b", "<code>a</code> `b"),
    ],
)
def test_code_is_rendered(text: str, html: str) -> None:
    assert inner(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("$$x^2$$", '<span class="tex-error">$$x^2$$</span>'),
        ("$$a*b*c$$", '<span class="tex-error">$$a*b*c$$</span>'),
        ("$$`a`$$", '<span class="tex-error">$$`a`$$</span>'),
        ("a$$x$$", "a$$x$$"),
        ("$$$x$$$", "$$$x$$$"),
        ("$$_$$", "$$_$$"),
    ],
)
def test_formulas_are_rendered(text: str, html: str) -> None:
    assert inner(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("https://a.example/#12", '<a href="https://a.example/#12">https://a.example/#12</a>'),
        ("a.com/(#12)", '<a href="http://a.com/(#12)">a.com/(#12)</a>'),
        ("$$#**garden**$$", '<span class="tex-error">$$#**garden**$$</span>'),
        ("[#12](/a) #12", '<a href="/a">#12</a> <a href="https://track.example/12">#12</a>'),
        ("*:smile*:", "<em>:smile</em>:"),
        ("~~*a~~*", "~~<em>a~~</em>"),
    ],
)
def test_the_more_important_rule_takes_the_text(text: str, html: str) -> None:
    assert inner(text, translate_emoticons=True) == html


def test_a_time_comes_before_a_group() -> None:
    facts = Facts(groups=(GroupFact(1, "<time:0>"),))
    assert "<time " in html_of("@*<time:0>*", facts=facts)


def test_references_are_kept_and_ampersands_are_escaped() -> None:
    assert inner("&copy; &#169; &#xA9; &bogus; & &a") == "&copy; &#169; &#xA9; &bogus; &amp; &amp;a"
    assert inner("a < b > \"c\" 'd'") == "a &lt; b &gt; \"c\" 'd'"


def test_a_time_is_shown_as_typed_with_its_moment() -> None:
    assert inner("<time:2031-05-02T09:30:00+02:00>") == (
        '<time datetime="2031-05-02T07:30:00Z">2031-05-02T09:30:00+02:00</time>'
    )


def test_an_invalid_time_is_marked_as_such() -> None:
    assert inner("<time:*soon* `now`>") == (
        '<span class="timestamp-error">Invalid time format: *soon* `now`</span>'
    )


def test_an_action_is_rendered_as_any_text() -> None:
    assert html_of("/me waves") == "<p>/me waves</p>"


def test_a_fence_that_was_quoted_away_leaves_nothing_in_the_text() -> None:
    """Quotes nest deeper than fences, so this needs a text that names a fence by hand."""
    run = InlineRun(Options(), Found(), None, compile_linkifiers(()))
    assert run.tokens_of_text("a\x02f0\x03b") == [{"type": "text", "raw": "ab"}]
    assert run.restore("a\x02f0\x03b\x027\x03") == "ab"
