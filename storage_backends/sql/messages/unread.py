"""Conditions, as text, on whether message `m` is unread for a reader.

The reader is an SQL expression such as `:user_id`.
"""

from chatcore.domain.messages.messages import Message
from storage_backends.sql.channels.periods import was_subscribed
from storage_backends.sql.schema.messages import READ_ABOVE, UNREAD_BELOW

ARRIVED = "coalesce(m.arrived_at, m.id)"
"""The position at which message `m` arrived in its channel (`Message.arrived`)."""


def came_along(user_id: str, m: str = "m") -> str:
    """Return the condition that message `m` was never moved to another channel, or that the reader came along
    with it: was subscribed to the channel that it left last.
    """
    return f"({m}.moved_from IS NULL OR {was_subscribed(user_id, f'{m}.moved_from', f'{m}.arrived_at')})"


def read_on_arrival(user_id: str) -> str:
    """Return the condition that message `m` was read on arrival, wherever it is now: it arrives read, or the
    reader had muted its sender.

    The accounts that the reader has ever muted come first: they are read once, and mostly there are none.
    """
    return f"""(m.arrives_read
        OR m.sender_id IN (SELECT muted_id FROM muting_period AS ever WHERE ever.user_id = {user_id})
        AND EXISTS (
            SELECT 1 FROM muting_period AS muting
            WHERE muting.user_id = {user_id} AND muting.muted_id = m.sender_id
                AND muting.start_position <= m.id
                AND (muting.until_position IS NULL OR m.id < muting.until_position)))"""


def arrived_unread(user_id: str) -> str:
    """Return the condition that message `m` is unread until it is marked as read."""
    return f"({came_along(user_id)} AND NOT {read_on_arrival(user_id)})"


def stays_unread(user_id: str) -> str:
    """Return the condition that message `m`, which is above the reader's watermark, is unread."""
    return f"""({arrived_unread(user_id)} AND NOT EXISTS (SELECT 1 FROM message_flag AS f
        WHERE f.user_id = {user_id} AND f.message_id = m.id AND (f.bits & {READ_ABOVE}) != 0))"""


def is_read_by(watermark: str, bits: str, has_arrived_unread: str) -> str:
    """Return the condition that message `m` is read, by its recipient's watermark, its row's bits and
    `arrived_unread`.
    """
    return (
        f"CASE WHEN m.id <= {watermark} OR NOT {has_arrived_unread}"
        f" THEN ({bits} & {UNREAD_BELOW}) = 0 ELSE ({bits} & {READ_ABOVE}) != 0 END"
    )


def is_read(message: Message, bits: int, watermark: int, *, has_arrived_unread: bool) -> bool:
    """Evaluate `is_read_by` in Python."""
    return (
        not bits & UNREAD_BELOW
        if message.id <= watermark or not has_arrived_unread
        else bool(bits & READ_ABOVE)
    )


def read_to(user_id: str, recipient_id: str, position: str, besides: str = "") -> str:
    """Return the position to which a watermark can be advanced: just before the first message that stays
    unread, or the position of the newest message.
    """
    return f"""coalesce((
        SELECT m.id - 1 FROM message AS m
        WHERE m.recipient_id = {recipient_id} AND m.id > {position} {besides} AND {stays_unread(user_id)}
        ORDER BY m.id LIMIT 1
    ), (SELECT max(m.id) FROM message AS m WHERE m.recipient_id = {recipient_id}))"""
