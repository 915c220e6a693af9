"""Conversion of an event to the form that a queue asked for; nothing if the queue does not want it.

Most queues want the same form of an event, so each form is encoded once and kept with the event.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, assert_never

import msgspec

from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, Position, QueueId, UserId
from chatcore.domain.messages.flags import Flag, wire_flags
from chatcore.domain.narrow.live import LiveNarrow
from chatcore.domain.people.languages import LANGUAGES
from chatcore.domain.people.settings import without_null_notifications
from chatcore.events import types as happened
from chatcore.events.audience import Audience, PlacesSeen
from chatcore.events.bots import NO_KEY, bot_shape
from chatcore.events.queue import Registration
from chatcore.events.shapes.messages import MessageForm, message_shape
from chatcore.events.shapes.users import Person, unknown_person
from chatcore.events.wire_edits import deleted_fields, deleted_one_by_one, edited_fields, move_as_seen
from chatcore.events.wire_groups import AnyGroupEvent, Knows, group_fields, known_values
from chatcore.events.wire_now import Now, files_fields
from chatcore.events.wire_people import AnyPersonEvent, is_the_same_for_all, person_fields
from chatcore.events.wire_reactions import reaction_fields
from chatcore.events.wire_typing import AnyTypingEvent, typing_fields

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Listener:
    """A queue and its owner, for whom events are formatted."""

    queue_id: QueueId
    actor: Actor
    registration: Registration
    empty_topic_name: str
    """The display name of the empty topic, for clients without the capability `empty_topic_name`."""
    host: str
    """The host name of placeholder addresses."""
    api_key: Callable[[UserId, int], str]
    """Returns the API key of a user for a key version."""
    knows: Knows | None = None
    """Returns whether a user is visible to the owner; None if all users are."""
    flags: Mapping[MessageId, Flag] = field(default_factory=dict)
    """The owner's flags of edited messages, as far as these are in the owner's history."""
    read: Collection[MessageId] = ()
    """Messages that were read on arrival by a rule and not by their event."""
    now: Now = field(default_factory=Now)
    """Current data that events do not contain."""

    def person(self, who: Person) -> Person:
        """Return a person as the owner may see them; all bots are visible."""
        if self.knows is None or who.is_bot or self.knows(who.id):
            return who
        return unknown_person(who.id, self.host)

    def topic(self, topic: str) -> str:
        if topic or self.registration.capabilities.empty_topic_name:
            return topic
        return self.empty_topic_name


class WireEvent:
    """An event at its position in the log, with the forms in which it was already sent."""

    def __init__(
        self, position: Position, event: happened.AnyEvent, audience: Audience, size: int = 0
    ) -> None:
        self.position = position
        self.event = event
        self.audience = audience
        self.size = size
        """Approximate size in bytes, including the cached forms."""
        self._messages: dict[object, msgspec.Raw] = {}
        self._plain: dict[object, bytes] = {}

    def as_seen(self, places: PlacesSeen) -> "WireEvent":
        """Return the event for a reader who may no longer read all places of a move."""
        if (
            all(places)
            or not isinstance(self.event, happened.MessageEdited)
            or self.event.new_channel_id is None
        ):
            return self
        return WireEvent(self.position, move_as_seen(self.event, places), self.audience)

    def forms(self, listener: Listener, *, received: bool, after: Position) -> Iterator[bytes]:
        """Yield the event as JSON for a listener in the audience, or (not *received*)
        for an `all_public_streams` queue.

        If the event is sent as several, each has its own position; only those *after* a position are yielded.
        """
        if not listener.registration.wants(self.event.type):
            return
        match self.event:
            case happened.MessagesDeleted() if not listener.registration.capabilities.bulk_message_deletion:
                several = deleted_one_by_one(self.event, listener.topic)
            case happened.FilesChanged():
                several = files_fields(self.event, listener.now)
            case _:
                if (form := self._form(listener, received=received)) is not None:
                    yield form
                return
        first = self.position - self.event.places + 1
        begin = max(first, after + 1)
        for place, fields in enumerate(islice(several, begin - first, None), begin):
            yield _encode({**fields, "id": place})

    def _form(self, listener: Listener, *, received: bool) -> bytes | None:
        if isinstance(self.event, happened.ChannelEvent) and self.event.knows_archived not in (
            None,
            listener.registration.capabilities.archived_channels,
        ):
            return None
        match self.event:
            case happened.MessageSent():
                return self._message(self.event, listener, received=received)
            case happened.MessageEdited():
                return self._edited(self.event, listener)
            case happened.Subscribed():
                return self._with_id(_subscribed(self.event, listener))
            case happened.QueueClosed():
                return None
            case happened.ListChanged():
                return self._list(self.event, listener)
            case happened.BotAdded():
                return self._bot(self.event, listener)
            case happened.BotKeyChanged():
                key = listener.api_key(self.event.user_id, self.event.key_version)
                bot = {"user_id": self.event.user_id, "api_key": key}
                return self._with_id({"type": self.event.type, "op": "update", "bot": bot})
            case happened.ChannelsCreated() if listener.knows is not None:
                known = tuple(known_values(channel, listener.knows) for channel in self.event.channels)
                fields = _fields(happened.ChannelsCreated(channels=known), listener)
                return None if fields is None else self._with_id(fields)
            case happened.ChannelUpdated() if listener.knows is not None:
                fields = _fields(self.event, listener)
                return None if fields is None else self._with_id(known_values(fields, listener.knows))
            case happened.OrganizationPermissionsChanged() if listener.knows is not None:
                known_data = known_values(self.event.data, listener.knows)
                return self._with_id(_many_fields(known_data))
            case happened.ReactionChanged():
                return self._reaction(self.event, listener)
            case happened.GroupEvent():
                return self._group(self.event, listener)
            case happened.PersonEvent():
                return self._person(self.event, listener)
            case happened.TypingEvent():
                return self._typing(self.event, listener)
            case _:
                return self._shared(self.event, listener)

    def _message(self, event: happened.MessageSent, listener: Listener, *, received: bool) -> bytes | None:
        flags = Flag.NONE
        if received:
            flags = Flag(event.flags.get(listener.actor.user_id, 0))
            if event.message.channel_wildcard and not flags & Flag.HISTORICAL:
                flags |= Flag.CHANNEL_WILDCARD
            if event.message.id in listener.read:
                flags |= Flag.READ
        registration = listener.registration
        narrow = LiveNarrow(registration.narrow)
        is_direct = event.message.conversation is not None
        if narrow and not narrow.lets_through(
            event.message,
            flags,
            channel_name=None if is_direct else event.channel_name,
            sender_email=listener.person(event.people[0]).api_email,
        ):
            return None
        fields: dict[str, Any] = {
            "type": "message",
            "message": self._message_json(event, listener),
            "flags": wire_flags(flags),
        }
        if event.local_id and event.queue_id == listener.queue_id:
            # The name that clients know, and the name in the specification.
            fields["local_message_id"] = fields["local_id"] = event.local_id
        return self._with_id(fields)

    def _bot(self, event: happened.BotAdded, listener: Listener) -> bytes:
        bot = event.bot
        is_own = bot.bot_owner_id == listener.actor.user_id
        shape = bot_shape(bot, listener.api_key(bot.id, event.key_version) if is_own else NO_KEY)
        return self._with_id({"type": event.type, "op": "add", "bot": shape})

    def _message_json(self, event: happened.MessageSent, listener: Listener) -> msgspec.Raw:
        form = MessageForm(
            apply_markdown=listener.registration.apply_markdown,
            client_gravatar=listener.registration.client_gravatar,
            empty_topic_name=None
            if listener.registration.capabilities.empty_topic_name
            else listener.empty_topic_name,
        )
        # In a conversation of two, the recipient id depends on the reader. A channel message involves only
        # one person, the sender, so either all or none of its people are visible.
        reader = None if event.message.conversation is None else listener.actor.user_id
        people = event.people if listener.knows is None else tuple(map(listener.person, event.people))
        key = (form, reader, people == event.people)
        if (known := self._messages.get(key)) is None:
            shape = message_shape(
                event.message,
                sender=people[0],
                people=people,
                channel_name=event.channel_name,
                reader=reader,
                form=form,
            )
            encoded = _encode(shape)
            known = msgspec.Raw(encoded)
            if reader is None:  # a conversation has as many forms as users
                self._messages[key] = known
                self.size += len(encoded)
        return known

    def _list(self, event: happened.ListChanged, listener: Listener) -> bytes | None:
        if (
            isinstance(event, happened.LinkifiersChanged)
            and not listener.registration.capabilities.linkifier_url_template
        ):
            return None
        return listener.now.lists[event.type].form(event.type, self.position)

    def _reaction(self, event: happened.ReactionChanged, listener: Listener) -> bytes:
        """Return one of two shared forms: with the user who reacted visible, or not."""
        who = listener.person(event.user)
        key = ("reaction", who == event.user)
        if (known := self._plain.get(key)) is None:
            known = self._keep(key, self._with_id(reaction_fields(event, who)))
        return known

    def _edited(self, event: happened.MessageEdited, listener: Listener) -> bytes:
        flags = listener.flags.get(event.message_id, Flag.READ)
        key = (listener.registration.capabilities.empty_topic_name, flags)
        if (known := self._plain.get(key)) is None:
            known = self._keep(key, self._with_id(edited_fields(event, flags, listener.topic)))
        return known

    def _group(self, event: AnyGroupEvent, listener: Listener) -> bytes | None:
        """Return a form shared by all listeners to whom all users are visible, or an individual form; None
        if the listener does not receive the event.

        There are two shared forms, by the capability `include_deactivated_groups`.
        """
        with_deactivated = listener.registration.capabilities.include_deactivated_groups
        key = ("group", with_deactivated)
        if listener.knows is None and (known := self._plain.get(key)) is not None:
            return known
        fields = group_fields(event, with_deactivated=with_deactivated, knows=listener.knows)
        if fields is None:
            return None
        form = self._with_id(fields)
        if listener.knows is None:
            self._keep(key, form)
        return form

    def _person(self, event: AnyPersonEvent, listener: Listener) -> bytes | None:
        """Return a form shared by all listeners to whom all users are visible, or an individual form."""
        is_shared = listener.knows is None and is_the_same_for_all(event)
        if is_shared and (known := self._plain.get("person")) is not None:
            return known
        fields = person_fields(event, listener.actor, listener.registration, listener.host, listener.knows)
        if fields is None:
            return None
        form = self._with_id(fields)
        if is_shared:
            self._keep("person", form)
        return form

    def _typing(self, event: AnyTypingEvent, listener: Listener) -> bytes | None:
        if isinstance(event, happened.TypingInChannel) and listener.actor.user_id in event.unwanted_by:
            return None
        fields = typing_fields(event, listener.registration, topic=listener.topic, seen=listener.person)
        return None if fields is None else self._with_id(fields)

    def _shared(self, event: happened.AnyEvent, listener: Listener) -> bytes | None:
        """Return a form that depends only on a listener's capabilities; None if the client
        does not get it.
        """
        key = listener.registration.capabilities
        if (known := self._plain.get(key)) is None:
            fields = _fields(event, listener)
            if fields is None:
                return None
            known = self._keep(key, self._with_id(fields))
        return known

    def _keep(self, key: object, form: bytes) -> bytes:
        self._plain[key] = form
        self.size += len(form)
        return form

    def _with_id(self, fields: dict[str, Any]) -> bytes:
        return _encode({**fields, "id": self.position})


def heartbeat(position: Position) -> bytes:
    """Return the event that ends a poll without other events."""
    return _encode({"type": "heartbeat", "id": position})


def _subscribed(event: happened.Subscribed, listener: Listener) -> dict[str, Any]:
    shared = event.channel if listener.knows is None else known_values(event.channel, listener.knows)
    me = listener.actor.user_id
    personal = event.personal.get(me, {})
    if not listener.registration.capabilities.notification_settings_null:
        personal = without_null_notifications(personal, event.notification_defaults.get(me, {}))
    channel = {**shared, "subscribers": event.subscribers, **personal}
    return {"type": "subscription", "op": "add", "subscriptions": [channel]}


def _fields(event: happened.AnyEvent, listener: Listener) -> dict[str, Any] | None:
    """Return the event's fields; None if the client does not accept it or it does
    not concern the listener.
    """
    capabilities = listener.registration.capabilities
    match event:
        case happened.MessagesDeleted():
            return deleted_fields(event, listener.topic)
        case happened.SubmessageAdded():
            return {
                "type": event.type,
                "message_id": event.message_id,
                "submessage_id": event.submessage.id,
                "sender_id": event.submessage.sender_id,
                "msg_type": event.submessage.msg_type,
                "content": event.submessage.content,
            }
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
        case happened.SubscriptionChanged():
            return {
                "type": event.type,
                "op": "update",
                "stream_id": event.channel_id,
                "property": event.property,
                "value": event.value,
            }
        case happened.ChannelsCreated():
            channels = [
                channel
                for channel in event.channels
                if capabilities.archived_channels or not channel["is_archived"]
            ]
            return {"type": event.type, "op": "create", "streams": channels} if channels else None
        case happened.ChannelUpdated():
            return {
                "type": event.type,
                "op": "update",
                "stream_id": event.channel_id,
                "name": event.name,
                "property": event.property,
                "value": event.value,
                **event.also,
            }
        case happened.ChannelsDeleted():
            return {
                "type": event.type,
                "op": "delete",
                "stream_ids": event.channel_ids,
                "streams": [{"stream_id": channel_id} for channel_id in event.channel_ids],
            }
        case happened.BotChanged():
            bot = {"user_id": event.user_id, **event.changes}
            return {"type": event.type, "op": "update", "bot": bot}
        case happened.BotRemoved():
            return {"type": event.type, "op": "delete", "bot": {"user_id": event.user_id}}
        case happened.SettingChanged():
            fields = {"type": event.type, "op": "update", "property": event.name, "value": event.value}
            return {**fields, **_language_name(event)}
        case happened.OrganizationChanged():
            if isinstance(event.value, dict):
                return _many_fields({event.name: event.value})
            return {"type": event.type, "op": "update", "property": event.name, "value": event.value}
        case happened.OrganizationPermissionsChanged():
            return _many_fields(event.data)
        case happened.NotificationSettingChanged():
            if capabilities.user_settings_object:
                return None
            return {
                "type": event.type,
                "user": event.email,
                "notification_name": event.name,
                "setting": event.value,
            }
        case happened.DisplaySettingChanged():
            if capabilities.user_settings_object:
                return None
            fields = {
                "type": event.type,
                "user": event.email,
                "setting_name": event.name,
                "setting": event.value,
            }
            return {**fields, **_language_name(event)}
        case happened.DraftsAdded():
            return {"type": event.type, "op": "add", "drafts": event.drafts}
        case happened.DraftChanged():
            return {"type": event.type, "op": "update", "draft": event.draft}
        case happened.DraftRemoved():
            return {"type": event.type, "op": "remove", "draft_id": event.draft_id}
        case (
            happened.MessageSent()
            | happened.ReactionChanged()
            | happened.MessageEdited()
            | happened.Subscribed()
            | happened.QueueClosed()
            | happened.ListChanged()
            | happened.FilesChanged()
            | happened.BotAdded()
            | happened.BotKeyChanged()
            | happened.GroupEvent()
            | happened.PersonEvent()
            | happened.TypingEvent()
        ):
            raise AssertionError("an event of this type has no form here; add a case for it")
        case _:
            assert_never(event)


def _many_fields(data: dict[str, Any]) -> dict[str, Any]:
    return {"type": "realm", "op": "update_dict", "property": "default", "data": data}


def _language_name(event: happened.SettingChanged | happened.DisplaySettingChanged) -> dict[str, str]:
    if event.name != "default_language":
        return {}
    return {"language_name": LANGUAGES.get(event.value, event.value)}


def _flag_details(details: dict[str, Any], listener: Listener) -> dict[str, Any]:
    if "topic" not in details:
        return details
    return {**details, "topic": listener.topic(details["topic"])}
