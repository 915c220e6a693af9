"""Candidates of a narrow, before its terms are tested: received messages, or the full history."""

from collections.abc import Mapping
from dataclasses import replace

from chatcore.domain.channels.channels import Channel, reads_full_history
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages.access import is_in_history, reads_as_member
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.matches import matches
from chatcore.domain.narrow.terms import HasFlag, IsMuted, Narrow, Not


def full_history(narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the narrow also finds messages that the reader never received.

    It does if it names a channel whose full history the reader may read, or all public channels (which guests
    may not search), and has no personal `is:` term.
    """
    if narrow.personal:
        return False
    if any(_reads_all_of(channel_id, viewer, channels) for channel_id in narrow.channel_ids):
        return True
    if narrow.public_channels is None:
        return False
    if viewer.actor is None:
        return narrow.public_channels.web_public
    return not viewer.actor.is_guest


def is_candidate(
    narrow: Narrow, message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]
) -> bool:
    """Whether the message is a candidate of the narrow; the terms are tested separately.

    Received messages are candidates only while the reader may still read them: messages in a channel that the
    reader has left and can no longer read are excluded.
    """
    if full_history(narrow, viewer, channels):
        # The terms let nothing else through; this second check keeps a mistake there from exposing messages.
        return message.channel_id is not None and _reads_all_of(message.channel_id, viewer, channels)
    if not is_in_history(message, viewer):
        return False
    if message.channel_id is None:
        return True
    channel = channels.get(message.channel_id)
    return channel is not None and reads_as_member(channel, viewer)


def finds(narrow: Narrow, message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the reader gets the message for the narrow: the complete rule."""
    return is_candidate(narrow, message, viewer, channels) and matches(narrow, message, viewer, channels)


def first_unread_in(narrow: Narrow) -> Narrow:
    """Return the narrow whose lowest message is the anchor `first_unread`: unread, not muted, received.

    In a narrow to a channel, messages count even if the channel is muted; only muted topics are skipped.
    """
    passed_over = IsMuted(topics_only=bool(narrow.channel_ids))
    return replace(narrow, terms=(*narrow.terms, Not(HasFlag(Flag.READ)), Not(passed_over)), personal=True)


def _reads_all_of(channel_id: ChannelId, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    channel = channels.get(channel_id)
    return channel is not None and reads_full_history(
        channel, viewer.actor, subscribed=viewer.is_subscribed_to(channel_id)
    )
