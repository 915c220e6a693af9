"""Forms of events about edited, moved and deleted messages."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from chatcore.domain.messages.flags import Flag, wire_flags
from chatcore.events.audience import PlacesSeen
from chatcore.events.types import MessageEdited, MessagesDeleted

Topic = Callable[[str], str]
"""Converts a topic for a client, which may need the display name of the empty topic."""


def edited_fields(event: MessageEdited, flags: Flag, topic: Topic) -> dict[str, Any]:
    """Return the event's fields; *flags* are the listener's flags of the message."""
    fields: dict[str, Any] = {
        "type": event.type,
        "user_id": event.user_id,
        "edit_timestamp": event.edit_timestamp,
        "rendering_only": False,
        "message_id": event.message_id,
        "message_ids": event.message_ids,
        "flags": wire_flags(flags),
    }
    if event.channel_id is not None:
        fields |= {"stream_id": event.channel_id, "stream_name": event.channel_name}
    if event.orig_topic is not None:
        fields |= {"orig_subject": topic(event.orig_topic), "propagate_mode": event.propagate_mode}
    if event.new_channel_id is not None:
        fields["new_stream_id"] = event.new_channel_id
    if event.topic is not None:
        fields |= {"subject": topic(event.topic), "topic_links": event.topic_links}
    if event.orig_content is not None:
        fields |= {
            "orig_content": event.orig_content,
            "orig_rendered_content": event.orig_rendered_content,
            "content": event.content,
            "rendered_content": event.rendered_content,
            "is_me_message": event.is_me_message,
        }
    return fields


def move_as_seen(event: MessageEdited, places: PlacesSeen) -> MessageEdited:
    """Return the move without the topic of a place that the reader may no longer read."""
    if not places.after:
        return msgspec.structs.replace(event, topic=None, topic_links=())
    if not places.before and event.topic is not None:
        return msgspec.structs.replace(event, orig_topic=event.topic)
    return event


def deleted_fields(event: MessagesDeleted, topic: Topic) -> dict[str, Any]:
    """Return one event for all messages, for clients with the capability `bulk_message_deletion`."""
    return {**_place_fields(event, topic), "message_ids": event.message_ids}


def deleted_one_by_one(event: MessagesDeleted, topic: Topic) -> Iterator[dict[str, Any]]:
    place = _place_fields(event, topic)
    return ({**place, "message_id": message_id} for message_id in event.message_ids)


def _place_fields(event: MessagesDeleted, topic: Topic) -> dict[str, Any]:
    fields: dict[str, Any] = {"type": event.type, "message_type": "private"}
    if event.channel_id is not None:
        fields |= {"message_type": "stream", "stream_id": event.channel_id, "topic": topic(event.topic)}
    return fields
