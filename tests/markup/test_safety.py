"""Rendered HTML is well-formed and within the allow-list for any text; nh3 would not change it."""

from __future__ import annotations

import json
from os import getenv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcore.domain.files.foreign_media import ForeignMedia, ForeignMode
from chatcore.markup import Options, highlight, names, parse, render, topic_links
from chatcore.markup.urls.addresses import safe_address
from chatcore.runtime.formulas import Formulas
from tests.markup.allow_list import Refused, foreign_sources, require_safe
from tests.markup.hostile import FACTS, FRAGMENTS, OPTIONS, hostile_texts
from tests.markup.test_cases import RECORDED

COUNT = int(getenv("CHATCORE_MARKUP_FUZZ", "4000"))
"""200000 for the long run."""
SEED = int(getenv("CHATCORE_MARKUP_SEED", "1"))

MEDIA = (ForeignMedia(ForeignMode.PROXY, "dummy"), ForeignMedia(ForeignMode.OFF, "dummy"))
"""The modes in which no browser asks another site."""

FORMULA = Formulas(lambda: 0).text_renderer()
"""The formulas of all texts, which may take any time together."""
WRITTEN = tuple(case["input"] for case in RECORDED["cases"]) or FRAGMENTS


def _require_safe(text: str, options: Options) -> None:
    tree = parse(text, options)
    names(tree)
    html = render(tree, FACTS, FORMULA).html
    require_safe(html)
    for media in MEDIA:
        shown = media.shown(html)
        require_safe(shown)
        assert foreign_sources(shown) == []
    require_safe(highlight(html, lambda word: len(word) % 2 == 0, ("b", "x<")))


def test_hostile_texts_stay_within_the_allow_list() -> None:
    for number, text in enumerate(hostile_texts(COUNT, SEED, WRITTEN)):
        try:
            _require_safe(text, OPTIONS[number // 2 % len(OPTIONS)])
        except Exception as problem:
            raise AssertionError(f"{text!r}, {OPTIONS[number // 2 % len(OPTIONS)]}") from problem


@settings(max_examples=300)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), max_size=12), st.sampled_from(OPTIONS))
def test_any_text_stays_within_the_allow_list(parts: list[str], options: Options) -> None:
    _require_safe("".join(parts), options)


@settings(max_examples=100)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), max_size=6))
def test_the_links_of_any_topic_are_addresses(parts: list[str]) -> None:
    for link in topic_links("".join(parts), OPTIONS[0]):
        assert link["url"].startswith(("http://", "https://", "mailto:", "bitcoin:", "file:")), link
        json.dumps(link)


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "blob:x",
        "//host",
        "\\\\host",
        "/\\host",
        "/&#47;host",
        "http://[bad",
        "<javascript:alert(1)>",
    ],
)
def test_a_link_to_such_a_target_is_text(target: str) -> None:
    assert "href" not in render(parse(f"[x]({target})")).html


def test_a_tab_in_a_target_does_not_hide_its_scheme() -> None:
    assert safe_address("java\tscript:alert(1)") is None


def test_a_reference_to_a_letter_of_a_scheme_is_no_scheme() -> None:
    assert 'href="http://&#106;avascript:a"' in render(parse("[x](&#106;avascript:a)")).html


def test_sources_on_other_sites_are_found() -> None:
    card = '<a style="background-image: url(&quot;//b.example/c.png&quot;)"></a>'
    html = f'<img src="https://a.example/b.png"><img src="/user_uploads/1/c.png">{card}'
    assert foreign_sources(html) == ["https://a.example/b.png", "//b.example/c.png"]


def test_the_list_itself_refuses_what_it_should() -> None:
    for html in (
        "<script>",
        "<p>",
        "</p>",
        "<p><p></p></p>",
        "<b>x</b>",
        '<p onclick="x"></p>',
        '<a href="javascript:x"></a>',
        '<a href="x" href="y"></a>',
        '<td style="color: red"></td>',
        "<!-- x -->",
        "<!DOCTYPE x>",
        "<?x>",
        "<![CDATA[x]]>",
        "<table><p></p></table>",
    ):
        with pytest.raises(Refused):
            require_safe(html)
