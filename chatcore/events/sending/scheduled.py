"""Forms of events about scheduled messages and reminders."""

from chatcore.events import happened
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import form
from chatcore.events.sending.listener import Listener


def _added(event: happened.ScheduledMessageAdded, listener: Listener) -> Fields:
    return {"type": event.type, "op": "add", "scheduled_messages": [event.scheduled_message]}


def _changed(event: happened.ScheduledMessageChanged, listener: Listener) -> Fields:
    return {"type": event.type, "op": "update", "scheduled_message": event.scheduled_message}


def _removed(event: happened.ScheduledMessageRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "remove", "scheduled_message_id": event.scheduled_message_id}


def _reminder_added(event: happened.ReminderAdded, listener: Listener) -> Fields:
    return {"type": event.type, "op": "add", "reminders": [event.reminder]}


def _reminder_removed(event: happened.ReminderRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "remove", "reminder_id": event.reminder_id}


FORMATTERS = (
    form(happened.ScheduledMessageAdded, _added),
    form(happened.ScheduledMessageChanged, _changed),
    form(happened.ScheduledMessageRemoved, _removed),
    form(happened.ReminderAdded, _reminder_added),
    form(happened.ReminderRemoved, _reminder_removed),
)
