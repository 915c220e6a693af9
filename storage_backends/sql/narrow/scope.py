"""The scope of a narrow: ranges of recipients, and pages of ids."""

from dataclasses import dataclass

from chatcore.domain.ids import ChannelId, RecipientId
from storage_backends.sql.messages.watermarks import READ_FOR_EVER

TOP = READ_FOR_EVER
"""The high end of a range without an end."""


@dataclass(frozen=True, slots=True)
class Page:
    """At most *count* ids from *low* to *high*, the nearest to the anchor first.

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
class Bound:
    """A range of one recipient's messages, both ends included."""

    recipient_id: RecipientId
    low: int
    high: int

    def meets(self, page: Page) -> bool:
        return self.low <= page.high and self.high >= page.low


@dataclass(frozen=True, slots=True)
class Scope:
    """The messages that a narrow covers: ranges, and rows of the reader's own in some channels."""

    bounds: tuple[Bound, ...]
    channels_of_rows: frozenset[ChannelId] = frozenset()
