"""Channels and their traffic."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Unpack

from peewee import EXCLUDED, fn

from chatcore.domain.channels.channels import Activity, Channel, channel_key, weekly_traffic
from chatcore.domain.ids import ChannelId, FolderId, RecipientId
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.storage.channels.channels import ChannelFields, NewChannel
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.recipients import new_recipients
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import ChannelTraffic, Message
from storage_backends.sql.statement import ROW_COUNT, Statement, change, in_list, insert, param
from storage_backends.sql.values import columns_of

TRAFFIC_DAYS = 28
"""The days of which the traffic of a channel is the average."""

IN_CHANNEL = Message.recipient_id == schema.Channel.id
FIRST_ID = Message.select(fn.min(Message.id)).where(IN_CHANNEL)
LAST_TIMESTAMP = Message.select(Message.timestamp).where(IN_CHANNEL).order_by(Message.id.desc()).limit(1)
MESSAGES_SINCE = ChannelTraffic.select(fn.sum(ChannelTraffic.messages)).where(
    ChannelTraffic.channel_id == schema.Channel.id, ChannelTraffic.day >= param("first_day")
)
CHANNELS = schema.Channel.select()
AMONG = in_list(schema.Channel.id, "channel_ids")

FIND_MANY = Statement(CHANNELS.where(AMONG)).of(Channel)
FIND_BY_NAMES = (
    Statement(CHANNELS.where(in_list(schema.Channel.name_key, "name_keys"))).of(Channel).by("name_key")
)
FIND_ALL = Statement(CHANNELS.order_by(schema.Channel.name_key)).of(Channel)
COUNT = Statement(schema.Channel.select(ROW_COUNT))
COUNT_IN_FOLDER = Statement(
    schema.Channel.select(ROW_COUNT).where(schema.Channel.folder_id == param("folder_id"))
)
FIND_ACTIVITIES = Statement(
    schema.Channel.select(
        schema.Channel.id,
        schema.Channel.date_created,
        FIRST_ID.alias("first_message_id"),
        LAST_TIMESTAMP.alias("last_message_at"),
        MESSAGES_SINCE.alias("messages"),
    ).where(AMONG)
)
ADD = Statement(insert(schema.Channel))
NOTE_MESSAGES = Statement(
    insert(ChannelTraffic).on_conflict(
        conflict_target=[ChannelTraffic.channel_id, ChannelTraffic.day],
        update={ChannelTraffic.messages: ChannelTraffic.messages + EXCLUDED.messages},
    )
)


class Channels(SqlRepository):
    def find(self, channel_id: int) -> Channel | None:
        return self.by_ids([ChannelId(RecipientId(channel_id))]).get(ChannelId(RecipientId(channel_id)))

    def find_by_name(self, name: str) -> Channel | None:
        return self.by_names([name]).get(channel_key(name))

    def by_ids(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Channel]:
        if not channel_ids:
            return {}

        def read(asked: list[ChannelId]) -> Mapping[ChannelId, Channel]:
            return {channel.id: channel for channel in self._session.rows(FIND_MANY, channel_ids=asked)}

        return self._session.recall.many(RememberedKind.CHANNELS, "by id", channel_ids, read)

    def names(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, str]:
        return {channel.id: channel.name for channel in self.by_ids(channel_ids).values()}

    def by_names(self, names: Collection[str]) -> Mapping[str, Channel]:
        if not names:
            return {}

        def read(asked: list[str]) -> Mapping[str, Channel]:
            return dict(self._session.rows(FIND_BY_NAMES, name_keys=asked))

        return self._session.recall.many(RememberedKind.CHANNELS, "by name", map(channel_key, names), read)

    def public(self) -> Mapping[ChannelId, Channel]:
        return {channel.id: channel for channel in self.all() if not channel.invite_only}

    def all(self) -> Sequence[Channel]:
        return self._recall_all(RememberedKind.CHANNELS, "all", FIND_ALL)

    def private(self) -> Sequence[Channel]:
        return [channel for channel in self.all() if channel.invite_only]

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def any_in_folder(self, folder_id: FolderId) -> bool:
        return int(self._session.value(COUNT_IN_FOLDER, folder_id=folder_id)) > 0

    def activities(self, channels: Sequence[Channel], now: int) -> Mapping[ChannelId, Activity]:
        if not channels:
            return {}
        rows = self._session.rows(
            FIND_ACTIVITIES,
            first_day=now // SECONDS_PER_DAY - TRAFFIC_DAYS + 1,
            channel_ids=[channel.id for channel in channels],
        )
        return {row.id: _activity(row, now) for row in rows}

    def add(self, new: NewChannel) -> Channel:
        (channel,) = self.add_many([new])
        return channel

    def add_many(self, rows: Sequence[NewChannel]) -> Sequence[Channel]:
        """Add channels as new recipients; several of them in bulk."""
        if not rows:
            return []
        ids = new_recipients(self._session, "channel", len(rows))
        channels = [Channel(id=ChannelId(number), **new) for number, new in zip(ids, rows, strict=True)]
        stored = [columns_of(schema.Channel, channel) | _key(channel.name) for channel in channels]
        if len(stored) > 1:
            self._session.load("channel", [*stored[0]], [tuple(row.values()) for row in stored])
        else:
            self._session.run_many(ADD, stored)
        return channels

    def update(self, channel_id: ChannelId, **fields: Unpack[ChannelFields]) -> None:
        values: dict[str, Any] = dict(fields)
        if "permissions" in fields:
            values["permissions"] = schema.Channel.permissions.write(fields["permissions"])
        if "name" in fields:
            values |= _key(fields["name"])
        self._session.run(change(schema.Channel, *values), id=channel_id, **values)

    def note_message(self, channel_id: ChannelId, timestamp: int, count: int = 1) -> None:
        day = timestamp // SECONDS_PER_DAY
        self._session.run(NOTE_MESSAGES, channel_id=channel_id, day=day, messages=count)


def _key(name: str) -> dict[str, str]:
    """Return the column by which a channel is found by its name."""
    return {"name_key": channel_key(name)}


def _activity(row: Any, now: int) -> Activity:
    """Return the activity in a channel by its row of `FIND_ACTIVITIES`; *now* is a Unix time."""
    age_in_days = (now - row.date_created) // SECONDS_PER_DAY
    return Activity(
        first_message_id=row.first_message_id,
        last_message_at=row.last_message_at,
        weekly_traffic=weekly_traffic(int(row.messages or 0), age_in_days),
    )
