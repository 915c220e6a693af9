"""Subscription periods as a condition in SQL.

The periods of one reader in one channel do not overlap. So the last one that begins at or before a position
decides: one step in the primary key, whatever the number of periods.
"""

from collections.abc import Mapping

from chatcore.domain.ids import ChannelId, Position
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

END_OF_TIME = 2**62

NOTE_EVENTS = Statement(
    lambda dialect: (
        f"""
        INSERT INTO channel_event (channel_id, position)
        SELECT new.channel_id, new.position FROM {dialect.rows("new", "last", ("channel_id", "position"))}
        WHERE TRUE ON CONFLICT (channel_id) DO UPDATE SET position = excluded.position
        """
    )
)


def was_subscribed(user_id: str, channel_id: str, position: str) -> str:
    """Return the condition that a reader was subscribed to a channel at a position; the arguments are SQL.

    *user_id* occurs once in the result and may be a parameter; *position* occurs twice.
    """
    return (
        f"{position} < coalesce((SELECT coalesce(sp.until_position, {END_OF_TIME})"
        f" FROM subscription_period AS sp WHERE sp.user_id = {user_id} AND sp.recipient_id = {channel_id}"
        f" AND sp.start_position <= {position} ORDER BY sp.start_position DESC LIMIT 1), 0)"
    )


def note_events(session: Session, last: Mapping[ChannelId, Position]) -> None:
    """Note each channel's last event, besides new messages, whose audience depends on subscriptions.

    A subscription that ended before it cannot continue its last period (`REOPEN_PERIOD`): its user would
    receive the event.
    """
    if last:
        session.run(NOTE_EVENTS, last=sorted(last.items()))
