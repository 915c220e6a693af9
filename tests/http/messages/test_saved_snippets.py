"""Saved snippets over HTTP, on both stores."""

from hashlib import sha256
from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import NOW, MakeWorld, Someone, World


def saves(someone: Someone, title: str = "soup", content: str = "is **ready**") -> int:
    return int(someone.post("/saved_snippets", title=title, content=content)["saved_snippet_id"])


def snippets_of(someone: Someone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/saved_snippets")["saved_snippets"]
    assert someone.post("/register", fetch_event_types=["saved_snippets"])["saved_snippets"] == found
    return found


def test_snippets_are_saved_listed_changed_and_deleted(world: World, ada: Someone) -> None:
    first = saves(ada)
    world.clock.advance(10)
    second = saves(ada, " stew ", "\n later \n")
    assert snippets_of(ada) == [
        {"id": first, "title": "soup", "content": "is **ready**", "date_created": NOW},
        {"id": second, "title": "stew", "content": "later", "date_created": NOW + 10},
    ]
    ada.patch(f"/saved_snippets/{first}", title="soups")
    ada.patch(f"/saved_snippets/{first}", content="are ready")
    ada.delete(f"/saved_snippets/{second}")
    assert snippets_of(ada) == [{"id": first, "title": "soups", "content": "are ready", "date_created": NOW}]


def test_a_change_of_a_text_that_nobody_has_seen_is_refused(ada: Someone) -> None:
    snippet_id = saves(ada)
    seen = sha256(b"is **ready**").hexdigest()
    ada.patch(f"/saved_snippets/{snippet_id}", content="is hot", prev_content_sha256=seen)
    for method, fields in (("PATCH", {"title": "stew"}), ("DELETE", {})):
        path = f"/saved_snippets/{snippet_id}"
        ada.refused(method, path, **fields, prev_content_sha256=seen, code="EXPECTATION_MISMATCH")
    assert [(one["title"], one["content"]) for one in snippets_of(ada)] == [("soup", "is hot")]
    ada.delete(f"/saved_snippets/{snippet_id}", prev_content_sha256=sha256(b"is hot").hexdigest())
    assert snippets_of(ada) == []


def test_each_change_is_sent_to_the_authors_clients_only(ada: Someone, bea: Someone) -> None:
    mine, hers = ada.opens_queue("saved_snippets"), bea.opens_queue("saved_snippets")
    snippet_id = saves(ada)
    ada.patch(f"/saved_snippets/{snippet_id}", title="stew")
    ada.patch(f"/saved_snippets/{snippet_id}", title="stew", content="is **ready**")  # nothing new
    ada.delete(f"/saved_snippets/{snippet_id}")
    added, changed, removed = mine.events()
    snippet = {"id": snippet_id, "title": "soup", "content": "is **ready**", "date_created": NOW}
    assert (added["type"], added["op"], added["saved_snippet"]) == ("saved_snippets", "add", snippet)
    assert (changed["op"], changed["saved_snippet"]) == ("update", {**snippet, "title": "stew"})
    assert (removed["op"], removed["saved_snippet_id"]) == ("remove", snippet_id)
    assert hers.events() == []


@pytest.mark.parametrize("name", ["bea", "olga", "gus", "robo"])
def test_a_snippet_of_another_is_as_if_absent(world: World, ada: Someone, name: str) -> None:
    snippet_id, other = saves(ada), world[name]
    answers = [
        other.refused(method, f"/saved_snippets/{number}", status=404, content="gotcha")
        for method in ("PATCH", "DELETE")
        for number in (snippet_id, 10**6)
    ]
    assert len({answer["msg"] for answer in answers}) == 1
    assert snippets_of(other) == []
    assert snippets_of(ada)[0]["content"] == "is **ready**"


def test_guests_have_snippets_and_nobody_has_none(world: World, gus: Someone) -> None:
    saves(gus)
    assert len(snippets_of(gus)) == 1
    world.open_to_the_web()
    world.nobody.refused("GET", "/saved_snippets", status=401, code="UNAUTHORIZED")
    assert world.nobody.post("/register", fetch_event_types=["saved_snippets"])["saved_snippets"] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", " \n"),
        ("title", "x" * 61),
        ("title", "a\0b"),
        ("content", ""),
        ("content", "\t"),
        ("content", "x" * 101),
        ("content", "a\0b"),
    ],
)
def test_an_invalid_snippet_is_refused_and_changes_nothing(
    make_world: MakeWorld, field: str, value: str
) -> None:
    ada = make_world(limits=Limits(max_message_length=100))["ada"]
    snippet_id = saves(ada, "x" * 60, "x" * 100)
    before, line = snippets_of(ada), ada.opens_queue("saved_snippets")
    ada.refused("POST", "/saved_snippets", **{"title": "soup", "content": "soup", field: value})
    ada.refused("PATCH", f"/saved_snippets/{snippet_id}", **{"title": "soup", field: value})
    ada.refused("PATCH", f"/saved_snippets/{snippet_id}")
    assert (snippets_of(ada), line.events()) == (before, [])


def test_a_missing_part_is_named(ada: Someone) -> None:
    for name in ("title", "content"):
        given = {"title": "soup", "content": "soup"}
        del given[name]
        refused = ada.refused("POST", "/saved_snippets", code="REQUEST_VARIABLE_MISSING", **given)
        assert refused["var_name"] == name


def test_snippets_that_are_too_large_together_may_become_smaller(make_world: MakeWorld) -> None:
    ada = make_world()["ada"]
    snippet_id = saves(ada, "a", "x" * 200)
    ada = make_world(limits=Limits(max_saved_snippets_size=100))["ada"]
    ada.refused("PATCH", f"/saved_snippets/{snippet_id}", content="x" * 201)
    ada.patch(f"/saved_snippets/{snippet_id}", content="x" * 150)
