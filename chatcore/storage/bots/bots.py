"""The settings of bots beside their accounts."""

from collections.abc import Collection, Mapping
from typing import Protocol

from chatcore.domain.bots.settings import BotSettings
from chatcore.domain.ids import ChannelId, UserId


class Bots(Protocol):
    def settings(self, bot_id: UserId) -> BotSettings:
        """Return the settings of a bot, the default ones if none are stored."""

    def all(self) -> Mapping[UserId, BotSettings]:
        """Return the settings of all bots that have any."""

    def with_channel(self, channel_id: ChannelId) -> Collection[UserId]:
        """Return the bots of which the channel is a default channel."""

    def put(self, bot_id: UserId, settings: BotSettings) -> None:
        """Store the settings of a bot, replacing older ones."""
