"""Reference implementation of narrows in Python; the compiled one and SQL must agree with it."""

from collections.abc import Mapping
from typing import assert_never

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages.access import flags_of
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.terms import (
    Content,
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InPublicChannels,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    IsResolved,
    Narrow,
    Not,
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.narrow.words import contains_phrase, message_text, search_words, surely_lacks
from chatcore.domain.topics import VisibilityPolicy, is_resolved

NOBODY = Viewer()
NO_CHANNELS: Mapping[ChannelId, Channel] = {}


def matches(
    narrow: Narrow,
    message: Message,
    viewer: Viewer = NOBODY,
    channels: Mapping[ChannelId, Channel] = NO_CHANNELS,
) -> bool:
    """Whether all terms hold. `history` decides which messages are candidates in the first place."""
    return all(_holds(term, message, viewer, channels) for term in narrow.terms)


def _holds(term: Term, message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether a term is true of a message."""
    match term:
        case Not(negated):
            return not _holds(negated, message, viewer, channels)
        case InChannel(channel_id):
            return message.channel_id == channel_id
        case InPublicChannels(web_public):
            return message.channel_id is not None and is_public(channels.get(message.channel_id), web_public)
        case InTopic(key):
            return message.topic_key == key
        case SentBy(user_id):
            return message.sender_id == user_id
        case InConversation(user_ids):
            return message.conversation is not None and message.conversation.user_ids == user_ids
        case DirectWith(user_id, groups_only):
            if message.conversation is None or user_id not in message.conversation.user_ids:
                return False
            return not groups_only or len(message.conversation.user_ids) > 2
        case IsDirect():
            return message.conversation is not None
        case HasFlag(any_of):
            return bool(flags_of(message, viewer) & any_of)
        case IsResolved():
            return message.channel_id is not None and is_resolved(message.topic)
        case IsFollowed():
            return _policy(message, viewer) == VisibilityPolicy.FOLLOWED
        case IsMuted(topics_only=True):
            return _policy(message, viewer) == VisibilityPolicy.MUTED
        case IsMuted():
            if message.channel_id is None or message.topic_key is None:
                return False
            return viewer.has_muted(message.channel_id, message.topic_key)
        case Has(content):
            return has_content(message, content)
        case WithId(message_id):
            return message.id == message_id
        case Search(words, phrases):
            return is_hit(message, words, phrases)
        case _:
            assert_never(term)


def is_public(channel: Channel | None, web_public: bool) -> bool:
    """Whether the channel is one of `channels:public`, or of `channels:web-public`."""
    if channel is None or (web_public and not channel.is_web_public):
        return False
    return channel.history_public_to_subscribers and not channel.invite_only


def has_content(message: Message, content: Content) -> bool:
    match content:
        case Content.LINK:
            return message.has_link
        case Content.IMAGE:
            return message.has_image
        case Content.ATTACHMENT:
            return message.has_attachment
        case Content.REACTION:
            return bool(message.reactions)
        case _:
            assert_never(content)


def is_hit(message: Message, words: tuple[str, ...], phrases: tuple[str, ...]) -> bool:
    """Whether a search finds the message: words match the visible text, phrases the source text."""
    if not words:
        return False
    if not all(contains_phrase(phrase, message.topic, message.content) for phrase in phrases):
        return False
    text = message_text(message.topic, message.rendered_content)
    return not surely_lacks(words, text) and set(words) <= set(search_words(text))


def _policy(message: Message, viewer: Viewer) -> VisibilityPolicy:
    """Return the reader's policy for the message's topic; a direct message has none."""
    if message.channel_id is None or message.topic_key is None:
        return VisibilityPolicy.INHERIT
    return viewer.policy(message.channel_id, message.topic_key)
