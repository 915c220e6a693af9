"""Messages and reminders that wait for their time."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.scheduled.reminders import create_reminder, delete_reminder, list_reminders
from chatcore.application.scheduled.scheduled_messages import (
    delete_scheduled_message,
    list_scheduled_messages,
)
from chatcore.http.endpoints.scheduled import scheduled_messages
from chatcore.http.endpoints.scheduled.answers import (
    NewReminderAnswer,
    RemindersAnswer,
    ScheduledMessagesAnswer,
)
from chatcore.http.operations import operation
from chatcore.http.pipeline.routing import AnyRoute, Route

ONE: Final = "/scheduled_messages/{scheduled_message_id:int}"

ROUTES: Final[Sequence[AnyRoute]] = (
    operation("GET", "/scheduled_messages", list_scheduled_messages, ScheduledMessagesAnswer),
    Route("POST", "/scheduled_messages", scheduled_messages.CreateParams, scheduled_messages.create),
    Route("PATCH", ONE, scheduled_messages.EditParams, scheduled_messages.edit),
    operation("DELETE", ONE, delete_scheduled_message, names={"scheduled_id": "scheduled_message_id"}),
    operation("GET", "/reminders", list_reminders, RemindersAnswer),
    operation(
        "POST",
        "/reminders",
        create_reminder,
        NewReminderAnswer,
        names={"due": "scheduled_delivery_timestamp"},
    ),
    operation("DELETE", "/reminders/{reminder_id:int}", delete_reminder),
)
