"""The recorded cases, if they are beside the checkout (or where CHATCORE_SHARED says)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.markup.adapter import render_case, topic_links_case
from tests.markup.comparing import normalized
from tests.reference import SHARED

FILE = SHARED / "markup" / "cases.json"

REFUSED_QUIRKS = {
    # A code block inside of a paragraph is not well-formed.
    "quote_with_code_fence_inside_fenced_quote",
    # Every part of a math block is a paragraph of its own, as the rules say.
    "block_two_paragraphs_fallback",
}

needs_cases = pytest.mark.skipif(not FILE.exists(), reason=f"the recorded cases are not at {FILE}")


def _recorded() -> dict[str, Any]:
    if not FILE.exists():
        return {"world": {"options": {}}, "cases": [], "topic_links": []}
    recorded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return recorded


RECORDED = _recorded()


def _world(case: dict[str, Any]) -> dict[str, Any]:
    world = dict(RECORDED["world"])
    for key, value in (case.get("world") or {}).items():
        world[key] = {**world["options"], **value} if key == "options" else value
    return world


@needs_cases
@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["name"])
def test_a_recorded_case_renders_alike(case: dict[str, Any]) -> None:
    html, effects = render_case(case["input"], _world(case))
    if case["name"] in REFUSED_QUIRKS:
        assert case["quirk"]
        assert normalized(html) != normalized(case["expected_html"])
        return
    assert normalized(html) == normalized(case["expected_html"])
    if "effects" in case:
        assert effects == case["effects"]


@needs_cases
@pytest.mark.parametrize("case", RECORDED["topic_links"], ids=lambda case: case["name"])
def test_a_recorded_topic_has_the_same_links(case: dict[str, Any]) -> None:
    assert topic_links_case(case["topic"], _world(case)) == case["expected"]
