"""Which part of a narrow is asked for: an anchor and how many messages on either side of it.

Pure arithmetic over ids. A store looks up what `Window` says and hands the ids to `select`.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate, takewhile, zip_longest

from chatcore.domain.errors import BadRequest, MissingParameter
from chatcore.domain.ids import MessageId
from chatcore.domain.limits import Limits
from chatcore.domain.narrow.parse import DEFAULT_LIMITS

OLDEST = MessageId(0)
NEWEST = MessageId(10_000_000_000_000_000)
"""The ends, as the API numbers them; real ids lie between."""


class Lookup(Enum):
    """An anchor that the store has to find."""

    FIRST_UNREAD = "first_unread"


Anchor = MessageId | Lookup


def read_anchor(anchor: str | int | None, *, use_first_unread_anchor: bool = False) -> Anchor:
    """The anchor of a request: an id within the two ends, or one to look up (see `anchor_at`).

    The older flag `use_first_unread_anchor` wins.

    :raises BadRequest: missing, or text that is neither digits nor one of the words
    """
    if use_first_unread_anchor or anchor == "first_unread":
        return Lookup.FIRST_UNREAD
    if anchor is None:
        raise BadRequest("Missing 'anchor' argument")
    if isinstance(anchor, int):
        return MessageId(min(max(anchor, OLDEST), NEWEST))
    if anchor in ("oldest", "newest"):
        return OLDEST if anchor == "oldest" else NEWEST
    digits = anchor.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise BadRequest("Invalid anchor: it is a message id, 'newest', 'oldest' or 'first_unread'")
    if anchor.startswith("-"):
        return OLDEST
    digits = digits.lstrip("0") or "0"
    # Longer than any id, and perhaps longer than Python is willing to read as a number.
    return min(MessageId(int(digits)), NEWEST) if len(digits) <= 17 else NEWEST


def anchor_at(first_unread: MessageId | None) -> MessageId:
    """The anchor that was looked up: where nothing is unread, the newest end."""
    return NEWEST if first_unread is None else first_unread


@dataclass(frozen=True, slots=True)
class Window:
    """What to look up: up to `before` ids below the anchor, the anchor itself or not, `after` above it."""

    anchor: MessageId
    num_before: int
    num_after: int
    include_anchor: bool = True
    most: int | None = None
    """Ids of one page, the anchor among them, where that is bounded."""

    @property
    def at_left_end(self) -> bool:
        return self.anchor <= OLDEST

    @property
    def at_right_end(self) -> bool:
        return self.anchor >= NEWEST

    @property
    def before(self) -> int:
        """How many ids are needed from below the anchor, the largest ones."""
        return 0 if self.at_left_end else self.num_before

    @property
    def after(self) -> int:
        """How many ids are needed from above the anchor, the smallest ones."""
        return 0 if self.at_right_end else self.num_after

    @property
    def wants_anchor(self) -> bool:
        """Whether the message of the anchor belongs to it. If nothing else is asked for, that is meant."""
        if self.at_left_end or self.at_right_end:
            return False
        return self.include_anchor or self.num_before == self.num_after == 0


@dataclass(frozen=True, slots=True)
class Span:
    """How far to go on either side of an anchor, which may have yet to be found."""

    num_before: int
    num_after: int
    include_anchor: bool = True
    most: int | None = None
    newest_instead: bool = False
    """Whether the newest message is there in any case, where an anchor was looked up in vain."""

    def around(self, anchor: MessageId) -> Window:
        return Window(anchor, self.num_before, self.num_after, self.include_anchor, self.most)

    def in_vain(self) -> "Span":
        """The span where there is no first unread message."""
        return replace(self, num_before=max(self.num_before, 1)) if self.newest_instead else self


@dataclass(frozen=True, slots=True)
class Page:
    """The ids of a window, ascending, and what is known of the rest."""

    anchor: MessageId | None
    message_ids: tuple[MessageId, ...]
    found_anchor: bool
    found_oldest: bool
    found_newest: bool
    history_limited: bool = False

    @property
    def outwards(self) -> list[MessageId]:
        """The ids from the anchor on, of both sides in turn."""
        at, before, after = self._parts
        pairs = zip_longest(before, after)
        return [*at, *(one for pair in pairs for one in pair if one is not None)]

    @property
    def _parts(self) -> tuple[Sequence[MessageId], Sequence[MessageId], Sequence[MessageId]]:
        """The anchor, if it is there, and the two sides of it, each from there on."""
        assert self.anchor is not None, "a page by ids has no anchor"
        first = bisect_left(self.message_ids, self.anchor)
        last = first + self.found_anchor
        return self.message_ids[first:last], self.message_ids[:first][::-1], self.message_ids[last:]

    def within(self, most: int, sizes: Iterable[int]) -> "Page":
        """So much of the page, outwards, that the sizes of its messages are no more than *most* together.

        The anchor and the nearest on each side belong to it in any case, or nobody could go on from there.
        An end that was cut off was not found.
        """
        always = sum(map(bool, self._parts))
        fitting = sum(1 for _ in takewhile(lambda total: total <= most, accumulate(sizes)))
        if fitting == len(self.message_ids):
            return self
        ids = tuple(sorted(self.outwards[: max(fitting, always)]))
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
    """The page that ids inside the narrow make; each side in any order, and with no gap up to the anchor.

    *anchor_id* is the anchor where its message is inside the narrow. An end counts as found where fewer
    lie there than asked for: exactly as many say nothing about whether there are more. If the anchor makes it
    one too many, the farthest is left out.
    """
    before = sorted(ids_before, reverse=True)[: window.before]
    after = sorted(ids_after)[: window.after]
    anchor = [anchor_id] if window.wants_anchor and anchor_id == window.anchor else []
    if window.most is not None and len(before) + len(anchor) + len(after) > window.most:
        # Both sides are full then, so neither end was found.
        max(before, after, key=len).pop()
        return Page(window.anchor, (*reversed(before), *anchor, *after), True, False, False)
    return Page(
        anchor=window.anchor,
        message_ids=(*reversed(before), *anchor, *after),
        found_anchor=bool(anchor),
        found_oldest=window.at_left_end or len(before) < window.num_before,
        found_newest=window.at_right_end or len(after) < window.num_after,
    )


def checked_span(
    num_before: int | None,
    num_after: int | None,
    *,
    include_anchor: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> Span:
    """The span of a fetch.

    :raises MissingParameter: one of the counts was not given
    :raises BadRequest: a negative count, more messages than may be fetched, or no anchor inside a span
    """
    span, most = _span(num_before, num_after, include_anchor), limits.max_messages_per_fetch
    if span.num_before + span.num_after > most:
        raise BadRequest(f"Too many messages requested (maximum {most}).")
    return replace(span, most=most, newest_instead=include_anchor)


def clamped_span(
    num_before: int | None,
    num_after: int | None,
    *,
    include_anchor: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> Span:
    """The span of a change of flags: one that is too large is made smaller, for the client to go on.

    What one side leaves over is for the other; if both want too much, each has half.

    :raises MissingParameter: one of the counts was not given
    :raises BadRequest: a negative count, or no anchor inside a span
    """
    span = _span(num_before, num_after, include_anchor)
    limit = limits.max_messages_per_flag_range
    before = min(span.num_before, max(limit - span.num_after, limit // 2))
    after = min(span.num_after, limit - before)
    return Span(before, after, include_anchor)


def _span(num_before: int | None, num_after: int | None, include_anchor: bool) -> Span:
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
    """The ids of a fetch by id: ascending, each once; those that no message can have are left out.

    *others* are the parameters of a span as they were given, None for those that were not.

    :raises BadRequest: together with any of these (named in `parameters`), or too many
    """
    given = [name for name, value in others.items() if value is not None]
    if given:
        names = ", ".join(["message_ids", *given])
        raise BadRequest(f"Unsupported parameter combination: {names}", parameters=names)
    if len(message_ids) > limits.max_messages_per_fetch:
        raise BadRequest(f"Too many messages requested (maximum {limits.max_messages_per_fetch}).")
    return sorted({MessageId(message_id) for message_id in message_ids if OLDEST < message_id < NEWEST})


def page_of(found: Iterable[MessageId]) -> Page:
    """The page of a fetch by id: it has no anchor, and so no ends."""
    return Page(None, tuple(sorted(found)), found_anchor=False, found_oldest=False, found_newest=False)
