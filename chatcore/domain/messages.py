"""A message as the rules see it, and the rules for its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, SubmessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.recipients import DirectRecipient
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
    """Something that was added to a message for programs to read, such as a vote; see `submessages`."""

    id: SubmessageId
    sender_id: UserId
    msg_type: str
    content: str
    """JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change of a message: who made it, when, and of what it changed how it was before.

    A content, topic or channel that did not change is None.
    """

    user_id: UserId
    timestamp: int
    prev_content: str | None = None
    prev_rendered_content: str | None = None
    prev_topic: str | None = None
    topic: str | None = None
    prev_channel_id: ChannelId | None = None
    prev_arrived_at: Position | None = None
    """Since when it had been in the previous channel (see `Message.arrived`)."""
    channel_id: ChannelId | None = None


class Brief(NamedTuple):
    """A channel message without what was written: of a topic there can be very many."""

    id: MessageId
    timestamp: int
    topic: str
    arrived: int
    """Since when it is in its channel (see `Message.arrived`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One sent message, the same for every reader; what differs by reader is in `flags`.

    A channel message has a `channel_id` and a `topic`, a direct message a `conversation`.
    The facts (`has_link` and so on) were found when the text was rendered.
    """

    id: MessageId
    sender_id: UserId
    channel_id: ChannelId | None = None
    topic: str = ""
    topic_key: str | None = None
    conversation: DirectRecipient | None = None
    content: str
    rendered_content: str
    timestamp: int
    client: str = ""
    has_link: bool = False
    has_image: bool = False
    has_attachment: bool = False
    channel_wildcard: bool = False
    """Mentions everybody in the channel, which is why no reader's flags need to say so."""
    arrives_read: bool = False
    """Is no news to anybody but to those few whose own flags say so."""
    topic_links: tuple[Mapping[str, str], ...] = ()
    reactions: tuple[Reaction, ...] = ()
    submessages: tuple[Submessage, ...] = ()
    """In the order in which they were added."""
    last_edit_timestamp: int | None = None
    last_moved_timestamp: int | None = None
    arrived_at: Position | None = None
    """When it was moved into its channel, in log positions; None where it was sent there."""
    moved_from: ChannelId | None = None
    """The channel in which it was before."""
    edits: tuple[Edit, ...] = ()
    """The newest first."""

    @property
    def arrived(self) -> int:
        """Since when it is in its channel: who is subscribed at that moment has received it."""
        return self.id if self.arrived_at is None else self.arrived_at

    @property
    def brief(self) -> Brief:
        return Brief(self.id, self.timestamp, self.topic, self.arrived)

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
    """A channel message, its topic key worked out."""
    return Message(channel_id=channel_id, topic=topic, topic_key=topic_key(topic), **fields)


def content_for_sending(raw: str, limits: Limits) -> str:
    """The text that is stored for *raw*: trailing white space and leading newlines dropped, too long cut.

    :raises BadRequest: nothing is left, or a NUL or a lone surrogate is in it
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


def is_text(text: str) -> bool:
    """Whether *text* can be written as UTF-8: a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
