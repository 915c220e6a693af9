"""Scheduled messages and reminders."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict, TypeVar

from chatcore.domain.files.foreign_media import ForeignMedia
from chatcore.domain.scheduled.scheduled_messages import Scheduled
from chatcore.events.payloads.parts import Payload

__all__ = [
    "ReminderRemoveEvent",
    "RemindersAddEvent",
    "ScheduledAddEvent",
    "ScheduledRemoveEvent",
    "ScheduledUpdateEvent",
]


class ScheduledMessageObject(TypedDict):
    scheduled_message_id: int
    type: str
    to: int | Sequence[int]
    topic: NotRequired[str]
    """Only for a message to a channel."""
    content: str
    rendered_content: str
    scheduled_delivery_timestamp: int
    failed: bool


def scheduled_message_object(scheduled: Scheduled) -> ScheduledMessageObject:
    sent: ScheduledMessageObject = {
        "scheduled_message_id": scheduled.id,
        "type": str(scheduled.kind),
        "to": scheduled.people if scheduled.channel_id is None else scheduled.channel_id,
        "content": scheduled.content,
        "rendered_content": scheduled.rendered_content,
        "scheduled_delivery_timestamp": scheduled.due,
        "failed": scheduled.failure is not None,
    }
    if scheduled.channel_id is not None:
        sent["topic"] = scheduled.topic
    return sent


class ReminderObject(TypedDict):
    reminder_id: int
    type: str
    to: Sequence[int]
    content: str
    rendered_content: str
    scheduled_delivery_timestamp: int
    failed: bool
    reminder_target_message_id: int


def reminder_object(reminder: Scheduled) -> ReminderObject:
    assert reminder.reminds_of is not None
    return {
        "reminder_id": reminder.id,
        "type": str(reminder.kind),
        "to": reminder.people,
        "content": reminder.content,
        "rendered_content": reminder.rendered_content,
        "scheduled_delivery_timestamp": reminder.due,
        "failed": reminder.failure is not None,
        "reminder_target_message_id": reminder.reminds_of,
    }


S = TypeVar("S", ScheduledMessageObject, ReminderObject)


def shown_object(stored: S, media: ForeignMedia) -> S:
    """Return a scheduled message or a reminder as its author gets it."""
    shown = stored.copy()
    shown["rendered_content"] = media.shown(stored["rendered_content"])
    return shown


class ScheduledAddEvent(Payload):
    type: Literal["scheduled_messages"]
    op: Literal["add"]
    scheduled_messages: list[ScheduledMessageObject]


class ScheduledUpdateEvent(Payload):
    type: Literal["scheduled_messages"]
    op: Literal["update"]
    scheduled_message: ScheduledMessageObject


class ScheduledRemoveEvent(Payload):
    type: Literal["scheduled_messages"]
    op: Literal["remove"]
    scheduled_message_id: int


class RemindersAddEvent(Payload):
    type: Literal["reminders"]
    op: Literal["add"]
    reminders: list[ReminderObject]


class ReminderRemoveEvent(Payload):
    type: Literal["reminders"]
    op: Literal["remove"]
    reminder_id: int
