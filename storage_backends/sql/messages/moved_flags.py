"""Flags of messages that move to another channel.

A reader in both channels has another watermark in the new one; rows correct it for messages where it would be
wrong. For all other readers the messages count as read without a row (`watermarks`). A few statements do this
for all readers.
"""

from collections.abc import Collection

from peewee import SQL, fn

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages import flags
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.flag_rows import EXCEPTIONS, HISTORICAL
from storage_backends.sql.messages.unread import arrived_unread, came_along, is_read_by, read_on_arrival
from storage_backends.sql.schema import MessageFlag, Subscription
from storage_backends.sql.schema.messages import READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, in_list, param

KEPT_BITS = sum(flags.KEPT_WHEN_MOVED)

MOVED = in_list(MessageFlag.message_id, "message_ids")
NOT_IN_TARGET = ~fn.EXISTS(
    Subscription.select(SQL("1")).where(
        Subscription.user_id == MessageFlag.user_id,
        Subscription.channel_id == param("target"),
        Subscription.active,
    )
)

MOVE = Statement(MessageFlag.update({MessageFlag.recipient_id: param("target")}).where(MOVED))
FORGET = Statement(
    MessageFlag.delete().where(
        MOVED,
        (MessageFlag.bits == 0)
        | NOT_IN_TARGET
        & ((MessageFlag.bits.bin_and(KEPT_BITS) == 0) | ~in_list(MessageFlag.user_id, "keeping")),
    )
)
KEEP_AS_HISTORICAL = Statement(
    MessageFlag.update({MessageFlag.bits: MessageFlag.bits.bin_and(KEPT_BITS).bin_or(HISTORICAL)}).where(
        MOVED, NOT_IN_TARGET
    )
)


def _keep_read_state(dialect: Dialect) -> str:
    """Return the text of a statement that gives readers in both channels an exception in their row where the
    new watermark is wrong, and removes it where it is right.

    The watermark is `doubtful` if one of the two is above the messages and the other is not, if there was an
    exception, or if the messages had arrived in the old channel without the reader, who is `absent` then.
    Most readers were subscribed to both and have read both or neither: the statement skips them.
    """
    moved = dialect.in_list("message_ids")
    was_read = is_read_by("at.old", "coalesce(f.bits, 0)", arrived_unread("at.user_id"))
    # In the new channel `came_along` holds, as the reader is in both; read on arrival holds in any channel.
    reads_there = f"(m.id <= at.new OR {read_on_arrival('at.user_id')})"
    return f"""
        INSERT INTO message_flag (user_id, recipient_id, message_id, bits)
        WITH reader AS (
            SELECT s.user_id, before.position AS old, after.position AS new
            FROM subscription AS s
            JOIN subscription AS t ON t.user_id = s.user_id AND t.channel_id = :target AND t.active
            JOIN read_watermark AS before ON before.user_id = s.user_id AND before.recipient_id = s.channel_id
            JOIN read_watermark AS after ON after.user_id = s.user_id AND after.recipient_id = t.channel_id
            WHERE s.channel_id = :source AND s.active
        ), flag_row AS (
            SELECT user_id, message_id, bits FROM message_flag WHERE message_id {moved}
        ), moved AS (
            SELECT id, moved_from, arrived_at FROM message WHERE id {moved} AND moved_from IS NOT NULL
        ), absent AS (
            SELECT r.*, past.moved_from, past.arrived_at
            FROM reader AS r CROSS JOIN (SELECT DISTINCT moved_from, arrived_at FROM moved) AS past
            WHERE r.new < :last AND NOT {came_along("r.user_id", "past")}
        ), doubtful AS (
            SELECT r.*, m.id FROM reader AS r JOIN message AS m ON m.id {moved}
            WHERE NOT (r.old < :first AND r.new < :first) AND NOT (r.old >= :last AND r.new >= :last)
            UNION
            SELECT r.user_id, r.old, r.new, moved.id FROM absent AS r
            JOIN moved ON moved.moved_from = r.moved_from AND moved.arrived_at = r.arrived_at
            WHERE moved.id > r.new
            UNION
            SELECT r.*, f.message_id FROM flag_row AS f JOIN reader AS r ON r.user_id = f.user_id
            WHERE (f.bits & {EXCEPTIONS}) != 0
        ), judged AS (
            SELECT at.user_id, m.recipient_id, m.id, coalesce(f.bits, 0) AS bits,
                {reads_there} AS below, {was_read} AS was_read
            FROM doubtful AS at JOIN message AS m ON m.id = at.id
            LEFT JOIN flag_row AS f ON f.user_id = at.user_id AND f.message_id = at.id
        )
        SELECT user_id, recipient_id, id, CASE
            WHEN was_read = below THEN 0 WHEN below THEN {UNREAD_BELOW} ELSE {READ_ABOVE} END
        FROM judged WHERE was_read != below OR (bits & {EXCEPTIONS}) != 0
        ON CONFLICT (user_id, message_id) DO UPDATE
            SET bits = (message_flag.bits & ~{EXCEPTIONS}) | excluded.bits
    """


KEEP_READ_STATE = Statement(_keep_read_state)


def move_flags(
    session: Session,
    message_ids: Collection[MessageId],
    source: ChannelId,
    target: ChannelId,
    keeping: Collection[UserId],
) -> None:
    """Move the flags of messages from *source* to *target*, as `Edits.move_flags` has it; the messages
    themselves are still in *source*.

    First, rows of subscribers of both channels keep what is read and unread for them. Then readers without a
    subscription to *target* lose their flags, except for what users in *keeping* have starred or collapsed:
    for these users the messages become historical.
    """
    session.run(
        KEEP_READ_STATE,
        message_ids=message_ids,
        first=min(message_ids),
        last=max(message_ids),
        source=source,
        target=target,
    )
    session.run(MOVE, message_ids=message_ids, target=target)
    session.run(FORGET, message_ids=message_ids, target=target, keeping=keeping)
    session.run(KEEP_AS_HISTORICAL, message_ids=message_ids, target=target)
