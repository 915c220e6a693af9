"""The scope of a narrow in id ranges of recipients, and the sides of an anchor on which ids are searched."""

from collections.abc import Iterable
from dataclasses import dataclass

from chatcore.domain.ids import ChannelId, RecipientId
from storage_backends.sql.messages.watermarks import READ_FOR_EVER

TOP = READ_FOR_EVER
"""The high end of an id range that has not ended."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an anchor: at most *count* ids from *low* to *high*, the nearest to the anchor first.

    Statements have the three as parameters.
    """

    low: int
    high: int
    count: int
    descending: bool

    @property
    def order(self) -> str:
        return "DESC" if self.descending else "ASC"

    def nearest(self, column: str) -> str:
        """Return the end of a query for the ids in a column."""
        return f"ORDER BY {column} {self.order} LIMIT :count"


@dataclass(frozen=True, slots=True)
class IdRange:
    """The messages of one recipient from *low* to *high*, both included."""

    recipient_id: RecipientId
    low: int
    high: int

    @property
    def is_open(self) -> bool:
        return self.high >= TOP

    def meets(self, side: Side) -> bool:
        return self.low <= side.high and self.high >= side.low


def whole(recipient_ids: Iterable[RecipientId]) -> tuple[IdRange, ...]:
    """Return id ranges of all messages of recipients."""
    return tuple(IdRange(recipient_id, 0, TOP) for recipient_id in recipient_ids)


@dataclass(frozen=True, slots=True)
class Scope:
    """The messages that a narrow covers: id ranges, and historical and moved messages of some channels."""

    id_ranges: tuple[IdRange, ...]
    readable_channels: frozenset[ChannelId] = frozenset()
    """Channels of which the reader may have messages outside the id ranges: historical ones, or moved ones.
    """

    @property
    def recipient_ids(self) -> set[RecipientId]:
        """The recipients of the id ranges."""
        return {id_range.recipient_id for id_range in self.id_ranges}
