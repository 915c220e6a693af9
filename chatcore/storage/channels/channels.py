"""Channels."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId


class Channels(Protocol):
    def find(self, channel_id: int) -> Channel | None: ...

    def find_by_name(self, name: str) -> Channel | None:
        """Return the channel with this name, ignoring case and outer blanks; including archived ones."""

    def by_ids(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Channel]:
        """Return those of the channels that exist."""

    def names(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, str]:
        """Return the names of those of the channels that exist."""

    def by_names(self, names: Collection[str]) -> Mapping[str, Channel]:
        """Return the channels with these names, where they exist, by key
        (`domain.channels.channels.channel_key`).
        """

    def public(self) -> Mapping[ChannelId, Channel]:
        """Return every channel that is not private."""

    def all(self) -> Sequence[Channel]:
        """Return every channel, by name."""

    def private(self) -> Sequence[Channel]:
        """Return every private channel, by name."""

    def count(self) -> int:
        """Return the number of channels, including archived ones."""

    def weekly_traffic(self, channels: Sequence[Channel], now: int) -> Mapping[ChannelId, int | None]:
        """Return each channel's messages per week as clients see it
        (`domain.channels.channels.weekly_traffic`).
        """

    def add(self, fields: Mapping[str, Any]) -> Channel:
        """Add a channel from the fields of `Channel` without `id`."""

    def add_many(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Channel]:
        """Add channels in this order; the ids ascend."""

    def update(self, channel_id: ChannelId, **fields: Any) -> None:
        """Change fields of `Channel`; a new name must not be that of another channel."""

    def private_among(self, channel_ids: Collection[ChannelId]) -> frozenset[ChannelId]:
        """Return those of the channels that are private."""

    def note_message(self, channel_id: ChannelId, timestamp: int, count: int = 1) -> None:
        """Count messages for the traffic figures of the day."""
