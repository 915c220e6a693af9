"""Reminders of messages: listing, creating and deleting them.

The stored text names the message and its place. It does not quote the message, which may be edited or deleted
before the reminder is due. The message is quoted on delivery, as the reader may read it then.
"""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.delivery import notices
from chatcore.application.delivery.rendering import RenderedText, render_text
from chatcore.application.messages.access import ReadableMessage, readable_message
from chatcore.application.scheduled.room import require_room_to_wait
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.known_users import known_to
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ScheduledId
from chatcore.domain.messages.messages import Message
from chatcore.domain.scheduled.reminders import NoSuchReminder, checked_note, reminder_text, with_quotation
from chatcore.domain.scheduled.scheduled_messages import Scheduled, require_future
from chatcore.events.audience import Users
from chatcore.events.happened import ReminderAdded, ReminderRemoved
from chatcore.events.payloads.scheduled import ReminderObject, reminder_object, shown_object
from chatcore.markup import written_message
from chatcore.markup.html.inner_links import conversation_address
from chatcore.storage import Snapshot

SOMEBODY = "Somebody"
"""The sender of a message in a reminder for a guest who may not know of the sender."""


@read_only
def list_reminders(view: View, me: Actor) -> Sequence[ReminderObject]:
    """List the caller's reminders of messages, and those that could not be delivered.

    :returns: reminders by their times
    """
    waiting = view.snapshot.scheduled_messages.of_user(me.user_id)
    media = view.svc.settings.foreign_media
    return [shown_object(reminder_object(scheduled), media) for scheduled in waiting if scheduled.is_reminder]


def create_reminder(
    svc: Services,
    actor: Actor,
    message_id: Annotated[Id, about("The message to be reminded of.")],
    due: Annotated[int, about("The time of the reminder, in seconds since 1970.")],
    note: Annotated[str, about("A note, which the reminder repeats.")] = "",
) -> ScheduledId:
    """Request a direct message at a later time that reminds of a message.

    :raises BadRequest: a time in the past, a message that the actor may not read, a note outside the rules,
        or more reminders than an account may store
    """
    require_future(due, svc.now)
    note = checked_note(note, svc.limits)
    text = render_text(svc, actor, reminder_text(_find_link(svc, actor, message_id), note))
    reminder_id = _store_reminder(svc, actor, message_id, due, note, text)
    svc.alarms.scheduled.ring()
    return reminder_id


@read_only
def _find_link(view: View, me: Actor, message_id: int) -> str:
    return _link_to_message(view.svc, me, readable_message(view.snapshot, me, message_id))


@unit_of_work
def _store_reminder(
    unit: Unit, me: Actor, message_id: int, due: int, note: str, text: RenderedText
) -> ScheduledId:
    message = readable_message(unit.tx, me, message_id).message
    waiting = unit.tx.scheduled_messages
    if waiting.count(me.user_id, reminders=True) >= unit.limits.max_reminders_per_user:
        raise BadRequest("You have too many reminders.")
    size_before = waiting.size(me.user_id)
    reminder = waiting.add(
        Scheduled(
            author_id=me.user_id,
            due=due,
            people=(me.user_id,),
            content=text.content,
            rendered_content=text.html,
            reminds_of=message.id,
            note=note,
        )
    )
    require_room_to_wait(unit, me.user_id, size_before)
    unit.tx.announce(ReminderAdded(reminder=reminder_object(reminder)), Users((me.user_id,)))
    return reminder.id


@unit_of_work
def delete_reminder(unit: Unit, me: Actor, reminder_id: Annotated[Id, about("The reminder's id.")]) -> None:
    """Delete a reminder before its time.

    :raises NoSuchReminder: the actor has no reminder with this id
    """
    reminder = unit.tx.scheduled_messages.find(me.user_id, reminder_id)
    if reminder is None or not reminder.is_reminder:
        raise NoSuchReminder
    unit.tx.scheduled_messages.remove(me.user_id, reminder.id)
    unit.tx.announce(ReminderRemoved(reminder_id=reminder.id), Users((me.user_id,)))


def text_to_deliver(svc: Services, reader: Actor, reminder: Scheduled) -> tuple[Message, RenderedText]:
    """Return the message that a reminder is about, and the reminder's text with the message quoted.

    :raises BadRequest: the reader may not read the message any more
    """
    message, content = _quote_message(svc, reader, reminder)
    return message, render_text(svc, reader, content)


@read_only
def _quote_message(view: View, me: Actor, reminder: Scheduled) -> tuple[Message, str]:
    """Return the message that a reminder is about, and the reminder's text in Markdown, with a quotation."""
    readable = readable_message(view.snapshot, me, reminder.reminds_of or 0)
    text = reminder_text(_link_to_message(view.svc, me, readable), reminder.note)
    sender = _mention_sender(view.snapshot, me, readable.message)
    return readable.message, with_quotation(text, sender, readable.message.content, view.limits)


def _link_to_message(svc: Services, reader: Actor, readable: ReadableMessage) -> str:
    """Return a link to a message, in Markdown."""
    message = readable.message
    if readable.channel is not None:
        return written_message(readable.channel.name, message.topic, message.id)
    user_ids = set() if message.conversation is None else set(message.conversation.user_ids)
    others = user_ids - {reader.user_id}
    path = conversation_address(others or [reader.user_id])  # without others it is a note to oneself
    return f"[a direct message]({svc.settings.external_url}{path}/near/{message.id})"


def _mention_sender(snapshot: Snapshot, reader: Actor, message: Message) -> str:
    """Return a silent mention of the sender; SOMEBODY if the reader does not know them."""
    knows = known_to(snapshot, snapshot.organization.get(), reader)
    if knows is not None and not knows(message.sender_id):
        return SOMEBODY
    return notices.silent_mention(snapshot.users.get(message.sender_id))
