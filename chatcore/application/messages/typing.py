"""Typing notifications, for the users who would receive the message.

They stay in the log for a while, as all events do; nothing else is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from chatcore.application.arguments import about
from chatcore.application.messages.access import MessageNumber, changeable_message
from chatcore.application.messages.editing import require_may_edit
from chatcore.application.messages.sending import channel_for_sending, conversation_for_sending
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.channels.channels import Channel
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest, ChannelDoesNotExist, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.people.setting_values import value
from chatcore.domain.people.users import User
from chatcore.events.audience import Audience, ReadersOf, SubscribersOf, Users
from chatcore.events.happened import TypingDirectly, TypingInChannel, TypingInEdit
from chatcore.events.payloads.users import person
from chatcore.storage import Snapshot

Op: TypeAlias = Literal["start", "stop"]

# The names of the user settings about typing notifications.
SEND_DIRECTLY = "send_private_typing_notifications"
SEND_IN_CHANNELS = "send_stream_typing_notifications"
RECEIVE = "receives_typing_notifications"


@dataclass(frozen=True, slots=True)
class ToTopic:
    channel_id: ChannelId
    topic: str


@dataclass(frozen=True, slots=True)
class ToPeople:
    """Writing to people by their ids; the writer is always one of them."""

    user_ids: Sequence[int]


def announce_typing(svc: Services, actor: Actor, op: Op, where: ToTopic | ToPeople) -> None:
    """Notify others that the actor starts or stops writing.

    In a channel with many subscribers nobody is notified.

    :raises BadRequest: the actor may not send a message there, or the actor's settings forbid typing
        notifications
    :raises InvalidParameter: another *op*
    """
    require_one_of("op", op, get_args(Op))
    _announce_typing(svc, actor, op, where)


@unit_of_work
def _announce_typing(unit: Unit, me: Actor, op: Op, where: ToTopic | ToPeople) -> None:
    sender = unit.tx.users.get(me.user_id)
    if isinstance(where, ToTopic):
        _announce_in_channel(unit, me, sender, op, where)
    else:
        _announce_to_people(unit, me, sender, op, where)


def announce_edit_typing(
    svc: Services,
    actor: Actor,
    op: Annotated[Op, about("Whether the caller starts or stops typing.")],
    message_id: MessageNumber,
) -> None:
    """Notify others that the caller starts or stops editing a message.

    :raises BadRequest: no such message for the actor, a message that the actor may not edit (any more), or
        the actor's settings forbid typing notifications
    :raises InvalidParameter: another *op*
    """
    require_one_of("op", op, get_args(Op))
    _announce_edit_typing(svc, actor, op, message_id)


@unit_of_work
def _announce_edit_typing(unit: Unit, me: Actor, op: Op, message_id: int) -> None:
    """Notify the readers of the message, except in a channel with too many subscribers."""
    tx = unit.tx
    readable = changeable_message(tx, me, message_id)
    message, channel = readable.message, readable.channel
    _require_sends_notifications(tx.users.get(me.user_id), in_channel=channel is not None)
    require_may_edit(unit, me, readable)
    if channel is not None and channel.subscriber_count > unit.limits.max_subscribers_notified_of_typing:
        return
    for _, audience in audiences_of(tx, channel, [message]):
        typing = TypingInEdit(
            op=op,
            sender_id=message.sender_id,
            message_id=message.id,
            channel_id=message.channel_id,
            topic=message.topic,
            user_ids=() if message.conversation is None else tuple(sorted(message.conversation.user_ids)),
            unwanted_by=_find_unwilling(tx, channel, audience),
        )
        tx.announce(typing, audience)


def _find_unwilling(snapshot: Snapshot, channel: Channel | None, audience: Audience) -> tuple[UserId, ...]:
    """Return the users of the audience who have switched typing notifications off, ascending."""
    notified: list[UserId] = []
    if isinstance(audience, Users):
        notified += audience.user_ids
    elif isinstance(audience, ReadersOf) and channel is not None:
        notified += [*snapshot.subscriptions.subscribers(channel.id), *audience.keepers]
    people = snapshot.users.by_ids(notified).values()
    return tuple(sorted(user.id for user in people if not value(user, RECEIVE)))


def _require_sends_notifications(sender: User, *, in_channel: bool) -> None:
    """Refuse a sender whose settings forbid typing notifications.

    :raises BadRequest:
    """
    if in_channel and not value(sender, SEND_IN_CHANNELS):
        raise BadRequest("You have turned off typing notifications for channels.")
    if not in_channel and not value(sender, SEND_DIRECTLY):
        raise BadRequest("You have turned off typing notifications for direct messages.")


def _announce_in_channel(unit: Unit, actor: Actor, sender: User, op: Op, where: ToTopic) -> None:
    """Notify the subscribers of the channel, unless there are too many."""
    _require_sends_notifications(sender, in_channel=True)
    try:
        channel, topic = channel_for_sending(unit, actor, where.channel_id, where.topic)
    except ChannelDoesNotExist as error:
        raise invalid_channel() from error
    if channel.subscriber_count > unit.limits.max_subscribers_notified_of_typing:
        return
    subscribers = unit.tx.users.by_ids(unit.tx.subscriptions.subscribers(channel.id)).values()
    typing = TypingInChannel(
        op=op,
        sender=person(sender, unit.svc.settings.host),
        channel_id=channel.id,
        topic=topic,
        unwanted_by=tuple(user.id for user in subscribers if not value(user, RECEIVE)),
    )
    unit.tx.announce(typing, SubscribersOf(channel.id, private=channel.invite_only))


def _announce_to_people(unit: Unit, actor: Actor, sender: User, op: Op, where: ToPeople) -> None:
    """Notify the people of the conversation, also the writer's other clients."""
    _require_sends_notifications(sender, in_channel=False)
    people, _ = conversation_for_sending.within(unit, actor, where.user_ids)
    host = unit.svc.settings.host
    typing = TypingDirectly(
        op=op, sender=person(sender, host), people=tuple(person(user, host) for user in people)
    )
    unit.tx.announce(typing, Users(tuple(user.id for user in people if value(user, RECEIVE))))
