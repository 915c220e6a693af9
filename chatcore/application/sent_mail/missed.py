"""Missed messages that are due: whether they are still worth a mail, and the mails about them.

The outbox has no text of a message: when a mail is sent, its messages are read anew, and looked at again.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from chatcore.application import units
from chatcore.application.mail import outbox
from chatcore.application.messages.fetching import Fetched, Reading, fetch_received
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, is_open
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, RecipientId
from chatcore.domain.mail.mails import MailKind, is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.missed import (
    FULL_PAUSE,
    MAILS,
    MAX_WAITING,
    Cause,
    Medium,
    MissedConversation,
    Reception,
    active_until,
    cause_of,
    patience_of,
)
from chatcore.domain.topics import VisibilityPolicy

WRITTEN_AT_ONCE: Final = 20
"""Conversations whose mails are written in one unit of work: each commit takes longer than a mail."""


class MissedMessage(NamedTuple):
    """A message that its person has missed, and why it is worth telling."""

    reading: Reading
    cause: Cause


class MissedOfPerson(NamedTuple):
    """The messages that a person has missed, ascending."""

    user: User
    messages: Sequence[MissedMessage]
    empty_topic_name: str
    """The name that the person is shown of the topic without a name."""


@dataclass(frozen=True, slots=True)
class _Decision:
    """The mails to write, each with its messages; or the time until which all waits."""

    mails: Sequence[Sequence[MessageId]] = ()
    put_off: int | None = None


def find_missed(
    view: View, user_id: int, message_ids: Sequence[MessageId], medium: Medium = MAILS
) -> MissedOfPerson | None:
    """Return those of the messages that are in the person's history, unread, and worth telling by the medium
    with the present settings; None if nothing at all is told: to a bot, a deactivated account, or in a
    deactivated organization.
    """
    snapshot = view.snapshot
    user = snapshot.users.find(user_id)
    if user is None or user.is_bot or not user.is_active or not is_open(view):
        return None
    actor = snapshot.users.actors([user.id], view.now)[user.id]
    fetched = fetch_in_history(view, actor, message_ids)
    subscriptions = snapshot.subscriptions.of_user(user.id)
    missed = []
    for reading in fetched.readings:
        message, policy = reading.message, VisibilityPolicy.INHERIT
        subscription = None if message.channel_id is None else subscriptions.get(message.channel_id)
        if message.channel_id is not None and message.topic_key is not None:
            policy = snapshot.topic_policies.find(user.id, message.channel_id, message.topic_key)
        cause = cause_of(Reception.of(medium, message, user, reading.flags, subscription, policy))
        if cause is not None:
            missed.append(MissedMessage(reading, cause))
    return MissedOfPerson(user, missed, fetched.empty_topic_name)


def fetch_in_history(view: View, actor: Actor, message_ids: Sequence[MessageId]) -> Fetched:
    """Fetch those of the messages that are in the actor's history; only the first ones, if all are too large
    together.
    """
    try:
        return fetch_received.within(view, actor, [], message_ids)
    except BadRequest:
        if len(message_ids) == 1:
            raise
        return fetch_in_history(view, actor, message_ids[: len(message_ids) // 2])


def write_due(svc: Services) -> None:
    """Write the mails about the first conversations that are due, put them off, or forget them."""
    if decisions := units.read(svc, _decide_first):
        units.write(svc, _apply_decisions, decisions)


def _decide_first(view: View) -> Sequence[tuple[MissedConversation, _Decision]]:
    return [(due, _decide(view, due)) for due in view.snapshot.missed.due(view.now, WRITTEN_AT_ONCE)]


def _apply_decisions(unit: Unit, decisions: Sequence[tuple[MissedConversation, _Decision]]) -> None:
    for due, decision in decisions:
        _apply_decision(unit, due, decision)


def _decide(view: View, due: MissedConversation) -> _Decision:
    """Decide whether a mail for each place is written now, none at all, or until when that is put off."""
    found = find_missed(view, due.user_id, due.message_ids)
    if found is None or not is_mailable(ascii_address(found.user.email)):
        return _Decision()
    user = found.user
    active_at = last_activity(view, user)
    messages = [missed.reading.message for missed in found.messages]
    unseen = [message for message in messages if active_at is None or message.timestamp > active_at]
    if not unseen:
        return _Decision()
    collected_until = unseen[0].timestamp + patience_of(user)
    waits_until = max(collected_until, active_until(active_at, view.now) or 0)
    if view.now < waits_until <= view.now + max(patience_of(user), FULL_PAUSE):
        return _Decision(put_off=waits_until)
    places: defaultdict[tuple[RecipientId, str | None], list[MessageId]] = defaultdict(list)
    for message in unseen:
        places[message.recipient_id, message.topic_key].append(message.id)
    return _Decision(list(places.values()))


def last_activity(view: View, user: User) -> int | None:
    """Return the time at which the person was active last, or None if nothing shows one: by the presence; if
    the person or the organization hides it, by the event queues of their clients.
    """
    snapshot = view.snapshot
    if has_presence(view, user):
        presence = snapshot.presences.find(user.id)
        return None if presence is None else presence.active_at
    return max((int(queue.last_seen) for queue in snapshot.queues.of_user(user.id)), default=None)


def has_presence(view: View, user: User) -> bool:
    """Whether clients report the person's activity: neither the person nor the organization hides it."""
    hidden_for_all = view.snapshot.organization.get().presence_disabled
    return bool(setting_values.value(user, PRESENCE_ENABLED)) and not hidden_for_all


def _apply_decision(unit: Unit, due: MissedConversation, decision: _Decision) -> None:
    """Do what was decided, unless the conversation has changed since: it is then looked at again."""
    if unit.tx.missed.find(due.user_id, due.recipient_id, due.topic_key) != due:
        return
    if decision.put_off is not None:
        unit.tx.missed.put(replace(due, due=decision.put_off))
        return
    address = ascii_address(unit.tx.users.get(due.user_id).email)
    waiting = unit.tx.mails.count_to(address, MailKind.MISSED) if decision.mails else 0
    if waiting + len(decision.mails) > MAX_WAITING:
        unit.tx.missed.put(replace(due, due=unit.now + FULL_PAUSE))
        return
    unit.tx.missed.remove(due)
    if not is_mailable(address):
        return
    for message_ids in decision.mails:
        ids = " ".join(map(str, message_ids))
        outbox.put(unit, MailKind.MISSED, address, user=str(due.user_id), messages=ids)
