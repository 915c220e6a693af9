"""Messages and reminders that wait for their time."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.endpoints.scheduled import reminders, scheduled_messages
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import AnyRoute, Route

ONE: Final = "/scheduled_messages/{scheduled_message_id:int}"

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/scheduled_messages", NoParams, scheduled_messages.list_scheduled_messages),
    Route("POST", "/scheduled_messages", scheduled_messages.CreateParams, scheduled_messages.create),
    Route("PATCH", ONE, scheduled_messages.EditParams, scheduled_messages.edit),
    Route("DELETE", ONE, scheduled_messages.DeleteParams, scheduled_messages.delete),
    Route("GET", "/reminders", NoParams, reminders.list_reminders),
    Route("POST", "/reminders", reminders.CreateParams, reminders.create),
    Route("DELETE", "/reminders/{reminder_id:int}", reminders.DeleteParams, reminders.delete),
)
