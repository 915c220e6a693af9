"""What differs from reader to reader: flags, read watermarks, topic policies, alert words.

A row of `message_flag` holds only what the rest does not say. Read or not is said by the watermark of
the recipient: everything up to it is read but for rows with UNREAD_BELOW, everything above it is unread
but for rows with READ_ABOVE. In a channel without a watermark, or left, everything counts as read.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from chatcore.domain.alert_words import first_token
from chatcore.domain.channels import Subscription
from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.topics import VisibilityPolicy, topic_key
from chatcore.storage.flags import UnreadMessage
from storage_backends.sql.backend import Backend
from storage_backends.sql.recipients import people_from
from storage_backends.sql.session import Session

INDEX_OF_BITS = {
    int(Flag.STARRED): "message_flag_starred",
    int(Flag.MENTIONED | Flag.TOPIC_WILDCARD): "message_flag_mentioned",
    int(Flag.HAS_ALERT_WORD): "message_flag_alerted",
    int(Flag.HISTORICAL): "message_flag_historical",
    512: "message_flag_unread_below",
}
"""The index of the rows that have one of these bits. The numbers are written out in statements: an index
of some rows only is used where the statement says its condition, to the letter."""

READ_ABOVE = 256
UNREAD_BELOW = 512
READ_FOR_EVER = 2**53
"""The watermark of a channel that is not subscribed to."""

IN_ROWS = (
    Flag.STARRED
    | Flag.COLLAPSED
    | Flag.MENTIONED
    | Flag.TOPIC_WILDCARD
    | Flag.HAS_ALERT_WORD
    | Flag.HISTORICAL
)
"""Flags that are stored as they are."""

# As numbers, and kept: enumerations are slow where there are thousands.
_ROWS, _WILDCARD = int(IN_ROWS), int(Flag.CHANNEL_WILDCARD)
_READ, _HISTORICAL = int(Flag.READ), int(Flag.HISTORICAL)
_as_flag = cache(Flag)

_PUT_BITS = """
    INSERT INTO message_flag (user_id, recipient_id, message_id, bits) VALUES (?, ?, ?, ?)
    ON CONFLICT (user_id, message_id) DO UPDATE SET bits = message_flag.bits | excluded.bits
"""
_PUT_WATERMARK = """
    INSERT INTO read_watermark (user_id, recipient_id, position) VALUES (?, ?, ?)
    ON CONFLICT (user_id, recipient_id) DO UPDATE SET position = excluded.position
"""
_RAISE_WATERMARK = f"""{_PUT_WATERMARK}
    WHERE read_watermark.position < excluded.position
"""


class Flags:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        subscriptions: Mapping[ChannelId, Subscription],
    ) -> Mapping[MessageId, Flag]:
        bits = self._bits(user_id, [message.id for message in messages])
        watermarks = self.watermarks(user_id, {message.recipient_id for message in messages})
        flags = {
            message.id: self._flags(user_id, message, bits.get(message.id, 0), watermarks, subscriptions)
            for message in messages
        }
        return {message_id: mine for message_id, mine in flags.items() if mine is not None}

    def _flags(
        self,
        user_id: UserId,
        message: Message,
        bits: int,
        watermarks: Mapping[RecipientId, int],
        subscriptions: Mapping[ChannelId, Subscription],
    ) -> Flag | None:
        if message.conversation is not None:
            received = user_id in message.conversation.user_ids
        else:
            assert message.channel_id is not None
            subscription = subscriptions.get(message.channel_id)
            received = subscription is not None and subscription.received(message.id)
        flags = bits & _ROWS
        if not received and not flags & _HISTORICAL:
            return None
        if received and message.channel_wildcard:
            flags |= _WILDCARD
        without = 0 if message.channel_id is None else READ_FOR_EVER
        if is_read(message.id, bits, watermarks.get(message.recipient_id, without)):
            flags |= _READ
        return _as_flag(flags)

    def set(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        flag: Flag,
        *,
        historical: Collection[MessageId] = (),
    ) -> None:
        if flag == Flag.READ:
            for recipient_id, message_ids in _by_recipient(messages).items():
                self._mark_read(user_id, recipient_id, message_ids)
            return
        own_copy = int(Flag.HISTORICAL) | READ_ABOVE
        self._session.run_many(
            _PUT_BITS,
            [
                (user_id, m.recipient_id, m.id, int(flag) | (own_copy if m.id in historical else 0))
                for m in messages
            ],
        )

    def clear(self, user_id: UserId, messages: Sequence[Message], flag: Flag) -> None:
        if flag == Flag.READ:
            watermarks = self.watermarks(user_id, {message.recipient_id for message in messages})
            below = [m for m in messages if m.id <= watermarks.get(m.recipient_id, 0)]
            above = [m for m in messages if m.id > watermarks.get(m.recipient_id, 0)]
            self._session.run_many(_PUT_BITS, [(user_id, m.recipient_id, m.id, UNREAD_BELOW) for m in below])
            self._drop(user_id, (m.id for m in above), READ_ABOVE)
            self._take_in(user_id, [m.id for m in below])
        else:
            self._drop(user_id, (m.id for m in messages), int(flag))

    def _take_in(self, user_id: UserId, message_ids: Sequence[MessageId]) -> None:
        """Note which of these rows are of channel messages that were never received."""
        backend = self._session.backend
        self._session.run(
            f"""
            UPDATE message_flag SET bits = bits | {int(Flag.HISTORICAL)}
            WHERE user_id = ? AND message_id {backend.in_list} AND (bits & {int(Flag.HISTORICAL)}) = 0
                AND recipient_id IN (SELECT id FROM channel)
                AND NOT EXISTS (
                    SELECT 1 FROM subscription_period AS sp
                    WHERE sp.user_id = message_flag.user_id AND sp.recipient_id = message_flag.recipient_id
                        AND sp.start_position <= message_flag.message_id
                        AND (sp.until_position IS NULL OR message_flag.message_id < sp.until_position)
                )
            """,
            user_id,
            backend.listed(message_ids),
        )

    def on_arrival(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        self.on_arrivals([(message, flags)])

    def on_arrivals(self, arrived: Sequence[tuple[Message, Mapping[UserId, Flag]]]) -> None:
        self._session.run_many(
            _PUT_BITS,
            [
                (user_id, message.recipient_id, message.id, int(mine & IN_ROWS))
                for message, flags in arrived
                for user_id, mine in sorted(flags.items())
                if mine & IN_ROWS
            ],
        )
        for message, flags in arrived:
            for user_id, mine in sorted(flags.items()):
                if mine & Flag.READ:
                    self._mark_read(user_id, message.recipient_id, [message.id])

    def read_all(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        backend = self._session.backend
        self._session.run_many(
            _RAISE_WATERMARK,
            [(user_id, recipient_id, to) for user_id in user_ids for recipient_id in recipient_ids],
        )
        where = f"user_id {backend.in_list} AND recipient_id {backend.in_list} AND message_id <= ?"
        passed = (backend.listed(user_ids), backend.listed(recipient_ids), to)
        self._session.run(
            f"""
            UPDATE message_flag SET bits = bits & ~{READ_ABOVE | UNREAD_BELOW}
            WHERE {where} AND (bits & {READ_ABOVE | UNREAD_BELOW}) != 0
            """,
            *passed,
        )
        self._session.run(f"DELETE FROM message_flag WHERE {where} AND bits = 0", *passed)

    def unread(
        self, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
    ) -> Sequence[UnreadMessage]:
        backend = self._session.backend
        watermarks = self.watermarks(user_id)
        conversations = {
            row[0]: people_from(row[1])
            for row in self._session.rows(
                """
                SELECT c.id, c.people
                FROM conversation_member AS cm JOIN conversation AS c ON c.id = cm.conversation_id
                WHERE cm.user_id = ?
                """,
                user_id,
            )
        }
        subscribed = [channel_id for channel_id, mine in subscriptions.items() if mine.active]
        starts = [(recipient_id, watermarks.get(recipient_id, 0)) for recipient_id in conversations]
        starts += [(channel_id, watermarks.get(channel_id, 0)) for channel_id in subscribed]
        if not starts:
            return []
        columns = "m.id, m.recipient_id, m.topic, m.topic_key, m.channel_wildcard, coalesce(f.bits, 0)"
        above = self._session.rows(
            f"""
            SELECT {columns}
            FROM {backend.rows("start", ("recipient_id", "position"))}
            CROSS JOIN message AS m
            LEFT JOIN message_flag AS f ON f.user_id = ? AND f.message_id = m.id
            WHERE m.recipient_id = start.recipient_id AND m.id > start.position
                AND (coalesce(f.bits, 0) & {READ_ABOVE}) = 0
            ORDER BY m.id DESC LIMIT ?
            """,
            *backend.row_values(starts),
            user_id,
            limit,
        )
        source, has_bits = rows_with(backend, "f", UNREAD_BELOW)
        below = self._session.rows(
            f"""
            SELECT {columns}
            FROM {source} JOIN message AS m ON m.id = f.message_id
            WHERE f.user_id = ? AND {has_bits}
            ORDER BY f.message_id DESC LIMIT ?
            """,
            user_id,
            limit,
        )
        rows = sorted((*above, *below))[-limit:]
        nobody: frozenset[UserId] = frozenset()
        return [
            UnreadMessage(
                message_id,
                None if key is None else recipient_id,
                topic,
                key,
                conversations[recipient_id] if key is None else nobody,
                bits & _ROWS | (_WILDCARD if wildcard and not bits & _HISTORICAL else 0),
            )
            for message_id, recipient_id, topic, key, wildcard, bits in rows
        ]

    def with_flag(self, user_id: UserId, flag: Flag, limit: int) -> Sequence[MessageId]:
        source, has_bits = rows_with(self._session.backend, "f", int(flag))
        rows = self._session.rows(
            f"""
            SELECT f.message_id FROM {source} WHERE f.user_id = ? AND {has_bits}
            ORDER BY f.message_id DESC LIMIT ?
            """,
            user_id,
            limit,
        )
        return [row[0] for row in reversed(rows)]

    def historical_channels(self, user_id: UserId) -> frozenset[ChannelId]:
        source, has_bits = rows_with(self._session.backend, "f", int(Flag.HISTORICAL))
        rows = self._session.rows(
            f"SELECT DISTINCT f.recipient_id FROM {source} WHERE f.user_id = ? AND {has_bits}", user_id
        )
        return frozenset(row[0] for row in rows)

    def watermarks(
        self, user_id: UserId, recipient_ids: Collection[RecipientId] | None = None
    ) -> Mapping[RecipientId, int]:
        """Watermarks of one reader, of all recipients that have one or of the given ones."""
        statement = "SELECT recipient_id, position FROM read_watermark WHERE user_id = ?"
        if recipient_ids is None:
            return dict(self._session.rows(statement, user_id))
        backend = self._session.backend
        listed = backend.listed(recipient_ids)
        return dict(self._session.rows(f"{statement} AND recipient_id {backend.in_list}", user_id, listed))

    def _bits(self, user_id: UserId, message_ids: Collection[MessageId]) -> dict[MessageId, int]:
        backend = self._session.backend
        return dict(
            self._session.rows(
                "SELECT message_id, bits FROM message_flag"
                f" WHERE user_id = ? AND message_id {backend.in_list}",
                user_id,
                backend.listed(message_ids),
            )
        )

    def _mark_read(
        self, user_id: UserId, recipient_id: RecipientId, message_ids: Collection[MessageId]
    ) -> None:
        """Make messages of one recipient read, and move the watermark up behind what is read now.

        It goes to just before the first message above it that stays unread, and what it passes needs no
        row any more. So rows stay few, however much is read.
        """
        backend = self._session.backend
        watermark = self.watermarks(user_id, [recipient_id]).get(recipient_id, 0)
        self._drop(user_id, (m for m in message_ids if m <= watermark), UNREAD_BELOW)
        above = [m for m in message_ids if m > watermark]
        if not above:
            return
        # The newest message of all is where the watermark goes when nothing stays unread.
        ((stop, newest),) = self._session.rows(
            f"""
            SELECT (
                SELECT m.id FROM message AS m
                WHERE m.recipient_id = ? AND m.id > ? AND NOT m.id {backend.in_list}
                    AND NOT EXISTS (SELECT 1 FROM message_flag AS f
                        WHERE f.user_id = ? AND f.message_id = m.id AND (f.bits & {READ_ABOVE}) != 0)
                ORDER BY m.id LIMIT 1
            ), (SELECT max(m.id) FROM message AS m WHERE m.recipient_id = ?)
            """,
            recipient_id,
            watermark,
            backend.listed(above),
            user_id,
            recipient_id,
        )
        moved = newest if stop is None else stop - 1
        self._session.run_many(
            _PUT_BITS, [(user_id, recipient_id, m, READ_ABOVE) for m in above if m > moved]
        )
        if moved <= watermark or moved < min(above):
            return
        self._session.run(_PUT_WATERMARK, user_id, recipient_id, moved)
        self._session.run(
            f"""
            UPDATE message_flag SET bits = bits & ~{READ_ABOVE}
            WHERE user_id = ? AND recipient_id = ? AND message_id <= ? AND (bits & {READ_ABOVE}) != 0
            """,
            user_id,
            recipient_id,
            moved,
        )
        self._session.run(
            """
            DELETE FROM message_flag
            WHERE user_id = ? AND recipient_id = ? AND message_id <= ? AND bits = 0
            """,
            user_id,
            recipient_id,
            moved,
        )

    def _drop(self, user_id: UserId, message_ids: Iterable[MessageId], bits: int) -> None:
        given = sorted(message_ids)
        if not given:
            return
        backend = self._session.backend
        listed = backend.listed(given)
        mine = f"user_id = ? AND message_id {backend.in_list}"
        self._session.run(f"UPDATE message_flag SET bits = bits & ~{bits} WHERE {mine}", user_id, listed)
        self._session.run(f"DELETE FROM message_flag WHERE {mine} AND bits = 0", user_id, listed)


def rows_with(backend: Backend, alias: str, bits: int) -> tuple[str, str]:
    """The FROM item of a reader's rows that have one of the bits, and the condition of their index."""
    index = INDEX_OF_BITS.get(bits)
    hint = "" if index is None else backend.by_index(index)
    return f"message_flag AS {alias}{hint}", f"({alias}.bits & {bits}) != 0"


def is_read(message_id: int, bits: int, watermark: int) -> bool:
    """Whether a message is read, given its row's bits and the watermark of its recipient."""
    return not bits & UNREAD_BELOW if message_id <= watermark else bool(bits & READ_ABOVE)


def _by_recipient(messages: Sequence[Message]) -> dict[RecipientId, list[MessageId]]:
    grouped: defaultdict[RecipientId, list[MessageId]] = defaultdict(list)
    for message in messages:
        grouped[message.recipient_id].append(message.id)
    return grouped


def start_of_unread(session: Session, recipient_id: RecipientId, read_to: Mapping[UserId, Position]) -> None:
    """From here on, messages above each user's *read_to* are unread."""
    session.run_many(
        _PUT_WATERMARK, [(user_id, recipient_id, position) for user_id, position in sorted(read_to.items())]
    )


def end_of_unread(session: Session, user_ids: Collection[UserId], recipient_id: RecipientId) -> None:
    """Nothing of the recipient is unread for the users any more."""
    Flags(session).read_all(user_ids, [recipient_id], Position(READ_FOR_EVER))


class TopicPolicies:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Mapping[tuple[ChannelId, str], tuple[str, VisibilityPolicy, int]]:
        rows = self._session.rows(
            """
            SELECT channel_id, topic_key, topic, policy, updated FROM topic_policy
            WHERE user_id = ? ORDER BY channel_id, topic_key
            """,
            user_id,
        )
        return {(row[0], row[1]): (row[2], VisibilityPolicy(row[3]), row[4]) for row in rows}

    def find(self, user_id: UserId, channel_id: ChannelId, topic_key: str) -> VisibilityPolicy:
        return self.among(channel_id, topic_key, [user_id]).get(user_id, VisibilityPolicy.INHERIT)

    def among(
        self, channel_id: ChannelId, topic_key: str, user_ids: Collection[UserId]
    ) -> Mapping[UserId, VisibilityPolicy]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT user_id, policy FROM topic_policy
            WHERE channel_id = ? AND topic_key = ? AND user_id {backend.in_list}
            """,
            channel_id,
            topic_key,
            backend.listed(user_ids),
        )
        return {user_id: VisibilityPolicy(policy) for user_id, policy in rows}

    def put(
        self, user_id: UserId, channel_id: ChannelId, topic: str, policy: VisibilityPolicy, now: int
    ) -> None:
        key = topic_key(topic)
        if policy == VisibilityPolicy.INHERIT:
            self._session.run(
                "DELETE FROM topic_policy WHERE user_id = ? AND channel_id = ? AND topic_key = ?",
                user_id,
                channel_id,
                key,
            )
            return
        self._session.run(
            """
            INSERT INTO topic_policy (user_id, channel_id, topic_key, topic, policy, updated)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, channel_id, topic_key)
            DO UPDATE SET topic = excluded.topic, policy = excluded.policy, updated = excluded.updated
            """,
            user_id,
            channel_id,
            key,
            topic,
            int(policy),
            now,
        )


class AlertWords:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Sequence[str]:
        rows = self._session.rows("SELECT word FROM alert_word WHERE user_id = ? ORDER BY id", user_id)
        return [row[0] for row in rows]

    def add(self, user_id: UserId, words: Sequence[str]) -> None:
        self._session.run_many(
            """
            INSERT INTO alert_word (user_id, word_key, word, first_token) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id, word_key) DO NOTHING
            """,
            [(user_id, word.lower(), word, first_token(word)) for word in words],
        )

    def remove(self, user_id: UserId, words: Collection[str]) -> None:
        self._session.run_many(
            "DELETE FROM alert_word WHERE user_id = ? AND word_key = ?",
            [(user_id, word.lower()) for word in words],
        )

    def candidates(self, tokens: Collection[str]) -> Sequence[tuple[UserId, str]]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT user_id, word FROM alert_word WHERE first_token {backend.in_list} ORDER BY id",
            backend.listed(tokens),
        )
        return [(row[0], row[1]) for row in rows]
