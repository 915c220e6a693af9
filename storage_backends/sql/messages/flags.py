"""Flags, which differ between readers.

A row of `message_flag` holds only what nothing else says. Read or unread follows from the watermark of the
recipient (`watermarks`), from periods of muting, and from the message: where it was moved from, and whether
it arrives read. A wildcard mention follows from the message.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import OF_TEXT, Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.unread import UnreadMessages
from chatcore.storage.slices import in_slices
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.messages.computed_flags import Reader, flags_from
from storage_backends.sql.messages.flag_rows import (
    HISTORICAL,
    IN_ROWS,
    drop_bits,
    mark_mentions_of_bots_read,
    put_bits,
    rows_with,
)
from storage_backends.sql.messages.unread_list import unread_messages
from storage_backends.sql.messages.watermarks import Watermarks, watermark_without_row
from storage_backends.sql.people.muted_users import MutedUsers
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import MessageFlag, ReadWatermark, SubscriptionPeriod
from storage_backends.sql.schema.messages import READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, in_list, param

OF_MESSAGE = MessageFlag.message_id == param("message_id")
OF_MESSAGES = in_list(MessageFlag.message_id, "message_ids")
OF_READERS = in_list(MessageFlag.user_id, "user_ids")
WERE_SUBSCRIBED = SubscriptionPeriod.select(SubscriptionPeriod.user_id).where(
    SubscriptionPeriod.recipient_id == param("recipient_id"),
    SubscriptionPeriod.start_position <= param("position"),
    SubscriptionPeriod.until_position.is_null() | (SubscriptionPeriod.until_position > param("position")),
)

FIND_BITS_AND_WATERMARKS = Statement(
    lambda dialect: (
        f"""
        SELECT message_id, NULL AS recipient_id, bits AS number FROM message_flag
        WHERE user_id = :user_id AND message_id {dialect.in_list("message_ids")}
        UNION ALL
        SELECT NULL, recipient_id, position FROM read_watermark
        WHERE user_id = :user_id AND recipient_id {dialect.in_list("recipient_ids")}
    """
    )
)
"""The reader's rows, by message, and watermarks, by recipient: in one statement, as each fetch needs both."""
FIND_READERS = Statement(WERE_SUBSCRIBED.union(MessageFlag.select(MessageFlag.user_id).where(OF_MESSAGE)))
FIND_BITS_OF_READERS = Statement(
    MessageFlag.select(MessageFlag.user_id, MessageFlag.bits).where(OF_MESSAGE, OF_READERS)
)
FIND_WATERMARKS_OF_READERS = Statement(
    ReadWatermark.select(ReadWatermark.user_id, ReadWatermark.position).where(
        in_list(ReadWatermark.user_id, "user_ids"), ReadWatermark.recipient_id == param("recipient_id")
    )
)
FIND_WERE_SUBSCRIBED = Statement(WERE_SUBSCRIBED.where(in_list(SubscriptionPeriod.user_id, "user_ids")))


def _find_maybe_unread(dialect: Dialect) -> str:
    """Return the text of the statement that finds for each user where unread messages may begin: above the
    watermark, or at a row with UNREAD_BELOW.
    """
    source, has_bits = rows_with(dialect, "f", UNREAD_BELOW)
    return f"""
        SELECT user_id, position + 1 AS first_id FROM read_watermark
        WHERE user_id {dialect.in_list("user_ids")} AND recipient_id = :recipient_id AND position < :newest
        UNION ALL
        SELECT f.user_id, f.message_id FROM {source}
        WHERE f.user_id {dialect.in_list("user_ids")} AND f.message_id BETWEEN :oldest AND :newest
            AND f.recipient_id = :recipient_id AND {has_bits}
    """


FIND_MAYBE_UNREAD = Statement(_find_maybe_unread)
CLEAR_FLAGS_OF_TEXT = Statement(
    MessageFlag.update({MessageFlag.bits: MessageFlag.bits.bin_and(~int(OF_TEXT))}).where(OF_MESSAGE)
)
FORGET_EMPTY = Statement(MessageFlag.delete().where(OF_MESSAGE, MessageFlag.bits == 0))


def _find_with_flag(dialect: Dialect, bits: int) -> str:
    """Return the text of the statement that finds the newest rows of a reader with one of the bits."""
    source, has_bits = rows_with(dialect, "f", bits)
    return f"""
        SELECT f.message_id FROM {source} WHERE f.user_id = :user_id AND {has_bits}
        ORDER BY f.message_id DESC LIMIT :count
    """


FIND_WITH_FLAG = {
    flag: Statement(partial(_find_with_flag, bits=int(flag))) for flag in Flag if flag & IN_ROWS
}


def _find_historical_channels(dialect: Dialect) -> str:
    source, has_bits = rows_with(dialect, "f", HISTORICAL)
    return f"SELECT DISTINCT f.recipient_id FROM {source} WHERE f.user_id = :user_id AND {has_bits}"


FIND_HISTORICAL_CHANNELS = Statement(_find_historical_channels)


def _find_users_with(flag: Flag) -> Statement:
    """Return the statement that finds the users who have a flag on some messages, each with the message."""
    return Statement(
        MessageFlag.select(MessageFlag.message_id, MessageFlag.user_id).where(
            OF_MESSAGES, MessageFlag.bits.bin_and(int(flag)) != 0
        )
    )


FIND_KEEPERS = _find_users_with(Flag.HISTORICAL)
FIND_STARRERS = _find_users_with(Flag.STARRED)


class Flags(SqlRepository):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._watermarks = Watermarks(session)
        self._muted_users = MutedUsers(session)

    def of(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        subscriptions: Mapping[ChannelId, Subscription],
    ) -> Mapping[MessageId, Flag]:
        """Compute one reader's flags of messages from the rows, the watermarks and the subscriptions."""
        of_recipients: defaultdict[RecipientId, list[Message]] = defaultdict(list)
        for message in messages:
            of_recipients[message.recipient_id].append(message)
        bits, watermarks = self._bits_and_watermarks(user_id, messages, of_recipients)
        muted = self._muted_users.had_muted(messages, [user_id])
        reader = Reader(user_id, subscriptions, bits, watermarks, muted)
        flags: dict[MessageId, Flag] = {}
        for theirs in in_slices(of_recipients.values()):
            flags |= reader.flags_of(theirs)
        return flags

    def readers(self, message: Message) -> frozenset[UserId]:
        """Return the people of a conversation; of a channel, those who were subscribed when the message
        arrived, or have a row for it.
        """
        if message.conversation is not None:
            return message.conversation.user_ids
        return frozenset(
            self._session.column(
                FIND_READERS,
                recipient_id=message.recipient_id,
                position=message.arrived,
                message_id=message.id,
            )
        )

    def of_readers(self, message: Message, user_ids: Collection[UserId]) -> Mapping[UserId, Flag]:
        """Compute the flags with one statement for each kind of fact."""
        bits: Mapping[UserId, int] = self._session.mapping(
            FIND_BITS_OF_READERS, message_id=message.id, user_ids=user_ids
        )
        watermarks: Mapping[UserId, int] = self._session.mapping(
            FIND_WATERMARKS_OF_READERS, user_ids=user_ids, recipient_id=message.recipient_id
        )
        if message.conversation is not None:
            receivers = message.conversation.user_ids
        else:
            receivers = self._subscribed_on_arrival(message.recipient_id, message, user_ids)
        came_along = frozenset(user_ids)  # all of them with a message that was never moved to another channel
        if message.moved_from is not None:
            came_along = self._subscribed_on_arrival(message.moved_from, message, user_ids)
        had_muted = self._muted_users.had_muted([message], user_ids).get(message.id, frozenset())
        arrived_unread = frozenset() if message.arrives_read else came_along - had_muted
        flags = {
            user_id: flags_from(
                message,
                bits.get(user_id, 0),
                watermarks.get(user_id, watermark_without_row(message)),
                received=user_id in receivers,
                has_arrived_unread=user_id in arrived_unread,
            )
            for user_id in user_ids
        }
        return {user_id: mine for user_id, mine in flags.items() if mine is not None}

    def _subscribed_on_arrival(
        self, channel_id: RecipientId, message: Message, user_ids: Collection[UserId]
    ) -> frozenset[UserId]:
        """Return those of the users who were subscribed to a channel when the message arrived in its own."""
        return frozenset(
            self._session.column(
                FIND_WERE_SUBSCRIBED, recipient_id=channel_id, position=message.arrived, user_ids=user_ids
            )
        )

    def set(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        flag: Flag,
        *,
        historical: Collection[MessageId] = (),
    ) -> None:
        """Move watermarks for the flag "read"; add a bit to the reader's rows for any other one."""
        if flag == Flag.READ:
            self._watermarks.mark_read(user_id, messages)
            return
        received, added = int(flag), int(flag) | HISTORICAL | READ_ABOVE
        put_bits(
            self._session,
            [(user_id, m.recipient_id, m.id, added if m.id in historical else received) for m in messages],
        )

    def clear(self, user_id: UserId, messages: Sequence[Message], flag: Flag) -> None:
        if flag == Flag.READ:
            self._watermarks.mark_unread(user_id, messages)
        else:
            drop_bits(self._session, user_id, (m.id for m in messages), int(flag))

    def on_arrival(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        self.on_arrivals([(message, flags)])

    def on_arrivals(self, arrived: Sequence[tuple[Message, Mapping[UserId, Flag]]]) -> None:
        """Add rows for the flags that rows store, and move the watermarks of users with the flag `READ`."""
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
        """Clear the bits that follow from the old text in all rows, then add those of the new one."""
        self._session.run(CLEAR_FLAGS_OF_TEXT, message_id=message.id)
        put_bits(
            self._session,
            [
                (user_id, message.recipient_id, message.id, int(mine & OF_TEXT))
                for user_id, mine in sorted(flags.items())
                if mine & OF_TEXT
            ],
        )
        self._session.run(FORGET_EMPTY, message_id=message.id)

    def mark_all_read(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        self._watermarks.mark_all_read(user_ids, recipient_ids, to)

    def mark_mentions_of_bots_read(
        self,
        *,
        user_ids: Collection[UserId] | None = None,
        channel_ids: Collection[ChannelId] | None = None,
    ) -> None:
        mark_mentions_of_bots_read(self._session, user_ids, channel_ids)

    def pass_over_muted(self, user_id: UserId) -> None:
        self._watermarks.pass_over_muted(user_id)

    def unread(
        self, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
    ) -> UnreadMessages:
        return unread_messages(self._session, user_id, subscriptions, limit)

    def maybe_unread(
        self, user_ids: Collection[UserId], channel_id: ChannelId, message_ids: Collection[MessageId]
    ) -> Mapping[UserId, MessageId]:
        """Look for a watermark before the newest of the messages, and for rows of unread ones below it."""
        oldest: dict[UserId, MessageId] = {}
        if not user_ids or not message_ids:
            return oldest
        for row in self._session.rows(
            FIND_MAYBE_UNREAD,
            user_ids=user_ids,
            recipient_id=channel_id,
            oldest=min(message_ids),
            newest=max(message_ids),
        ):
            oldest[row.user_id] = min(row.first_id, oldest.get(row.user_id, row.first_id))
        return oldest

    def with_flag(self, user_id: UserId, flag: Flag, limit: int) -> Sequence[MessageId]:
        newest_first = self._session.column(FIND_WITH_FLAG[flag], user_id=user_id, count=limit)
        return newest_first[::-1]

    def keepers(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        return self._session.sets(FIND_KEEPERS, message_ids=message_ids)

    def starred_by(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        return self._session.sets(FIND_STARRERS, message_ids=message_ids)

    def historical_channels(self, user_id: UserId) -> frozenset[ChannelId]:
        def read() -> frozenset[ChannelId]:
            return frozenset(self._session.column(FIND_HISTORICAL_CHANNELS, user_id=user_id))

        return self._session.recall.one(RememberedKind.HISTORICAL, "channels", read, key=user_id)

    def _bits_and_watermarks(
        self, user_id: UserId, messages: Sequence[Message], recipient_ids: Collection[RecipientId]
    ) -> tuple[Mapping[MessageId, int], Mapping[RecipientId, int]]:
        """Return the bits of the reader's rows by message, and the watermarks by recipient."""
        bits: dict[MessageId, int] = {}
        watermarks: dict[RecipientId, int] = {}
        for row in self._session.rows(
            FIND_BITS_AND_WATERMARKS,
            user_id=user_id,
            message_ids=[message.id for message in messages],
            recipient_ids=recipient_ids,
        ):
            if row.message_id is None:
                watermarks[row.recipient_id] = row.number
            else:
                bits[row.message_id] = row.number
        return bits, watermarks


def _bits_on_arrival(flags: Flag) -> int:
    """Return the bits of a reader's row for a new message. A user mentioned in a channel without a
    subscription has no watermark there, below which all is read.
    """
    return int(flags & IN_ROWS) | (UNREAD_BELOW if flags & Flag.CALLED else 0)
