"""Payloads of events about changed messages: edited, moved, deleted, and their flags."""

from collections.abc import Hashable, Iterable, Iterator

from chatcore.domain.files.foreign_media import ForeignMedia
from chatcore.domain.ids import Position
from chatcore.domain.messages.flags import Flag, flags_as_sent
from chatcore.events.happened import FlagsChanged, MessageEdited, MessageRendered, MessagesDeleted
from chatcore.events.payloads.messages import (
    DeletedMessages,
    DeleteMessageEvent,
    EditedText,
    FlagsEvent,
    FormerChannel,
    Move,
    PlaceOfDeleted,
    UnreadAgain,
    UnreadObject,
    UpdateMessageEvent,
    topic_links,
)
from chatcore.events.sending.event import EventToSend
from chatcore.events.sending.formatter import Formatter, one_payload, payload_for_each_position
from chatcore.events.sending.listener import Listener


def _flags_of_edited(event: MessageEdited | MessageRendered, listener: Listener) -> Flag:
    """Return the listener's flags of the message; outside of the listener's history it counts as read."""
    return listener.flags.get(event.message_id, Flag.READ)


def _same_flags(event: MessageEdited | MessageRendered, listener: Listener) -> Hashable:
    return listener.capabilities.empty_topic_name, _flags_of_edited(event, listener)


def _format_message_edited(
    event: MessageEdited, listener: Listener, position: Position
) -> UpdateMessageEvent:
    return {
        "type": "update_message",
        "user_id": event.user_id,
        "edit_timestamp": event.edit_timestamp,
        "rendering_only": False,
        "message_id": event.message_id,
        "message_ids": list(event.message_ids),
        "flags": list(flags_as_sent(_flags_of_edited(event, listener))),
        **_former_channel(event),
        **_move_fields(event, listener),
        **_edited_text(event, listener.media),
        "id": position,
    }


def _former_channel(event: MessageEdited) -> FormerChannel:
    if event.channel_id is None:
        return {}
    return {"stream_id": event.channel_id, "stream_name": event.channel_name}


def _move_fields(event: MessageEdited, listener: Listener) -> Move:
    move: Move = {}
    if event.orig_topic is not None and event.propagate_mode is not None:
        move["orig_subject"] = listener.show_topic(event.orig_topic)
        move["propagate_mode"] = event.propagate_mode
    if event.new_channel_id is not None:
        move["new_stream_id"] = event.new_channel_id
    if event.topic is not None:
        move["subject"] = listener.show_topic(event.topic)
        move["topic_links"] = topic_links(event.topic_links)
    return move


def _edited_text(event: MessageEdited, media: ForeignMedia) -> EditedText:
    if event.orig_content is None:
        return {}
    return {
        "orig_content": event.orig_content,
        "orig_rendered_content": media.shown(event.orig_rendered_content),
        "content": event.content,
        "rendered_content": media.shown(event.rendered_content),
        "is_me_message": event.is_me_message,
    }


def _format_message_rendered(
    event: MessageRendered, listener: Listener, position: Position
) -> UpdateMessageEvent:
    return {
        "type": "update_message",
        "user_id": None,
        "edit_timestamp": event.edit_timestamp,
        "rendering_only": True,
        "message_id": event.message_id,
        "message_ids": [event.message_id],
        "flags": list(flags_as_sent(_flags_of_edited(event, listener))),
        "content": event.content,
        "rendered_content": listener.media.shown(event.rendered_content),
        "id": position,
    }


def _place_of_deleted(event: MessagesDeleted, listener: Listener) -> PlaceOfDeleted:
    if event.channel_id is None:
        return {"message_type": "private"}
    return {
        "message_type": "stream",
        "stream_id": event.channel_id,
        "topic": listener.show_topic(event.topic),
    }


def _format_deleted_together(
    event: MessagesDeleted, listener: Listener, position: Position
) -> DeleteMessageEvent:
    place = _place_of_deleted(event, listener)
    return _format_deleted(place, {"message_ids": list(event.message_ids)}, position)


def _format_deleted_one_by_one(
    event: MessagesDeleted, listener: Listener, first: Position
) -> Iterator[DeleteMessageEvent]:
    place = _place_of_deleted(event, listener)
    for position, message_id in enumerate(event.message_ids, first):
        yield _format_deleted(place, {"message_id": message_id}, position)


def _format_deleted(place: PlaceOfDeleted, messages: DeletedMessages, position: int) -> DeleteMessageEvent:
    return {"type": "delete_message", **place, **messages, "id": position}


TOGETHER = one_payload(MessagesDeleted, _format_deleted_together)
ONE_BY_ONE = payload_for_each_position(MessagesDeleted, _format_deleted_one_by_one)


def _payloads_of_messages_deleted(
    event: MessagesDeleted, to_send: EventToSend, listener: Listener, after: Position
) -> Iterable[bytes]:
    formatter = TOGETHER if listener.capabilities.bulk_message_deletion else ONE_BY_ONE
    return formatter.payloads(event, to_send, listener, after)


def _format_flags_changed(event: FlagsChanged, listener: Listener, position: Position) -> FlagsEvent:
    return {
        "type": "update_message_flags",
        "op": event.op,
        "operation": event.op,
        "flag": event.flag,
        "messages": list(event.messages),
        "all": event.all,
        **_unread_again(event, listener),
        "id": position,
    }


def _unread_again(event: FlagsChanged, listener: Listener) -> UnreadAgain:
    if not event.details:
        return {}
    return {
        "message_details": {
            str(message_id): _show_unread(details, listener) for message_id, details in event.details.items()
        }
    }


def _show_unread(details: UnreadObject, listener: Listener) -> UnreadObject:
    """Return the details with the topic's name as the client shows it."""
    if "topic" not in details:
        return details
    return {**details, "topic": listener.show_topic(details["topic"])}


FORMATTERS = (
    one_payload(MessageEdited, _format_message_edited, _same_flags),
    one_payload(MessageRendered, _format_message_rendered, _same_flags),
    Formatter(MessagesDeleted, _payloads_of_messages_deleted),
    one_payload(FlagsChanged, _format_flags_changed),
)
