"""Flags, which differ from reader to reader.

A row of `message_flag` holds only what the rest does not say: read or not is said by the watermark of the
recipient (`watermarks`), by periods of muting and by the message where it arrives read, a wildcard mention by
the message.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from operator import itemgetter

from chatcore.domain.channels import Subscription
from chatcore.domain.flags import OF_TEXT, Flag
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages import Message
from chatcore.storage.flags import UnreadMessage
from chatcore.storage.turns import in_slices
from storage_backends.sql.flag_rows import IN_ROWS, READ_ABOVE, UNREAD_BELOW, drop_bits, put_bits, rows_with
from storage_backends.sql.messages import ARRIVED
from storage_backends.sql.muted_users import MutedUsers
from storage_backends.sql.recipients import people_from
from storage_backends.sql.session import Row, Session
from storage_backends.sql.watermarks import READ_FOR_EVER, Watermarks, is_news, is_read

# As numbers, and kept: enumerations are slow where there are thousands.
_ROWS, _WILDCARD = int(IN_ROWS), int(Flag.CHANNEL_WILDCARD)
_READ, _HISTORICAL = int(Flag.READ), int(Flag.HISTORICAL)
_as_flag = cache(Flag)


class Flags:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._watermarks = Watermarks(session)
        self._muted_users = MutedUsers(session)

    def of(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        subscriptions: Mapping[ChannelId, Subscription],
    ) -> Mapping[MessageId, Flag]:
        bits = self._bits(user_id, [message.id for message in messages])
        watermarks = self._watermarks.of(user_id, {message.recipient_id for message in messages})
        muted = self._muted_users.had_muted(messages, [user_id])
        flags = {}
        for message in in_slices(messages):
            if message.channel_id is None:
                received = message.conversation is not None and user_id in message.conversation.user_ids
            else:
                subscription = subscriptions.get(message.channel_id)
                received = subscription is not None and subscription.received(message.arrived)
            news = not message.arrives_read and user_id not in muted.get(message.id, ())
            if message.moved_from is not None:
                before = subscriptions.get(message.moved_from)
                news = news and before is not None and before.received(message.arrived)
            watermark = watermarks.get(message.recipient_id)
            flags[message.id] = _flags(
                message, bits.get(message.id, 0), watermark, received=received, news=news
            )
        return {message_id: mine for message_id, mine in flags.items() if mine is not None}

    def readers(self, message: Message) -> frozenset[UserId]:
        if message.conversation is not None:
            return message.conversation.user_ids
        rows = self._session.rows(
            """
            SELECT user_id FROM subscription_period
            WHERE recipient_id = ? AND start_position <= ? AND (until_position IS NULL OR until_position > ?)
            UNION SELECT user_id FROM message_flag WHERE message_id = ?
            """,
            message.recipient_id,
            message.arrived,
            message.arrived,
            message.id,
        )
        return frozenset(row[0] for row in rows)

    def of_readers(self, message: Message, user_ids: Collection[UserId]) -> Mapping[UserId, Flag]:
        backend = self._session.backend
        listed = backend.listed(user_ids)
        bits: dict[UserId, int] = dict(
            self._session.rows(
                f"SELECT user_id, bits FROM message_flag WHERE message_id = ? AND user_id {backend.in_list}",
                message.id,
                listed,
            )
        )
        watermarks: dict[UserId, int] = dict(
            self._session.rows(
                "SELECT user_id, position FROM read_watermark"
                f" WHERE user_id {backend.in_list} AND recipient_id = ?",
                listed,
                message.recipient_id,
            )
        )
        if message.conversation is not None:
            receivers = message.conversation.user_ids
        else:
            receivers = self._were_in(message.recipient_id, message.arrived, listed)
        from_before = message.moved_from
        along = frozenset(user_ids)
        if from_before is not None:
            along = self._were_in(from_before, message.arrived, listed)
        muted = self._muted_users.had_muted([message], user_ids).get(message.id, frozenset())
        flags = {
            user_id: _flags(
                message,
                bits.get(user_id, 0),
                watermarks.get(user_id),
                received=user_id in receivers,
                news=user_id in along and user_id not in muted and not message.arrives_read,
            )
            for user_id in user_ids
        }
        return {user_id: mine for user_id, mine in flags.items() if mine is not None}

    def _were_in(self, channel_id: RecipientId, position: int, listed: object) -> frozenset[UserId]:
        """Those of the users who were subscribed to the channel at a position."""
        rows = self._session.rows(
            f"""
            SELECT user_id FROM subscription_period
            WHERE recipient_id = ? AND user_id {self._session.backend.in_list}
                AND start_position <= ? AND (until_position IS NULL OR until_position > ?)
            """,
            channel_id,
            listed,
            position,
            position,
        )
        return frozenset(row[0] for row in rows)

    def set(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        flag: Flag,
        *,
        historical: Collection[MessageId] = (),
    ) -> None:
        if flag == Flag.READ:
            self._watermarks.mark_read(user_id, messages)
            return
        own_copy = int(Flag.HISTORICAL) | READ_ABOVE
        put_bits(
            self._session,
            [
                (user_id, m.recipient_id, m.id, int(flag) | (own_copy if m.id in historical else 0))
                for m in messages
            ],
        )

    def clear(self, user_id: UserId, messages: Sequence[Message], flag: Flag) -> None:
        if flag == Flag.READ:
            self._watermarks.mark_unread(user_id, messages)
        else:
            drop_bits(self._session, user_id, (m.id for m in messages), int(flag))

    def on_arrival(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        self.on_arrivals([(message, flags)])

    def on_arrivals(self, arrived: Sequence[tuple[Message, Mapping[UserId, Flag]]]) -> None:
        put_bits(
            self._session,
            [
                (user_id, message.recipient_id, message.id, _bits_on_arrival(mine))
                for message, flags in arrived
                for user_id, mine in sorted(flags.items())
                if mine & IN_ROWS
            ],
        )
        for message, flags in arrived:
            for user_id, mine in sorted(flags.items()):
                if mine & Flag.READ:
                    self._watermarks.mark_read(user_id, [message])

    def keep_unread(self, message: Message, user_ids: Collection[UserId]) -> None:
        put_bits(
            self._session,
            [(user_id, message.recipient_id, message.id, UNREAD_BELOW) for user_id in sorted(user_ids)],
        )

    def on_edit(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        self._session.run(
            f"UPDATE message_flag SET bits = bits & ~{int(OF_TEXT)} WHERE message_id = ?", message.id
        )
        put_bits(
            self._session,
            [
                (user_id, message.recipient_id, message.id, int(mine & OF_TEXT))
                for user_id, mine in sorted(flags.items())
                if mine & OF_TEXT
            ],
        )
        self._session.run("DELETE FROM message_flag WHERE message_id = ? AND bits = 0", message.id)

    def read_all(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        self._watermarks.read_all(user_ids, recipient_ids, to)

    def read_calls(self, *, user_id: UserId | None = None, channel_id: ChannelId | None = None) -> None:
        readers = "(SELECT id FROM account WHERE is_bot)" if user_id is None else "(?)"
        place = "" if channel_id is None else "AND recipient_id = ?"
        self._session.run(
            f"""
            UPDATE message_flag SET bits = bits & ~{UNREAD_BELOW}
            WHERE user_id IN {readers} {place}
                AND (bits & {UNREAD_BELOW}) != 0 AND (bits & {int(Flag.CALLED)}) != 0
            """,
            *(given for given in (user_id, channel_id) if given is not None),
        )

    def pass_over_muted(self, user_id: UserId) -> None:
        self._watermarks.pass_over_muted(user_id)

    def unread(
        self, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
    ) -> Sequence[UnreadMessage]:
        backend = self._session.backend
        watermarks = self._watermarks.of(user_id)
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
        place = f"m.id, m.recipient_id, m.topic, m.topic_key, {ARRIVED}"
        columns = f"{place}, m.channel_wildcard, coalesce(f.bits, 0)"
        above: Sequence[Row] = ()
        if starts:
            place_above = "m.recipient_id = start.recipient_id AND m.id > start.position"
            above = self._session.rows(
                f"""
                SELECT {columns}
                FROM {backend.rows("start", ("recipient_id", "position"))}
                {backend.lookup("message", "m", place_above)}
                LEFT JOIN message_flag AS f ON f.user_id = ? AND f.message_id = m.id
                WHERE (coalesce(f.bits, 0) & {READ_ABOVE}) = 0 AND {is_news("?")}
                ORDER BY m.id DESC LIMIT ?
                """,
                *backend.row_values(starts),
                *(user_id,) * 4,
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
        rows = sorted((*above, *below), key=itemgetter(0))[-limit:]

        def received(channel_id: ChannelId, arrived: Position) -> bool:
            mine = subscriptions.get(channel_id)
            return mine is not None and mine.received(arrived)

        nobody: frozenset[UserId] = frozenset()
        return [
            UnreadMessage(
                message_id,
                None if key is None else recipient_id,
                topic,
                key,
                conversations[recipient_id] if key is None else nobody,
                bits & _ROWS | (_WILDCARD if wildcard and received(recipient_id, arrived) else 0),
            )
            for message_id, recipient_id, topic, key, arrived, wildcard, bits in rows
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

    def keepers(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        return self._with_any(_HISTORICAL, message_ids)

    def starred_by(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        return self._with_any(int(Flag.STARRED), message_ids)

    def _with_any(
        self, bits: int, message_ids: Collection[MessageId]
    ) -> Mapping[MessageId, frozenset[UserId]]:
        backend = self._session.backend
        found: defaultdict[MessageId, set[UserId]] = defaultdict(set)
        for message_id, user_id in self._session.rows(
            "SELECT message_id, user_id FROM message_flag"
            f" WHERE message_id {backend.in_list} AND (bits & {bits}) != 0",
            backend.listed(message_ids),
        ):
            found[message_id].add(user_id)
        return {message_id: frozenset(theirs) for message_id, theirs in found.items()}

    def historical_channels(self, user_id: UserId) -> frozenset[ChannelId]:
        source, has_bits = rows_with(self._session.backend, "f", int(Flag.HISTORICAL))
        rows = self._session.rows(
            f"SELECT DISTINCT f.recipient_id FROM {source} WHERE f.user_id = ? AND {has_bits}", user_id
        )
        return frozenset(row[0] for row in rows)

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


def _bits_on_arrival(flags: Flag) -> int:
    """The row of a reader; who is called into a channel has no watermark there, below which all is read."""
    return int(flags & IN_ROWS) | (UNREAD_BELOW if flags & Flag.CALLED else 0)


def _flags(message: Message, bits: int, watermark: int | None, *, received: bool, news: bool) -> Flag | None:
    """One reader's flags; None where the message is not in the reader's history."""
    flags = bits & _ROWS
    if not received and not flags & _HISTORICAL:
        return None
    if received and message.channel_wildcard:
        flags |= _WILDCARD
    if watermark is None:
        watermark = 0 if message.channel_id is None else READ_FOR_EVER
    if is_read(message, bits, watermark, news=news):
        flags |= _READ
    return _as_flag(flags)
