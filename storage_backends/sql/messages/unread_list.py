"""The list of one reader's unread messages."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.unread import UnreadMessage
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.conversations import Conversations
from storage_backends.sql.messages.flag_rows import IN_ROWS, READ_ABOVE, UNREAD_BELOW, rows_with
from storage_backends.sql.messages.unread import ARRIVED, arrived_unread
from storage_backends.sql.messages.watermarks import Watermarks
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

# Plain numbers: enumerations are slow for thousands of rows.
_ROWS, _WILDCARD = int(IN_ROWS), int(Flag.CHANNEL_WILDCARD)

COLUMNS = f"""
    m.id, m.recipient_id, m.topic, m.topic_key, {ARRIVED} AS arrived, m.channel_wildcard,
    coalesce(f.bits, 0) AS bits
"""


def _find_above(dialect: Dialect) -> str:
    """Return the text of the statement that finds what is unread above the watermark of each recipient."""
    message = dialect.lookup("message", "m", "m.recipient_id = start.recipient_id AND m.id > start.watermark")
    return f"""
        SELECT {COLUMNS}
        FROM {dialect.rows("start", "starts", ("recipient_id", "watermark"))} {message}
        LEFT JOIN message_flag AS f ON f.user_id = :user_id AND f.message_id = m.id
        WHERE (coalesce(f.bits, 0) & {READ_ABOVE}) = 0 AND {arrived_unread(":user_id")}
        ORDER BY m.id DESC LIMIT :count
    """


def _find_below(dialect: Dialect) -> str:
    """Return the text of the statement that finds what is unread below watermarks, by rows of flags."""
    source, has_bits = rows_with(dialect, "f", UNREAD_BELOW)
    return f"""
        SELECT {COLUMNS}
        FROM {source} JOIN message AS m ON m.id = f.message_id
        WHERE f.user_id = :user_id AND {has_bits}
        ORDER BY f.message_id DESC LIMIT :count
    """


FIND_ABOVE = Statement(_find_above)
"""Unread messages above watermarks."""
FIND_BELOW = Statement(_find_below)
"""Unread messages whose row marks them as unread."""


def unread_messages(
    session: Session, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
) -> Sequence[UnreadMessage]:
    """Return the newest unread messages, ascending."""
    watermarks = Watermarks(session).of(user_id)
    conversations = {
        conversation.recipient_id: conversation.user_ids
        for conversation in Conversations(session).of_user(user_id)
    }
    subscribed = [channel_id for channel_id, mine in subscriptions.items() if mine.active]
    starts = [
        (recipient_id, watermarks.get(recipient_id, 0)) for recipient_id in (*conversations, *subscribed)
    ]
    nobody: frozenset[UserId] = frozenset()

    def was_received(row: Any) -> bool:
        if row.topic_key is None:
            return True
        mine = subscriptions.get(row.recipient_id)
        return mine is not None and mine.has_received(row.arrived)

    def unread(row: Any) -> UnreadMessage:
        return UnreadMessage(
            row.id,
            None if row.topic_key is None else row.recipient_id,
            row.topic,
            row.topic_key,
            conversations[row.recipient_id] if row.topic_key is None else nobody,
            row.bits & _ROWS | (_WILDCARD if row.channel_wildcard and was_received(row) else 0),
        )

    messages: list[UnreadMessage] = []
    if starts:
        messages += map(unread, session.each(FIND_ABOVE, starts=starts, user_id=user_id, count=limit))
    messages += map(unread, session.each(FIND_BELOW, user_id=user_id, count=limit))
    messages.sort(key=attrgetter("id"))
    return messages[-limit:]
