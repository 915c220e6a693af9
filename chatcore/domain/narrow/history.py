"""Which messages a narrow looks at, before its terms are tested: what was received, or all history."""

from collections.abc import Mapping
from dataclasses import replace

from chatcore.domain.access import has_received, reads_as_member
from chatcore.domain.channels import Channel, reads_full_history
from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages import Message
from chatcore.domain.narrow.matches import matches
from chatcore.domain.narrow.terms import HasFlag, IsMuted, Narrow, Not
from chatcore.domain.viewer import Viewer


def full_history(narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the narrow finds messages that the reader never received.

    It does when it names a channel whose whole history the reader may read, or all public channels
    (which guests may not search), and asks for nothing personal by an `is:` term.
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
    """Whether the narrow looks at the message at all; its terms are a second question.

    Of received messages those count that may still be read: leftovers of a channel that the reader has
    left and cannot read any more do not.
    """
    if full_history(narrow, viewer, channels):
        # The terms let nothing else through; asking again keeps a mistake there from showing messages.
        return message.channel_id is not None and _reads_all_of(message.channel_id, viewer, channels)
    if not has_received(message, viewer):
        return False
    if message.channel_id is None:
        return True
    channel = channels.get(message.channel_id)
    return channel is not None and reads_as_member(channel, viewer)


def finds(narrow: Narrow, message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the message is in what the reader gets for the narrow: the whole rule, in plain words."""
    return is_candidate(narrow, message, viewer, channels) and matches(narrow, message, viewer, channels)


def first_unread_in(narrow: Narrow) -> Narrow:
    """The messages of which the lowest is the anchor `first_unread`: unread, not muted, received.

    Who narrows to a channel wants to read it, muted or not; only muted topics are passed over there.
    """
    passed_over = IsMuted(topics_only=bool(narrow.channel_ids))
    return replace(narrow, terms=(*narrow.terms, Not(HasFlag(Flag.READ)), Not(passed_over)), personal=True)


def _reads_all_of(channel_id: ChannelId, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    channel = channels.get(channel_id)
    return channel is not None and reads_full_history(
        channel, viewer.actor, subscribed=viewer.subscribed_to(channel_id)
    )
