"""Events about channels, their subscribers and topics."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from chatcore.domain.choices import Value
from chatcore.domain.ids import ChannelId, FolderId, RecipientId, UserId
from chatcore.events.happened.base import Event, ListChanged
from chatcore.events.payloads.channels import ChannelConsequences, ChannelShape
from chatcore.events.payloads.folders import FolderObject, NavigationViewObject
from chatcore.events.payloads.objects import PersonalObject
from chatcore.events.payloads.parts import SettingShape

PeerOp: TypeAlias = Literal["peer_add", "peer_remove"]


class ChannelEvent(Event, frozen=True, kw_only=True):
    """An event about channels, their subscribers, or personal settings for them.

    Clients without the capability `archived_channels` see an archived channel as deleted.
    """

    knows_archived: bool | None = None
    """Restricts the event to clients with (True) or without (False) the capability `archived_channels`."""


class Subscribed(ChannelEvent, frozen=True, kw_only=True, tag="subscribed"):
    """Users were subscribed to a channel; each is notified with their own personal settings."""

    type = "subscription"
    channel: ChannelShape
    subscribers: list[int]
    """All current subscribers."""
    personal: dict[UserId, PersonalObject]
    notification_defaults: dict[UserId, dict[str, bool]] = msgspec.field(default_factory=dict)
    """Effective values of null in each user's notification settings, for clients that do not support null."""


class Unsubscribed(ChannelEvent, frozen=True, kw_only=True, tag="unsubscribed"):
    type = "subscription"
    channels: tuple[tuple[ChannelId, str], ...]


class PeersChanged(ChannelEvent, frozen=True, kw_only=True, tag="peers_changed"):
    """Other users were subscribed (`peer_add`) or unsubscribed (`peer_remove`)."""

    type = "subscription"
    op: PeerOp
    channel_ids: tuple[ChannelId, ...]
    user_ids: tuple[UserId, ...]


class SubscriptionChanged(ChannelEvent, frozen=True, kw_only=True, tag="subscription_changed"):
    """A personal setting of a subscription has changed."""

    type = "subscription"
    channel_id: ChannelId
    property: str
    value: bool | str


class TopicPolicyChanged(ChannelEvent, frozen=True, kw_only=True, tag="topic_policy_changed"):
    """A user's policy for a topic has changed."""

    type = "user_topic"
    channel_id: ChannelId
    topic: str
    last_updated: int
    visibility_policy: int


class MutedTopicsChanged(ListChanged, frozen=True, kw_only=True, tag="muted_topics_changed"):
    """The deprecated list of topic policies, for queues that do not ask for `user_topic` by name."""

    type = "muted_topics"


class ChannelsCreated(ChannelEvent, frozen=True, kw_only=True, tag="channels_created"):
    """Channels that are visible to the audience from now on."""

    type = "stream"
    channels: tuple[ChannelShape, ...]

    @property
    def channel_ids(self) -> tuple[ChannelId, ...]:
        return tuple(ChannelId(RecipientId(channel.stream_id)) for channel in self.channels)


class ChannelUpdated(ChannelEvent, frozen=True, kw_only=True, tag="channel_updated"):
    """A property of a channel has changed; `name` is its previous name."""

    type = "stream"
    channel_id: ChannelId
    name: str
    property: str
    value: Value | SettingShape
    also: ChannelConsequences = msgspec.field(default_factory=ChannelConsequences)


class ChannelsDeleted(ChannelEvent, frozen=True, kw_only=True, tag="channels_deleted"):
    """Channels that are no longer visible to the audience."""

    type = "stream"
    channel_ids: tuple[ChannelId, ...]


class DefaultChannelsChanged(ListChanged, frozen=True, kw_only=True, tag="default_channels_changed"):
    """The channels to which new users are subscribed have changed; guests see none."""

    type = "default_streams"


class DefaultGroupsChanged(ListChanged, frozen=True, kw_only=True, tag="default_groups_changed"):
    """The groups of channels that new people can choose have changed; guests see none."""

    type = "default_stream_groups"


class ChannelFolderAdded(Event, frozen=True, kw_only=True, tag="channel_folder_added"):
    type = "channel_folder"
    folder: FolderObject


class ChannelFolderChanged(Event, frozen=True, kw_only=True, tag="channel_folder_changed"):
    """Properties of a folder have changed; `data` has their new values."""

    type = "channel_folder"
    folder_id: FolderId
    data: Mapping[str, str | bool]


class ChannelFoldersReordered(Event, frozen=True, kw_only=True, tag="channel_folders_reordered"):
    """The folders have a new order; each is numbered by its place in it."""

    type = "channel_folder"
    order: tuple[FolderId, ...]


class NavigationViewAdded(Event, frozen=True, kw_only=True, tag="navigation_view_added"):
    type = "navigation_view"
    view: NavigationViewObject


class NavigationViewChanged(Event, frozen=True, kw_only=True, tag="navigation_view_changed"):
    """Values of a view have changed; `data` has the new ones."""

    type = "navigation_view"
    fragment: str
    data: Mapping[str, str | bool]


class NavigationViewRemoved(Event, frozen=True, kw_only=True, tag="navigation_view_removed"):
    type = "navigation_view"
    fragment: str


AnyChannelEvent = (
    Subscribed
    | Unsubscribed
    | PeersChanged
    | SubscriptionChanged
    | TopicPolicyChanged
    | MutedTopicsChanged
    | ChannelsCreated
    | ChannelUpdated
    | ChannelsDeleted
    | DefaultChannelsChanged
    | DefaultGroupsChanged
    | ChannelFolderAdded
    | ChannelFolderChanged
    | ChannelFoldersReordered
    | NavigationViewAdded
    | NavigationViewChanged
    | NavigationViewRemoved
)
