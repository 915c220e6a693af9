"""Forms of events about changed messages: edited, moved, deleted, and their flags."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from chatcore.domain.ids import Position
from chatcore.domain.messages.flags import Flag, wire_flags
from chatcore.events.happened import FlagsChanged, MessageEdited, MessageRendered, MessagesDeleted
from chatcore.events.payloads.messages import UnreadObject
from chatcore.events.sending.event import Fields, WireEvent
from chatcore.events.sending.formatter import Formatter, form, form_for_each_position
from chatcore.events.sending.listener import Listener


def _flags_of_edited(event: MessageEdited | MessageRendered, listener: Listener) -> Flag:
    return listener.flags.get(event.message_id, Flag.READ)


def _same_flags(event: MessageEdited | MessageRendered, listener: Listener) -> Hashable:
    return listener.capabilities.empty_topic_name, _flags_of_edited(event, listener)


def _edited(event: MessageEdited, listener: Listener) -> Fields:
    fields: dict[str, Any] = {
        "type": event.type,
        "user_id": event.user_id,
        "edit_timestamp": event.edit_timestamp,
        "rendering_only": False,
        "message_id": event.message_id,
        "message_ids": event.message_ids,
        "flags": wire_flags(_flags_of_edited(event, listener)),
    }
    if event.channel_id is not None:
        fields |= {"stream_id": event.channel_id, "stream_name": event.channel_name}
    if event.orig_topic is not None:
        fields |= {"orig_subject": listener.topic(event.orig_topic), "propagate_mode": event.propagate_mode}
    if event.new_channel_id is not None:
        fields["new_stream_id"] = event.new_channel_id
    if event.topic is not None:
        fields |= {"subject": listener.topic(event.topic), "topic_links": event.topic_links}
    if event.orig_content is not None:
        fields |= {
            "orig_content": event.orig_content,
            "orig_rendered_content": event.orig_rendered_content,
            "content": event.content,
            "rendered_content": event.rendered_content,
            "is_me_message": event.is_me_message,
        }
    return fields


def _rendered(event: MessageRendered, listener: Listener) -> Fields:
    return {
        "type": event.type,
        "user_id": None,
        "edit_timestamp": event.edit_timestamp,
        "rendering_only": True,
        "message_id": event.message_id,
        "message_ids": [event.message_id],
        "flags": wire_flags(_flags_of_edited(event, listener)),
        "content": event.content,
        "rendered_content": event.rendered_content,
    }


def _place_of_deleted(event: MessagesDeleted, listener: Listener) -> Fields:
    if event.channel_id is None:
        return {"type": event.type, "message_type": "private"}
    return {
        "type": event.type,
        "message_type": "stream",
        "stream_id": event.channel_id,
        "topic": listener.topic(event.topic),
    }


def _deleted_together(event: MessagesDeleted, listener: Listener) -> Fields:
    return {**_place_of_deleted(event, listener), "message_ids": event.message_ids}


def _deleted_one_by_one(event: MessagesDeleted, listener: Listener) -> Iterator[Fields]:
    place = _place_of_deleted(event, listener)
    return ({**place, "message_id": message_id} for message_id in event.message_ids)


TOGETHER = form(MessagesDeleted, _deleted_together)
ONE_BY_ONE = form_for_each_position(MessagesDeleted, _deleted_one_by_one)


def _deleted(event: MessagesDeleted, wire: WireEvent, listener: Listener, after: Position) -> Iterable[bytes]:
    formatter = TOGETHER if listener.capabilities.bulk_message_deletion else ONE_BY_ONE
    return formatter.forms(event, wire, listener, after)


def _flags(event: FlagsChanged, listener: Listener) -> Fields:
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
            str(message_id): _unread(details, listener) for message_id, details in event.details.items()
        }
    return fields


def _unread(details: UnreadObject, listener: Listener) -> UnreadObject:
    if "topic" not in details:
        return details
    return {**details, "topic": listener.topic(details["topic"])}


FORMATTERS = (
    form(MessageEdited, _edited, _same_flags),
    form(MessageRendered, _rendered, _same_flags),
    Formatter(MessagesDeleted, _deleted),
    form(FlagsChanged, _flags),
)
