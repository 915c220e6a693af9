"""Channels, subscriptions and their periods."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import msgspec

from chatcore.domain.channels import (
    SECONDS_PER_DAY,
    Channel,
    Period,
    Subscription,
    channel_key,
    weekly_traffic,
)
from chatcore.domain.groups import GroupSetting
from chatcore.domain.ids import ChannelId, Position, UserId
from chatcore.domain.roles import Role
from chatcore.storage.channels import Start
from storage_backends.sql.recipients import new_recipients
from storage_backends.sql.session import Row, Session
from storage_backends.sql.watermarks import end_of_unread, start_of_unread

CHANNEL_COLUMNS = (
    "id",
    "name",
    "description",
    "rendered_description",
    "date_created",
    "creator_id",
    "invite_only",
    "is_web_public",
    "history_public_to_subscribers",
    "is_archived",
    "message_retention_days",
    "topics_policy",
    "subscriber_count",
    "permissions",
)
_CHANNEL = f"""
    SELECT {", ".join(CHANNEL_COLUMNS)},
        (SELECT min(m.id) FROM message AS m WHERE m.recipient_id = channel.id),
        (SELECT m.timestamp FROM message AS m WHERE m.recipient_id = channel.id ORDER BY m.id DESC LIMIT 1)
    FROM channel
"""
_decoder = msgspec.json.Decoder(dict[str, GroupSetting])


@lru_cache(maxsize=1024)
def _decode_permissions(text: str) -> Mapping[str, GroupSetting]:
    """Decode permission settings. Most channels have those of many others, to the letter."""
    return _decoder.decode(text)


TRAFFIC_DAYS = 28

_GUEST = int(Role.GUEST)


class Channels:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, channel_id: int) -> Channel | None:
        return next(iter(self._channels("WHERE id = ?", channel_id)), None)

    def find_by_name(self, name: str) -> Channel | None:
        return next(iter(self._channels("WHERE name_key = ?", channel_key(name))), None)

    def by_ids(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Channel]:
        return {channel.id: channel for channel in self._channels_in("id", channel_ids)}

    def names(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, str]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT id, name FROM channel WHERE id {backend.in_list}", backend.listed(channel_ids)
        )
        return dict(rows)

    def by_names(self, names: Collection[str]) -> Mapping[str, Channel]:
        found = self._channels_in("name_key", [channel_key(name) for name in names])
        return {channel_key(channel.name): channel for channel in found}

    def public(self) -> Mapping[ChannelId, Channel]:
        return {channel.id: channel for channel in self._channels("WHERE NOT invite_only")}

    def all(self) -> Sequence[Channel]:
        return self._channels("ORDER BY name_key")

    def private(self) -> Sequence[Channel]:
        return self._channels("WHERE invite_only ORDER BY name_key")

    def count(self) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM channel")
        return int(count)

    def weekly_traffic(self, channels: Sequence[Channel], now: int) -> Mapping[ChannelId, int | None]:
        first_day = now // SECONDS_PER_DAY - TRAFFIC_DAYS + 1
        rows = self._session.rows(
            f"""
            SELECT channel_id, sum(messages) FROM channel_traffic
            WHERE day >= ? AND channel_id {self._session.backend.in_list} GROUP BY channel_id
            """,
            first_day,
            self._session.backend.listed([channel.id for channel in channels]),
        )
        counts = {channel_id: int(count) for channel_id, count in rows}
        return {
            channel.id: weekly_traffic(
                counts.get(channel.id, 0), (now - channel.date_created) // SECONDS_PER_DAY
            )
            for channel in channels
        }

    def add(self, fields: Mapping[str, Any]) -> Channel:
        (channel,) = self.add_many([fields])
        return channel

    def add_many(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Channel]:
        if not rows:
            return []
        ids = new_recipients(self._session, "channel", len(rows))
        channels = [
            Channel(id=ChannelId(channel_id), **fields) for channel_id, fields in zip(ids, rows, strict=True)
        ]
        values = [_columns({name: getattr(one, name) for name in CHANNEL_COLUMNS}) for one in channels]
        places = f"({', '.join('?' for _ in values[0])})"
        self._session.run(
            f"INSERT INTO channel ({', '.join(values[0])}) VALUES {', '.join(places for _ in rows)}",
            *chain.from_iterable(one.values() for one in values),
        )
        return channels

    def update(self, channel_id: ChannelId, **fields: Any) -> None:
        values = _columns(fields)
        self._session.run(
            f"UPDATE channel SET {', '.join(f'{name} = ?' for name in values)} WHERE id = ?",
            *values.values(),
            channel_id,
        )

    def private_among(self, channel_ids: Collection[ChannelId]) -> frozenset[ChannelId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT id FROM channel WHERE invite_only AND id {backend.in_list}", backend.listed(channel_ids)
        )
        return frozenset(row[0] for row in rows)

    def note_message(self, channel_id: ChannelId, timestamp: int, count: int = 1) -> None:
        self._session.run(
            """
            INSERT INTO channel_traffic (channel_id, day, messages) VALUES (?, ?, ?)
            ON CONFLICT (channel_id, day)
            DO UPDATE SET messages = channel_traffic.messages + excluded.messages
            """,
            channel_id,
            timestamp // SECONDS_PER_DAY,
            count,
        )

    def _channels_in(self, column: str, values: Collection[Any]) -> list[Channel]:
        if not values:
            return []
        backend = self._session.backend
        return self._channels(f"WHERE {column} {backend.in_list}", backend.listed(values))

    def _channels(self, rest: str, *parameters: object) -> list[Channel]:
        return [_channel(row) for row in self._session.rows(_CHANNEL + rest, *parameters)]


def _columns(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a channel as they are stored."""
    values = dict(fields)
    if "permissions" in values:
        values["permissions"] = msgspec.json.encode(values["permissions"]).decode()
    if "name" in values:
        values["name_key"] = channel_key(values["name"])
    return values


def _channel(row: Row) -> Channel:
    fields: dict[str, Any] = dict(zip(CHANNEL_COLUMNS, row, strict=False))
    for name in ("invite_only", "is_web_public", "history_public_to_subscribers", "is_archived"):
        fields[name] = bool(fields[name])
    fields["permissions"] = _decode_permissions(fields["permissions"])
    return Channel(**fields, first_message_id=row[-2], last_message_at=row[-1])


SUBSCRIPTION_COLUMNS = (
    "user_id",
    "channel_id",
    "active",
    "color",
    "is_muted",
    "pin_to_top",
    "desktop_notifications",
    "email_notifications",
    "push_notifications",
    "audible_notifications",
    "wildcard_mentions_notify",
)
_SUBSCRIPTION = ", ".join(f"s.{name}" for name in SUBSCRIPTION_COLUMNS[1:])


class Subscriptions:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Mapping[ChannelId, Subscription]:
        return self._subscriptions("s.user_id = ?", user_id)

    def find(self, user_id: UserId, channel_id: ChannelId) -> Subscription | None:
        return self._subscriptions("s.user_id = ? AND s.channel_id = ?", user_id, channel_id).get(channel_id)

    def _subscriptions(self, condition: str, *parameters: object) -> dict[ChannelId, Subscription]:
        rows = self._session.rows(
            f"""
            SELECT {_SUBSCRIPTION}, p.start_position, p.until_position
            FROM subscription AS s
            JOIN subscription_period AS p ON p.user_id = s.user_id AND p.recipient_id = s.channel_id
            WHERE {condition} ORDER BY s.channel_id, p.start_position
            """,
            *parameters,
        )
        periods: defaultdict[ChannelId, list[Period]] = defaultdict(list)
        last_row: dict[ChannelId, Row] = {}
        for row in rows:
            periods[row[0]].append(Period(row[-2], row[-1]))
            last_row[row[0]] = row
        return {channel_id: _subscription(row, periods[channel_id]) for channel_id, row in last_row.items()}

    def among(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Mapping[ChannelId, Mapping[UserId, Subscription]]:
        backend = self._session.backend
        found: dict[ChannelId, dict[UserId, Subscription]] = {channel_id: {} for channel_id in channel_ids}
        for row in self._session.rows(
            f"""
            SELECT {_SUBSCRIPTION}, s.user_id FROM subscription AS s
            WHERE s.channel_id {backend.in_list} AND s.user_id {backend.in_list}
            """,
            backend.listed(channel_ids),
            backend.listed(user_ids),
        ):
            found[row[0]][row[-1]] = _subscription(row, ())
        return found

    def colors(self, user_ids: Collection[UserId]) -> Mapping[UserId, Sequence[str]]:
        backend = self._session.backend
        used: defaultdict[UserId, list[str]] = defaultdict(list)
        for user_id, color in self._session.rows(
            f"SELECT user_id, color FROM subscription WHERE active AND user_id {backend.in_list}",
            backend.listed(user_ids),
        ):
            used[user_id].append(color)
        return used

    def subscribers(self, channel_id: ChannelId) -> Sequence[UserId]:
        return self.subscribers_of([channel_id])[channel_id]

    def subscribers_of(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Sequence[UserId]]:
        backend = self._session.backend
        # The few who are deactivated are left out here: a join would look up everybody.
        inactive = {row[0] for row in self._session.rows("SELECT id FROM account WHERE NOT is_active")}
        found: dict[ChannelId, list[UserId]] = {channel_id: [] for channel_id in channel_ids}
        for channel_id, user_id in self._session.rows(
            f"""
            SELECT channel_id, user_id FROM subscription
            WHERE active AND channel_id {backend.in_list} ORDER BY channel_id, user_id
            """,
            backend.listed(channel_ids),
        ):
            if user_id not in inactive:
                found[channel_id].append(user_id)
        return found

    def everybody_in(self, channel_id: ChannelId) -> Sequence[UserId]:
        rows = self._session.rows(
            "SELECT user_id FROM subscription WHERE active AND channel_id = ? ORDER BY user_id", channel_id
        )
        return [row[0] for row in rows]

    def subscribed_among(self, channel_id: ChannelId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT user_id FROM subscription WHERE active AND channel_id = ? AND user_id {backend.in_list}",
            channel_id,
            backend.listed(user_ids),
        )
        return frozenset(row[0] for row in rows)

    def has_guest(self, channel_id: ChannelId) -> bool:
        ((found,),) = self._session.rows(
            """
            SELECT EXISTS (
                SELECT 1 FROM account AS a JOIN subscription AS s ON s.user_id = a.id
                WHERE a.role = ? AND a.is_active AND s.channel_id = ? AND s.active
            )
            """,
            _GUEST,
            channel_id,
        )
        return bool(found)

    def having_set(self, channel_id: ChannelId, setting: str) -> Sequence[UserId]:
        account = self._session.backend.lookup("account", "a", "a.id = s.user_id")
        rows = self._session.rows(
            f"""
            SELECT s.user_id FROM subscription AS s {account}
            WHERE s.active AND s.channel_id = ? AND a.settings LIKE ?
            """,
            channel_id,
            f'%"{setting}":%',
        )
        return [row[0] for row in rows]

    def periods(self, channel_id: ChannelId, among: Collection[UserId]) -> Mapping[UserId, Sequence[Period]]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT user_id, start_position, until_position FROM subscription_period
            WHERE recipient_id = ? AND user_id {backend.in_list} ORDER BY start_position
            """,
            channel_id,
            backend.listed(among),
        )
        found: defaultdict[UserId, list[Period]] = defaultdict(list)
        for user_id, start, until in rows:
            found[user_id].append(Period(start, until))
        return found

    def turns(self, channel_id: ChannelId, after: int, to: int) -> Sequence[Position]:
        rows = self._session.rows(
            """
            SELECT start_position AS at FROM subscription_period
            WHERE recipient_id = ? AND start_position > ? AND start_position <= ?
            UNION
            SELECT until_position FROM subscription_period
            WHERE recipient_id = ? AND until_position > ? AND until_position <= ?
            ORDER BY at
            """,
            *(channel_id, after, to) * 2,
        )
        return [Position(row[0]) for row in rows]

    def start(self, starts: Sequence[Start]) -> Sequence[tuple[UserId, ChannelId]]:
        if not starts:
            return ()
        backend = self._session.backend
        given = backend.rows("given", Start._fields, texts=("color",))
        values = backend.row_values(sorted(starts))
        self._session.run(
            f"""
            INSERT INTO subscription (user_id, channel_id, active, color, is_muted, pin_to_top)
            SELECT user_id, channel_id, TRUE, color, FALSE, FALSE FROM {given} WHERE TRUE
            ON CONFLICT (user_id, channel_id) DO UPDATE SET active = excluded.active
            """,
            *values,
        )
        self._session.run(
            f"""
            UPDATE subscription_period SET until_position = NULL
            WHERE (user_id, recipient_id) IN (SELECT user_id, channel_id FROM {given})
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
            """,
            *values,
        )
        begun = self._session.rows(
            f"""
            INSERT INTO subscription_period (user_id, recipient_id, start_position)
            SELECT user_id, channel_id, at FROM {given} WHERE NOT EXISTS (
                SELECT 1 FROM subscription_period AS going_on WHERE going_on.user_id = given.user_id
                    AND going_on.recipient_id = given.channel_id AND going_on.until_position IS NULL
            )
            RETURNING user_id, recipient_id
            """,
            *values,
        )
        before = [(one.user_id, one.channel_id, Position(one.at - 1)) for one in starts]
        start_of_unread(self._session, before)
        self._count(Counter(one.channel_id for one in starts))
        return [(user_id, channel_id) for user_id, channel_id in begun]

    def count_returns(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT user_id, count(*) - count(DISTINCT recipient_id) FROM subscription_period
            WHERE user_id {backend.in_list} GROUP BY user_id
            """,
            backend.listed(user_ids),
        )
        return dict(rows)

    def end(self, leaving: Mapping[ChannelId, Collection[UserId]], at: Position) -> None:
        backend = self._session.backend
        gone = [(user_id, channel_id) for channel_id, user_ids in leaving.items() for user_id in user_ids]
        if not gone:
            return
        given = f"(SELECT user_id, channel_id FROM {backend.rows('gone', ('user_id', 'channel_id'))})"
        values = backend.row_values(gone)
        ended = self._session.rows(
            f"""
            UPDATE subscription SET active = FALSE
            WHERE active AND (user_id, channel_id) IN {given} RETURNING channel_id
            """,
            *values,
        )
        self._session.run(
            f"""
            UPDATE subscription_period SET until_position = ?
            WHERE until_position IS NULL AND (user_id, recipient_id) IN {given}
            """,
            at,
            *values,
        )
        end_of_unread(self._session, gone)
        left: Counter[ChannelId] = Counter()
        left.subtract(row[0] for row in ended)
        self._count(left)

    def update(self, user_id: UserId, channel_id: ChannelId, **fields: bool | str) -> None:
        changes = ", ".join(f"{name} = ?" for name in fields)
        self._session.run(
            f"UPDATE subscription SET {changes} WHERE user_id = ? AND channel_id = ?",
            *fields.values(),
            user_id,
            channel_id,
        )

    def count_anew(self, channel_ids: Collection[ChannelId]) -> None:
        backend = self._session.backend
        # All but the few who are deactivated: to ask each one's account would look up everybody.
        self._session.run(
            f"""
            UPDATE channel SET subscriber_count = (
                SELECT count(*) FROM subscription AS s WHERE s.channel_id = channel.id AND s.active
            ) - (
                SELECT count(*) FROM account AS a
                JOIN subscription AS s ON s.user_id = a.id AND s.channel_id = channel.id
                WHERE NOT a.is_active AND s.active
            )
            WHERE id {backend.in_list}
            """,
            backend.listed(channel_ids),
        )

    def _count(self, changes: Mapping[ChannelId, int]) -> None:
        if changes:
            backend = self._session.backend
            self._session.run(
                f"""
                UPDATE channel SET subscriber_count = subscriber_count + came.people
                FROM {backend.rows("came", ("channel_id", "people"))} WHERE channel.id = came.channel_id
                """,
                *backend.row_values(list(changes.items())),
            )


def _subscription(row: Row, periods: Sequence[Period]) -> Subscription:
    fields: dict[str, Any] = dict(zip(SUBSCRIPTION_COLUMNS[1:], row, strict=False))
    for name in SUBSCRIPTION_COLUMNS[2:]:
        if name != "color" and fields[name] is not None:
            fields[name] = bool(fields[name])
    return Subscription(**fields, periods=tuple(periods))
