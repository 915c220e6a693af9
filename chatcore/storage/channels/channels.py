"""Channels."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypedDict, Unpack

from chatcore.domain.channels.channels import Activity, Channel
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId, FolderId, UserId


class OptionalChannelFields(TypedDict, total=False):
    """The fields of `Channel` with defaults."""

    description: str
    rendered_description: str
    creator_id: UserId | None
    invite_only: bool
    is_web_public: bool
    history_public_to_subscribers: bool
    is_archived: bool
    message_retention_days: int | None
    topics_policy: str
    folder_id: FolderId | None
    subscriber_count: int
    permissions: Mapping[str, GroupSetting]
    address_version: int


class NewChannel(OptionalChannelFields):
    """A channel without an id."""

    name: str
    date_created: int


class ChannelFields(OptionalChannelFields, total=False):
    """The fields of a channel that can change."""

    name: str
    date_created: int


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

    def any_in_folder(self, folder_id: FolderId) -> bool:
        """Whether there is a channel in a folder, archived ones included."""

    def activities(self, channels: Sequence[Channel], now: int) -> Mapping[ChannelId, Activity]:
        """Return the facts about each of the channels that change with its messages."""

    def add(self, new: NewChannel) -> Channel: ...

    def add_many(self, rows: Sequence[NewChannel]) -> Sequence[Channel]:
        """Add channels in this order; the ids ascend."""

    def update(self, channel_id: ChannelId, **fields: Unpack[ChannelFields]) -> None:
        """Change fields of a channel; a new name must not be that of another channel."""

    def note_message(self, channel_id: ChannelId, timestamp: int, count: int = 1) -> None:
        """Count messages for the traffic figures of the day."""
