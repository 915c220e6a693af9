"""Starts and ends of subscriptions: periods, unread messages, and the counts of subscribers."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import ChannelId, Position, UserId
from chatcore.storage.channels.subscriptions import Start
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.watermarks import begin_unread, end_unread
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement


def _starts(dialect: Dialect) -> str:
    """Return the item of FROM with the starts of subscriptions, as `new`."""
    return dialect.rows("new", "starts", Start._fields, texts=("color",))


SUBSCRIBE = Statement(
    lambda dialect: (
        f"""
        INSERT INTO subscription (user_id, channel_id, active, color, is_muted, pin_to_top)
        SELECT new.user_id, new.channel_id, TRUE, new.color, FALSE, FALSE FROM {_starts(dialect)} WHERE TRUE
        ON CONFLICT (user_id, channel_id) DO UPDATE SET active = excluded.active
    """
    )
)
REOPEN_PERIOD = Statement(
    lambda dialect: (
        f"""
        UPDATE subscription_period SET until_position = NULL
        WHERE (user_id, recipient_id) IN (SELECT new.user_id, new.channel_id FROM {_starts(dialect)})
            AND start_position = (
                SELECT max(last.start_position) FROM subscription_period AS last
                WHERE last.user_id = subscription_period.user_id
                    AND last.recipient_id = subscription_period.recipient_id
            )
            AND NOT EXISTS (
                SELECT 1 FROM message AS m WHERE m.recipient_id = subscription_period.recipient_id
                    AND m.id >= subscription_period.until_position
            )
            AND NOT EXISTS (
                SELECT 1 FROM channel_event AS e WHERE e.channel_id = subscription_period.recipient_id
                    AND e.position >= subscription_period.until_position
            )
    """
    )
)
"""Continue the last period if nothing has happened in the channel since it ended."""
START_PERIOD = Statement(
    lambda dialect: (
        f"""
        INSERT INTO subscription_period (user_id, recipient_id, start_position)
        SELECT new.user_id, new.channel_id, new.at FROM {_starts(dialect)} WHERE NOT EXISTS (
            SELECT 1 FROM subscription_period AS going_on WHERE going_on.user_id = new.user_id
                AND going_on.recipient_id = new.channel_id AND going_on.until_position IS NULL
        )
        RETURNING user_id, recipient_id
    """
    )
)


def _leaving(dialect: Dialect) -> str:
    """Return a query for those who leave, each a user and a channel."""
    columns = ("user_id", "channel_id")
    return f"(SELECT gone.user_id, gone.channel_id FROM {dialect.rows('gone', 'leaving', columns)})"


UNSUBSCRIBE = Statement(
    lambda dialect: (
        f"""
        UPDATE subscription SET active = FALSE
        WHERE active AND (user_id, channel_id) IN {_leaving(dialect)} RETURNING channel_id
    """
    )
)
END_PERIOD = Statement(
    lambda dialect: (
        f"""
        UPDATE subscription_period SET until_position = :at
        WHERE until_position IS NULL AND (user_id, recipient_id) IN {_leaving(dialect)}
    """
    )
)
ADJUST_COUNTS = Statement(
    lambda dialect: (
        f"""
        UPDATE channel SET subscriber_count = subscriber_count + came.people
        FROM {dialect.rows("came", "changes", ("channel_id", "people"))} WHERE channel.id = came.channel_id
    """
    )
)


def start_subscriptions(session: Session, starts: Sequence[Start]) -> Sequence[tuple[UserId, ChannelId]]:
    """Start subscriptions; return the users and channels for which a new period begins."""
    if not starts:
        return ()
    in_order = sorted(starts)
    session.run(SUBSCRIBE, starts=in_order)
    session.run(REOPEN_PERIOD, starts=in_order)
    begun = session.rows(START_PERIOD, starts=in_order)
    begin_unread(session, [(start.user_id, start.channel_id, Position(start.at - 1)) for start in starts])
    _adjust_counts(session, Counter(start.channel_id for start in starts))
    return [(row.user_id, row.recipient_id) for row in begun]


def end_subscriptions(
    session: Session, leaving: Mapping[ChannelId, Collection[UserId]], at: Position
) -> None:
    """End subscriptions; users who are not subscribed change no count."""
    pairs = [(user_id, channel_id) for channel_id, user_ids in leaving.items() for user_id in user_ids]
    if not pairs:
        return
    left = Counter(session.column(UNSUBSCRIBE, leaving=pairs))
    session.run(END_PERIOD, leaving=pairs, at=at)
    end_unread(session, pairs)
    _adjust_counts(session, {channel_id: -people for channel_id, people in left.items()})


def _adjust_counts(session: Session, changes: Mapping[ChannelId, int]) -> None:
    if changes:
        session.run(ADJUST_COUNTS, changes=list(changes.items()))
