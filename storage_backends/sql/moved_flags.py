"""The flags of messages that are moved to another channel.

Who is in both channels has another watermark there, and rows say where that would be wrong about a message.
For everybody else the messages are read without a row (`watermarks`). Few statements do it for all of them.
"""

from collections.abc import Collection

from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, UserId
from storage_backends.sql.flag_rows import READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.watermarks import arrived_read, came_along, is_news, is_read_by

KEPT = int(Flag.STARRED | Flag.COLLAPSED)
"""What a reader has done with a message, which stays where it can still be read."""
_HISTORICAL = int(Flag.HISTORICAL)
_READ_OR_NOT = READ_ABOVE | UNREAD_BELOW


def move_flags(
    session: Session,
    message_ids: Collection[MessageId],
    source: ChannelId,
    target: ChannelId,
    keeping: Collection[UserId],
) -> None:
    """To be called while the messages are still where they were."""
    listed = session.backend.listed(message_ids)
    _keep_read_or_not(session, message_ids, source, target)
    moved = f"message_id {session.backend.in_list}"
    elsewhere = (
        "NOT EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = message_flag.user_id"
        " AND s.channel_id = ? AND s.active)"
    )
    session.run(f"UPDATE message_flag SET recipient_id = ? WHERE {moved}", target, listed)
    session.run(
        f"DELETE FROM message_flag WHERE {moved} AND (bits = 0 OR {elsewhere}"
        f" AND ((bits & {KEPT}) = 0 OR NOT user_id {session.backend.in_list}))",
        listed,
        target,
        session.backend.listed(keeping),
    )
    session.run(
        f"UPDATE message_flag SET bits = (bits & {KEPT}) | {_HISTORICAL} WHERE {moved} AND {elsewhere}",
        listed,
        target,
    )


def _keep_read_or_not(
    session: Session, message_ids: Collection[MessageId], source: ChannelId, target: ChannelId
) -> None:
    """For who is in both channels: a row where the new watermark is wrong, none any more where it is not.

    It can be wrong where one of the two watermarks is above the messages and the other is not, where there
    was a row, and where the messages had come into the old channel without the reader. Most people have read,
    or not, in both channels, and were along before: they are not looked at.
    """
    listed, in_list = session.backend.listed(message_ids), session.backend.in_list
    first, last = min(message_ids), max(message_ids)
    was_read = is_read_by("at.old", "coalesce(f.bits, 0)", is_news("at.user_id"))
    # There it comes along, as the reader is here too; what arrived read is so wherever it goes.
    reads_there = f"(m.id <= at.new OR {arrived_read('at.user_id')})"
    session.run(
        f"""
        INSERT INTO message_flag (user_id, recipient_id, message_id, bits)
        WITH reader AS (
            SELECT s.user_id, before.position AS old, after.position AS new
            FROM subscription AS s
            JOIN subscription AS t ON t.user_id = s.user_id AND t.channel_id = ? AND t.active
            JOIN read_watermark AS before ON before.user_id = s.user_id AND before.recipient_id = s.channel_id
            JOIN read_watermark AS after ON after.user_id = s.user_id AND after.recipient_id = t.channel_id
            WHERE s.channel_id = ? AND s.active
        ), said AS (
            SELECT user_id, message_id, bits FROM message_flag WHERE message_id {in_list}
        ), moved AS (
            SELECT id, moved_from, arrived_at FROM message WHERE id {in_list} AND moved_from IS NOT NULL
        ), absent AS (
            SELECT r.*, past.moved_from, past.arrived_at
            FROM reader AS r CROSS JOIN (SELECT DISTINCT moved_from, arrived_at FROM moved) AS past
            WHERE r.new < ? AND NOT {came_along("r.user_id", "past")}
        ), doubtful AS (
            SELECT r.*, m.id FROM reader AS r JOIN message AS m ON m.id {in_list}
            WHERE NOT (r.old < ? AND r.new < ?) AND NOT (r.old >= ? AND r.new >= ?)
            UNION
            SELECT r.user_id, r.old, r.new, moved.id FROM absent AS r
            JOIN moved ON moved.moved_from = r.moved_from AND moved.arrived_at = r.arrived_at
            WHERE moved.id > r.new
            UNION
            SELECT r.*, f.message_id FROM said AS f JOIN reader AS r ON r.user_id = f.user_id
            WHERE (f.bits & {_READ_OR_NOT}) != 0
        ), judged AS (
            SELECT at.user_id, m.recipient_id, m.id, coalesce(f.bits, 0) AS bits,
                {reads_there} AS below, {was_read} AS was_read
            FROM doubtful AS at JOIN message AS m ON m.id = at.id
            LEFT JOIN said AS f ON f.user_id = at.user_id AND f.message_id = at.id
        )
        SELECT user_id, recipient_id, id, CASE
            WHEN was_read = below THEN 0 WHEN below THEN {UNREAD_BELOW} ELSE {READ_ABOVE} END
        FROM judged WHERE was_read != below OR (bits & {_READ_OR_NOT}) != 0
        ON CONFLICT (user_id, message_id) DO UPDATE
            SET bits = (message_flag.bits & ~{_READ_OR_NOT}) | excluded.bits
        """,
        target,
        source,
        listed,
        *(listed, last),
        *(listed, first, first, last, last),
    )
