"""Linkifiers in messages and topics, and which may be saved."""

from __future__ import annotations

import pytest
import re2

from chatcore.markup import BadLinkifier, Linkifier, Options, check_linkifier, check_linkifiers, topic_links
from chatcore.markup.inline.linkifiers import MAX_PROGRAMS
from tests.markup.said import REALM, html_of

TRACK = "https://track.example/"


def linked(text: str, *linkifiers: tuple[str, str]) -> str:
    return html_of(text, Options(linkifiers=tuple(Linkifier(*each) for each in linkifiers)))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("#12", f'<a href="{TRACK}12">#12</a>'),
        ("\xe9 (#12), #13", f'\xe9 (<a href="{TRACK}12">#12</a>), <a href="{TRACK}13">#13</a>'),
        ("#12 #13", f'<a href="{TRACK}12">#12</a> <a href="{TRACK}13">#13</a>'),
        ("x#12 #12x ##12", "x#12 #12x ##12"),
        ("`#12` [#12](/a)", '<code>#12</code> <a href="/a">#12</a>'),
        ("a\u3000#12\xe9", "a\u3000#12\xe9"),
        ("a\u3000#12", f'a\u3000<a href="{TRACK}12">#12</a>'),
    ],
)
def test_a_linkifier_matches_between_boundaries(text: str, html: str) -> None:
    assert html_of(text) == f"<p>{html}</p>"


def test_the_first_linkifier_takes_the_text() -> None:
    one, two = (
        ("(?P<x>A-[0-9]+)", "https://one.example/{x}"),
        ("(?P<x>[A-Z]-[0-9]+)", "https://two.example/{x}"),
    )
    html = linked("A-1 B-2", one, two)
    assert 'href="https://one.example/A-1"' in html
    assert 'href="https://two.example/B-2"' in html


def test_values_are_encoded_and_absent_groups_are_empty() -> None:
    html = linked("r:a b/c", ("r:(?P<x>[a-z /]+)(?P<y>!)?", "https://a.example/{x}{?y}"))
    assert 'href="https://a.example/a%20b%2Fc?y="' in html


def test_a_linkifier_never_matches_text_that_others_replaced() -> None:
    assert linked("Z `a` b", ("Z.+", TRACK)) == "<p>Z <code>a</code> b</p>"


def test_a_linkifier_that_leads_nowhere_safe_makes_no_link() -> None:
    assert linked("T1", ("T(?P<x>1)", "javascript:{x}")) == "<p>T1</p>"


@pytest.mark.parametrize("pattern", ["(", "(?=a)", "a)(b", "\ud800", "(.{0,100}){9}zz|a"])
def test_a_linkifier_that_does_not_compile_matches_nothing(pattern: str) -> None:
    assert linked("a b", (pattern, TRACK)) == "<p>a b</p>"
    assert linked("a b", (pattern, TRACK), ("b", TRACK)) == f'<p>a <a href="{TRACK}">b</a></p>'


def test_a_linkifier_whose_template_cannot_be_read_matches_nothing() -> None:
    assert linked("a b", ("a", TRACK + "{"), ("b", TRACK)) == f'<p>a <a href="{TRACK}">b</a></p>'


def test_the_one_of_many_linkifiers_that_matches_makes_the_link() -> None:
    many = [(f"#{number}-(?P<id>[0-9]+)", f"{TRACK}{number}/{{id}}") for number in range(200)]
    assert linked("#7-1, #150-2 #200-3", *many) == (
        f'<p><a href="{TRACK}7/1">#7-1</a>, <a href="{TRACK}150/2">#150-2</a> #200-3</p>'
    )


@pytest.mark.parametrize("memory", [2**power for power in range(8, 24, 2)])
def test_linkifiers_too_large_to_be_looked_for_together_are_tried_one_by_one(
    memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.markup.inline.linkifiers._MEMORY_OF_ALL", memory)
    many = [(f"(?P<id>[a-z]{{1,30}}{number})", f"{TRACK}{memory}/{{id}}") for number in range(40, 80)]
    assert linked("ab55 b", *many) == f'<p><a href="{TRACK}{memory}/ab55">ab55</a> b</p>'


@pytest.mark.parametrize("before", [0, 40, 297, 298, 299, 300, 301, 302, 590, 599, 600, 601, 2_400])
def test_a_match_may_be_anywhere_and_of_some_length(before: int) -> None:
    text = "x" * 250 + "12"
    html = linked("a" * before + " " + text + " b", ("(?P<x>x+[0-9]+)", TRACK + "{x}"))
    assert html.count(f">{text}</a>") == 1


def test_empty_matches_and_halves_of_characters_are_no_matches() -> None:
    assert linked("a - b", ("x*", TRACK)) == "<p>a - b</p>"
    assert linked("\xe9\xe9 b", (r"(?P<x>\C)\C", TRACK + "{x}")).count("<a") == 0
    assert linked("\xe9 b", (r"(?P<x>\C)\C", TRACK + "{x}")).count("<a") == 1


def test_one_linkifier_makes_only_so_many_links() -> None:
    assert html_of("#1 " * 1_200).count("<a") == 1_000


def of_size(pattern: str) -> tuple[Linkifier, ...]:
    """Linkifiers with different patterns, just more than the limit for all of them."""
    count = MAX_PROGRAMS // re2.compile(f"{pattern}|55_".encode()).programsize + 1
    return tuple(Linkifier(f"{pattern}|{10 + number}_", TRACK) for number in range(count))


@pytest.mark.parametrize("pattern", ["[ab ]*a[ab ]{150}x0?[ab]", "[ab ]*a[ab ]{20}c|a", r"\pL+-[0-9]+"])
def test_all_linkifiers_together_are_bounded(pattern: str) -> None:
    many = of_size(pattern)
    check_linkifiers(many[:-1])
    with pytest.raises(BadLinkifier, match="together are too complex"):
        check_linkifiers(many)
    assert html_of("10_", Options(linkifiers=many)).count("<a") == 1
    last = many[-1].pattern.rpartition("|")[2]
    assert html_of(last, Options(linkifiers=many)).count("<a") == 0, "what is too much is left out"


def test_as_many_simple_linkifiers_as_there_may_be_are_not_too_much() -> None:
    check_linkifiers(tuple(Linkifier(f"#{n}-(?P<id>[0-9]+)", TRACK + "{id}") for n in range(200)))


@pytest.mark.parametrize(
    ("pattern", "links"), [("a", 1_000), ("[ab ]*a[ab ]{400}c|a", 140), ("b{900}c|a", 130)]
)
def test_a_large_pattern_makes_fewer_links(pattern: str, links: int) -> None:
    one = (pattern, TRACK)
    assert links * 0.7 < linked("a " * 5_000, one).count("<a") <= links
    assert linked("a", one).count("<a") == 1
    assert linked("a x " * 5, one).count("<a") == 5


@pytest.mark.parametrize("before", [0, 300, 450, 598])
def test_a_match_is_as_long_wherever_it_is(before: int) -> None:
    text = "y" + " b" * 120
    html = linked("a" * before + " " + text, ("(?P<x>y[a-z ]+)", TRACK + "{x}"))
    assert f">{text}</a>" in html


def test_topic_links_are_sorted_and_do_not_overlap() -> None:
    options = Options(
        linkifiers=(
            Linkifier("(?P<x>A-[0-9]+)", "https://one.example/{x}"),
            Linkifier("(?P<x>[A-Z]-[0-9]+)", "https://two.example/{x}"),
        )
    )
    assert topic_links("\xe9 b.com/c A-1 B-2 https://one.example/", options) == [
        {"text": "b.com/c", "url": "https://b.com/c"},
        {"text": "A-1", "url": "https://one.example/A-1"},
        {"text": "B-2", "url": "https://two.example/B-2"},
        {"text": "https://one.example/", "url": "https://one.example/"},
    ]
    assert topic_links("a@b.com") == [{"text": "a@b.com", "url": "mailto:a@b.com"}]
    assert topic_links("no link") == []


@pytest.mark.parametrize(
    ("pattern", "template"),
    [
        ("#(?P<id>[0-9]+)", "https://track.example/{id}"),
        ("rules", "https://track.example/rules"),
        ("(?P<a>x)(?P<b>y)", "https://track.example/{a}{?b}"),
        ("(?P<a>x)", "http://track.example/{+a:3}{a*}"),
    ],
)
def test_these_linkifiers_may_be_saved(pattern: str, template: str) -> None:
    check_linkifier(Linkifier(pattern, template))


@pytest.mark.parametrize(
    ("pattern", "template", "reason"),
    [
        ("", "https://a.example/", "1 to"),
        ("a" * 1_001, "https://a.example/", "1 to"),
        ("(?P<a>x", "https://a.example/{a}", "cannot be used"),
        ("(?=x)", "https://a.example/", "cannot be used"),
        (r"(x)\1", "https://a.example/", "cannot be used"),
        ("a\ud800", "https://a.example/", "escapes"),
        ("a\0", "https://a.example/", "escapes"),
        ("(.{0,100}){9}zz|a", "https://a.example/", "too complex"),
        ("(?P<b>x)(?P<a>x)", "https://a.example/", "exactly these variables: 'a', 'b'"),
        ("x", "https://a.example/{a}", "exactly these variables: none"),
        ("x", "https://a.example/{", "Invalid"),
        ("x", "https://a.example/{a b}", "Invalid"),
        ("x", "https://a.example/{{a}}", "Invalid"),
        ("(?P<a>x)", "https://a.example/{,a}", "Invalid"),
        ("(?P<a>x)", "https://a.example/ {a}", "Invalid"),
        ("(?P<a>x)", "https://a.example/\n{a}", "Invalid"),
        ("(?P<a>x)", "https://a.example/\0{a}", "Invalid"),
        ("(?P<a>x)", "https://a.example/\ud800{a}", "Invalid"),
        ("(?P<a>x)", "https://a.example/{a}?" + "x" * 2_000, "too long"),
        ("(?P<a>x)", "https://a.example\\{a}", "must begin"),
        ("(?P<a>x)", "https://a .example/{a}", "Invalid"),
        ("(?P<a>x)", "javascript:{a}", "must begin"),
        ("(?P<a>x)", "https://{a}/", "must begin"),
        ("(?P<a>x)", "https://a.example{a}", "must begin"),
        ("(?P<a>x)", "{a}", "must begin"),
    ],
)
def test_these_linkifiers_may_not(pattern: str, template: str, reason: str) -> None:
    with pytest.raises(BadLinkifier, match=reason):
        check_linkifier(Linkifier(pattern, template))


def test_a_file_in_a_topic_is_a_link_only_where_messages_have_them() -> None:
    assert topic_links("file:///a", REALM) == []
