"""Watermarks: the position up to which each reader has read each recipient.

Everything up to the watermark is read except for rows of `message_flag` with UNREAD_BELOW; everything above
it is unread except for rows with READ_ABOVE. If the rows with READ_ABOVE outnumber the unread messages
between them, the watermark moves past all of these, and the unread messages get rows with UNREAD_BELOW.

In a channel without a watermark, or one that the reader has left, everything counts as read. So does every
message for which `arrived_unread` is false: one moved from a channel in which the reader was not, one whose
sender the reader had muted then, and one that arrives read.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.messages import Message
from storage_backends.sql.channels.periods import was_subscribed
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.flag_rows import (
    EXCEPTIONS,
    HISTORICAL,
    drop_bits,
    put_bits,
)
from storage_backends.sql.messages.unread import ARRIVED, arrived_unread, read_to, stays_unread
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import ReadWatermark
from storage_backends.sql.schema.messages import READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, in_list, param

READ_FOR_EVER = 2**53
"""The watermark of a channel that is not subscribed to."""

COUNT_EVERY = 256
"""Rows are counted when a message whose id is a multiple of this number is marked as read."""
FEW_ROWS = 100
"""The number of rows with READ_ABOVE in a recipient that always stay as they are."""
_ARRIVED_OF_ROW = f"(SELECT {ARRIVED} FROM message AS m WHERE m.id = message_flag.message_id)"

OF_READER = ReadWatermark.select(ReadWatermark.recipient_id, ReadWatermark.position).where(
    ReadWatermark.user_id == param("user_id")
)
FIND_ALL = Statement(OF_READER)
FIND = Statement(OF_READER.where(in_list(ReadWatermark.recipient_id, "recipient_ids")))


def _put(dialect: Dialect) -> str:
    """Return the text of the statement that sets watermarks, whether they exist or not."""
    return f"""
        INSERT INTO read_watermark (user_id, recipient_id, position)
        SELECT user_id, recipient_id, position
        FROM {dialect.rows("new", "watermarks", ("user_id", "recipient_id", "position"))} WHERE TRUE
        ON CONFLICT (user_id, recipient_id) DO UPDATE SET position = excluded.position
    """


PUT = Statement(_put)
RAISE = Statement(lambda dialect: f"{_put(dialect)} WHERE read_watermark.position < excluded.position")


def _of_readers_up_to(dialect: Dialect) -> str:
    """Return the condition that a row of flags is of one of the *readers* (each with a recipient), and of a
    message up to `:to`.
    """
    readers = dialect.rows("reader", "readers", ("user_id", "recipient_id"))
    return f"(user_id, recipient_id) IN (SELECT user_id, recipient_id FROM {readers}) AND message_id <= :to"


DROP_EXCEPTIONS = Statement(
    lambda dialect: (
        f"""
        UPDATE message_flag SET bits = bits & ~{EXCEPTIONS}
        WHERE {_of_readers_up_to(dialect)} AND (bits & {EXCEPTIONS}) != 0
    """
    )
)
FORGET_EMPTY = Statement(
    lambda dialect: f"DELETE FROM message_flag WHERE {_of_readers_up_to(dialect)} AND bits = 0"
)


def _rows(dialect: Dialect, alias: str, columns: Sequence[str], *, single: bool) -> str:
    """Return the FROM item of the rows of `_values`.

    A single row is written as plain parameters: PostgreSQL plans that once, but plans a list, whose length it
    does not know, each time. Mostly there is one row.
    """
    if not single:
        return dialect.rows(alias, f"{alias}_rows", columns)
    row = ", ".join(f"CAST(:{alias}_{name} AS BIGINT) AS {name}" for name in columns)
    return f"(SELECT {row}) AS {alias}"


def _values(alias: str, columns: Sequence[str], rows: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    """Return the parameters of `_rows`."""
    if len(rows) > 1:
        return {f"{alias}_rows": rows}
    return {f"{alias}_{name}": value for name, value in zip(columns, rows[0], strict=True)}


# The columns of the rows of `_rows`.
START, READ_TOO, SPAN = ("recipient_id", "position"), ("id",), ("recipient_id", "low", "high")


def _find_reach(dialect: Dialect, *, single_start: bool, single_read: bool) -> str:
    """Return the text of a statement that finds how far watermarks can advance when some messages are read
    too.
    """
    start = _rows(dialect, "start", START, single=single_start)
    read_too = _rows(dialect, "read_too", READ_TOO, single=single_read)
    besides = f"AND m.id NOT IN (SELECT id FROM {read_too})"
    reach = read_to(":user_id", "start.recipient_id", "start.position", besides)
    return f"SELECT recipient_id, {reach} AS reach FROM {start}"


FIND_REACH = {
    (single_start, single_read): Statement(
        partial(_find_reach, single_start=single_start, single_read=single_read)
    )
    for single_start in (False, True)
    for single_read in (False, True)
}
"""The statements of `Watermarks._reach`, for each form of the two lists of `_rows`."""
FIND_REACH_OF_ALL = Statement(
    f"""
    WITH start AS (
        SELECT recipient_id, position FROM read_watermark
        WHERE user_id = :user_id AND position < {READ_FOR_EVER}
        UNION ALL
        SELECT cm.conversation_id, 0 FROM conversation_member AS cm WHERE cm.user_id = :user_id
            AND NOT EXISTS (SELECT 1 FROM read_watermark AS w
                WHERE w.user_id = cm.user_id AND w.recipient_id = cm.conversation_id)
    )
    SELECT recipient_id, position, {read_to(":user_id", "start.recipient_id", "start.position")} AS reach
    FROM start
    """
)


def _passed_condition(dialect: Dialect, *, single: bool) -> str:
    """Return the condition that a row is of the reader, and of a message in one of the spans, which a
    watermark has passed.
    """
    rows = dialect.lookup(
        "message_flag",
        "f",
        "f.user_id = :user_id AND f.recipient_id = span.recipient_id"
        " AND f.message_id > span.low AND f.message_id <= span.high",
    )
    source = _rows(dialect, "span", SPAN, single=single)
    return f"user_id = :user_id AND message_id IN (SELECT f.message_id FROM {source} {rows})"


def _drop_read_above(dialect: Dialect, *, single: bool) -> str:
    return f"""
        UPDATE message_flag SET bits = bits & ~{READ_ABOVE}
        WHERE {_passed_condition(dialect, single=single)} AND (bits & {READ_ABOVE}) != 0
    """


def _forget_passed(dialect: Dialect, *, single: bool) -> str:
    return f"DELETE FROM message_flag WHERE {_passed_condition(dialect, single=single)} AND bits = 0"


FIND_READ_ABOVE = Statement(
    f"""
    SELECT count(*) AS number, max(message_id) AS newest FROM message_flag
    WHERE user_id = :user_id AND recipient_id = :recipient_id AND message_id > :low
        AND (bits & {READ_ABOVE}) != 0
    """
)
FIND_UNREAD_AMONG = Statement(
    f"""
    SELECT m.id FROM message AS m
    WHERE m.recipient_id = :recipient_id AND m.id > :low AND m.id < :high AND {stays_unread(":user_id")}
    ORDER BY m.id LIMIT :count
    """
)
DROP_READ_ABOVE = {single: Statement(partial(_drop_read_above, single=single)) for single in (False, True)}
FORGET_PASSED = {single: Statement(partial(_forget_passed, single=single)) for single in (False, True)}
FIND_ARRIVED_UNREAD = Statement(
    lambda dialect: (
        f"SELECT m.id FROM message AS m WHERE m.id {dialect.in_list('message_ids')}"
        f" AND {arrived_unread(':user_id')}"
    )
)
MARK_HISTORICAL = Statement(
    lambda dialect: (
        f"""
        UPDATE message_flag SET bits = bits | {HISTORICAL}
        WHERE user_id = :user_id AND message_id {dialect.in_list("message_ids")}
            AND (bits & {HISTORICAL}) = 0 AND recipient_id IN (SELECT id FROM channel)
            AND NOT {was_subscribed("message_flag.user_id", "message_flag.recipient_id", _ARRIVED_OF_ROW)}
    """
    )
)


def watermark_without_row(message: Message) -> int:
    """Return the watermark of a reader who has none for the recipient of a message."""
    return 0 if message.channel_id is None else READ_FOR_EVER


class Watermarks(SqlRepository):
    def of(
        self, user_id: UserId, recipient_ids: Collection[RecipientId] | None = None
    ) -> Mapping[RecipientId, int]:
        """Return the watermarks of one reader: of all recipients that have one, or of some."""
        if recipient_ids is None:
            return self._session.mapping(FIND_ALL, user_id=user_id)
        return self._session.mapping(FIND, user_id=user_id, recipient_ids=recipient_ids)

    def mark_all_read(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        self.raise_to(to, [(user_id, recipient_id) for user_id in user_ids for recipient_id in recipient_ids])

    def raise_to(self, to: Position, readers: Sequence[tuple[UserId, RecipientId]]) -> None:
        """Raise watermarks to a position for each of the readers, in a recipient each."""
        if not readers:
            return
        watermarks = [(user_id, recipient_id, to) for user_id, recipient_id in sorted(readers)]
        self._session.run(RAISE, watermarks=watermarks)
        self._session.run(DROP_EXCEPTIONS, readers=readers, to=to)
        self._session.run(FORGET_EMPTY, readers=readers, to=to)

    def mark_read(self, user_id: UserId, messages: Sequence[Message]) -> None:
        """Mark messages as read, and advance the watermarks of their recipients past messages that are now
        read.

        Each watermark moves to just before the first message above it that stays unread; the rows that it
        passes are not needed any more. So rows stay few, however much is read. Messages above the new
        watermark get rows with READ_ABOVE.
        """
        watermarks = self.of(user_id, {message.recipient_id for message in messages})
        above_ids = self._above(user_id, messages, watermarks)
        drop_bits(self._session, user_id, (m.id for m in messages if m.id not in above_ids), UNREAD_BELOW)
        above = [m for m in messages if m.id in above_ids]
        oldest: dict[RecipientId, MessageId] = {}
        for message in sorted(above, key=lambda m: m.id):
            oldest.setdefault(message.recipient_id, message.id)
        starts = {recipient_id: watermarks.get(recipient_id, 0) for recipient_id in oldest}
        reach = self._reach(user_id, starts, above_ids)
        still_above = [m for m in above if m.id > reach[m.recipient_id]]
        put_bits(self._session, [(user_id, m.recipient_id, m.id, READ_ABOVE) for m in still_above])
        # A watermark that passes none of the messages stays: that would save no row.
        spans = [
            (recipient_id, starts[recipient_id], end)
            for recipient_id, end in reach.items()
            if end >= oldest[recipient_id]
        ]
        self._advance(user_id, spans)
        for recipient_id in {m.recipient_id for m in still_above if m.id % COUNT_EVERY == 0}:
            self._exchange_rows(user_id, recipient_id)

    def _reach(
        self, user_id: UserId, watermarks: Mapping[RecipientId, int], newly_read: Collection[MessageId]
    ) -> Mapping[RecipientId, int]:
        """Return the positions to which watermarks can advance when the messages *newly_read* are read too.
        Each is just before the first message that stays unread, or that of the newest message.
        """
        if not watermarks:
            return {}
        starts, read_too = list(watermarks.items()), [(message_id,) for message_id in newly_read]
        return self._session.mapping(
            FIND_REACH[len(starts) == 1, len(read_too) == 1],
            user_id=user_id,
            **_values("start", START, starts),
            **_values("read_too", READ_TOO, read_too),
        )

    def _advance(self, user_id: UserId, spans: Sequence[tuple[RecipientId, int, int]]) -> None:
        """Advance watermarks by *spans*: recipient, old and new position. Rows that they pass lose
        READ_ABOVE, and are deleted if they have no other bits.

        Only rows of this range are searched: the reader may have very many before and after it. A row before
        it may have READ_ABOVE too, which has no effect there.
        """
        if not spans:
            return
        self._session.run(RAISE, watermarks=[(user_id, recipient_id, to) for recipient_id, _, to in spans])
        single, values = len(spans) == 1, _values("span", SPAN, spans)
        self._session.run(DROP_READ_ABOVE[single], user_id=user_id, **values)
        self._session.run(FORGET_PASSED[single], user_id=user_id, **values)

    def _exchange_rows(self, user_id: UserId, recipient_id: RecipientId) -> None:
        """Move the watermark to the newest read message above it, if fewer of the messages that it passes are
        unread than read. Then the unread ones have rows, and the read ones need none.
        """
        place = {"user_id": user_id, "recipient_id": recipient_id}
        low = self.of(user_id, [recipient_id]).get(recipient_id, 0)
        read = self._session.row(FIND_READ_ABOVE, **place, low=low)
        if read.number <= FEW_ROWS:
            return
        unread = self._session.column(
            FIND_UNREAD_AMONG, **place, low=low, high=read.newest, count=read.number
        )
        if len(unread) < read.number:
            put_bits(
                self._session, [(user_id, recipient_id, message_id, UNREAD_BELOW) for message_id in unread]
            )
            self._advance(user_id, [(recipient_id, low, read.newest)])

    def pass_over_muted(self, user_id: UserId) -> None:
        """Advance all watermarks of a reader to just before the first message that stays unread, or to the
        newest message.
        """
        rows = self._session.rows(FIND_REACH_OF_ALL, user_id=user_id)
        spans = [
            (row.recipient_id, row.position, row.reach)
            for row in rows
            if row.reach is not None and row.reach > row.position
        ]
        self._advance(user_id, spans)

    def mark_unread(self, user_id: UserId, messages: Sequence[Message]) -> None:
        """Mark messages as unread: take READ_ABOVE from those of `_above`, and give the others
        UNREAD_BELOW.
        """
        watermarks = self.of(user_id, {message.recipient_id for message in messages})
        above_ids = self._above(user_id, messages, watermarks)
        below = [m for m in messages if m.id not in above_ids]
        put_bits(self._session, [(user_id, m.recipient_id, m.id, UNREAD_BELOW) for m in below])
        drop_bits(self._session, user_id, above_ids, READ_ABOVE)
        # A channel message that the reader never received is historical once it has a row.
        self._session.run(MARK_HISTORICAL, user_id=user_id, message_ids=[m.id for m in below])

    def _above(
        self, user_id: UserId, messages: Sequence[Message], watermarks: Mapping[RecipientId, int]
    ) -> Collection[MessageId]:
        """Return the ids of the messages that are unread unless they have READ_ABOVE: those above the
        watermark that have arrived unread. All other messages are read unless they have UNREAD_BELOW.
        """
        above = [m for m in messages if m.id > watermarks.get(m.recipient_id, watermark_without_row(m))]
        ids = [m.id for m in above]
        # `arrived_unread` holds for own messages that were not moved and do not arrive read: the common case,
        # after sending.
        if all(m.sender_id == user_id and m.moved_from is None and not m.arrives_read for m in above):
            return set(ids)
        return set(self._session.column(FIND_ARRIVED_UNREAD, message_ids=ids, user_id=user_id))


def begin_unread(session: Session, watermarks: Sequence[tuple[UserId, RecipientId, Position]]) -> None:
    """Set watermarks, from which on messages are unread: each of a reader in a recipient."""
    session.run(PUT, watermarks=watermarks)


def end_unread(session: Session, readers: Sequence[tuple[UserId, RecipientId]]) -> None:
    """Raise watermarks to the end, so that everything in a recipient is read for its reader."""
    Watermarks(session).raise_to(Position(READ_FOR_EVER), readers)
