"""The pieces of which the queries of one narrow are built."""

from collections.abc import Sequence

from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.terms import Narrow, Search
from storage_backends.sql.channels.periods import was_subscribed
from storage_backends.sql.messages.flag_rows import rows_with
from storage_backends.sql.narrow.scope import Scope, Side
from storage_backends.sql.narrow.terms import BITS, NOBODY, RECEIVED, TRUE, Sql, all_of, join
from storage_backends.sql.session import Session

BETWEEN = Sql("m.id BETWEEN :low AND :high")


class Pieces:
    """One narrow of one reader, in SQL."""

    def __init__(self, session: Session, narrow: Narrow, viewer: Viewer, scope: Scope) -> None:
        self._session = session
        self._dialect = session.backend.dialect
        self._narrow = narrow
        self._viewer = viewer
        self._user_id = NOBODY if viewer.user_id is None else viewer.user_id
        self._scope = scope
        self._where = all_of(
            (term for term in narrow.terms if not isinstance(term, Search)), session.backend.dialect
        )
        """The condition of all terms but a search, which selects the index instead."""

    def _select(self, source: str, conditions: Sequence[Sql], side: Side, column: str = "m.id") -> Sql:
        """Return a query for the nearest messages `m` of an item of FROM that meet the conditions and the
        terms; *column* is the one with their ids by whose index the database is to find them.
        """
        where = join(" AND ", [*conditions, self._where])
        return Sql(f"SELECT m.id FROM {source} WHERE {where.text} {side.nearest(column)}", where.values)

    def _from_flag_rows(self, bits: int, side: Side, extra: Sql = TRUE) -> Sql:
        """Return a query for messages of which the reader's row of flags has one of the bits; the number is a
        literal, so that the partial index of the flag serves.
        """
        rows, has_bits = rows_with(self._dialect, "own", bits)
        source = f"{rows} JOIN message AS m ON m.id = own.message_id"
        mine = Sql(f"own.user_id = :user_id AND {has_bits} AND own.message_id BETWEEN :low AND :high")
        return self._select(source, [mine, self._candidate(), extra], side, "own.message_id")

    def _historical(self, side: Side) -> list[Sql]:
        """Return a query for historical messages; none where all that the reader may read is in id ranges."""
        return [self._from_flag_rows(int(Flag.HISTORICAL), side)] if self._scope.readable_channels else []

    def _moved_here(self, side: Side, extra: Sql = TRUE) -> list[Sql]:
        """Return a query for messages moved into a channel while the reader was subscribed, whatever their
        age; none without such channels.
        """
        channel_ids = self._scope.recipient_ids & self._scope.readable_channels
        if not channel_ids:
            return []
        in_channel = Sql("m.recipient_id = channel.recipient_id AND m.arrived_at IS NOT NULL")
        received = Sql(was_subscribed(":user_id", "m.recipient_id", "m.arrived_at"))
        by_index = self._dialect.by_index("message_arrived")
        inner = self._select(f"message AS m{by_index}", [in_channel, BETWEEN, received, extra], side)
        channels = [(channel_id,) for channel_id in sorted(channel_ids)]
        source = self._dialect.rows("channel", "channels", ("recipient_id",))
        return [Sql(self._dialect.nearest(source, inner.text), {**inner.values, "channels": channels})]

    def _candidate(self) -> Sql:
        """Return the condition that message `m` lies in the scope, for queries that do not start from its
        id ranges.
        """
        is_of_whole = all(id_range.low <= 0 and id_range.is_open for id_range in self._scope.id_ranges)
        if is_of_whole and not self._scope.readable_channels:
            return Sql(
                f"m.recipient_id {self._dialect.in_list('recipient_ids')}",
                {"recipient_ids": sorted(self._scope.recipient_ids)},
            )
        return Sql(
            f"(m.topic_key IS NULL AND {RECEIVED} OR m.recipient_id {self._dialect.in_list('readable')}"
            f" AND ({RECEIVED} OR ({BITS} & {int(Flag.HISTORICAL)}) != 0))",
            {"readable": sorted(self._scope.readable_channels)},
        )
