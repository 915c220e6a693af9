"""The keepers of messages of a protected history: people with a message in their history that they did not
receive.

Events of a channel that shares its history do not name its subscribers, who may read everything. If the
history has become protected since, those who have added a message to their own history are read from its
flags.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.events import happened
from chatcore.events.audience import Audience, ReadersOf, ReadersOfMove
from chatcore.events.sending import EventToSend
from chatcore.storage import Snapshot


def keepers_now(
    snapshot: Snapshot, events: Iterable[EventToSend], channels: Iterable[Channel]
) -> Mapping[tuple[ChannelId, Position], Collection[UserId]]:
    """Return, by channel and position of an event, the keepers of those of its messages that are in the
    channel now; only where its history was shared then and is protected now.
    """
    protected = {channel.id for channel in channels if not channel.history_public_to_subscribers}
    if not protected:
        return {}
    messages_by_place = {
        (place.channel_id, event.position): _messages_of(event)
        for event in events
        for place in _places(event.audience)
        if place.shared_history and place.channel_id in protected
    }
    all_ids = {message_id for message_ids in messages_by_place.values() for message_id in message_ids}
    if not all_ids:
        return {}
    channel_of = {message.id: message.channel_id for message in snapshot.messages.outlines(all_ids)}
    keepers_by_message = snapshot.flags.keepers(channel_of.keys())
    keepers: dict[tuple[ChannelId, Position], Collection[UserId]] = {}
    for (channel_id, position), message_ids in messages_by_place.items():
        still_there = [message_id for message_id in message_ids if channel_of.get(message_id) == channel_id]
        of_messages = [keepers_by_message.get(message_id, ()) for message_id in still_there]
        keepers[channel_id, position] = frozenset[UserId]().union(*of_messages)
    return keepers


def _places(audience: Audience) -> Sequence[ReadersOf]:
    """Return the readers in each channel of an audience: two for a move; none for other rules."""
    if isinstance(audience, ReadersOfMove):
        return audience.before, audience.after
    return (audience,) if isinstance(audience, ReadersOf) else ()


def _messages_of(event: EventToSend) -> Sequence[MessageId]:
    """Return the messages that an event is about; none if they are deleted."""
    match event.event:
        case happened.MessageEdited(message_ids=message_ids):
            return message_ids
        case (
            happened.MessageRendered(message_id=message_id)
            | happened.ReactionChanged(message_id=message_id)
            | happened.SubmessageAdded(message_id=message_id)
            | happened.TypingInEdit(message_id=message_id)
        ):
            return (message_id,)
        case _:
            return ()
