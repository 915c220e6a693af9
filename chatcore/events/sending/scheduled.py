"""Payloads of events about scheduled messages and reminders."""

from chatcore.domain.ids import Position
from chatcore.events import happened
from chatcore.events.payloads.scheduled import (
    ReminderRemoveEvent,
    RemindersAddEvent,
    ScheduledAddEvent,
    ScheduledRemoveEvent,
    ScheduledUpdateEvent,
    shown_object,
)
from chatcore.events.sending.formatter import one_payload
from chatcore.events.sending.listener import Listener


def _format_scheduled_message_added(
    event: happened.ScheduledMessageAdded, listener: Listener, position: Position
) -> ScheduledAddEvent:
    return {
        "type": "scheduled_messages",
        "op": "add",
        "scheduled_messages": [shown_object(event.scheduled_message, listener.media)],
        "id": position,
    }


def _format_scheduled_message_changed(
    event: happened.ScheduledMessageChanged, listener: Listener, position: Position
) -> ScheduledUpdateEvent:
    return {
        "type": "scheduled_messages",
        "op": "update",
        "scheduled_message": shown_object(event.scheduled_message, listener.media),
        "id": position,
    }


def _format_scheduled_message_removed(
    event: happened.ScheduledMessageRemoved, listener: Listener, position: Position
) -> ScheduledRemoveEvent:
    return {
        "type": "scheduled_messages",
        "op": "remove",
        "scheduled_message_id": event.scheduled_message_id,
        "id": position,
    }


def _format_reminder_added(
    event: happened.ReminderAdded, listener: Listener, position: Position
) -> RemindersAddEvent:
    reminder = shown_object(event.reminder, listener.media)
    return {"type": "reminders", "op": "add", "reminders": [reminder], "id": position}


def _format_reminder_removed(
    event: happened.ReminderRemoved, listener: Listener, position: Position
) -> ReminderRemoveEvent:
    return {"type": "reminders", "op": "remove", "reminder_id": event.reminder_id, "id": position}


FORMATTERS = (
    one_payload(happened.ScheduledMessageAdded, _format_scheduled_message_added),
    one_payload(happened.ScheduledMessageChanged, _format_scheduled_message_changed),
    one_payload(happened.ScheduledMessageRemoved, _format_scheduled_message_removed),
    one_payload(happened.ReminderAdded, _format_reminder_added),
    one_payload(happened.ReminderRemoved, _format_reminder_removed),
)
