"""Pages of very large messages: a limit for one page, and clients that fetch all pages."""

from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone

LARGE = "soup " * 400
"""A text of some 4,000 bytes, both as source and as HTML."""


@pytest.fixture
def ada(make_world: MakeWorld) -> Someone:
    return make_world(limits=Limits(max_fetch_size=15_000))["ada"]


@pytest.fixture
def sent(ada: Someone) -> list[int]:
    return [ada.says(LARGE) for _ in range(10)]


def ids(page: dict[str, Any]) -> list[int]:
    return [message["id"] for message in page["messages"]]


def test_paging_from_the_last_message_gets_all(ada: Someone, sent: list[int]) -> None:
    """Pages go in both directions, with the anchor included and excluded."""
    for start, step, end in (("newest", "num_before", "oldest"), ("oldest", "num_after", "newest")):
        for include_anchor in (True, False):
            anchor, seen, pages = start, set[int](), 0
            while True:
                counts = {"num_before": 0, "num_after": 0, step: 100}
                page = ada.page(anchor=anchor, include_anchor=include_anchor, **counts)
                assert set(ids(page)) - seen, "each page brings something new"
                seen.update(ids(page))
                pages += 1
                anchor = str(ids(page)[0 if step == "num_before" else -1])
                if page[f"found_{end}"]:
                    break
                assert len(ids(page)) <= 4
            assert sorted(seen) == sent
            assert pages >= 3
            assert not page["history_limited"]


def test_both_sides_of_an_anchor_are_cut_alike(ada: Someone, sent: list[int]) -> None:
    page = ada.page(anchor=str(sent[5]), num_before=5, num_after=5)
    assert ids(page) == sent[4:7]
    assert (page["found_anchor"], page["found_oldest"], page["found_newest"]) == (True, False, False)
    page = ada.page(anchor=str(sent[1]), num_before=5, num_after=2)
    assert ids(page) == sent[:3]
    assert (page["found_oldest"], page["found_newest"]) == (True, False)


def test_each_message_counts_with_its_own_size(ada: Someone) -> None:
    sent = [ada.says(text) for text in ("tea", LARGE * 3, "tea", "tea", LARGE, "tea")]
    for _ in range(2):  # read, and remembered in part
        assert ids(ada.page(anchor="newest", num_before=3, num_after=0)) == sent[3:]
        assert ids(ada.page(anchor="newest", num_before=10, num_after=0)) == sent[2:]
        assert ids(ada.page(anchor="oldest", num_before=0, num_after=10)) == sent[:4]


def test_the_links_of_a_topic_count(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_fetch_size=15_000))
    template = f"https://example.com/{'s' * 1000}/{{id}}"
    world["olga"].post("/realm/filters", pattern="(?P<id>[a-z])", url_template=template)
    sent = [world["ada"].says("tea", topic="a b c d e") for _ in range(10)]
    for _ in range(2):  # read, and remembered
        assert ids(world["ada"].page(anchor="newest", num_before=9, num_after=0)) == sent[-2:]


def test_a_message_that_is_too_large_alone_is_given(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_fetch_size=1))["ada"]
    sent = [ada.says(LARGE) for _ in range(3)]
    assert ada.finds(anchor=str(sent[1]), num_before=5, num_after=5) == sent
    assert ids(ada.page(anchor="newest", num_before=5, num_after=0)) == sent[-1:]
    assert ada.finds(message_ids=sent[:1]) == sent[:1]


def test_by_their_ids_messages_are_given_all_or_not_at_all(ada: Someone, sent: list[int]) -> None:
    assert ada.finds(message_ids=sent[:3]) == sent[:3]
    answer = ada.refused("GET", "/messages", message_ids=sent)
    assert "too large" in answer["msg"]
    ada.refused("GET", "/messages/matches_narrow", msg_ids=sent, narrow=[["channel", "lunch"]])


def test_the_size_of_unreadable_messages_is_not_revealed(ada: Someone, sent: list[int]) -> None:
    """Neither unreadable messages nor those outside the narrow count for the limit."""
    bea = ada.world["bea"]
    hidden = [bea.writes(LARGE, "cem") for _ in range(5)]
    assert ada.finds(message_ids=[*sent[:3], *hidden]) == sent[:3]
    other = ada.says("here", "plaza")
    assert ada.finds("channel:plaza", message_ids=[*sent, other]) == [other]
    matching = ada.world["cem"].get("/messages/matches_narrow", msg_ids=sent, narrow=[["channel", "lunch"]])
    assert matching["messages"] == {}, "could be read, and was never received"
