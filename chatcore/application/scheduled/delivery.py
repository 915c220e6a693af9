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

from chatcore.application.delivery import notices
from chatcore.application.delivery.card_fetching import want_cards
from chatcore.application.delivery.rendering import render_text
from chatcore.application.due import run_due
from chatcore.application.messages.access import readable_message
from chatcore.application.messages.sending import SendDirect, SendToChannel, send_in
from chatcore.application.scheduled.reminders import text_to_deliver
from chatcore.application.services import Services
from chatcore.application.units import is_open, refresh_actor
from chatcore.domain.errors import ChatError, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.widgets import widget_to_send
from chatcore.domain.scheduled.scheduled_messages import Scheduled
from chatcore.events.audience import Users
from chatcore.events.shapes.scheduled import reminder_shape, scheduled_message_shape
from chatcore.events.types import (
    AnyEvent,
    ReminderAdded,
    ReminderRemoved,
    ScheduledMessageChanged,
    ScheduledMessageRemoved,
)
from chatcore.markup import Facts
from chatcore.storage import Snapshot, StorageNotReady, Transaction
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
    now = svc.now

    def read(snapshot: Snapshot) -> list[Sequence[Scheduled]]:
        waiting = snapshot.scheduled_messages
        return [waiting.due_of(author, now, SHARE) for author in waiting.due_authors(now, AUTHORS)]

    shares = svc.storage.read(read)
    if len(shares) == 1:
        _deliver_share(svc, shares[0])
        return
    with ThreadPoolExecutor(WORKERS, "chatcore-delivery") as workers:
        list(workers.map(partial(_deliver_share, svc), shares))


def _deliver_share(svc: Services, share: Sequence[Scheduled]) -> None:
    for scheduled in share:
        if svc.alarms.scheduled.stopped:
            return
        _deliver(svc, scheduled)
        let_others()


def _deliver(svc: Services, scheduled: Scheduled) -> None:
    """Send a scheduled message, or mark it as failed; an unexpected failure is final only after several
    tries.

    :raises StorageNotReady: the store is not available at present
    """
    for _ in range(TRIES):
        try:
            _send(svc, scheduled)
        except StorageNotReady:
            raise
        except ChatError as error:
            _fail(svc, scheduled, error.message)
        except Exception:
            log.exception("scheduled message %d could not be sent", scheduled.id)
            continue
        return
    _fail(svc, scheduled, UNEXPECTED)


def _send(svc: Services, scheduled: Scheduled) -> None:
    """Send a message or deliver a reminder, unless it was sent or changed meanwhile.

    :raises ChatError: it cannot be sent any more
    """
    author = svc.storage.read(lambda snapshot: _author(svc, snapshot, scheduled))
    if scheduled.is_reminder:
        _remind(svc, author, scheduled)
    else:
        _send_message(svc, author, scheduled)


def _send_message(svc: Services, author: Actor, scheduled: Scheduled) -> None:
    text = render_text(svc, author, scheduled.content)
    widget = widget_to_send(scheduled.content, None, svc.limits)
    cmd = _command(scheduled)

    def write(tx: Transaction) -> MessageId | None:
        if not _waits(tx, scheduled):
            return None
        sent = send_in(svc, tx, author, cmd, text, widget)
        tx.scheduled_messages.remove(scheduled.author_id, scheduled.id)
        gone = ScheduledMessageRemoved(scheduled_message_id=scheduled.id)
        tx.announce(gone, Users((scheduled.author_id,)))
        return sent.message_id

    message_id = svc.storage.write(write)
    if message_id is not None:
        want_cards(svc, message_id, author, text)


def _remind(svc: Services, reader: Actor, reminder: Scheduled) -> None:
    message, text = text_to_deliver(svc, reader, reminder)

    def write(tx: Transaction) -> None:
        now = readable_message(tx, refresh_actor(tx, reader, svc.now), message.id).message
        if _waits(tx, reminder) and now.content == message.content:  # else the next round renders it anew
            notices.deliver_to_person(svc, tx, reader.user_id, text)
            tx.scheduled_messages.remove(reader.user_id, reminder.id)
            tx.announce(ReminderRemoved(reminder_id=reminder.id), Users((reader.user_id,)))

    svc.storage.write(write)


def _author(svc: Services, snapshot: Snapshot, scheduled: Scheduled) -> Actor:
    """Return the author of a message as an actor.

    :raises UserDeactivated:
    """
    actor = snapshot.users.actors([scheduled.author_id], svc.now).get(scheduled.author_id)
    if actor is None:
        raise UserDeactivated
    return actor


def _command(scheduled: Scheduled) -> SendToChannel | SendDirect:
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


def _waits(tx: Transaction, scheduled: Scheduled) -> bool:
    """Whether a message still waits unchanged: no other process has sent it, and its author has not changed
    it.
    """
    return tx.scheduled_messages.find(scheduled.author_id, scheduled.id) == scheduled


def _fail(svc: Services, scheduled: Scheduled, reason: str) -> None:
    """Mark a message as failed, with the reason, and notify the author."""
    failed = replace(scheduled, failure=reason)

    def write(tx: Transaction) -> None:
        if not _waits(tx, scheduled):
            return
        tx.scheduled_messages.update(failed)
        events: Sequence[AnyEvent]
        if failed.is_reminder:
            events = ReminderRemoved(reminder_id=failed.id), ReminderAdded(reminder=reminder_shape(failed))
        else:
            events = (ScheduledMessageChanged(scheduled_message=scheduled_message_shape(failed)),)
        for event in events:
            tx.announce(event, Users((failed.author_id,)))
        _report(svc, tx, failed, reason)

    svc.storage.write(write)


def _report(svc: Services, tx: Transaction, failed: Scheduled, reason: str) -> None:
    """Send a direct message about the failure to the author, or to the owner of a bot.

    A deactivated account gets none, and nobody does in a deactivated organization.
    """
    author = tx.users.get(failed.author_id)
    reader = author if author.bot_owner_id is None else tx.users.get(author.bot_owner_id)
    if not (author.is_active and reader.is_active and is_open(tx)):
        return
    who = "you" if reader == author else f"your bot {notices.as_code(author.email)}"
    what = "reminder" if failed.is_reminder else "message"
    when = datetime.fromtimestamp(failed.due, UTC).isoformat()
    content = (
        f"The {what} that {who} scheduled for <time:{when}> was not sent because of the following error:"
        f"\n\n> {notices.as_code(reason)}"
    )
    notices.to_person(svc, tx, reader.id, content, Facts())
