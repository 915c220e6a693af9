"""Anchors, windows, and the flags that say whether a page reaches an end."""

from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.errors import BadRequest, MissingParameter
from chatcore.domain.ids import MessageId
from chatcore.domain.limits import Limits
from chatcore.domain.narrow import Page, Window, read_anchor, select
from chatcore.domain.narrow.window import (
    NEWEST,
    OLDEST,
    Lookup,
    Span,
    anchor_at,
    checked_span,
    clamped_span,
    page_of,
    read_message_ids,
)

FIRST_UNREAD = Lookup.FIRST_UNREAD


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("42", 42),
        (42, 42),
        ("0", OLDEST),
        ("0042", 42),
        ("0" * 5000, OLDEST),
        ("oldest", OLDEST),
        ("-1", OLDEST),
        (-1, OLDEST),
        ("-" + "9" * 5000, OLDEST),
        ("newest", NEWEST),
        ("9999999999999999", 9_999_999_999_999_999),
        ("10000000000000000", NEWEST),
        ("10000000000000001", NEWEST),
        (10**30, NEWEST),
        pytest.param("9" * 5000, NEWEST, id="huge"),
        ("first_unread", FIRST_UNREAD),
    ],
)
def test_an_anchor_is_read_from_text(text: str | int, anchor: object) -> None:
    assert read_anchor(text) == anchor


@pytest.mark.parametrize(
    "text", ["", " 42", "4 2", "4.0", "+4", "--4", "-", "latest", "Newest", "٤٢", "1e3", "\x00"]
)
def test_other_text_is_no_anchor(text: str) -> None:
    with pytest.raises(BadRequest):
        read_anchor(text)


@pytest.mark.parametrize("text", [None, "42", "newest", "nonsense"])
def test_the_older_parameter_wins(text: str | None) -> None:
    assert read_anchor(text, use_first_unread_anchor=True) is FIRST_UNREAD


def test_an_anchor_is_needed() -> None:
    with pytest.raises(BadRequest):
        read_anchor(None)


def test_where_nothing_is_unread_the_newest_end_is_the_anchor() -> None:
    assert anchor_at(MessageId(5)) == 5
    assert anchor_at(None) == NEWEST


IDS = [MessageId(number) for number in (10, 20, 30, 40)]


def page(window: Window, ids: list[MessageId] = IDS) -> Page:
    """The page of a window, selected from the ids that a store would look up."""
    below = sorted((id for id in ids if id < window.anchor), reverse=True)
    above = sorted(id for id in ids if id > window.anchor)
    anchor = window.anchor if window.anchor in ids else None
    return select(
        window, below[: window.before], anchor if window.wants_anchor else None, above[: window.after]
    )


@pytest.mark.parametrize(
    ("window", "ids", "found"),
    [
        (Window(MessageId(25), 1, 5), [20, 30, 40], "newest"),
        (Window(MessageId(20), 1, 1), [10, 20, 30], "anchor"),
        (Window(MessageId(20), 2, 2), [10, 20, 30, 40], "anchor oldest"),
        (Window(MessageId(20), 1, 3), [10, 20, 30, 40], "anchor newest"),
        (Window(MessageId(20), 0, 1), [20, 30], "anchor"),
        (Window(MessageId(10), 0, 1), [10, 20], "anchor"),
        (Window(MessageId(20), 0, 1, include_anchor=False), [30], ""),
        (Window(MessageId(20), 1, 0, include_anchor=False), [10], ""),
        (Window(MessageId(20), 0, 0), [20], "anchor"),
        (Window(MessageId(20), 0, 0, include_anchor=False), [20], "anchor"),
        (Window(MessageId(25), 0, 0), [], ""),
        (Window(OLDEST, 5, 2), [10, 20], "oldest"),
        (Window(OLDEST, 0, 4), [10, 20, 30, 40], "oldest"),
        (Window(OLDEST, 0, 5), [10, 20, 30, 40], "oldest newest"),
        (Window(OLDEST, 0, 0), [], "oldest"),
        (Window(NEWEST, 2, 5), [30, 40], "newest"),
        (Window(NEWEST, 4, 0), [10, 20, 30, 40], "newest"),
        (Window(NEWEST, 5, 0), [10, 20, 30, 40], "oldest newest"),
        (Window(NEWEST, 0, 0), [], "newest"),
        (Window(MessageId(99), 1, 1), [40], "newest"),
        (Window(MessageId(40), 2, 0, max_ids=2), [30, 40], "anchor"),
        (Window(MessageId(20), 0, 2, max_ids=2), [20, 30], "anchor"),
        (Window(MessageId(20), 1, 1, max_ids=2), [20, 30], "anchor"),
        (Window(MessageId(25), 1, 1, max_ids=2), [20, 30], ""),
        (Window(MessageId(20), 2, 1, max_ids=3), [10, 20, 30], "anchor oldest"),
    ],
)
def test_a_page_has_the_messages_of_its_window(window: Window, ids: list[int], found: str) -> None:
    result = page(window)
    assert list(result.message_ids) == ids
    ends = {"anchor": result.found_anchor, "oldest": result.found_oldest, "newest": result.found_newest}
    assert [name for name, is_found in ends.items() if is_found] == found.split()
    assert result.anchor == window.anchor
    assert not result.history_limited


def test_an_empty_narrow_has_both_ends() -> None:
    result = page(Window(MessageId(25), 10, 10), [])
    assert (result.message_ids, result.found_oldest, result.found_newest) == ((), True, True)


def brute_force(ids: list[MessageId], window: Window) -> tuple[list[MessageId], bool, bool, bool]:
    """The rule as the specification states it: select the parts, drop those that an end excludes, sort."""
    at_left_end, at_right_end = window.anchor == 0, window.anchor == 10**16
    lower = sorted(id for id in ids if id < window.anchor)
    higher = sorted(id for id in ids if id > window.anchor)
    before = lower[len(lower) - min(window.num_before, len(lower)) :]
    after = higher[: window.num_after]
    anchor = [id for id in ids if id == window.anchor]
    if not window.include_anchor and (window.num_before or window.num_after):
        anchor = []
    if at_left_end:
        before = []
    if at_right_end:
        anchor = after = []
    return (
        sorted(before + anchor + after),
        window.anchor in anchor,
        at_left_end or len(lower) < window.num_before,
        at_right_end or len(higher) < window.num_after,
    )


@given(
    st.sets(st.integers(1, 12).map(MessageId)).map(sorted),
    st.builds(
        Window,
        st.one_of(st.integers(0, 13).map(MessageId), st.just(NEWEST)),
        st.integers(0, 13),
        st.integers(0, 13),
        st.booleans(),
    ),
    st.randoms(use_true_random=False),
)
def test_the_arithmetic_of_windows(ids: list[MessageId], window: Window, random: object) -> None:
    result = page(window, ids)
    expected = brute_force(ids, window)
    assert (
        list(result.message_ids),
        result.found_anchor,
        result.found_oldest,
        result.found_newest,
    ) == expected
    # A store that hands over more than was asked for, in any order, changes nothing.
    below, above = [id for id in ids if id < window.anchor], [id for id in ids if id > window.anchor]
    random.shuffle(below)  # type: ignore[attr-defined]
    assert select(window, below, window.anchor if window.anchor in ids else None, above) == result


@given(st.integers(0, 9000), st.integers(0, 9000), st.booleans())
def test_a_clamped_span_fits_and_leaves_nothing_unused(before: int, after: int, include: bool) -> None:
    if not include and before and after:
        return
    span = clamped_span(before, after, include_anchor=include)
    assert span.num_before + span.num_after <= 5000
    assert span.num_before == before or span.num_before >= 2500
    assert (span.num_before, span.num_after) == (before, after) or (span.num_before + span.num_after == 5000)


@pytest.mark.parametrize(
    ("asked", "clamped"),
    [
        ((4000, 4000), (2500, 2500)),
        ((6000, 100), (4900, 100)),
        ((10, 9000), (10, 4990)),
        ((2500, 2500), (2500, 2500)),
        ((0, 10**9), (0, 5000)),
        ((10**9, 0), (5000, 0)),
    ],
)
def test_a_range_of_flags_is_made_to_fit(asked: tuple[int, int], clamped: tuple[int, int]) -> None:
    assert clamped_span(*asked) == Span(*clamped)


def test_a_fetch_that_is_too_large_is_refused() -> None:
    assert checked_span(2500, 2500) == Span(2500, 2500, max_ids=5000, newest_instead=True)
    with pytest.raises(BadRequest):
        checked_span(2500, 2501)
    with pytest.raises(BadRequest):
        checked_span(10**9, 0)
    with pytest.raises(BadRequest):
        checked_span(6, 5, limits=Limits(max_messages_per_fetch=10))


@pytest.mark.parametrize("make", [checked_span, clamped_span])
class TestEverySpan:
    def test_the_anchor_is_excluded_at_an_end_only(self, make: type[Span]) -> None:
        for before, after in ((1, 0), (0, 1), (0, 0)):
            assert not make(before, after, include_anchor=False).include_anchor
        with pytest.raises(BadRequest):
            make(1, 1, include_anchor=False)

    @pytest.mark.parametrize("counts", [(-1, 0), (0, -1)])
    def test_counts_are_not_negative(self, make: type[Span], counts: tuple[int, int]) -> None:
        with pytest.raises(BadRequest):
            make(*counts)

    @pytest.mark.parametrize(
        ("counts", "name"),
        [((None, 0), "num_before"), ((0, None), "num_after"), ((None, None), "num_before")],
    )
    def test_counts_are_needed(self, make: type[Span], counts: tuple[int, int], name: str) -> None:
        with pytest.raises(MissingParameter) as refusal:
            make(*counts)
        assert refusal.value.extra == {"var_name": name}


NONE_GIVEN = dict.fromkeys(["anchor", "include_anchor", "use_first_unread_anchor", "num_before", "num_after"])


class TestMessageIds:
    def test_ids_are_ascending_and_each_once(self) -> None:
        assert read_message_ids([7, 3, 7], NONE_GIVEN) == [3, 7]
        assert read_message_ids([], NONE_GIVEN) == []

    def test_ids_that_no_message_has_are_just_not_found(self) -> None:
        assert read_message_ids([-1, 0, 5, 10**30], NONE_GIVEN) == [5]

    @pytest.mark.parametrize(
        "given", [{"anchor": "newest"}, {"include_anchor": False}, {"num_before": 0, "num_after": 0}]
    )
    def test_ids_cannot_be_combined_with_a_window(self, given: dict[str, object]) -> None:
        with pytest.raises(BadRequest) as refusal:
            read_message_ids([7], {**NONE_GIVEN, **given})
        assert refusal.value.extra == {"parameters": ", ".join(["message_ids", *given])}

    def test_there_is_a_limit(self) -> None:
        assert len(read_message_ids(range(1, 5001), NONE_GIVEN)) == 5000
        with pytest.raises(BadRequest):
            read_message_ids([1] * 5001, NONE_GIVEN)

    def test_their_page_has_no_anchor_and_no_ends(self) -> None:
        result = page_of([MessageId(7), MessageId(3)])
        assert result == Page(None, (MessageId(3), MessageId(7)), False, False, False)


@pytest.mark.parametrize(
    ("window", "max_ids", "ids", "found"),
    [
        (Window(MessageId(20), 2, 5), 4, [10, 20, 30, 40], "anchor oldest newest"),
        (Window(MessageId(20), 2, 5), 3, [10, 20, 30], "anchor oldest"),
        (Window(MessageId(30), 5, 2), 3, [20, 30, 40], "anchor newest"),
        (Window(MessageId(20), 2, 5), 0, [10, 20, 30], "anchor oldest"),
        (Window(MessageId(25), 5, 5), 0, [20, 30], ""),
        (Window(NEWEST, 5, 0), 3, [20, 30, 40], "newest"),
        (Window(NEWEST, 5, 0), 0, [40], "newest"),
        (Window(OLDEST, 0, 5), 2, [10, 20], "oldest"),
        (Window(MessageId(25), 0, 0), 0, [], ""),
    ],
)
def test_a_page_is_reduced_to_a_size(window: Window, max_ids: int, ids: list[int], found: str) -> None:
    """Each message has a size; the anchor and its nearest neighbours are always included."""
    result = page(window).within(max_ids, repeat(1))
    assert list(result.message_ids) == ids
    ends = {"anchor": result.found_anchor, "oldest": result.found_oldest, "newest": result.found_newest}
    assert [name for name, is_found in ends.items() if is_found] == found.split()


def test_a_page_within_a_measure_has_no_gap() -> None:
    """A page ends before the first message that is too large, even if later messages would fit."""
    whole = page(Window(MessageId(25), 2, 2))
    assert whole.outwards == [20, 30, 10, 40]
    assert whole.within(3, [1, 1, 5, 1]).message_ids == (20, 30)
