"""Answers of the endpoints that are made from use cases."""

from chatcore.events.payloads.scheduled import ReminderObject, ScheduledMessageObject
from chatcore.http.pipeline.routing import Answer


class ScheduledMessagesAnswer(Answer, frozen=True, kw_only=True):
    scheduled_messages: list[ScheduledMessageObject]


class RemindersAnswer(Answer, frozen=True, kw_only=True):
    reminders: list[ReminderObject]


class NewReminderAnswer(Answer, frozen=True, kw_only=True):
    reminder_id: int
