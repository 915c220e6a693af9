"""How far each reader has read in each recipient.

Everything up to the watermark is read but for rows of `message_flag` with UNREAD_BELOW, everything above it
is unread but for rows with READ_ABOVE. In a channel without a watermark, or left, everything counts as read;
and so does what is no news to the reader (`is_news`): what was moved there from another one in which the
reader was not, what was sent by somebody who was muted then, and messages that arrive read.
"""

from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.flags import Flag
from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.messages import Message
from storage_backends.sql.backend import Backend
from storage_backends.sql.flag_rows import READ_ABOVE, UNREAD_BELOW, drop_bits, put_bits
from storage_backends.sql.messages import ARRIVED
from storage_backends.sql.periods import was_subscribed
from storage_backends.sql.session import Session

READ_FOR_EVER = 2**53
"""The watermark of a channel that is not subscribed to."""

_ARRIVED = f"(SELECT {ARRIVED} FROM message AS m WHERE m.id = message_flag.message_id)"

_COLUMNS = ("user_id", "recipient_id", "position")
_AS_GIVEN = "ON CONFLICT (user_id, recipient_id) DO UPDATE SET position = excluded.position"
_NEVER_LOWER = f"{_AS_GIVEN} WHERE read_watermark.position < excluded.position"


class Watermarks:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of(
        self, user_id: UserId, recipient_ids: Collection[RecipientId] | None = None
    ) -> Mapping[RecipientId, int]:
        """Watermarks of one reader, of all recipients that have one or of the given ones."""
        statement = "SELECT recipient_id, position FROM read_watermark WHERE user_id = ?"
        if recipient_ids is None:
            return dict(self._session.rows(statement, user_id))
        backend = self._session.backend
        listed = backend.listed(recipient_ids)
        return dict(self._session.rows(f"{statement} AND recipient_id {backend.in_list}", user_id, listed))

    def read_all(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        self.raise_to(to, [(user_id, recipient_id) for user_id in user_ids for recipient_id in recipient_ids])

    def raise_to(self, to: Position, readers: Sequence[tuple[UserId, RecipientId]]) -> None:
        """Everything up to there is read for each of the readers, in a recipient each."""
        if not readers:
            return
        backend = self._session.backend
        _put(
            self._session,
            [(user_id, recipient_id, to) for user_id, recipient_id in sorted(readers)],
            _NEVER_LOWER,
        )
        given = backend.rows("reader", _COLUMNS[:2])
        where = f"(user_id, recipient_id) IN (SELECT user_id, recipient_id FROM {given}) AND message_id <= ?"
        passed = (*backend.row_values(readers), to)
        self._session.run(
            f"""
            UPDATE message_flag SET bits = bits & ~{READ_ABOVE | UNREAD_BELOW}
            WHERE {where} AND (bits & {READ_ABOVE | UNREAD_BELOW}) != 0
            """,
            *passed,
        )
        self._session.run(f"DELETE FROM message_flag WHERE {where} AND bits = 0", *passed)

    def mark_read(self, user_id: UserId, messages: Sequence[Message]) -> None:
        """Make messages read, and move the watermarks of their recipients up behind what is read now.

        Each goes to just before the first message above it that stays unread, and what it passes needs no
        row any more. So rows stay few, however much is read.
        """
        watermarks = self.of(user_id, {message.recipient_id for message in messages})
        above = self._above(user_id, messages, watermarks)
        drop_bits(self._session, user_id, (m.id for m in messages if m.id not in above), UNREAD_BELOW)
        first: dict[RecipientId, MessageId] = {}
        for message in sorted((m for m in messages if m.id in above), key=lambda m: m.id):
            first.setdefault(message.recipient_id, message.id)
        moved = self._reach(user_id, {one: watermarks.get(one, 0) for one in first}, above)
        put_bits(
            self._session,
            [
                (user_id, m.recipient_id, m.id, READ_ABOVE)
                for m in messages
                if m.id in above and m.id > moved[m.recipient_id]
            ],
        )
        self._move(
            user_id, [(one, watermarks.get(one, 0), to) for one, to in moved.items() if to >= first[one]]
        )

    def _reach(
        self, user_id: UserId, watermarks: Mapping[RecipientId, int], besides: Collection[MessageId]
    ) -> Mapping[RecipientId, int]:
        """Up to where all is read above each watermark when *besides* are read too."""
        if not watermarks:
            return {}
        backend = self._session.backend
        start, starts = _given(backend, "start", ("recipient_id", "position"), list(watermarks.items()))
        read_too, ids = _given(backend, "read_too", ("id",), [(message_id,) for message_id in besides])
        place = _read_to(
            "start.recipient_id", "start.position", f"AND m.id NOT IN (SELECT id FROM {read_too})"
        )
        return dict(
            self._session.rows(f"SELECT recipient_id, {place} FROM {start}", *ids, *(user_id,) * 4, *starts)
        )

    def _move(self, user_id: UserId, stretches: Sequence[tuple[RecipientId, int, int]]) -> None:
        """Put watermarks higher, from here to there; what one passes needs no row to say that it is read.

        Only rows of the stretch are looked at: the reader may have very many before it and behind it. A row
        before it may have READ_ABOVE too, and it says nothing there.
        """
        if not stretches:
            return
        places = [(user_id, recipient_id, to) for recipient_id, _, to in stretches]
        _put(self._session, places, _NEVER_LOWER)
        backend = self._session.backend
        source, given = _given(backend, "stretch", ("recipient_id", "low", "high"), stretches)
        rows = backend.lookup(
            "message_flag",
            "f",
            "f.user_id = ? AND f.recipient_id = stretch.recipient_id"
            " AND f.message_id > stretch.low AND f.message_id <= stretch.high",
        )
        passed = f"user_id = ? AND message_id IN (SELECT f.message_id FROM {source} {rows})"
        values = (user_id, *given, user_id)
        self._session.run(
            f"UPDATE message_flag SET bits = bits & ~{READ_ABOVE}"
            f" WHERE {passed} AND (bits & {READ_ABOVE}) != 0",
            *values,
        )
        self._session.run(f"DELETE FROM message_flag WHERE {passed} AND bits = 0", *values)

    def pass_over_muted(self, user_id: UserId) -> None:
        """Move the watermarks on to just before the first unread message, or behind the newest one."""
        found = self._session.rows(
            f"""
            WITH start AS (
                SELECT recipient_id, position FROM read_watermark
                WHERE user_id = ? AND position < {READ_FOR_EVER}
                UNION ALL
                SELECT cm.conversation_id, 0 FROM conversation_member AS cm WHERE cm.user_id = ?
                    AND NOT EXISTS (SELECT 1 FROM read_watermark AS w
                        WHERE w.user_id = cm.user_id AND w.recipient_id = cm.conversation_id)
            )
            SELECT recipient_id, position, {_read_to("start.recipient_id", "start.position")} FROM start
            """,
            *(user_id,) * 6,
        )
        self._move(user_id, [(one, low, to) for one, low, to in found if to is not None and to > low])

    def mark_unread(self, user_id: UserId, messages: Sequence[Message]) -> None:
        watermarks = self.of(user_id, {message.recipient_id for message in messages})
        above = self._above(user_id, messages, watermarks)
        below = [m for m in messages if m.id not in above]
        put_bits(self._session, [(user_id, m.recipient_id, m.id, UNREAD_BELOW) for m in below])
        drop_bits(self._session, user_id, above, READ_ABOVE)
        self._take_in(user_id, [m.id for m in below])

    def _above(
        self, user_id: UserId, messages: Sequence[Message], watermarks: Mapping[RecipientId, int]
    ) -> Collection[MessageId]:
        """Those of the messages that are unread but for a row: above the watermark, and news."""
        above = {
            m.id: m
            for m in messages
            if m.id > watermarks.get(m.recipient_id, 0 if m.channel_id is None else READ_FOR_EVER)
        }
        # What one sends oneself, and nobody has moved, is news: that is so at nearly each sending.
        if all(
            m.sender_id == user_id and m.moved_from is None and not m.arrives_read for m in above.values()
        ):
            return above
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT m.id FROM message AS m WHERE m.id {backend.in_list} AND {is_news('?')}",
            backend.listed(above),
            *(user_id,) * 3,
        )
        return {row[0] for row in rows}

    def _take_in(self, user_id: UserId, message_ids: Sequence[MessageId]) -> None:
        """Note which of these rows are of channel messages that were never received."""
        backend = self._session.backend
        self._session.run(
            f"""
            UPDATE message_flag SET bits = bits | {int(Flag.HISTORICAL)}
            WHERE user_id = ? AND message_id {backend.in_list} AND (bits & {int(Flag.HISTORICAL)}) = 0
                AND recipient_id IN (SELECT id FROM channel)
                AND NOT {was_subscribed("message_flag.user_id", "message_flag.recipient_id", _ARRIVED)}
            """,
            user_id,
            backend.listed(message_ids),
        )


def _given(
    backend: Backend, name: str, columns: Sequence[str], rows: Sequence[Sequence[int]]
) -> tuple[str, Sequence[object]]:
    """Rows as a FROM item, and its values. One row alone is said plainly: PostgreSQL plans that once, and a
    list, whose length it does not know, again each time; and mostly there is one.
    """
    if len(rows) > 1:
        return backend.rows(name, columns), backend.row_values(rows)
    return f"(SELECT {', '.join(f'CAST(? AS BIGINT) AS {column}' for column in columns)}) AS {name}", rows[0]


def came_along(user_id: str, m: str = "m") -> str:
    """That message `m` was sent to where it is, or that the reader was in the channel it was moved from."""
    return f"({m}.moved_from IS NULL OR {was_subscribed(user_id, f'{m}.moved_from', f'{m}.arrived_at')})"


def arrived_read(user_id: str) -> str:
    """That message `m` was read when it was sent, wherever it is now: by all, or as the reader had muted its
    sender then.

    Whom the reader has ever muted comes first: that is read once, and nobody for most people.
    """
    return f"""(m.arrives_read
        OR m.sender_id IN (SELECT muted_id FROM muting_period AS ever WHERE ever.user_id = {user_id})
        AND EXISTS (
            SELECT 1 FROM muting_period AS muting
            WHERE muting.user_id = {user_id} AND muting.muted_id = m.sender_id
                AND muting.start_position <= m.id
                AND (muting.until_position IS NULL OR m.id < muting.until_position)))"""


def is_news(user_id: str) -> str:
    """That message `m` is unread until it is read; *user_id* stands thrice in this."""
    return f"({came_along(user_id)} AND NOT {arrived_read(user_id)})"


def is_read_by(watermark: str, bits: str, news: str) -> str:
    """That message `m` is read, given the watermark of its recipient, its row's bits, and `is_news`."""
    return (
        f"CASE WHEN m.id <= {watermark} OR NOT {news}"
        f" THEN ({bits} & {UNREAD_BELOW}) = 0 ELSE ({bits} & {READ_ABOVE}) != 0 END"
    )


def is_read(message: Message, bits: int, watermark: int, *, news: bool) -> bool:
    """The same, in Python."""
    return not bits & UNREAD_BELOW if message.id <= watermark or not news else bool(bits & READ_ABOVE)


def _read_to(recipient_id: str, position: str, besides: str = "") -> str:
    """Up to where all is read above a watermark: just before the first message that stays unread, or to the
    newest one of all. The reader stands four times in this, after what stands in *besides*.
    """
    return f"""coalesce((
        SELECT m.id - 1 FROM message AS m
        WHERE m.recipient_id = {recipient_id} AND m.id > {position} {besides} AND {is_news("?")}
            AND NOT EXISTS (SELECT 1 FROM message_flag AS f
                WHERE f.user_id = ? AND f.message_id = m.id AND (f.bits & {READ_ABOVE}) != 0)
        ORDER BY m.id LIMIT 1
    ), (SELECT max(m.id) FROM message AS m WHERE m.recipient_id = {recipient_id}))"""


def start_of_unread(session: Session, read_to: Sequence[tuple[UserId, RecipientId, Position]]) -> None:
    """From here on, messages of a recipient above the reader's position are unread."""
    _put(session, read_to)


def end_of_unread(session: Session, readers: Sequence[tuple[UserId, RecipientId]]) -> None:
    """Nothing of a recipient is unread for its reader any more."""
    Watermarks(session).raise_to(Position(READ_FOR_EVER), readers)


def _put(
    session: Session, watermarks: Sequence[tuple[UserId, RecipientId, int]], over_another: str = _AS_GIVEN
) -> None:
    backend = session.backend
    session.run(
        f"""
        INSERT INTO read_watermark (user_id, recipient_id, position)
        SELECT user_id, recipient_id, position FROM {backend.rows("given", _COLUMNS)} WHERE TRUE
        {over_another}
        """,
        *backend.row_values(watermarks),
    )
