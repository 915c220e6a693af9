"""The settings of bots."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from chatcore.domain.bots.settings import BotSettings, DefaultChannel
from chatcore.domain.ids import ChannelId, RecipientId, UserId
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Bot
from storage_backends.sql.statement import Statement, param, upsert
from storage_backends.sql.values import columns_of, value_in

FIND = Statement(Bot.select().where(Bot.user_id == param("user_id")))
FIND_ALL = Statement(Bot.select().order_by(Bot.user_id))
FIND_WITH_CHANNEL = Statement(
    Bot.select(Bot.user_id).where(
        (Bot.sending_channel_id == param("channel_id")) | (Bot.events_channel_id == param("channel_id"))
    )
)
PUT = upsert(Bot)


class Bots(SqlRepository):
    def settings(self, bot_id: UserId) -> BotSettings:
        row = self._session.row(FIND, user_id=bot_id)
        return BotSettings() if row is None else _settings(row)

    def all(self) -> Mapping[UserId, BotSettings]:
        return {row.user_id: _settings(row) for row in self._session.rows(FIND_ALL)}

    def with_channel(self, channel_id: ChannelId) -> Collection[UserId]:
        return self._session.column(FIND_WITH_CHANNEL, channel_id=channel_id)

    def put(self, bot_id: UserId, settings: BotSettings) -> None:
        self._session.run(
            PUT,
            user_id=bot_id,
            sending_channel_id=settings.sending_channel and settings.sending_channel.id,
            sending_channel_name=settings.sending_channel and settings.sending_channel.name,
            events_channel_id=settings.events_channel and settings.events_channel.id,
            events_channel_name=settings.events_channel and settings.events_channel.name,
            **columns_of(Bot, settings),
        )


def _settings(row: Any) -> BotSettings:
    """Return the settings in a row, in which `sending_channel` and `events_channel` are names."""
    return replace(
        value_in(row, BotSettings, Bot),
        sending_channel=_channel(row.sending_channel_id, row.sending_channel),
        events_channel=_channel(row.events_channel_id, row.events_channel),
    )


def _channel(channel_id: int | None, name: str) -> DefaultChannel | None:
    return None if channel_id is None else DefaultChannel(ChannelId(RecipientId(channel_id)), name)
