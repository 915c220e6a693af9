"""Events about channels, their subscribers and topics."""

from typing import Literal, NotRequired, TypedDict

from chatcore.domain.choices import Value
from chatcore.events.forms.base import Placed, Values
from chatcore.events.payloads.channels import DefaultGroupObject as ChannelGroupObject
from chatcore.events.payloads.channels import FolderObject, NavigationViewObject
from chatcore.events.payloads.groups import SettingShape
from chatcore.events.payloads.objects import ChannelObject, SubscriptionObject

__all__ = [
    "ChannelCreateEvent",
    "ChannelDeleteEvent",
    "ChannelGroupObject",
    "ChannelIdObject",
    "ChannelNameObject",
    "ChannelObject",
    "ChannelUpdateEvent",
    "DefaultChannelGroupsEvent",
    "DefaultChannelsEvent",
    "FolderAddEvent",
    "FolderReorderEvent",
    "FolderUpdateEvent",
    "MutedTopicsEvent",
    "NavigationViewAddEvent",
    "NavigationViewRemoveEvent",
    "NavigationViewUpdateEvent",
    "PeersEvent",
    "SubscribeEvent",
    "SubscriptionObject",
    "SubscriptionUpdateEvent",
    "TopicPolicyEvent",
    "UnsubscribeEvent",
]


class ChannelIdObject(TypedDict):
    stream_id: int


class ChannelNameObject(TypedDict):
    stream_id: int
    name: str


class SubscribeEvent(Placed):
    """The reader was subscribed to channels."""

    type: Literal["subscription"]
    op: Literal["add"]
    subscriptions: list[SubscriptionObject]


class UnsubscribeEvent(Placed):
    """The reader was unsubscribed from channels."""

    type: Literal["subscription"]
    op: Literal["remove"]
    subscriptions: list[ChannelNameObject]


class SubscriptionUpdateEvent(Placed):
    """A personal setting of a subscription has changed."""

    type: Literal["subscription"]
    op: Literal["update"]
    stream_id: int
    property: str
    value: bool | str


class PeersEvent(Placed):
    """Other users were subscribed or unsubscribed."""

    type: Literal["subscription"]
    op: Literal["peer_add", "peer_remove"]
    stream_ids: list[int]
    user_ids: list[int]


class ChannelCreateEvent(Placed):
    """Channels that are visible to the reader from now on."""

    type: Literal["stream"]
    op: Literal["create"]
    streams: list[ChannelObject]


class ChannelUpdateEvent(Placed):
    """A property of a channel has changed; `name` is its previous name."""

    type: Literal["stream"]
    op: Literal["update"]
    stream_id: int
    name: str
    property: str
    value: Value | SettingShape
    rendered_description: NotRequired[str]
    is_web_public: NotRequired[bool]
    history_public_to_subscribers: NotRequired[bool]


class ChannelDeleteEvent(Placed):
    """Channels that are no longer visible to the reader."""

    type: Literal["stream"]
    op: Literal["delete"]
    stream_ids: list[int]
    streams: list[ChannelIdObject]


class TopicPolicyEvent(Placed):
    """The reader's policy for a topic has changed."""

    type: Literal["user_topic"]
    stream_id: int
    topic_name: str
    last_updated: int
    visibility_policy: int


class MutedTopicsEvent(Placed):
    """The older form of policies for topics: names of channels, topics, and times of muting."""

    type: Literal["muted_topics"]
    muted_topics: list[list[str | int]]


class DefaultChannelsEvent(Placed):
    type: Literal["default_streams"]
    default_streams: list[int]


class DefaultChannelGroupsEvent(Placed):
    type: Literal["default_stream_groups"]
    default_stream_groups: list[ChannelGroupObject]


class FolderAddEvent(Placed):
    type: Literal["channel_folder"]
    op: Literal["add"]
    channel_folder: FolderObject


class FolderUpdateEvent(Placed):
    type: Literal["channel_folder"]
    op: Literal["update"]
    channel_folder_id: int
    data: Values


class FolderReorderEvent(Placed):
    type: Literal["channel_folder"]
    op: Literal["reorder"]
    order: list[int]


class NavigationViewAddEvent(Placed):
    type: Literal["navigation_view"]
    op: Literal["add"]
    navigation_view: NavigationViewObject


class NavigationViewUpdateEvent(Placed):
    type: Literal["navigation_view"]
    op: Literal["update"]
    fragment: str
    data: Values


class NavigationViewRemoveEvent(Placed):
    type: Literal["navigation_view"]
    op: Literal["remove"]
    fragment: str


AnyChannelForm = (
    SubscribeEvent
    | UnsubscribeEvent
    | SubscriptionUpdateEvent
    | PeersEvent
    | ChannelCreateEvent
    | ChannelUpdateEvent
    | ChannelDeleteEvent
    | TopicPolicyEvent
    | MutedTopicsEvent
    | DefaultChannelsEvent
    | DefaultChannelGroupsEvent
    | FolderAddEvent
    | FolderUpdateEvent
    | FolderReorderEvent
    | NavigationViewAddEvent
    | NavigationViewUpdateEvent
    | NavigationViewRemoveEvent
)
