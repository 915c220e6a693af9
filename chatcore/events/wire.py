"""An event in the form that a queue asked for, or nothing where the queue does not want it.

Most queues want the same form of an event, so each form is encoded once and kept with the event.
"""

from dataclasses import dataclass
from typing import Any, assert_never

import msgspec

from chatcore.domain.flags import Flag, wire_flags
from chatcore.domain.groups import Actor
from chatcore.domain.ids import Position, QueueId
from chatcore.domain.narrow.live import LiveNarrow
from chatcore.events import types as happened
from chatcore.events.audience import Audience
from chatcore.events.queue import Registration
from chatcore.events.shapes import MessageForm, message_shape, user_shape

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Listener:
    """A queue and its owner, as events are formed for it."""

    queue_id: QueueId
    actor: Actor
    registration: Registration
    empty_topic_name: str
    """The display name of the empty topic, for clients that do not know of it."""

    def topic(self, topic: str) -> str:
        if topic or self.registration.capabilities.empty_topic_name:
            return topic
        return self.empty_topic_name


class WireEvent:
    """An event at its place in the log, with the forms in which it was sent already."""

    def __init__(self, position: Position, event: happened.AnyEvent, audience: Audience) -> None:
        self.position = position
        self.event = event
        self.audience = audience
        self._messages: dict[object, msgspec.Raw] = {}
        self._plain: dict[object, bytes] = {}

    def form(self, listener: Listener, *, received: bool) -> bytes | None:
        """The event as JSON for a listener who is in the audience, or (not *received*) only overhears it."""
        if not listener.registration.wants(self.event.type):
            return None
        match self.event:
            case happened.MessageSent():
                return self._message(self.event, listener, received=received)
            case happened.Subscribed():
                return self._with_id(_subscribed(self.event, listener))
            case happened.QueueClosed():
                return None
            case _:
                return self._shared(self.event, listener)

    def _message(self, event: happened.MessageSent, listener: Listener, *, received: bool) -> bytes | None:
        flags = Flag.NONE
        if received:
            flags = Flag(event.flags.get(listener.actor.user_id, 0)) & ~Flag.HISTORICAL
            if event.message.channel_wildcard:
                flags |= Flag.CHANNEL_WILDCARD
        registration = listener.registration
        narrow = LiveNarrow(registration.narrow)
        is_direct = event.message.conversation is not None
        if narrow and not narrow.lets_through(
            event.message,
            flags,
            channel_name=None if is_direct else event.channel_name,
            sender_email=event.people[0].api_email,
        ):
            return None
        fields: dict[str, Any] = {
            "type": "message",
            "message": self._message_json(event, listener),
            "flags": wire_flags(flags),
        }
        if event.local_id and event.queue_id == listener.queue_id:
            # The name by which clients know it, and the one of the specification.
            fields["local_message_id"] = fields["local_id"] = event.local_id
        return self._with_id(fields)

    def _message_json(self, event: happened.MessageSent, listener: Listener) -> msgspec.Raw:
        form = MessageForm(
            apply_markdown=listener.registration.apply_markdown,
            client_gravatar=listener.registration.client_gravatar,
            empty_topic_name=None
            if listener.registration.capabilities.empty_topic_name
            else listener.empty_topic_name,
        )
        # In a conversation of two, each of them has another recipient id.
        reader = None if event.message.conversation is None else listener.actor.user_id
        key = (form, reader)
        if (known := self._messages.get(key)) is None:
            shape = message_shape(
                event.message,
                sender=event.people[0],
                people=event.people,
                channel_name=event.channel_name,
                reader=reader,
                form=form,
            )
            known = self._messages[key] = msgspec.Raw(_encode(shape))
        return known

    def _shared(self, event: happened.AnyEvent, listener: Listener) -> bytes:
        """Forms that depend on few properties of the listener."""
        sees_email = (listener.actor.role, listener.actor.user_id) if event.type == "realm_user" else None
        key = (listener.registration.capabilities, listener.registration.client_gravatar, sees_email)
        if (known := self._plain.get(key)) is None:
            known = self._plain[key] = self._with_id(_fields(event, listener))
        return known

    def _with_id(self, fields: dict[str, Any]) -> bytes:
        return _encode({**fields, "id": self.position})


def heartbeat(position: Position) -> bytes:
    """The event that ends a poll in which nothing happened."""
    return _encode({"type": "heartbeat", "id": position})


def _subscribed(event: happened.Subscribed, listener: Listener) -> dict[str, Any]:
    channel = {
        **event.channel,
        "subscribers": event.subscribers,
        **event.personal.get(listener.actor.user_id, {}),
    }
    return {"type": "subscription", "op": "add", "subscriptions": [channel]}


def _fields(event: happened.AnyEvent, listener: Listener) -> dict[str, Any]:
    match event:
        case happened.FlagsChanged():
            fields = {
                "type": event.type,
                "op": event.op,
                "operation": event.op,
                "flag": event.flag,
                "messages": event.messages,
                "all": event.all,
            }
            if event.details:
                fields["message_details"] = {
                    str(message_id): _flag_details(details, listener)
                    for message_id, details in event.details.items()
                }
            return fields
        case happened.TopicPolicyChanged():
            return {
                "type": event.type,
                "stream_id": event.channel_id,
                "topic_name": listener.topic(event.topic),
                "last_updated": event.last_updated,
                "visibility_policy": event.visibility_policy,
            }
        case happened.MutedTopicsChanged():
            muted = [(name, listener.topic(topic), at) for name, topic, at in event.muted_topics]
            return {"type": event.type, "muted_topics": muted}
        case happened.Unsubscribed():
            channels = [{"stream_id": channel_id, "name": name} for channel_id, name in event.channels]
            return {"type": event.type, "op": "remove", "subscriptions": channels}
        case happened.PeersChanged():
            return {
                "type": event.type,
                "op": event.op,
                "stream_ids": event.channel_ids,
                "user_ids": event.user_ids,
            }
        case happened.ChannelsCreated():
            return {"type": event.type, "op": "create", "streams": event.channels}
        case happened.ChannelUpdated():
            return {
                "type": event.type,
                "op": "update",
                "stream_id": event.channel_id,
                "name": event.name,
                "property": event.property,
                "value": event.value,
            }
        case happened.ChannelsDeleted():
            return {
                "type": event.type,
                "op": "delete",
                "stream_ids": event.channel_ids,
                "streams": [{"stream_id": channel_id} for channel_id in event.channel_ids],
            }
        case happened.UserAdded():
            shape = user_shape(
                event.person,
                listener.actor,
                client_gravatar=listener.registration.client_gravatar,
                profile_data={},
            )
            return {"type": event.type, "op": "add", "person": shape}
        case happened.AlertWordsChanged():
            return {"type": event.type, "alert_words": event.alert_words}
        case happened.MessageSent() | happened.Subscribed() | happened.QueueClosed():
            raise AssertionError("formed for each listener, not shared")
        case _:
            assert_never(event)


def _flag_details(details: dict[str, Any], listener: Listener) -> dict[str, Any]:
    if "topic" not in details:
        return details
    return {**details, "topic": listener.topic(details["topic"])}
