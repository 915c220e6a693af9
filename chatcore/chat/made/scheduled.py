"""Messages that are sent later, and reminders.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.scheduled import delivery, reminders, scheduled_messages
from chatcore.chat.given import number, optional, text
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.events.payloads.scheduled import ReminderObject, ScheduledMessageObject


class ScheduledMessages(Part):
    """Messages of the actor that wait for their time."""

    def list(self, actor: Actor) -> Sequence[ScheduledMessageObject]:
        """List the caller's messages that are to be sent later, and those that could not be sent.

        :returns: messages by their times
        """
        return scheduled_messages.list_scheduled_messages(self._svc, self._acting(actor))

    def delete(self, actor: Actor, scheduled_id: int, *, prev_content_sha256: str | None = None) -> None:
        """Delete a scheduled message: it is not sent.

        :raises NoSuchScheduledMessage: the actor has no scheduled message with this id
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        """
        scheduled_messages.delete_scheduled_message(
            self._svc,
            self._acting(actor),
            number(scheduled_id=scheduled_id),
            prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
        )

    def deliver_due(self) -> float:
        """Send everything that is due; return the seconds until something is due again, infinity if nothing
        waits.

        A message that cannot be sent stays in the store as failed, with the reason, and its author is
        notified.
        """
        return delivery.deliver_due(self._svc)


class Reminders(Part):
    """Reminders of messages, for the actor."""

    def list(self, actor: Actor) -> Sequence[ReminderObject]:
        """List the caller's reminders of messages, and those that could not be delivered.

        :returns: reminders by their times
        """
        return reminders.list_reminders(self._svc, self._acting(actor))

    def delete(self, actor: Actor, reminder_id: int) -> None:
        """Delete a reminder before its time.

        :raises NoSuchReminder: the actor has no reminder with this id
        """
        reminders.delete_reminder(self._svc, self._acting(actor), number(reminder_id=reminder_id))
