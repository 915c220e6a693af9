"""One frozen class for each kind of event, as it is written to the log.

An event holds what happened in the words of the domain, complete: what a client is told can be worked
out from the event alone, also after the message was edited or the person renamed. The forms that
clients ask for are in `chatcore.events.wire`.
"""

from typing import Any, ClassVar

import msgspec

from chatcore.domain.ids import ChannelId, MessageId, QueueId, UserId
from chatcore.domain.messages import Message
from chatcore.events.shapes import Person


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """`type` is the API's name, by which queues choose what they hear."""

    type: ClassVar[str]


class MessageSent(Event, frozen=True, kw_only=True, tag="message_sent"):
    """A message, with the people in it as they were then, and the flags that are not the plain ones."""

    type = "message"
    message: Message
    people: tuple[Person, ...]
    """The sender first; of a direct message all of its people."""
    channel_name: str = ""
    flags: dict[UserId, int] = {}
    """Flags of the readers concerned; every other one has only what the message says itself."""
    queue_id: str = ""
    local_id: str = ""


class FlagsChanged(Event, frozen=True, kw_only=True, tag="flags_changed"):
    """One person's flag was set or cleared on messages; all of them, where the list is empty."""

    type = "update_message_flags"
    flag: str
    op: str
    messages: tuple[MessageId, ...]
    all: bool = False
    details: dict[MessageId, dict[str, Any]] = {}


class TopicPolicyChanged(Event, frozen=True, kw_only=True, tag="topic_policy_changed"):
    type = "user_topic"
    channel_id: ChannelId
    topic: str
    last_updated: int
    visibility_policy: int


class MutedTopicsChanged(Event, frozen=True, kw_only=True, tag="muted_topics_changed"):
    """The deprecated form, a full list; for queues that do not ask for `user_topic` by name."""

    type = "muted_topics"
    muted_topics: tuple[tuple[str, str, int], ...]


class Subscribed(Event, frozen=True, kw_only=True, tag="subscribed"):
    """People were subscribed to a channel; each hears of it with what is personal to it."""

    type = "subscription"
    channel: dict[str, Any]
    """A channel shape."""
    subscribers: tuple[UserId, ...]
    """Everybody who is subscribed now."""
    personal: dict[UserId, dict[str, Any]]


class Unsubscribed(Event, frozen=True, kw_only=True, tag="unsubscribed"):
    type = "subscription"
    channels: tuple[tuple[ChannelId, str], ...]


class PeersChanged(Event, frozen=True, kw_only=True, tag="peers_changed"):
    """Others were subscribed (`peer_add`) or unsubscribed (`peer_remove`)."""

    type = "subscription"
    op: str
    channel_ids: tuple[ChannelId, ...]
    user_ids: tuple[UserId, ...]


class ChannelsCreated(Event, frozen=True, kw_only=True, tag="channels_created"):
    """Channels that the audience sees from now on, as channel shapes."""

    type = "stream"
    channels: tuple[dict[str, Any], ...]


class ChannelUpdated(Event, frozen=True, kw_only=True, tag="channel_updated"):
    """One property of a channel changed."""

    type = "stream"
    channel_id: ChannelId
    name: str
    property: str
    value: Any


class ChannelsDeleted(Event, frozen=True, kw_only=True, tag="channels_deleted"):
    """Channels that the audience does not see any more."""

    type = "stream"
    channel_ids: tuple[ChannelId, ...]


class UserAdded(Event, frozen=True, kw_only=True, tag="user_added"):
    type = "realm_user"
    person: Person


class AlertWordsChanged(Event, frozen=True, kw_only=True, tag="alert_words_changed"):
    type = "alert_words"
    alert_words: tuple[str, ...]


class QueueClosed(Event, frozen=True, kw_only=True, tag="queue_closed"):
    """A queue was deleted: whoever waits on it, in whichever process, is let go. No client sees this."""

    type = ""
    queue_id: QueueId


AnyEvent = (
    MessageSent
    | FlagsChanged
    | TopicPolicyChanged
    | MutedTopicsChanged
    | Subscribed
    | Unsubscribed
    | PeersChanged
    | ChannelsCreated
    | ChannelUpdated
    | ChannelsDeleted
    | UserAdded
    | AlertWordsChanged
    | QueueClosed
)
