"""Reminders of messages: listing, creating and deleting them.

The stored text names the message and its place. It does not quote the message, which may be edited or deleted
before the reminder is due. The message is quoted on delivery, as the reader may read it then.
"""

from collections.abc import Sequence

from chatcore.application.delivery import notices
from chatcore.application.delivery.rendering import Text, render_text
from chatcore.application.messages.access import ReadableMessage, readable_message
from chatcore.application.scheduled.room import require_room_to_wait
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.known_users import known_to
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ScheduledId
from chatcore.domain.messages.messages import Message
from chatcore.domain.scheduled.reminders import NoSuchReminder, checked_note, reminder_text, with_quotation
from chatcore.domain.scheduled.scheduled_messages import Scheduled, require_future
from chatcore.events.audience import Users
from chatcore.events.shapes.scheduled import ReminderObject, reminder_shape
from chatcore.events.types import ReminderAdded, ReminderRemoved
from chatcore.markup import written_message
from chatcore.storage import Snapshot, Transaction

SOMEBODY = "Somebody"
"""The sender of a message in a reminder for a guest who may not know of the sender."""


def list_reminders(svc: Services, actor: Actor) -> Sequence[ReminderObject]:
    """Return the actor's reminders, and those that could not be delivered; the first due comes first."""
    found = svc.storage.read(lambda snapshot: snapshot.scheduled_messages.of_user(actor.user_id))
    return [reminder_shape(one) for one in found if one.is_reminder]


def create_reminder(svc: Services, actor: Actor, message_id: int, due: int, note: str = "") -> ScheduledId:
    """Store a request to be reminded of a message, and notify the actor's clients.

    :raises BadRequest: a time in the past, a message that the actor may not read, a note outside the rules,
        or more reminders than an account may store
    """
    require_future(due, svc.now)
    note = checked_note(note, svc.limits)

    def place(snapshot: Snapshot) -> str:
        return _place(svc, actor, readable_message(snapshot, actor, message_id))

    text = render_text(svc, actor, reminder_text(svc.storage.read(place), note))

    def write(tx: Transaction) -> ScheduledId:
        me = refresh_actor(tx, actor, svc.now)
        message = readable_message(tx, me, message_id).message
        stored = tx.scheduled_messages
        if stored.count(me.user_id, reminders=True) >= svc.limits.max_reminders_per_user:
            raise BadRequest("You have too many reminders.")
        before = stored.size(me.user_id)
        reminder = stored.add(
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
        require_room_to_wait(svc, tx, me.user_id, before)
        tx.announce(ReminderAdded(reminder=reminder_shape(reminder)), Users((me.user_id,)))
        return reminder.id

    reminder_id = svc.storage.write(write)
    svc.alarms.scheduled.ring()
    return reminder_id


def delete_reminder(svc: Services, actor: Actor, reminder_id: int) -> None:
    """Remove a reminder before it is delivered, and notify the actor's clients.

    :raises NoSuchReminder: the actor has no reminder with this id
    """

    def write(tx: Transaction) -> None:
        reminder = tx.scheduled_messages.find(actor.user_id, reminder_id)
        if reminder is None or not reminder.is_reminder:
            raise NoSuchReminder
        tx.scheduled_messages.remove(actor.user_id, reminder.id)
        tx.announce(ReminderRemoved(reminder_id=reminder.id), Users((actor.user_id,)))

    svc.storage.write(write)


def text_to_deliver(svc: Services, reader: Actor, reminder: Scheduled) -> tuple[Message, Text]:
    """Return the message that a reminder is about, and the reminder's text with the message quoted.

    :raises BadRequest: the reader may not read the message any more
    """

    def write_text(snapshot: Snapshot) -> tuple[Message, str]:
        found = readable_message(snapshot, reader, reminder.reminds_of or 0)
        text = reminder_text(_place(svc, reader, found), reminder.note)
        sender = _sender(snapshot, reader, found.message)
        return found.message, with_quotation(text, sender, found.message.content, svc.limits)

    message, content = svc.storage.read(write_text)
    return message, render_text(svc, reader, content)


def _place(svc: Services, reader: Actor, found: ReadableMessage) -> str:
    """Return a link to a message."""
    message = found.message
    if found.channel is not None:
        return written_message(found.channel.name, message.topic, message.id)
    user_ids = set() if message.conversation is None else set(message.conversation.user_ids)
    others = sorted(user_ids - {reader.user_id}) or [reader.user_id]
    people = ",".join(map(str, others))
    return f"[a direct message]({svc.settings.external_url}/#narrow/dm/{people}-dm/near/{message.id})"


def _sender(snapshot: Snapshot, reader: Actor, message: Message) -> str:
    knows = known_to(snapshot, snapshot.organization.get(), reader)
    if knows is not None and not knows(message.sender_id):
        return SOMEBODY
    return notices.named(snapshot.users.get(message.sender_id))
