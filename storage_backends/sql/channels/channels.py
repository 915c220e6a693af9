"""Channels and their traffic."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Unpack

import msgspec
from peewee import EXCLUDED, SQL, fn

from chatcore.domain.channels.channels import Channel, channel_key, weekly_traffic
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId, FolderId
from chatcore.domain.roles import SECONDS_PER_DAY
from chatcore.storage.channels.channels import ChannelFields, NewChannel
from storage_backends.sql import schema
from storage_backends.sql.recipients import new_recipients
from storage_backends.sql.schema import ChannelTraffic, Message
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, listed, param

TRAFFIC_DAYS = 28

IN_CHANNEL = Message.recipient_id == schema.Channel.id
FIRST = Message.select(fn.min(Message.id)).where(IN_CHANNEL)
LAST = Message.select(Message.timestamp).where(IN_CHANNEL).order_by(Message.id.desc()).limit(1)
CHANNELS = schema.Channel.select(
    schema.Channel, FIRST.alias("first_message_id"), LAST.alias("last_message_at")
)
AMONG = listed(schema.Channel.id, "channel_ids")

FIND = Statement(CHANNELS.where(schema.Channel.id == param("channel_id")))
FIND_BY_NAME = Statement(CHANNELS.where(schema.Channel.name_key == param("name_key")))
FIND_MANY = Statement(CHANNELS.where(AMONG))
FIND_BY_NAMES = Statement(CHANNELS.where(listed(schema.Channel.name_key, "name_keys")))
FIND_PUBLIC = Statement(CHANNELS.where(~schema.Channel.invite_only))
FIND_PRIVATE = Statement(CHANNELS.where(schema.Channel.invite_only).order_by(schema.Channel.name_key))
FIND_ALL = Statement(CHANNELS.order_by(schema.Channel.name_key))
FIND_NAMES = Statement(schema.Channel.select(schema.Channel.id, schema.Channel.name).where(AMONG))
FIND_PRIVATE_AMONG = Statement(
    schema.Channel.select(schema.Channel.id).where(schema.Channel.invite_only, AMONG)
)
COUNT = Statement(schema.Channel.select(fn.count(SQL("*"))))
COUNT_IN_FOLDER = Statement(
    schema.Channel.select(ROW_COUNT).where(schema.Channel.folder_id == param("folder_id"))
)
COUNT_MESSAGES = Statement(
    ChannelTraffic.select(ChannelTraffic.channel_id, fn.sum(ChannelTraffic.messages).alias("messages"))
    .where(ChannelTraffic.day >= param("first_day"), listed(ChannelTraffic.channel_id, "channel_ids"))
    .group_by(ChannelTraffic.channel_id)
)
ADD = Statement(insert(schema.Channel))
NOTE_MESSAGES = Statement(
    insert(ChannelTraffic).on_conflict(
        conflict_target=[ChannelTraffic.channel_id, ChannelTraffic.day],
        update={ChannelTraffic.messages: ChannelTraffic.messages + EXCLUDED.messages},
    )
)

_decoder = msgspec.json.Decoder(dict[str, GroupSetting])


@lru_cache(maxsize=1024)
def _decode_permissions(text: str) -> Mapping[str, GroupSetting]:
    """Decode permission settings. The result is cached, as most channels share the exact text with many
    others.
    """
    return _decoder.decode(text)


class Channels:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, channel_id: int) -> Channel | None:
        row = self._session.row(FIND, channel_id=channel_id)
        return None if row is None else _channel(row)

    def find_by_name(self, name: str) -> Channel | None:
        row = self._session.row(FIND_BY_NAME, name_key=channel_key(name))
        return None if row is None else _channel(row)

    def by_ids(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Channel]:
        if not channel_ids:
            return {}
        return {row.id: _channel(row) for row in self._session.rows(FIND_MANY, channel_ids=channel_ids)}

    def names(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, str]:
        return self._session.mapping(FIND_NAMES, channel_ids=channel_ids)

    def by_names(self, names: Collection[str]) -> Mapping[str, Channel]:
        if not names:
            return {}
        name_keys = [channel_key(name) for name in names]
        return {row.name_key: _channel(row) for row in self._session.rows(FIND_BY_NAMES, name_keys=name_keys)}

    def public(self) -> Mapping[ChannelId, Channel]:
        return {row.id: _channel(row) for row in self._session.rows(FIND_PUBLIC)}

    def all(self) -> Sequence[Channel]:
        return [_channel(row) for row in self._session.rows(FIND_ALL)]

    def private(self) -> Sequence[Channel]:
        return [_channel(row) for row in self._session.rows(FIND_PRIVATE)]

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def any_in_folder(self, folder_id: FolderId) -> bool:
        return int(self._session.value(COUNT_IN_FOLDER, folder_id=folder_id)) > 0

    def weekly_traffic(self, channels: Sequence[Channel], now: int) -> Mapping[ChannelId, int | None]:
        counts = self._session.mapping(
            COUNT_MESSAGES,
            first_day=now // SECONDS_PER_DAY - TRAFFIC_DAYS + 1,
            channel_ids=[channel.id for channel in channels],
        )
        return {
            channel.id: weekly_traffic(
                int(counts.get(channel.id, 0)), (now - channel.date_created) // SECONDS_PER_DAY
            )
            for channel in channels
        }

    def add(self, new: NewChannel) -> Channel:
        (channel,) = self.add_many([new])
        return channel

    def add_many(self, rows: Sequence[NewChannel]) -> Sequence[Channel]:
        if not rows:
            return []
        ids = new_recipients(self._session, "channel", len(rows))
        channels = [Channel(id=ChannelId(number), **new) for number, new in zip(ids, rows, strict=True)]
        stored = [_row_of(channel) for channel in channels]
        if len(stored) > 1:
            self._session.load("channel", [*stored[0]], [tuple(row.values()) for row in stored])
        else:
            self._session.run_many(ADD, stored)
        return channels

    def update(self, channel_id: ChannelId, **fields: Unpack[ChannelFields]) -> None:
        values = _stored(fields)
        self._session.run(change(schema.Channel, *values), id=channel_id, **values)

    def private_among(self, channel_ids: Collection[ChannelId]) -> frozenset[ChannelId]:
        return frozenset(self._session.column(FIND_PRIVATE_AMONG, channel_ids=channel_ids))

    def note_message(self, channel_id: ChannelId, timestamp: int, count: int = 1) -> None:
        day = timestamp // SECONDS_PER_DAY
        self._session.run(NOTE_MESSAGES, channel_id=channel_id, day=day, messages=count)


def _row_of(channel: Channel) -> Mapping[str, Any]:
    columns = schema.Channel._meta.fields.keys() - {"name_key"}
    return _stored({name: getattr(channel, name) for name in columns})


def _stored(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a channel in their stored form."""
    values = dict(fields)
    if "permissions" in values:
        values["permissions"] = msgspec.json.encode(values["permissions"]).decode()
    if "name" in values:
        values["name_key"] = channel_key(values["name"])
    return values


def _channel(row: Any) -> Channel:
    return Channel(
        id=row.id,
        name=row.name,
        description=row.description,
        rendered_description=row.rendered_description,
        date_created=row.date_created,
        creator_id=row.creator_id,
        invite_only=bool(row.invite_only),
        is_web_public=bool(row.is_web_public),
        history_public_to_subscribers=bool(row.history_public_to_subscribers),
        is_archived=bool(row.is_archived),
        message_retention_days=row.message_retention_days,
        topics_policy=row.topics_policy,
        folder_id=row.folder_id,
        first_message_id=row.first_message_id,
        last_message_at=row.last_message_at,
        subscriber_count=row.subscriber_count,
        permissions=_decode_permissions(row.permissions),
    )
