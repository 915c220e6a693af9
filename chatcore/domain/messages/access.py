"""Access to a single message that is named by its id.

`chatcore.domain.narrow.history` defines which messages a narrow finds.
"""

from collections.abc import Mapping

from chatcore.domain.channels.channels import Channel, grants_by_group, has_content_access
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Brief, Message
from chatcore.domain.messages.viewer import Viewer


def has_received(message: Message, viewer: Viewer) -> bool:
    """Whether the message is in the reader's history: received when it arrived, or added to it later.

    The participants receive a direct message; users who are subscribed when a channel message is sent
    or moved there receive that one. Starring or reacting to a channel message that was not received
    flags it as historical.
    """
    if message.conversation is not None:
        return viewer.user_id in message.conversation.user_ids
    assert message.channel_id is not None
    return has_received_in(message.channel_id, message, viewer)


def has_received_in(channel_id: ChannelId, message: Message | Brief, viewer: Viewer) -> bool:
    """As above, for a message in the channel with this id."""
    if viewer.flags.get(message.id, Flag.NONE) & Flag.HISTORICAL:
        return True
    subscription = viewer.subscriptions.get(channel_id)
    return subscription is not None and subscription.received(message.arrived)


def flags_of(message: Message, viewer: Viewer) -> Flag:
    """Return the reader's flags of a received message, including those that apply to every reader.

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
        channel, viewer.actor, subscribed=viewer.subscribed_to(channel.id)
    )


def has_member_access(channel: Channel, actor: Actor, *, subscribed: bool) -> bool:
    """As above, for an actor without a `Viewer`."""
    if subscribed:
        return True
    if actor.is_guest:
        return False
    return not channel.invite_only or grants_by_group(channel, actor)


def may_read(message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the reader may access this message: fetch it by id, react to it, flag it, or see its receipts.

    Participants may access direct messages. Messages in a channel with shared history are accessible to
    everybody who may read the channel now; with protected history, only to users who received them. The same
    holds for archived channels.
    """
    if message.conversation is not None:
        return has_received(message, viewer)
    assert message.channel_id is not None
    channel = channels.get(message.channel_id)
    if channel is None:
        return False
    if viewer.actor is None:
        return has_content_access(channel, None, subscribed=False)
    if not reads_as_member(channel, viewer):
        return False
    return channel.history_public_to_subscribers or has_received(message, viewer)
