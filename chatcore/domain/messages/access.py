"""Access to a single message that is named by its id.

`chatcore.domain.narrow.history` defines which messages a narrow finds.
"""

from collections.abc import Mapping

from chatcore.domain.channels.channels import Channel, has_content_access, has_content_access_by_group
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Brief, Message
from chatcore.domain.messages.viewer import Viewer


def is_in_history(message: Message, viewer: Viewer) -> bool:
    """Whether the message is in the viewer's history: received, or added later.

    The participants receive a direct message. A channel message is received by the users who are subscribed
    when it is sent to the channel or moved there. Changing a flag of a channel message that was not received,
    or reacting to it, flags it as historical, and thereby adds it.
    """
    if message.conversation is not None:
        return viewer.user_id in message.conversation.user_ids
    assert message.channel_id is not None
    return is_channel_message_in_history(message.channel_id, message, viewer)


def is_channel_message_in_history(channel_id: ChannelId, message: Message | Brief, viewer: Viewer) -> bool:
    """Whether a message is in the viewer's history once it is in the channel with this id."""
    if viewer.flags.get(message.id, Flag.NONE) & Flag.HISTORICAL:
        return True
    subscription = viewer.subscriptions.get(channel_id)
    return subscription is not None and subscription.has_received(message.arrived)


def flags_of(message: Message, viewer: Viewer) -> Flag:
    """Return the reader's flags of a message that the reader may read, with those that apply to all readers.

    A channel wildcard does not mention users for whom the message is historical.
    """
    flags = viewer.flags.get(message.id, viewer.default_flags)
    if message.channel_wildcard and not flags & Flag.HISTORICAL:
        return flags | Flag.CHANNEL_WILDCARD
    return flags


def reads_as_member(channel: Channel, viewer: Viewer) -> bool:
    """Whether the viewer has content access as a member: an account is required; guests must be subscribed.

    A guest may read a web-public channel as everybody can, but does not have its messages in the history.
    """
    return viewer.actor is not None and has_member_access(
        channel, viewer.actor, subscribed=viewer.is_subscribed_to(channel.id)
    )


def has_member_access(channel: Channel, actor: Actor, *, subscribed: bool) -> bool:
    """Whether the actor has content access to the channel as a member, like `reads_as_member`."""
    if subscribed:
        return True
    if actor.is_guest:
        return False
    return not channel.invite_only or has_content_access_by_group(channel, actor)


def may_read(message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the viewer may access this message: fetch it by id, react to it, flag it, or see its receipts.

    Participants may access direct messages. Messages in a channel are accessible to users who may read the
    channel now; with protected history, only to those of them who have the message in their history.
    Spectators may access all messages of a web-public channel. The same holds for archived channels.
    """
    if message.conversation is not None:
        return is_in_history(message, viewer)
    assert message.channel_id is not None
    channel = channels.get(message.channel_id)
    if channel is None:
        return False
    if viewer.actor is None:
        return has_content_access(channel, None, subscribed=False)
    if not reads_as_member(channel, viewer):
        return False
    return channel.history_public_to_subscribers or is_in_history(message, viewer)
