"""Messages as one reader receives them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NotRequired, TypedDict, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.domain.files.foreign_media import ForeignMedia
from chatcore.domain.ids import UserId
from chatcore.domain.messages.messages import Edit, Message
from chatcore.domain.people.users import AvatarSource, EmailVisibility
from chatcore.events.payloads.objects import MessageObject
from chatcore.events.payloads.parts import (
    DirectPersonObject,
    Payload,
    ReactionObject,
    SubmessageObject,
    TopicLinkObject,
)
from chatcore.events.payloads.users import Person, avatar_url

__all__ = [
    "DeleteMessageEvent",
    "EditPlaceObject",
    "FlagsEvent",
    "MessageEvent",
    "ReactingUserObject",
    "ReactionEvent",
    "SubmessageEvent",
    "TypingEditEvent",
    "TypingEvent",
    "TypistObject",
    "UpdateMessageEvent",
]

T = TypeVar("T")


class UnreadObject(TypedDict, total=False):
    """The fields by which a client counts a message as unread again."""

    type: Literal["private", "stream"]
    user_ids: list[int]
    """For a direct message: its other participants."""
    stream_id: int
    topic: str
    unmuted_stream_msg: bool
    mentioned: Literal[True]


class EditShape(msgspec.Struct, frozen=True, kw_only=True):
    """One change of a message; unchanged parts are absent."""

    user_id: int | None
    timestamp: int
    prev_content: str | UnsetType = UNSET
    prev_rendered_content: str | UnsetType = UNSET
    prev_topic: str | UnsetType = UNSET
    topic: str | UnsetType = UNSET
    prev_stream: int | UnsetType = UNSET
    stream: int | UnsetType = UNSET


class MessageShape(msgspec.Struct, kw_only=True):
    """A message as one reader receives it; `subject` is the topic."""

    id: int
    sender_id: int
    content: str
    content_type: Literal["text/html", "text/x-markdown"]
    recipient_id: int
    timestamp: int
    client: str
    subject: str
    topic_links: list[TopicLinkObject]
    is_me_message: bool
    reactions: list[ReactionObject]
    submessages: list[SubmessageObject]
    sender_full_name: str
    sender_email: str
    sender_realm_str: str
    display_recipient: str | list[DirectPersonObject]
    """The name of the channel, or the people of the conversation."""
    type: Literal["stream", "private"]
    avatar_url: str | None
    stream_id: int | UnsetType = UNSET
    """Only of a message in a channel."""
    flags: Sequence[str] | UnsetType = UNSET
    match_content: str | UnsetType = UNSET
    match_subject: str | UnsetType = UNSET
    last_edit_timestamp: int | UnsetType = UNSET
    last_moved_timestamp: int | UnsetType = UNSET
    edit_history: list[EditShape] | UnsetType = UNSET


class MessageOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a client that change the shape of messages."""

    media: ForeignMedia
    apply_markdown: bool = True
    client_gravatar: bool = True
    empty_topic_name: str | None = None
    """Display name of the empty topic; None leaves it empty."""

    def show_topic(self, topic: str) -> str:
        return topic or self.empty_topic_name or ""


def message_shape(
    message: Message,
    *,
    sender: Person,
    people: Sequence[Person],
    channel_name: str,
    reader: UserId | None,
    options: MessageOptions,
    edits: Sequence[Edit] = (),
) -> MessageShape:
    """Return the shape of a message. *people* are the participants of a direct message, including the sender
    and the reader; *edits* are the part of its history that the reader may see.
    """
    # All readers receive the same URL: it is left out only if everybody sees the address.
    gravatar_left_to_client = (
        options.client_gravatar
        and sender.avatar_source == AvatarSource.GRAVATAR
        and sender.email_visibility == EmailVisibility.EVERYONE
    )
    shape = MessageShape(
        id=message.id,
        sender_id=message.sender_id,
        content=options.media.shown(message.rendered_content) if options.apply_markdown else message.content,
        content_type="text/html" if options.apply_markdown else "text/x-markdown",
        recipient_id=message.recipient_id,
        timestamp=message.timestamp,
        client=message.client,
        subject=message.topic if message.channel_id is None else options.show_topic(message.topic),
        topic_links=topic_links(message.topic_links),
        is_me_message=message.is_me_message,
        reactions=[
            {
                "emoji_name": reaction.emoji_name,
                "emoji_code": reaction.emoji_code,
                "reaction_type": reaction.reaction_type,
                "user_id": reaction.user_id,
            }
            for reaction in message.reactions
        ],
        submessages=[
            {
                "id": submessage.id,
                "message_id": message.id,
                "sender_id": submessage.sender_id,
                "msg_type": submessage.msg_type,
                "content": submessage.content,
            }
            for submessage in message.submessages
        ],
        sender_full_name=sender.full_name,
        sender_email=sender.api_email,
        sender_realm_str="",
        display_recipient=channel_name,
        type="stream",
        avatar_url=None if gravatar_left_to_client else avatar_url(sender),
        last_edit_timestamp=_unset_if_none(message.last_edit_timestamp),
        last_moved_timestamp=_unset_if_none(message.last_moved_timestamp),
    )
    if edits:
        shape.edit_history = [edit_shape(edit, options) for edit in edits]
    if message.conversation is None:
        assert message.channel_id is not None
        shape.stream_id = message.channel_id
        return shape
    shape.type = "private"
    shape.display_recipient = direct_people(people)
    if reader is not None:
        shape.recipient_id = message.conversation.recipient_id_for(reader)
    return shape


def topic_links(links: Iterable[Mapping[str, str]]) -> list[TopicLinkObject]:
    return [{"text": link["text"], "url": link["url"]} for link in links]


def edit_shape(edit: Edit, options: MessageOptions) -> EditShape:
    before = edit.prev_rendered_content
    return EditShape(
        user_id=edit.user_id,
        timestamp=edit.timestamp,
        prev_content=_unset_if_none(edit.prev_content),
        prev_rendered_content=UNSET if before is None else options.media.shown(before),
        prev_topic=UNSET if edit.prev_topic is None else options.show_topic(edit.prev_topic),
        topic=UNSET if edit.topic is None else options.show_topic(edit.topic),
        prev_stream=_unset_if_none(edit.prev_channel_id),
        stream=_unset_if_none(edit.channel_id),
    )


def _unset_if_none(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def direct_people(people: Iterable[Person]) -> list[DirectPersonObject]:
    """Return `display_recipient` of a direct message: the participants by address."""
    return [
        {"id": who.id, "email": who.api_email, "full_name": who.full_name, "is_mirror_dummy": False}
        for who in sorted(people, key=lambda who: who.api_email)
    ]


class LocalNames(TypedDict, total=False):
    """The sender's own name for a message; only in the queue that the sender has named."""

    local_message_id: str
    local_id: str


class MessageEvent(Payload, LocalNames):
    """A new message."""

    type: Literal["message"]
    message: MessageObject
    flags: list[str]


class FormerChannel(TypedDict, total=False):
    """The channel in which an edited or moved message was."""

    stream_id: int
    stream_name: str


class Move(TypedDict, total=False):
    """The topic before a move, and what is new after it."""

    orig_subject: str
    propagate_mode: str
    new_stream_id: int
    subject: str
    topic_links: list[TopicLinkObject]


class EditedText(TypedDict, total=False):
    """The text of an edited message, before and after."""

    orig_content: str
    orig_rendered_content: str
    content: str
    rendered_content: str
    is_me_message: bool


class UpdateMessageEvent(Payload, FormerChannel, Move, EditedText):
    """A message was edited, messages were moved, or, with `rendering_only`, its HTML has changed."""

    type: Literal["update_message"]
    user_id: int | None
    edit_timestamp: int
    rendering_only: bool
    message_id: int
    message_ids: list[int]
    flags: list[str]


class PlaceOfDeleted(TypedDict):
    """Where deleted messages were: a channel and a topic, or a conversation."""

    message_type: Literal["stream", "private"]
    stream_id: NotRequired[int]
    topic: NotRequired[str]


class DeletedMessages(TypedDict, total=False):
    """The ids of deleted messages, or the id of one."""

    message_ids: list[int]
    message_id: int


class DeleteMessageEvent(Payload, PlaceOfDeleted, DeletedMessages):
    """Messages of one topic or conversation were deleted; the capability `bulk_message_deletion` decides
    between `message_ids` and one event for each message.
    """

    type: Literal["delete_message"]


class UnreadAgain(TypedDict, total=False):
    """The facts by which clients count messages that are unread again, by their ids."""

    message_details: dict[str, UnreadObject]


class FlagsEvent(Payload, UnreadAgain):
    """A flag of messages was set or cleared."""

    type: Literal["update_message_flags"]
    op: Literal["add", "remove"]
    operation: Literal["add", "remove"]
    flag: str
    messages: list[int]
    all: bool


class ReactingUserObject(TypedDict):
    user_id: int
    email: str
    full_name: str
    is_mirror_dummy: bool


class ReactionEvent(Payload, ReactionObject):
    """A reaction was added or removed."""

    type: Literal["reaction"]
    op: Literal["add", "remove"]
    message_id: int
    user: ReactingUserObject


class SubmessageEvent(Payload):
    """A submessage, such as a vote in a poll."""

    type: Literal["submessage"]
    message_id: int
    submessage_id: int
    sender_id: int
    msg_type: str
    content: str


class TypistObject(TypedDict):
    user_id: int
    email: str


class TypingEvent(Payload):
    """A user starts or stops writing: `recipients` names the people, or `stream_id` and `topic` the place."""

    type: Literal["typing"]
    op: Literal["start", "stop"]
    message_type: Literal["stream", "direct"]
    sender: TypistObject
    recipients: NotRequired[list[TypistObject]]
    stream_id: NotRequired[int]
    topic: NotRequired[str]


class EditPlaceObject(TypedDict):
    type: Literal["direct", "channel"]
    user_ids: NotRequired[list[int]]
    channel_id: NotRequired[int]
    topic: NotRequired[str]


class TypingEditEvent(Payload):
    """A user starts or stops editing a message."""

    type: Literal["typing_edit_message"]
    op: Literal["start", "stop"]
    sender_id: int
    message_id: int
    recipient: EditPlaceObject
