"""Subscriptions and their periods; `subscribing` starts and ends them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from peewee import SQL, fn

from chatcore.domain.channels.channels import Period, Subscription, is_subscribed
from chatcore.domain.ids import ChannelId, Position, UserId
from chatcore.domain.roles import Role
from chatcore.storage.channels.subscriptions import Start
from storage_backends.sql import schema
from storage_backends.sql.channels.subscribing import end_subscriptions, start_subscriptions
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Account, SubscriptionPeriod
from storage_backends.sql.statement import Statement, change, in_list, param

FEW = 8
"""The number of users up to which subscriptions to one channel are remembered one by one: those of a sender
and a bot's owner are needed with every message.
"""

ACTIVE = schema.Subscription.active
IN_CHANNEL = schema.Subscription.channel_id == param("channel_id")
OF_USER = schema.Subscription.user_id == param("user_id")
OF_USERS = in_list(schema.Subscription.user_id, "user_ids")
IN_CHANNELS = in_list(schema.Subscription.channel_id, "channel_ids")
WITH_PERIODS = (
    schema.Subscription.select(
        schema.Subscription, SubscriptionPeriod.start_position, SubscriptionPeriod.until_position
    )
    .join(
        SubscriptionPeriod,
        on=(SubscriptionPeriod.user_id == schema.Subscription.user_id)
        & (SubscriptionPeriod.recipient_id == schema.Subscription.channel_id),
    )
    .order_by(schema.Subscription.channel_id, SubscriptionPeriod.start_position)
)
SUBSCRIBERS = schema.Subscription.select(schema.Subscription.user_id).where(ACTIVE)


def _bounds_of_periods(bound: Any) -> Any:
    """Return the query for the positions in a range of the log at which periods of a channel begin, or those
    at which they end; *bound* is the column.
    """
    return SubscriptionPeriod.select(bound.alias("position")).where(
        SubscriptionPeriod.recipient_id == param("channel_id"), bound > param("after"), bound <= param("to")
    )


FIND_OF_USER = Statement(WITH_PERIODS.where(OF_USER))
FIND_OF_SOME = Statement(WITH_PERIODS.where(IN_CHANNEL, OF_USERS))
FIND_AMONG = Statement(schema.Subscription.select().where(IN_CHANNELS, OF_USERS))
FIND_COLORS = Statement(
    schema.Subscription.select(schema.Subscription.user_id, schema.Subscription.color).where(ACTIVE, OF_USERS)
)
FIND_INACTIVE_ACCOUNTS = Statement(Account.select(Account.id).where(~Account.is_active))
FIND_SUBSCRIBERS = Statement(
    schema.Subscription.select(schema.Subscription.channel_id, schema.Subscription.user_id)
    .where(ACTIVE, IN_CHANNELS)
    .order_by(schema.Subscription.channel_id, schema.Subscription.user_id)
)
FIND_EVERYBODY = Statement(SUBSCRIBERS.where(IN_CHANNEL).order_by(schema.Subscription.user_id))
FIND_SUBSCRIBED_AMONG = Statement(SUBSCRIBERS.where(IN_CHANNEL, OF_USERS))
FIND_A_GUEST = Statement(
    Account.select(Account.id)
    .join(schema.Subscription, on=schema.Subscription.user_id == Account.id)
    .where(Account.role == int(Role.GUEST), Account.is_active, IN_CHANNEL, ACTIVE)
    .limit(1)
)
FIND_HAVING_SET = Statement(
    lambda dialect: (
        f"""
        SELECT s.user_id FROM subscription AS s {dialect.lookup("account", "a", "a.id = s.user_id")}
        WHERE s.active AND s.channel_id = :channel_id AND a.settings LIKE :pattern
    """
    )
)
FIND_PERIODS = Statement(
    SubscriptionPeriod.select(
        SubscriptionPeriod.user_id, SubscriptionPeriod.start_position, SubscriptionPeriod.until_position
    )
    .where(
        SubscriptionPeriod.recipient_id == param("channel_id"),
        in_list(SubscriptionPeriod.user_id, "user_ids"),
    )
    .order_by(SubscriptionPeriod.start_position)
)
FIND_MEMBERSHIP_CHANGES = Statement(
    _bounds_of_periods(SubscriptionPeriod.start_position)
    .union(_bounds_of_periods(SubscriptionPeriod.until_position))
    .order_by(SQL("position"))
)
COUNT_RETURNS = Statement(
    SubscriptionPeriod.select(
        SubscriptionPeriod.user_id,
        (fn.count(SQL("*")) - fn.count(SubscriptionPeriod.recipient_id.distinct())).alias("returns"),
    )
    .where(in_list(SubscriptionPeriod.user_id, "user_ids"))
    .group_by(SubscriptionPeriod.user_id)
)


# Count all and subtract the few deactivated accounts: a join would look up every account.
COUNTED_SUBSCRIBERS = """
    (SELECT count(*) FROM subscription AS s WHERE s.channel_id = channel.id AND s.active)
    - (SELECT count(*) FROM account AS a
        JOIN subscription AS s ON s.user_id = a.id AND s.channel_id = channel.id
        WHERE NOT a.is_active AND s.active)
"""
"""The number of subscribers of a channel, by the rows."""
COUNT_ANEW = Statement(
    lambda dialect: (
        f"""
        UPDATE channel SET subscriber_count = {COUNTED_SUBSCRIBERS}
        WHERE id {dialect.in_list("channel_ids")}
    """
    )
)


class Subscriptions(SqlRepository):
    def of_user(self, user_id: UserId) -> Mapping[ChannelId, Subscription]:
        def read() -> Mapping[ChannelId, Subscription]:
            return _with_periods(self._session.rows(FIND_OF_USER, user_id=user_id))

        return self._session.recall.one(RememberedKind.MEMBERSHIPS, "of user", read, key=user_id)

    def find(self, user_id: UserId, channel_id: ChannelId) -> Subscription | None:
        return self._of_few(channel_id, [user_id])[user_id]

    def _of_few(
        self, channel_id: ChannelId, user_ids: Collection[UserId]
    ) -> Mapping[UserId, Subscription | None]:
        """Return the subscriptions of some users, each from memory if it is there."""

        def read(
            keys: list[tuple[ChannelId, UserId]],
        ) -> Mapping[tuple[ChannelId, UserId], Subscription | None]:
            asked = [user_id for _, user_id in keys]
            found: dict[tuple[ChannelId, UserId], Subscription | None] = dict.fromkeys(keys)
            rows = self._session.rows(FIND_OF_SOME, channel_id=channel_id, user_ids=asked)
            for user_id in {row.user_id for row in rows}:
                theirs = _with_periods([row for row in rows if row.user_id == user_id])
                found[channel_id, user_id] = theirs[channel_id]
            return found

        keys = [(channel_id, user_id) for user_id in user_ids]
        by_key = self._session.recall.many(RememberedKind.MEMBERSHIPS, "of few", keys, read)
        return {user_id: subscription for (_, user_id), subscription in by_key.items()}

    def among(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Mapping[ChannelId, Mapping[UserId, Subscription]]:
        by_channel: dict[ChannelId, dict[UserId, Subscription]] = {
            channel_id: {} for channel_id in channel_ids
        }
        for row in self._session.rows(FIND_AMONG, channel_ids=channel_ids, user_ids=user_ids):
            by_channel[row.channel_id][row.user_id] = _subscription(row, ())
        return by_channel

    def colors(self, user_ids: Collection[UserId]) -> Mapping[UserId, Sequence[str]]:
        used: defaultdict[UserId, list[str]] = defaultdict(list)
        for row in self._session.rows(FIND_COLORS, user_ids=user_ids):
            used[row.user_id].append(row.color)
        return used

    def subscribers(self, channel_id: ChannelId) -> Sequence[UserId]:
        return self.subscribers_of([channel_id])[channel_id]

    def subscribers_of(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Sequence[UserId]]:
        # Leave out the few deactivated accounts here: a join would look up every account.
        inactive = frozenset(self._session.column(FIND_INACTIVE_ACCOUNTS))
        by_channel: dict[ChannelId, list[UserId]] = {channel_id: [] for channel_id in channel_ids}
        for row in self._session.rows(FIND_SUBSCRIBERS, channel_ids=channel_ids):
            if row.user_id not in inactive:
                by_channel[row.channel_id].append(row.user_id)
        return by_channel

    def all_subscribers(self, channel_id: ChannelId) -> Sequence[UserId]:
        return self._session.column(FIND_EVERYBODY, channel_id=channel_id)

    def subscribed_among(self, channel_id: ChannelId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        if len(user_ids) <= FEW:
            few = self._of_few(channel_id, user_ids) if user_ids else {}
            return frozenset(user_id for user_id, subscription in few.items() if is_subscribed(subscription))
        subscribers = self._session.column(FIND_SUBSCRIBED_AMONG, channel_id=channel_id, user_ids=user_ids)
        return frozenset(subscribers)

    def has_guest(self, channel_id: ChannelId) -> bool:
        return self._session.value(FIND_A_GUEST, channel_id=channel_id) is not None

    def having_set(self, channel_id: ChannelId, setting: str) -> Sequence[UserId]:
        pattern = f'%"{setting}":%'
        return self._session.column(FIND_HAVING_SET, channel_id=channel_id, pattern=pattern)

    def periods(self, channel_id: ChannelId, among: Collection[UserId]) -> Mapping[UserId, Sequence[Period]]:
        by_user: defaultdict[UserId, list[Period]] = defaultdict(list)
        for row in self._session.rows(FIND_PERIODS, channel_id=channel_id, user_ids=among):
            by_user[row.user_id].append(Period(row.start_position, row.until_position))
        return by_user

    def membership_changes(self, channel_id: ChannelId, after: int, to: int) -> Sequence[Position]:
        return self._session.column(FIND_MEMBERSHIP_CHANGES, channel_id=channel_id, after=after, to=to)

    def start(self, starts: Sequence[Start]) -> Sequence[tuple[UserId, ChannelId]]:
        return start_subscriptions(self._session, starts)

    def count_returns(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        return self._session.mapping(COUNT_RETURNS, user_ids=user_ids)

    def end(self, leaving: Mapping[ChannelId, Collection[UserId]], at: Position) -> None:
        end_subscriptions(self._session, leaving, at)

    def update(self, user_id: UserId, channel_id: ChannelId, **fields: bool | str) -> None:
        statement = change(schema.Subscription, *fields)
        self._session.run(statement, user_id=user_id, channel_id=channel_id, **fields)

    def count_anew(self, channel_ids: Collection[ChannelId]) -> None:
        self._session.run(COUNT_ANEW, channel_ids=channel_ids)


def _with_periods(rows: Sequence[Any]) -> dict[ChannelId, Subscription]:
    """Return subscriptions from rows of one period each."""
    periods: defaultdict[ChannelId, list[Period]] = defaultdict(list)
    for row in rows:
        periods[row.channel_id].append(Period(row.start_position, row.until_position))
    last_row = {row.channel_id: row for row in rows}
    return {channel_id: _subscription(row, periods[channel_id]) for channel_id, row in last_row.items()}


def _subscription(row: Any, periods: Sequence[Period]) -> Subscription:
    return Subscription(
        channel_id=row.channel_id,
        active=bool(row.active),
        periods=tuple(periods),
        color=row.color,
        is_muted=bool(row.is_muted),
        pin_to_top=bool(row.pin_to_top),
        desktop_notifications=_choice(row.desktop_notifications),
        email_notifications=_choice(row.email_notifications),
        push_notifications=_choice(row.push_notifications),
        audible_notifications=_choice(row.audible_notifications),
        wildcard_mentions_notify=_choice(row.wildcard_mentions_notify),
    )


def _choice(value: Any) -> bool | None:
    return None if value is None else bool(value)
