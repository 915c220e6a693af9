"""Deleting messages, for everybody."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.application import uploads
from chatcore.application.changeable import announce_first_message, changeable_message
from chatcore.application.gather import current
from chatcore.application.readers import who_is_told
from chatcore.application.services import Services
from chatcore.domain.channels import Channel
from chatcore.domain.deleting import require_may_delete
from chatcore.domain.flags import Flag, wire_flags
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages import Message
from chatcore.events.audience import Audience, Users
from chatcore.events.types import FlagsChanged, MessagesDeleted
from chatcore.storage import Transaction


def delete_message(svc: Services, actor: Actor, message_id: int) -> None:
    """Delete a message.

    :raises BadRequest: there is none for the actor, no permission, or too late
    """

    def write(tx: Transaction) -> None:
        now_actor = current(tx, actor, svc.now)
        found = changeable_message(tx, now_actor, message_id)
        sender = tx.users.get(found.message.sender_id)
        require_may_delete(
            found.message,
            now_actor,
            tx.organization.get(),
            found.channel,
            owner_of_sender=sender.bot_owner_id,
            now=svc.now,
        )
        remove_messages(svc, tx, [found.message], found.channel, also=[now_actor.user_id])

    svc.storage.write(write)


def remove_messages(
    svc: Services,
    tx: Transaction,
    messages: Sequence[Message],
    channel: Channel | None,
    *,
    also: Collection[UserId] = (),
) -> None:
    """Remove messages of one place and tell their readers, and *also* who has deleted them."""
    ids, topic = [message.id for message in messages], messages[-1].topic
    told = who_is_told(tx, channel, messages, also=also)
    announce_stars_gone(tx, tx.flags.starred_by(ids))
    uploads.release(svc, tx, ids)
    tx.edits.remove(ids)
    channel_id = None if channel is None else channel.id
    for message_ids, audience in told:
        announce_deleted(tx, message_ids, audience, channel_id=channel_id, topic=topic)
    if channel is not None:
        announce_first_message(tx, channel)


def announce_deleted(
    tx: Transaction,
    message_ids: Sequence[MessageId],
    audience: Audience,
    *,
    channel_id: ChannelId | None,
    topic: str,
) -> None:
    """Tell that messages are gone."""
    event = MessagesDeleted(message_ids=tuple(message_ids), channel_id=channel_id, topic=topic)
    tx.announce(event, audience)


def announce_stars_gone(tx: Transaction, starred: Mapping[MessageId, Collection[UserId]]) -> None:
    """Announce that messages are starred no more, to those who had.

    A star outlives access to the message, so that its owner may be told of nothing else that happens to it.
    """
    (name,) = wire_flags(Flag.STARRED)
    together: defaultdict[tuple[UserId, ...], list[MessageId]] = defaultdict(list)
    for message_id, user_ids in sorted(starred.items()):
        together[tuple(sorted(user_ids))].append(message_id)
    for users, message_ids in together.items():
        if users:
            tx.announce(FlagsChanged(flag=name, op="remove", messages=tuple(message_ids)), Users(users))
