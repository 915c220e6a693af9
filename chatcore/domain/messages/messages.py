"""Messages as the rules see them, and the rules for sending them and for their text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from chatcore.domain.characters import is_text
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, SubmessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.recipients import ChannelRecipient, DirectRecipient, Recipient
from chatcore.domain.topics import topic_key

TRUNCATED = "\n[message truncated]"
ME_PREFIX = "/me "


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    user_id: UserId
    emoji_name: str
    emoji_code: str
    reaction_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submessage:
    """Machine-readable data added to a message, such as a vote; see `submessages`."""

    id: SubmessageId
    sender_id: UserId
    msg_type: str
    content: str
    """JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change of a message: its author, its time, the previous values of the parts that were changed, and
    the new topic and channel. What concerns an unchanged content, topic or channel is None.
    """

    user_id: UserId
    timestamp: int
    prev_content: str | None = None
    prev_rendered_content: str | None = None
    prev_topic: str | None = None
    topic: str | None = None
    prev_channel_id: ChannelId | None = None
    prev_arrived_at: Position | None = None
    """Position since which the message had been in the previous channel (see `Message.arrived`)."""
    channel_id: ChannelId | None = None


class Brief(NamedTuple):
    """A channel message without its content, because a topic can have very many messages."""

    id: MessageId
    timestamp: int
    topic: str
    arrived: int
    """Position since which the message is in its channel (see `Message.arrived`)."""


class Message(NamedTuple):
    """One sent message, the same for every reader; differences between readers are in `flags`.

    A channel message has a `channel_id` and a `topic`, a direct message a `conversation`. The facts
    (`has_link` and so on) are determined when the text is rendered. A page makes thousands of messages: a
    named tuple is made in a fifth of the time of a frozen dataclass.
    """

    id: MessageId
    sender_id: UserId
    content: str
    rendered_content: str
    timestamp: int
    channel_id: ChannelId | None = None
    topic: str = ""
    topic_key: str | None = None
    conversation: DirectRecipient | None = None
    client: str = ""
    has_link: bool = False
    has_image: bool = False
    has_attachment: bool = False
    channel_wildcard: bool = False
    """The message mentions the whole channel. Stored here so that readers' flags need not repeat it."""
    arrives_read: bool = False
    """The message is read on arrival for everybody except readers whose own flags say otherwise."""
    topic_links: tuple[Mapping[str, str], ...] = ()
    reactions: tuple[Reaction, ...] = ()
    submessages: tuple[Submessage, ...] = ()
    """The submessages in order of creation."""
    last_edit_timestamp: int | None = None
    last_moved_timestamp: int | None = None
    arrived_at: Position | None = None
    """The log position at which it was moved into its channel; None if it was sent there."""
    moved_from: ChannelId | None = None
    """The previous channel."""
    edits: tuple[Edit, ...] = ()
    """Newest first."""

    @property
    def arrived(self) -> int:
        """Position since which it is in its channel. Users subscribed at that position have received it."""
        return self.id if self.arrived_at is None else self.arrived_at

    @property
    def brief(self) -> Brief:
        return Brief(self.id, self.timestamp, self.topic, self.arrived)

    @property
    def recipient(self) -> Recipient:
        if self.conversation is not None:
            return self.conversation
        assert self.channel_id is not None
        return ChannelRecipient(self.channel_id, self.topic)

    @property
    def recipient_id(self) -> RecipientId:
        if self.conversation is not None:
            return self.conversation.recipient_id
        assert self.channel_id is not None
        return self.channel_id

    @property
    def is_me_message(self) -> bool:
        return self.content.startswith(ME_PREFIX)


def channel_message(*, channel_id: ChannelId, topic: str, **fields: Any) -> Message:
    """Return a channel message with its topic key computed."""
    return Message(channel_id=channel_id, topic=topic, topic_key=topic_key(topic), **fields)


def content_for_sending(raw: str, limits: Limits) -> str:
    """Return the text that is stored for *raw*: stripped of trailing white space and leading newlines, and
    truncated if too long.

    :raises BadRequest: nothing is left, or it contains a NUL or a lone surrogate
    """
    content = raw.rstrip().lstrip("\n")
    if not content:
        raise BadRequest("Message must not be empty")
    if "\x00" in content:
        raise BadRequest("Message must not contain null bytes")
    if not is_text(content):
        raise BadRequest("Message must be valid Unicode")
    if len(content) > limits.max_message_length:
        content = content[: limits.max_message_length - len(TRUNCATED)] + TRUNCATED
    return content


_INTERACTIVE_CLIENTS = frozenset({"website", "ios", "android", "snipe"})
_BRANDED_APPS = ("android", "ios", "desktop", "mobile", "electron", "terminal", "flutter")


def marks_own_messages_read(client: str, brand: str = "") -> bool:
    """Return the default of `read_by_sender`: true for clients that show users the messages they send.

    *brand* is the prefix in the names of some apps.
    """
    name = client.lower()
    if name in _INTERACTIVE_CLIENTS:
        return True
    return bool(brand) and name in {brand.lower() + app for app in _BRANDED_APPS}
