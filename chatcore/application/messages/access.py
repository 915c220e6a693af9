"""A message that is to be read or changed by its id.

Who is told of what happens to it is in `chatcore.application.visibility.message_audiences`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from chatcore.application.services import Services
from chatcore.application.visibility.viewers import reader_of, with_flags
from chatcore.domain.access import has_member_access, may_read
from chatcore.domain.channels import Channel, require_can_post
from chatcore.domain.errors import invalid_message
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.viewer import Viewer
from chatcore.storage import Snapshot, Transaction


@dataclass(frozen=True, slots=True)
class Changeable:
    """A message that its reader may read, with its channel, where it is in one."""

    message: Message
    channel: Channel | None
    viewer: Viewer


def readable_message(snapshot: Snapshot, actor: Actor, message_id: int) -> Changeable:
    """A message by its id.

    :raises BadRequest: there is none, or the actor may not read it; one answer for both
    """
    message = snapshot.messages.find(message_id)
    if message is None:
        raise invalid_message()
    viewer = with_flags(snapshot, reader_of(snapshot, actor), [message])
    channels: Mapping[ChannelId, Channel] = {}
    if message.channel_id is not None:
        channels = snapshot.channels.by_ids([message.channel_id])
    if not may_read(message, viewer, channels):
        raise invalid_message()
    return Changeable(message, next(iter(channels.values()), None), viewer)


def changeable_message(snapshot: Snapshot, actor: Actor, message_id: int) -> Changeable:
    """The same, where something about it is to be changed.

    :raises BadRequest: it is in an archived channel; the same answer
    """
    found = readable_message(snapshot, actor, message_id)
    if found.channel is not None and found.channel.is_archived:
        raise invalid_message()
    return found


def require_can_post_in(tx: Transaction, actor: Actor, channel: Channel) -> None:
    """Refuse who could not send a message to the channel.

    :raises BadRequest:
    """
    asked = [actor.user_id] if actor.owner is None else [actor.user_id, actor.owner.user_id]
    subscribed = tx.subscriptions.subscribed_among(channel.id, asked)
    require_can_post(
        channel,
        actor,
        subscribed=actor.user_id in subscribed,
        owner_subscribed=actor.owner is not None and actor.owner.user_id in subscribed,
    )


def with_access(
    svc: Services, tx: Transaction, channel: Channel, user_ids: Collection[UserId]
) -> frozenset[UserId]:
    """Those of the users who can read the channel without being subscribed."""
    if not user_ids:
        return frozenset()
    actors = tx.users.actors(user_ids, svc.now)
    return frozenset(
        user_id for user_id, one in actors.items() if has_member_access(channel, one, subscribed=False)
    )
