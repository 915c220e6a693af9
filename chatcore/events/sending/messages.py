"""Payloads of events about new messages, reactions, submessages, typing, drafts and snippets."""

from collections.abc import Hashable, Iterable

import msgspec

from chatcore.domain.ids import Position
from chatcore.domain.messages.flags import Flag, flags_as_sent
from chatcore.domain.narrow.live import LiveNarrow
from chatcore.events import happened
from chatcore.events.payloads.drafts import DraftRemoveEvent, DraftsAddEvent, DraftUpdateEvent
from chatcore.events.payloads.messages import (
    EditPlaceObject,
    LocalNames,
    MessageEvent,
    MessageOptions,
    ReactionEvent,
    SubmessageEvent,
    TypingEditEvent,
    TypingEvent,
    TypistObject,
    message_shape,
)
from chatcore.events.payloads.objects import MessageObject
from chatcore.events.payloads.saved_snippets import SnippetEvent, SnippetRemoveEvent
from chatcore.events.payloads.users import Person
from chatcore.events.sending.event import EventToSend, encode, written_as
from chatcore.events.sending.formatter import Formatter, nobody_else, one_payload
from chatcore.events.sending.listener import Listener

# -- new messages -------------------------------------------------------------------------------------


def _payloads_of_message_sent(
    event: happened.MessageSent, to_send: EventToSend, listener: Listener, after: Position
) -> Iterable[bytes]:
    flags = _flags_of(event, listener)
    if not _is_in_narrow(event, listener, flags):
        return ()
    payload: MessageEvent = {
        "type": "message",
        "message": _message_as_sent(event, to_send, listener),
        "flags": list(flags_as_sent(flags)),
        **_local_names(event, listener),
        "id": to_send.position,
    }
    return (encode(payload),)


def _local_names(event: happened.MessageSent, listener: Listener) -> LocalNames:
    if not event.local_id or event.queue_id != listener.queue_id:
        return {}
    # The name that clients know, and the name in the specification.
    return {"local_message_id": event.local_id, "local_id": event.local_id}


def _flags_of(event: happened.MessageSent, listener: Listener) -> Flag:
    """Return the flags of the message for the listener; none if it is not theirs."""
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
        sender_email=listener.show_person(event.people[0]).api_email,
    )


def _message_as_sent(event: happened.MessageSent, to_send: EventToSend, listener: Listener) -> MessageObject:
    """Return the message itself, already encoded, as it is the same for most listeners."""
    message_options = MessageOptions(
        media=listener.media,
        apply_markdown=listener.registration.apply_markdown,
        client_gravatar=listener.registration.client_gravatar,
        empty_topic_name=None if listener.capabilities.empty_topic_name else listener.empty_topic_name,
    )
    # In a conversation of two, the recipient id depends on the reader. A channel message involves only
    # one person, the sender, so either all or none of its people are visible.
    reader = None if event.message.conversation is None else listener.actor.user_id
    people = event.people if listener.knows is None else tuple(map(listener.show_person, event.people))

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

    # The shapes of a direct message are not kept, as each participant has another.
    key = (message_options, people == event.people) if reader is None else None
    return written_as(MessageObject, to_send.get_or_make(key, make))


# -- reactions and submessages ------------------------------------------------------------------------


def _format_reaction_changed(
    event: happened.ReactionChanged, listener: Listener, position: Position
) -> ReactionEvent:
    """Return the payload, with the data of the user that the listener may see. The field `user` is for older
    clients.
    """
    who = listener.show_person(event.user)
    return {
        "type": "reaction",
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
        "id": position,
    }


def _same_visibility(event: happened.ReactionChanged, listener: Listener) -> Hashable:
    return listener.show_person(event.user) == event.user


def _format_submessage_added(
    event: happened.SubmessageAdded, listener: Listener, position: Position
) -> SubmessageEvent:
    return {
        "type": "submessage",
        "message_id": event.message_id,
        "submessage_id": event.submessage.id,
        "sender_id": event.submessage.sender_id,
        "msg_type": event.submessage.msg_type,
        "content": event.submessage.content,
        "id": position,
    }


# -- typing -------------------------------------------------------------------------------------------


def _format_typing_in_channel(
    event: happened.TypingInChannel, listener: Listener, position: Position
) -> TypingEvent | None:
    if listener.actor.user_id in event.unwanted_by or not listener.capabilities.stream_typing_notifications:
        return None
    return {
        "type": "typing",
        "op": event.op,
        "sender": _typist(event.sender, listener),
        "message_type": "stream",
        "stream_id": event.channel_id,
        "topic": listener.show_topic(event.topic),
        "id": position,
    }


def _format_typing_directly(
    event: happened.TypingDirectly, listener: Listener, position: Position
) -> TypingEvent:
    return {
        "type": "typing",
        "op": event.op,
        "sender": _typist(event.sender, listener),
        "message_type": "direct",
        "recipients": [_typist(person, listener) for person in event.people],
        "id": position,
    }


def _typist(person: Person, listener: Listener) -> TypistObject:
    visible = listener.show_person(person)
    return {"user_id": visible.id, "email": visible.api_email}


def _format_typing_in_edit(
    event: happened.TypingInEdit, listener: Listener, position: Position
) -> TypingEditEvent | None:
    if listener.actor.user_id in event.unwanted_by:
        return None
    return {
        "type": "typing_edit_message",
        "op": event.op,
        "sender_id": event.sender_id,
        "message_id": event.message_id,
        "recipient": _place_of_edit(event, listener),
        "id": position,
    }


def _place_of_edit(event: happened.TypingInEdit, listener: Listener) -> EditPlaceObject:
    if event.channel_id is None:
        return {"type": "direct", "user_ids": list(event.user_ids)}
    return {"type": "channel", "channel_id": event.channel_id, "topic": listener.show_topic(event.topic)}


# -- drafts -------------------------------------------------------------------------------------------


def _format_drafts_added(
    event: happened.DraftsAdded, listener: Listener, position: Position
) -> DraftsAddEvent:
    return {"type": "drafts", "op": "add", "drafts": list(event.drafts), "id": position}


def _format_draft_changed(
    event: happened.DraftChanged, listener: Listener, position: Position
) -> DraftUpdateEvent:
    return {"type": "drafts", "op": "update", "draft": event.draft, "id": position}


def _format_draft_removed(
    event: happened.DraftRemoved, listener: Listener, position: Position
) -> DraftRemoveEvent:
    return {"type": "drafts", "op": "remove", "draft_id": event.draft_id, "id": position}


# -- saved snippets -----------------------------------------------------------------------------------


def _format_saved_snippet_added(
    event: happened.SavedSnippetAdded, listener: Listener, position: Position
) -> SnippetEvent:
    return {"type": "saved_snippets", "op": "add", "saved_snippet": event.saved_snippet, "id": position}


def _format_saved_snippet_changed(
    event: happened.SavedSnippetChanged, listener: Listener, position: Position
) -> SnippetEvent:
    return {"type": "saved_snippets", "op": "update", "saved_snippet": event.saved_snippet, "id": position}


def _format_saved_snippet_removed(
    event: happened.SavedSnippetRemoved, listener: Listener, position: Position
) -> SnippetRemoveEvent:
    return {
        "type": "saved_snippets",
        "op": "remove",
        "saved_snippet_id": event.saved_snippet_id,
        "id": position,
    }


FORMATTERS = (
    Formatter(happened.MessageSent, _payloads_of_message_sent),
    one_payload(happened.ReactionChanged, _format_reaction_changed, _same_visibility),
    one_payload(happened.SubmessageAdded, _format_submessage_added),
    one_payload(happened.TypingInChannel, _format_typing_in_channel, nobody_else),
    one_payload(happened.TypingDirectly, _format_typing_directly, nobody_else),
    one_payload(happened.TypingInEdit, _format_typing_in_edit, nobody_else),
    one_payload(happened.DraftsAdded, _format_drafts_added),
    one_payload(happened.DraftChanged, _format_draft_changed),
    one_payload(happened.DraftRemoved, _format_draft_removed),
    one_payload(happened.SavedSnippetAdded, _format_saved_snippet_added),
    one_payload(happened.SavedSnippetChanged, _format_saved_snippet_changed),
    one_payload(happened.SavedSnippetRemoved, _format_saved_snippet_removed),
)
