"""Reminders of messages."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.scheduled import reminders
from chatcore.application.services import Services
from chatcore.events.shapes.scheduled import ReminderObject
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.routing import Answer, Done, encoded


class RemindersAnswer(Answer, frozen=True, kw_only=True):
    reminders: list[ReminderObject]


def list_reminders(svc: Services, caller: Caller, p: NoParams) -> RemindersAnswer:
    """List the caller's reminders of messages, and those that could not be delivered."""
    return RemindersAnswer(reminders=encoded(reminders.list_reminders(svc, caller.actor)))


class CreateParams(Params, frozen=True, kw_only=True):
    message_id: Annotated[Id, about("The message to be reminded of.")]
    scheduled_delivery_timestamp: Annotated[int, about("The time of the reminder, in seconds since 1970.")]
    note: Annotated[Text, about("A note, which the reminder repeats.")] = ""


class NewReminderAnswer(Answer, frozen=True, kw_only=True):
    reminder_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewReminderAnswer:
    """Request a direct message at a later time that reminds of a message."""
    reminder_id = reminders.create_reminder(
        svc, caller.actor, p.message_id, p.scheduled_delivery_timestamp, p.note
    )
    return NewReminderAnswer(reminder_id=reminder_id)


class DeleteParams(Params, frozen=True, kw_only=True):
    reminder_id: Annotated[Id, about("The reminder's id.")]


def delete(svc: Services, caller: Caller, p: DeleteParams) -> Done:
    """Delete a reminder before its time."""
    reminders.delete_reminder(svc, caller.actor, p.reminder_id)
    return Done()
