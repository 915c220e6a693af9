"""Who may read one message: the test for a message that is named by its id.

What a narrow finds is a question of its own, see `chatcore.domain.narrow.history`.
"""

from collections.abc import Mapping

from chatcore.domain.channels import Channel, grants_by_group, has_content_access
from chatcore.domain.flags import Flag
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages import Brief, Message
from chatcore.domain.viewer import Viewer


def has_received(message: Message, viewer: Viewer) -> bool:
    """Whether the message is the reader's own copy: sent to them, or taken into their history later.

    A direct message is received by its people, a channel message by who is subscribed when it is sent or
    moved there. A channel message that was starred or reacted to without that is flagged as historical.
    """
    if message.conversation is not None:
        return viewer.user_id in message.conversation.user_ids
    assert message.channel_id is not None
    return has_received_in(message.channel_id, message, viewer)


def has_received_in(channel_id: ChannelId, message: Message | Brief, viewer: Viewer) -> bool:
    """The same of a message that is in this channel."""
    if viewer.flags.get(message.id, Flag.NONE) & Flag.HISTORICAL:
        return True
    subscription = viewer.subscriptions.get(channel_id)
    return subscription is not None and subscription.received(message.arrived)


def flags_of(message: Message, viewer: Viewer) -> Flag:
    """The reader's flags of a received message, with what the message itself says of everybody.

    Who was not there when the channel was mentioned, and has the message as historical, was not meant.
    """
    flags = viewer.flags.get(message.id, viewer.default_flags)
    if message.channel_wildcard and not flags & Flag.HISTORICAL:
        return flags | Flag.CHANNEL_WILDCARD
    return flags


def reads_as_member(channel: Channel, viewer: Viewer) -> bool:
    """Content access in one's own right: without an account none, and for guests by subscription only.

    A guest may look into a web-public channel as everybody can, but that makes its messages not theirs.
    """
    return viewer.actor is not None and has_member_access(
        channel, viewer.actor, subscribed=viewer.subscribed_to(channel.id)
    )


def has_member_access(channel: Channel, actor: Actor, *, subscribed: bool) -> bool:
    """The same of somebody of whom no more is known."""
    if subscribed:
        return True
    if actor.is_guest:
        return False
    return not channel.invite_only or grants_by_group(channel, actor)


def may_read(message: Message, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> bool:
    """Whether the reader may get this message, by its id or to react to it, flag it, see its receipts.

    Direct messages by their people. Messages of a channel with shared history by everybody who may read
    the channel now; with protected history only those that were received. Archived channels likewise.
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
