"""Summaries by mail for people who were away for days, once a week, if the organization wants them.

A process looks at people in the order of their ids, and writes the mails to some of them together with how
far it came, unless another process was faster. It writes only while no mail is due: other mails do not wait
for those of a whole organization. The outbox has neither texts nor messages: what a summary tells is looked
up when it is sent.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, NamedTuple

from chatcore.application import units
from chatcore.application.due import read_due
from chatcore.application.mail import outbox
from chatcore.application.messages.unread import unread_of
from chatcore.application.sent_mail.missed import has_presence, last_activity
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, is_open
from chatcore.application.visibility.viewers import viewer_without_channels, with_policies
from chatcore.domain.channels.channels import Channel, has_metadata_access, is_subscribed
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.mail.mails import MailKind, is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.messages.messages import Message
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.digests import (
    MAX_CHANNELS,
    MAX_UNREAD,
    BusyTopic,
    DigestRound,
    busiest_topics,
    is_away,
    round_due,
    wants_digest,
)
from chatcore.storage import StorageNotReady
from chatcore.storage.slices import let_others

log = logging.getLogger("chatcore.mail")

PEOPLE_AT_ONCE: Final = 10
"""People who are looked at in one snapshot: finding out what somebody missed takes some milliseconds."""
WAIT: Final = 1.0
"""Seconds until the server looks again whether the mails are sent for which summaries wait."""


class DigestOfPerson(NamedTuple):
    """The contents of a summary for one person."""

    actor: Actor
    topics: Sequence[BusyTopic]
    channels: Sequence[Channel]
    """New channels, the newest first."""
    message_count: int
    """All unread messages in channels, of the time that the summary is about."""


@dataclass(frozen=True, slots=True)
class _RoundPart:
    """Some of the people of a round."""

    stored: DigestRound | None
    reached: DigestRound
    """The round after these people."""
    user_ids: Sequence[UserId]
    """The people among them to whom a mail is written."""
    is_put_off: bool = False
    """Whether other mails are sent first."""


def write_digests(svc: Services) -> float:
    """Write the summaries that are due, each once, until all are written, the alarm is stopped, or a mail is
    due, which is sent first. Return the seconds until there may be more to do; without a mail that is due,
    infinity, as an alarm looks regularly.

    After `Chat.deliver_on_time` this happens by itself. A server that sends no mail writes none.
    """
    while svc.settings.sends_mail and not svc.alarms.digests.stopped:
        part = read_due(svc, lambda snapshot: _read_part(View(svc, snapshot)))
        if part is not None and part.is_put_off:
            return WAIT
        if part is None or not units.write(svc, _write_part, part):
            break
        let_others()
    return inf


def find_digest(view: View, user: User, since: int, until: int) -> DigestOfPerson | None:
    """Return the contents of a summary of the time from *since* until before *until*; None if there is no
    reason to send one: nothing was new, the person is back, or the person or the organization has switched
    summaries off.
    """
    snapshot = view.snapshot
    if not is_open(view) or not snapshot.organization.get().digest_emails_enabled:
        return None
    if not wants_digest(user) or not is_away(user, _last_use(view, user), view.now):
        return None
    actor = snapshot.users.actors([user.id], view.now)[user.id]
    topics = list(_unread_topics(view, actor, since, until))
    channels = _new_channels(view, actor, since, until)
    if not topics and not channels:
        return None
    return DigestOfPerson(actor, busiest_topics(topics), channels, sum(map(len, topics)))


def _last_use(view: View, user: User) -> int | None:
    """Return the time at which the person was active last; None or 0 if nothing shows one. Event queues do
    not last; so the sessions of browsers count too for people whose activity is hidden.
    """
    active_at = last_activity(view, user)
    if has_presence(view, user):
        return active_at
    sessions = view.snapshot.browser_sessions.of_user(user.id)
    return max((active_at or 0, *(session.used_at for session in sessions)))


def _unread_topics(view: View, actor: Actor, since: int, until: int) -> Iterator[Sequence[Message]]:
    """Yield for each topic that the actor has not muted the unread messages that others have sent from
    *since* until before *until*; topics without any are left out.
    """
    snapshot = view.snapshot
    viewer = with_policies(snapshot, viewer_without_channels(snapshot, actor))
    topics = [topic for topic in unread_of(snapshot, viewer, MAX_UNREAD).topics if not topic.is_muted]
    message_ids = [message_id for topic in topics for message_id in topic.message_ids]
    outlines = snapshot.messages.outlines(message_ids)
    recent = {
        message.id: message
        for message in outlines
        if since <= message.timestamp < until and message.sender_id != actor.user_id
    }
    for topic in topics:
        messages = [recent[message_id] for message_id in topic.message_ids if message_id in recent]
        if messages:
            yield messages


def _new_channels(view: View, actor: Actor, since: int, until: int) -> Sequence[Channel]:
    """Return the channels that the actor may know of and that were made from *since* until before *until*,
    the newest first; `MAX_CHANNELS` at most.
    """
    snapshot = view.snapshot
    mine = snapshot.subscriptions.of_user(actor.user_id)
    new = [
        channel
        for channel in snapshot.channels.all()
        if since <= channel.date_created < until
        and not channel.is_archived
        and has_metadata_access(channel, actor, subscribed=is_subscribed(mine.get(channel.id)))
    ]
    new.sort(key=lambda channel: (-channel.date_created, channel.id))
    return new[:MAX_CHANNELS]


def _read_part(view: View) -> _RoundPart | None:
    """Return the next people of the round; None if there is no round at present, or it is over."""
    snapshot = view.snapshot
    organization = snapshot.organization.find()
    if organization is None or not organization.digest_emails_enabled:
        return None
    stored = snapshot.digests.find()
    due = round_due(organization.digest_weekday, stored, view.now)
    if due is None:
        return None
    remaining = [user for user in snapshot.users.all() if user.id > due.after_user_id and wants_digest(user)]
    people = remaining[:PEOPLE_AT_ONCE]
    if not people:
        return None
    mail = snapshot.mails.first_due(view.now)
    if mail is not None and mail.due <= view.now:
        return _RoundPart(stored, due, (), is_put_off=True)
    to_write = [user.id for user in people if _has_something_to_tell(view, user, due)]
    return _RoundPart(stored, replace(due, after_user_id=people[-1].id), to_write)


def _has_something_to_tell(view: View, user: User, due: DigestRound) -> bool:
    """Whether there is a summary for a person. A fault in what one person missed ends nothing for others."""
    try:
        return find_digest(view, user, due.since, due.begun_at) is not None
    except StorageNotReady:
        raise
    except Exception:
        log.exception("there is no summary for account %d", user.id)
        return False


def _write_part(unit: Unit, part: _RoundPart) -> bool:
    """Write the mails of some people; return False if another process was faster."""
    if unit.tx.digests.find() != part.stored:
        return False
    for user_id in part.user_ids:
        address = ascii_address(unit.tx.users.get(user_id).email)
        if is_mailable(address) and not unit.tx.mails.count_to(address, MailKind.DIGEST):
            since, until = str(part.reached.since), str(part.reached.begun_at)
            outbox.put(unit, MailKind.DIGEST, address, user=str(user_id), since=since, until=until)
    unit.tx.digests.put(part.reached)
    return True
