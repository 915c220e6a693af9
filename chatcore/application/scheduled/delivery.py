"""Sending what is due, by whichever process comes first.

A message is sent and its row is removed in one unit of work, and units of work run one at a time: so it is
sent once, however many processes try, and whenever one of them dies.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from chatcore.application import units
from chatcore.application.delivery import notices
from chatcore.application.delivery.card_fetching import want_cards
from chatcore.application.delivery.rendering import RenderedText, render_text
from chatcore.application.due import run_due
from chatcore.application.messages.access import readable_message
from chatcore.application.messages.sending import SendDirect, SendToChannel, send_in
from chatcore.application.scheduled.reminders import text_to_deliver
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, is_open, unit_of_work
from chatcore.domain.errors import ChatError, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.widgets import widget_to_send
from chatcore.domain.scheduled.scheduled_messages import Scheduled
from chatcore.events.audience import Users
from chatcore.events.happened import (
    AnyEvent,
    ReminderAdded,
    ReminderRemoved,
    ScheduledMessageChanged,
    ScheduledMessageRemoved,
)
from chatcore.events.payloads.scheduled import reminder_object, scheduled_message_object
from chatcore.markup import Facts
from chatcore.storage import StorageNotReady, Transaction
from chatcore.storage.slices import let_others

log = logging.getLogger("chatcore.scheduled")

TRIES: Final = 3
"""Attempts to send a message before an unexpected failure counts as final."""
UNEXPECTED: Final = "Internal server error"
AUTHORS: Final = 100
"""The number of authors whose messages are sent before the next look for due ones."""
SHARE: Final = 10
"""The number of messages of one author that are sent before other authors have their turn."""
WORKERS: Final = 8
"""The number of authors whose messages are sent at the same time; these share commits."""


def deliver_due(svc: Services) -> float:
    """Send everything that is due; return the seconds until something is due again, infinity if nothing
    waits.

    A message that cannot be sent stays in the store as failed, with the reason, and its author is notified.
    """
    return run_due(
        svc,
        svc.alarms.scheduled,
        lambda snapshot: snapshot.scheduled_messages.first_due(),
        lambda first: _deliver_round(svc),
    )


def _deliver_round(svc: Services) -> None:
    """Deliver some due messages of each of some authors, the messages of one author by their times."""
    shares = units.read(svc, _read_due_shares)
    if len(shares) == 1:
        _deliver_share(svc, shares[0])
        return
    with ThreadPoolExecutor(WORKERS, "chatcore-delivery") as workers:
        list(workers.map(partial(_deliver_share, svc), shares))


def _read_due_shares(view: View) -> list[Sequence[Scheduled]]:
    waiting, now = view.snapshot.scheduled_messages, view.now
    return [waiting.due_of(author, now, SHARE) for author in waiting.due_authors(now, AUTHORS)]


def _deliver_share(svc: Services, share: Sequence[Scheduled]) -> None:
    for scheduled in share:
        if svc.alarms.scheduled.stopped:
            return
        _deliver_or_fail(svc, scheduled)
        let_others()


def _deliver_or_fail(svc: Services, scheduled: Scheduled) -> None:
    """Send a scheduled message, or mark it as failed; an unexpected failure is final only after several
    tries.

    :raises StorageNotReady: the store is not available at present
    """
    for _ in range(TRIES):
        try:
            _send_or_remind(svc, scheduled)
        except StorageNotReady:
            raise
        except ChatError as error:
            units.write(svc, _store_failure, scheduled, error.message)
        except Exception:
            log.exception("scheduled message %d could not be sent", scheduled.id)
            continue
        return
    units.write(svc, _store_failure, scheduled, UNEXPECTED)


def _send_or_remind(svc: Services, scheduled: Scheduled) -> None:
    """Send a message or deliver a reminder, unless it was sent or changed meanwhile.

    :raises ChatError: it cannot be sent any more
    """
    author = units.read(svc, _find_author, scheduled)
    if scheduled.is_reminder:
        _send_reminder(svc, author, scheduled)
    else:
        _send_message(svc, author, scheduled)


def _send_message(svc: Services, author: Actor, scheduled: Scheduled) -> None:
    text = render_text(svc, author, scheduled.content)
    widget = widget_to_send(scheduled.content, None, svc.limits)
    message_id = units.write(svc, _send_rendered, author, scheduled, text, widget)
    if message_id is not None:
        want_cards(svc, message_id, author, text)


def _send_rendered(
    unit: Unit, author: Actor, scheduled: Scheduled, text: RenderedText, widget: str | None
) -> MessageId | None:
    """Send a message that still waits; return its id."""
    if not _still_waits(unit.tx, scheduled):
        return None
    sent = send_in(unit, author, _command_to_send(scheduled), text, widget)
    unit.tx.scheduled_messages.remove(scheduled.author_id, scheduled.id)
    event = ScheduledMessageRemoved(scheduled_message_id=scheduled.id)
    unit.tx.announce(event, Users((scheduled.author_id,)))
    return sent.message_id


def _send_reminder(svc: Services, reader: Actor, reminder: Scheduled) -> None:
    message, text = text_to_deliver(svc, reader, reminder)
    _deliver_reminder(svc, reader, reminder, message, text)


@unit_of_work
def _deliver_reminder(
    unit: Unit, me: Actor, reminder: Scheduled, message: Message, text: RenderedText
) -> None:
    present = readable_message(unit.tx, me, message.id).message
    # A message that was edited meanwhile is quoted anew by the next round.
    if _still_waits(unit.tx, reminder) and present.content == message.content:
        notices.deliver_to_person(unit, me.user_id, text)
        unit.tx.scheduled_messages.remove(me.user_id, reminder.id)
        unit.tx.announce(ReminderRemoved(reminder_id=reminder.id), Users((me.user_id,)))


def _find_author(view: View, scheduled: Scheduled) -> Actor:
    """Return the author of a message as an actor.

    :raises UserDeactivated:
    """
    actor = view.snapshot.users.actors([scheduled.author_id], view.now).get(scheduled.author_id)
    if actor is None:
        raise UserDeactivated
    return actor


def _command_to_send(scheduled: Scheduled) -> SendToChannel | SendDirect:
    if scheduled.channel_id is None:
        return SendDirect(
            to=scheduled.people,
            content=scheduled.content,
            client=scheduled.client,
            read_by_sender=scheduled.read_by_sender,
        )
    return SendToChannel(
        channel=scheduled.channel_id,
        topic=scheduled.topic,
        content=scheduled.content,
        client=scheduled.client,
        read_by_sender=scheduled.read_by_sender,
    )


def _still_waits(tx: Transaction, scheduled: Scheduled) -> bool:
    """Whether a message still waits unchanged: no other process has sent it, and its author has not changed
    it.
    """
    return tx.scheduled_messages.find(scheduled.author_id, scheduled.id) == scheduled


def _store_failure(unit: Unit, scheduled: Scheduled, reason: str) -> None:
    """Mark a message that still waits as failed, with the reason, and notify the author."""
    if not _still_waits(unit.tx, scheduled):
        return
    failed = replace(scheduled, failure=reason)
    unit.tx.scheduled_messages.update(failed)
    events: Sequence[AnyEvent]
    if failed.is_reminder:
        events = ReminderRemoved(reminder_id=failed.id), ReminderAdded(reminder=reminder_object(failed))
    else:
        events = (ScheduledMessageChanged(scheduled_message=scheduled_message_object(failed)),)
    for event in events:
        unit.tx.announce(event, Users((failed.author_id,)))
    _report_failure(unit, failed, reason)


def _report_failure(unit: Unit, failed: Scheduled, reason: str) -> None:
    """Send a direct message about the failure to the author, or to the owner of a bot.

    A deactivated account gets none, and nobody does in a deactivated organization.
    """
    tx = unit.tx
    author = tx.users.get(failed.author_id)
    reader = author if author.bot_owner_id is None else tx.users.get(author.bot_owner_id)
    if not (author.is_active and reader.is_active and is_open(unit)):
        return
    who = "you" if reader == author else f"your bot {notices.as_code(author.email)}"
    what = "reminder" if failed.is_reminder else "message"
    when = datetime.fromtimestamp(failed.due, UTC).isoformat()
    content = (
        f"The {what} that {who} scheduled for <time:{when}> was not sent because of the following error:"
        f"\n\n> {notices.as_code(reason)}"
    )
    notices.to_person(unit, reader.id, content, Facts())
