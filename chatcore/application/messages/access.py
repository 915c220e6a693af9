"""Finding a message by id, to read or change it.

`chatcore.application.visibility.message_audiences` decides which users are notified of its changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.visibility.known_channels import subscribed_among_actor_and_owner
from chatcore.application.visibility.viewers import viewer_without_channels, with_flags
from chatcore.domain.channels.channels import Channel, require_can_post
from chatcore.domain.errors import invalid_message
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId
from chatcore.domain.messages.access import may_read
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.storage import Snapshot

MessageNumber = Annotated[int, about("The message's id.")]


@dataclass(frozen=True, slots=True)
class ReadableMessage:
    """A message that the actor may read, with its channel unless it is a direct message."""

    message: Message
    channel: Channel | None
    viewer: Viewer


def readable_message(snapshot: Snapshot, actor: Actor, message_id: int) -> ReadableMessage:
    """Return a message by its id.

    :raises BadRequest: no such message, or the actor may not read it; one answer for both
    """
    message = snapshot.messages.find(message_id)
    if message is None:
        raise invalid_message()
    viewer = with_flags(snapshot, viewer_without_channels(snapshot, actor), [message])
    channels: Mapping[ChannelId, Channel] = {}
    if message.channel_id is not None:
        channels = snapshot.channels.by_ids([message.channel_id])
    if not may_read(message, viewer, channels):
        raise invalid_message()
    return ReadableMessage(message, next(iter(channels.values()), None), viewer)


def changeable_message(snapshot: Snapshot, actor: Actor, message_id: int) -> ReadableMessage:
    """Return a message that is to be changed.

    :raises BadRequest: as for `readable_message`, or the message is in an archived channel; the same answer
    """
    readable = readable_message(snapshot, actor, message_id)
    if readable.channel is not None and readable.channel.is_archived:
        raise invalid_message()
    return readable


def require_can_post_in(snapshot: Snapshot, actor: Actor, channel: Channel) -> None:
    """Refuse an actor who may not send messages to the channel.

    :raises BadRequest: the channel is archived, or neither the actor nor a bot's owner may post there
    """
    require_can_post(channel, actor, subscribed_among_actor_and_owner(snapshot, actor, channel))
