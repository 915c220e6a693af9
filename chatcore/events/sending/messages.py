"""Forms of events about new messages, reactions, submessages, typing, drafts and snippets."""

from collections.abc import Hashable, Iterable
from typing import Any

import msgspec

from chatcore.domain.ids import Position
from chatcore.domain.messages.flags import Flag, wire_flags
from chatcore.domain.narrow.live import LiveNarrow
from chatcore.events import happened
from chatcore.events.payloads.messages import MessageOptions, message_shape
from chatcore.events.payloads.users import Person
from chatcore.events.sending.event import Fields, WireEvent, encode
from chatcore.events.sending.formatter import Formatter, form, nobody_else
from chatcore.events.sending.listener import Listener

# -- new messages -------------------------------------------------------------------------------------


def _sent(
    event: happened.MessageSent, wire: WireEvent, listener: Listener, after: Position
) -> Iterable[bytes]:
    flags = _flags(event, listener)
    if not _is_in_narrow(event, listener, flags):
        return ()
    fields: dict[str, Any] = {
        "type": event.type,
        "message": _message(event, wire, listener),
        "flags": wire_flags(flags),
    }
    if event.local_id and event.queue_id == listener.queue_id:
        # The name that clients know, and the name in the specification.
        fields["local_message_id"] = fields["local_id"] = event.local_id
    return (wire.encoded(fields),)


def _flags(event: happened.MessageSent, listener: Listener) -> Flag:
    if not listener.receives:
        return Flag.NONE
    flags = Flag(event.flags.get(listener.actor.user_id, 0))
    if event.message.channel_wildcard and not flags & Flag.HISTORICAL:
        flags |= Flag.CHANNEL_WILDCARD
    if event.message.id in listener.read_on_arrival:
        flags |= Flag.READ
    return flags


def _is_in_narrow(event: happened.MessageSent, listener: Listener, flags: Flag) -> bool:
    narrow = LiveNarrow(listener.registration.narrow)
    return not narrow or narrow.lets_through(
        event.message,
        flags,
        channel_name=None if event.message.conversation is not None else event.channel_name,
        sender_email=listener.person(event.people[0]).api_email,
    )


def _message(event: happened.MessageSent, wire: WireEvent, listener: Listener) -> msgspec.Raw | None:
    """Return the message itself, which is the same for most listeners."""
    message_options = MessageOptions(
        apply_markdown=listener.registration.apply_markdown,
        client_gravatar=listener.registration.client_gravatar,
        empty_topic_name=None if listener.capabilities.empty_topic_name else listener.empty_topic_name,
    )
    # In a conversation of two, the recipient id depends on the reader. A channel message involves only
    # one person, the sender, so either all or none of its people are visible.
    reader = None if event.message.conversation is None else listener.actor.user_id
    people = event.people if listener.knows is None else tuple(map(listener.person, event.people))

    def make() -> msgspec.Raw:
        shape = message_shape(
            event.message,
            sender=people[0],
            people=people,
            channel_name=event.channel_name,
            reader=reader,
            options=message_options,
        )
        return msgspec.Raw(encode(shape))

    # A conversation has as many forms as users: they are not kept.
    return wire.kept((message_options, people == event.people) if reader is None else None, make)


# -- reactions and submessages ------------------------------------------------------------------------


def _reaction(event: happened.ReactionChanged, listener: Listener) -> Fields:
    """Return the fields, with the data of the user that the listener may see. The field `user` is for older
    clients.
    """
    who = listener.person(event.user)
    return {
        "type": event.type,
        "op": event.op,
        "message_id": event.message_id,
        "user_id": who.id,
        "user": {
            "user_id": who.id,
            "email": who.api_email,
            "full_name": who.full_name,
            "is_mirror_dummy": False,
        },
        "emoji_name": event.emoji_name,
        "emoji_code": event.emoji_code,
        "reaction_type": event.reaction_type,
    }


def _same_visibility(event: happened.ReactionChanged, listener: Listener) -> Hashable:
    return listener.person(event.user) == event.user


def _submessage(event: happened.SubmessageAdded, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "message_id": event.message_id,
        "submessage_id": event.submessage.id,
        "sender_id": event.submessage.sender_id,
        "msg_type": event.submessage.msg_type,
        "content": event.submessage.content,
    }


# -- typing -------------------------------------------------------------------------------------------


def _typing_in_channel(event: happened.TypingInChannel, listener: Listener) -> Fields | None:
    if listener.actor.user_id in event.unwanted_by or not listener.capabilities.stream_typing_notifications:
        return None
    where = {"stream_id": event.channel_id, "topic": listener.topic(event.topic)}
    return {**_typing(event, listener), "message_type": "stream", **where}


def _typing_directly(event: happened.TypingDirectly, listener: Listener) -> Fields:
    recipients = [_typist(listener.person(one)) for one in event.people]
    return {**_typing(event, listener), "message_type": "direct", "recipients": recipients}


def _typing(event: happened.TypingEvent, listener: Listener) -> Fields:
    return {"type": event.type, "op": event.op, "sender": _typist(listener.person(event.sender))}


def _typing_in_edit(event: happened.TypingInEdit, listener: Listener) -> Fields | None:
    if listener.actor.user_id in event.unwanted_by:
        return None
    recipient: Fields = {"type": "direct", "user_ids": event.user_ids}
    if event.channel_id is not None:
        recipient = {
            "type": "channel",
            "channel_id": event.channel_id,
            "topic": listener.topic(event.topic),
        }
    return {
        "type": event.type,
        "op": event.op,
        "sender_id": event.sender_id,
        "message_id": event.message_id,
        "recipient": recipient,
    }


def _typist(person: Person) -> Fields:
    return {"user_id": person.id, "email": person.api_email}


# -- drafts -------------------------------------------------------------------------------------------


def _drafts_added(event: happened.DraftsAdded, listener: Listener) -> Fields:
    return {"type": event.type, "op": "add", "drafts": event.drafts}


def _draft_changed(event: happened.DraftChanged, listener: Listener) -> Fields:
    return {"type": event.type, "op": "update", "draft": event.draft}


def _draft_removed(event: happened.DraftRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "remove", "draft_id": event.draft_id}


# -- saved snippets -----------------------------------------------------------------------------------


def _snippet_added(event: happened.SavedSnippetAdded, listener: Listener) -> Fields:
    return {"type": event.type, "op": "add", "saved_snippet": event.saved_snippet}


def _snippet_changed(event: happened.SavedSnippetChanged, listener: Listener) -> Fields:
    return {"type": event.type, "op": "update", "saved_snippet": event.saved_snippet}


def _snippet_removed(event: happened.SavedSnippetRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "remove", "saved_snippet_id": event.saved_snippet_id}


FORMATTERS = (
    Formatter(happened.MessageSent, _sent),
    form(happened.ReactionChanged, _reaction, _same_visibility),
    form(happened.SubmessageAdded, _submessage),
    form(happened.TypingInChannel, _typing_in_channel, nobody_else),
    form(happened.TypingDirectly, _typing_directly, nobody_else),
    form(happened.TypingInEdit, _typing_in_edit, nobody_else),
    form(happened.DraftsAdded, _drafts_added),
    form(happened.DraftChanged, _draft_changed),
    form(happened.DraftRemoved, _draft_removed),
    form(happened.SavedSnippetAdded, _snippet_added),
    form(happened.SavedSnippetChanged, _snippet_changed),
    form(happened.SavedSnippetRemoved, _snippet_removed),
)
