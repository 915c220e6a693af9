"""Events of scheduled messages and reminders."""

from chatcore.domain.ids import ScheduledId
from chatcore.events.happened.base import Event
from chatcore.events.payloads.scheduled import ReminderObject, ScheduledMessageObject


class ScheduledMessageAdded(Event, frozen=True, kw_only=True, tag="scheduled_message_added"):
    type = "scheduled_messages"
    scheduled_message: ScheduledMessageObject


class ScheduledMessageChanged(Event, frozen=True, kw_only=True, tag="scheduled_message_changed"):
    """The author of a scheduled message has changed it, or it could not be sent."""

    type = "scheduled_messages"
    scheduled_message: ScheduledMessageObject


class ScheduledMessageRemoved(Event, frozen=True, kw_only=True, tag="scheduled_message_removed"):
    """A scheduled message was sent, or its author has deleted it."""

    type = "scheduled_messages"
    scheduled_message_id: ScheduledId


class ReminderAdded(Event, frozen=True, kw_only=True, tag="reminder_added"):
    type = "reminders"
    reminder: ReminderObject


class ReminderRemoved(Event, frozen=True, kw_only=True, tag="reminder_removed"):
    """A reminder was delivered or deleted. A reminder that could not be delivered is removed and added again,
    because the API has no event for its change.
    """

    type = "reminders"
    reminder_id: ScheduledId


AnyScheduledEvent = (
    ScheduledMessageAdded
    | ScheduledMessageChanged
    | ScheduledMessageRemoved
    | ReminderAdded
    | ReminderRemoved
)
