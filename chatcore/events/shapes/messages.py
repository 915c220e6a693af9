"""Messages as one reader gets them."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.domain.ids import UserId
from chatcore.domain.messages import Message
from chatcore.domain.users import AvatarSource, EmailVisibility
from chatcore.events.shapes.users import Person, avatar_url


class ReactionShape(msgspec.Struct, frozen=True, kw_only=True):
    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: int


class DirectPersonShape(msgspec.Struct, frozen=True, kw_only=True):
    """A person of a direct message, in `display_recipient`."""

    id: int
    email: str
    full_name: str
    is_mirror_dummy: bool = False


class TopicLinkShape(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    url: str


class MessageShape(msgspec.Struct, kw_only=True):
    """A message as one reader gets it."""

    id: int
    sender_id: int
    content: str
    content_type: Literal["text/html", "text/x-markdown"]
    recipient_id: int
    timestamp: int
    client: str
    subject: str
    topic_links: list[TopicLinkShape]
    is_me_message: bool
    reactions: list[ReactionShape]
    submessages: list[dict[str, Any]]
    sender_full_name: str
    sender_email: str
    sender_realm_str: str
    display_recipient: str | list[DirectPersonShape]
    type: Literal["stream", "private"]
    avatar_url: str | None
    stream_id: int | UnsetType = UNSET
    flags: Sequence[str] | UnsetType = UNSET
    match_content: str | UnsetType = UNSET
    match_subject: str | UnsetType = UNSET


class MessageForm(msgspec.Struct, frozen=True, kw_only=True):
    """In what form a client wants messages."""

    apply_markdown: bool = True
    client_gravatar: bool = True
    empty_topic_name: str | None = None
    """What stands for the empty topic; None leaves it empty."""


def message_shape(
    message: Message,
    *,
    sender: Person,
    people: Sequence[Person],
    channel_name: str,
    reader: UserId | None,
    form: MessageForm,
) -> MessageShape:
    """*people* are those of a direct message, the sender and the reader included."""
    gravatar_left_to_client = (
        form.client_gravatar
        and sender.avatar_source == AvatarSource.GRAVATAR
        and sender.email_visibility == EmailVisibility.EVERYONE
    )
    topic = message.topic
    if not topic and message.channel_id is not None and form.empty_topic_name is not None:
        topic = form.empty_topic_name
    shape = MessageShape(
        id=message.id,
        sender_id=message.sender_id,
        content=message.rendered_content if form.apply_markdown else message.content,
        content_type="text/html" if form.apply_markdown else "text/x-markdown",
        recipient_id=message.recipient_id,
        timestamp=message.timestamp,
        client=message.client,
        subject=topic,
        topic_links=[TopicLinkShape(**link) for link in message.topic_links],
        is_me_message=message.is_me_message,
        reactions=[
            ReactionShape(
                emoji_name=reaction.emoji_name,
                emoji_code=reaction.emoji_code,
                reaction_type=reaction.reaction_type,
                user_id=reaction.user_id,
            )
            for reaction in message.reactions
        ],
        submessages=[],
        sender_full_name=sender.full_name,
        sender_email=sender.api_email,
        sender_realm_str="",
        display_recipient=channel_name,
        type="stream",
        avatar_url=None if gravatar_left_to_client else avatar_url(sender),
    )
    if message.conversation is None:
        assert message.channel_id is not None
        shape.stream_id = message.channel_id
        return shape
    shape.type = "private"
    shape.display_recipient = direct_people(people)
    if reader is not None:
        shape.recipient_id = message.conversation.recipient_id_for(reader)
    return shape


def direct_people(people: Iterable[Person]) -> list[DirectPersonShape]:
    return [
        DirectPersonShape(id=who.id, email=who.api_email, full_name=who.full_name)
        for who in sorted(people, key=lambda who: who.api_email)
    ]
