"""Part of a narrow to fetch: an anchor and a number of messages on each side of it.

Pure arithmetic on ids. A store looks up the ids that `Window` describes and passes them to `select`.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate, chain, takewhile, zip_longest

from chatcore.domain.errors import BadRequest, MissingParameter
from chatcore.domain.ids import MessageId
from chatcore.domain.limits import Limits
from chatcore.domain.narrow.parse import DEFAULT_LIMITS, parse_integer

OLDEST = MessageId(0)
NEWEST = MessageId(10_000_000_000_000_000)
"""The ends of the id range, as the API numbers them; real ids lie between."""


class Lookup(Enum):
    """An anchor that the store must look up."""

    FIRST_UNREAD = "first_unread"


Anchor = MessageId | Lookup


def read_anchor(anchor: str | int | None, *, use_first_unread_anchor: bool = False) -> Anchor:
    """Read the anchor of a request: an id between the two ends, or one to look up (see `anchor_at`).

    The older flag `use_first_unread_anchor` takes precedence.

    :raises BadRequest: missing, or text that is neither digits nor one of the words
    """
    if use_first_unread_anchor or anchor == "first_unread":
        return Lookup.FIRST_UNREAD
    if anchor is None:
        raise BadRequest("Missing 'anchor' argument")
    if anchor == "oldest":
        return OLDEST
    if anchor == "newest":
        return NEWEST
    number = parse_integer(anchor)
    if number is None:
        raise BadRequest("Invalid anchor: it is a message id, 'newest', 'oldest' or 'first_unread'")
    return MessageId(min(max(number, OLDEST), NEWEST))


def anchor_at(first_unread: MessageId | None) -> MessageId:
    """Return the anchor after the lookup: the newest end if nothing is unread."""
    return NEWEST if first_unread is None else first_unread


@dataclass(frozen=True, slots=True)
class Window:
    """Ids to look up: up to `before` below the anchor, optionally the anchor itself, and `after` above it."""

    anchor: MessageId
    num_before: int
    """The number that was asked for, as for `num_after`; see `before`."""
    num_after: int
    include_anchor: bool = True
    max_ids: int | None = None
    """Maximum number of ids of one page, including the anchor; None if unbounded."""

    @property
    def at_left_end(self) -> bool:
        return self.anchor <= OLDEST

    @property
    def at_right_end(self) -> bool:
        return self.anchor >= NEWEST

    @property
    def before(self) -> int:
        """Number of ids to look up below the anchor: the largest ones. At the left end there are none."""
        return 0 if self.at_left_end else self.num_before

    @property
    def after(self) -> int:
        """Number of ids to look up above the anchor: the smallest ones. At the right end there are none."""
        return 0 if self.at_right_end else self.num_after

    @property
    def wants_anchor(self) -> bool:
        """Whether the anchor's message is part of the window. If both counts are 0, it always is."""
        if self.at_left_end or self.at_right_end:
            return False
        return self.include_anchor or self.num_before == self.num_after == 0


@dataclass(frozen=True, slots=True)
class Span:
    """Extent on each side of an anchor that may not be known yet."""

    num_before: int
    num_after: int
    include_anchor: bool = True
    max_ids: int | None = None
    newest_instead: bool = False
    """Whether the span includes at least the newest message when the lookup of the anchor finds nothing."""

    def around(self, anchor: MessageId) -> Window:
        return Window(anchor, self.num_before, self.num_after, self.include_anchor, self.max_ids)

    def without_unread(self) -> "Span":
        """Return the span that replaces this one when there is no first unread message."""
        return replace(self, num_before=max(self.num_before, 1)) if self.newest_instead else self


@dataclass(frozen=True, slots=True)
class Page:
    """The ids that were found for a window, ascending, and whether they reach the anchor and both ends."""

    anchor: MessageId | None
    message_ids: tuple[MessageId, ...]
    found_anchor: bool
    found_oldest: bool
    found_newest: bool
    history_limited: bool = False

    @property
    def outwards(self) -> list[MessageId]:
        """The ids from the anchor outwards, alternating between the two sides."""
        at, before, after = self._parts
        alternating = chain.from_iterable(zip_longest(before, after))
        return [*at, *(message_id for message_id in alternating if message_id is not None)]

    @property
    def _parts(self) -> tuple[Sequence[MessageId], Sequence[MessageId], Sequence[MessageId]]:
        """The anchor, if present, and its two sides, each starting nearest to the anchor."""
        assert self.anchor is not None, "a page by ids has no anchor"
        first = bisect_left(self.message_ids, self.anchor)
        last = first + self.found_anchor
        return self.message_ids[first:last], self.message_ids[:first][::-1], self.message_ids[last:]

    def within(self, max_size: int, sizes: Iterable[int]) -> "Page":
        """Return as much of the page around its anchor as fits: the messages whose sizes sum to at most
        *max_size*. *sizes* are those of the messages `outwards`, and are read no further than needed.

        The anchor and its nearest neighbours are always included; otherwise a client could not continue from
        there. An end that was cut off counts as not found.
        """
        always_included = sum(1 for part in self._parts if part)
        fitting = sum(1 for _ in takewhile(lambda total: total <= max_size, accumulate(sizes)))
        if fitting == len(self.message_ids):
            return self
        ids = tuple(sorted(self.outwards[: max(fitting, always_included)]))
        return replace(
            self,
            message_ids=ids,
            found_oldest=self.found_oldest and ids[:1] == self.message_ids[:1],
            found_newest=self.found_newest and ids[-1:] == self.message_ids[-1:],
        )


def select(
    window: Window,
    ids_before: Iterable[MessageId],
    anchor_id: MessageId | None,
    ids_after: Iterable[MessageId],
) -> Page:
    """Build a page from ids inside the narrow; each side may be in any order but has no gap up to the anchor.

    *anchor_id* is the anchor if its message is inside the narrow. An end counts as found if fewer ids were
    found than requested: exactly as many do not show whether there are more. If the anchor makes the page
    exceed its maximum by one, the farthest id is dropped.
    """
    before = sorted(ids_before, reverse=True)[: window.before]
    after = sorted(ids_after)[: window.after]
    anchor = [anchor_id] if window.wants_anchor and anchor_id == window.anchor else []
    found_oldest = window.at_left_end or len(before) < window.num_before
    found_newest = window.at_right_end or len(after) < window.num_after
    if window.max_ids is not None and len(before) + len(anchor) + len(after) > window.max_ids:
        # Both sides are full, so neither end was found.
        max(before, after, key=len).pop()
    ids = (*reversed(before), *anchor, *after)
    return Page(window.anchor, ids, bool(anchor), found_oldest, found_newest)


def checked_span(
    num_before: int | None,
    num_after: int | None,
    *,
    include_anchor: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> Span:
    """Check the span of a fetch.

    :raises MissingParameter: one of the counts was not given
    :raises BadRequest: a negative count, more messages than may be fetched, or an excluded anchor inside a
        span
    """
    span = _read_span(num_before, num_after, include_anchor)
    max_ids = limits.max_messages_per_fetch
    if span.num_before + span.num_after > max_ids:
        raise BadRequest(f"Too many messages requested (maximum {max_ids}).")
    return replace(span, max_ids=max_ids, newest_instead=include_anchor)


def clamped_span(
    num_before: int | None,
    num_after: int | None,
    *,
    include_anchor: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> Span:
    """Check the span of a flag change; one that is too large is reduced, and the client can continue.

    Capacity that one side does not use goes to the other; if both exceed half, each gets half.

    :raises MissingParameter: one of the counts was not given
    :raises BadRequest: a negative count, or an excluded anchor inside a span
    """
    span = _read_span(num_before, num_after, include_anchor)
    limit = limits.max_messages_per_flag_range
    before = min(span.num_before, max(limit - span.num_after, limit // 2))
    after = min(span.num_after, limit - before)
    return Span(before, after, include_anchor)


def _read_span(num_before: int | None, num_after: int | None, include_anchor: bool) -> Span:
    if num_before is None:
        raise MissingParameter("num_before")
    if num_after is None:
        raise MissingParameter("num_after")
    if num_before < 0 or num_after < 0:
        raise BadRequest("num_before and num_after cannot be negative")
    if not include_anchor and num_before > 0 and num_after > 0:
        raise BadRequest("The anchor can only be excluded at an end of the range")
    return Span(num_before, num_after, include_anchor)


def read_message_ids(
    message_ids: Sequence[int], others: Mapping[str, object], limits: Limits = DEFAULT_LIMITS
) -> list[MessageId]:
    """Return the ids of a fetch by id, ascending and without duplicates; impossible ids are dropped.

    *others* are the request's span parameters, None for those that were not sent.

    :raises BadRequest: combined with any of these (named in `parameters`), or too many
    """
    given = [name for name, value in others.items() if value is not None]
    if given:
        names = ", ".join(["message_ids", *given])
        raise BadRequest(f"Unsupported parameter combination: {names}", parameters=names)
    if len(message_ids) > limits.max_messages_per_fetch:
        raise BadRequest(f"Too many messages requested (maximum {limits.max_messages_per_fetch}).")
    return sorted({MessageId(message_id) for message_id in message_ids if OLDEST < message_id < NEWEST})


def page_of(message_ids: Iterable[MessageId]) -> Page:
    """Return the page of a fetch by id; it has no anchor and therefore no ends."""
    return Page(None, tuple(sorted(message_ids)), found_anchor=False, found_oldest=False, found_newest=False)
