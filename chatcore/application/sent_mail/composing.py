"""Mails about missed messages, and summaries, with the texts that the messages have when the mail is sent."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from chatcore.application.messages.fetching import Reading
from chatcore.application.received_mail.reply_addresses import reply_address
from chatcore.application.sent_mail.digests import DigestOfPerson, find_digest
from chatcore.application.sent_mail.missed import MissedMessage, fetch_in_history, find_missed
from chatcore.application.sent_mail.unsubscribing import MailList, unsubscribe_headers, unsubscribe_link
from chatcore.application.services import Services
from chatcore.application.signing import keyed_hash
from chatcore.application.units import View
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.mail.mails import Mail
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.setting_values import value, zone_of
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.digest_wording import DigestMail, DigestTopic, NewChannel
from chatcore.domain.sent_mail.missed import ALWAYS, MAX_MESSAGES, NAMES_ORGANIZATION, WITH_TEXT
from chatcore.domain.sent_mail.pages import page_of
from chatcore.domain.sent_mail.wording import MissedMail, ShownMessage
from chatcore.markup.html.inner_links import channel_address, conversation_address, encode_operand

THREAD: Final = "mail thread"
THREAD_DIGITS: Final = 32


def compose_missed(view: View, mail: Mail) -> tuple[MissedMail, dict[str, str]] | None:
    """Return what a mail about missed messages says, and its further headers; None if none of them is missed
    any more, or its person has another address now.
    """
    found = find_missed(view, int(mail.facts["user"]), _message_ids_in(mail))
    if found is None or not found.messages:
        return None
    user, missed, empty_topic_name = found
    if ascii_address(user.email) != mail.recipient:
        return None
    svc, newest = view.svc, missed[-1].reading
    answers = reply_address(svc, user, newest.message.id) if svc.settings.receives_mail else None
    unsubscribe = unsubscribe_link(svc, user.id, MailList.MISSED)
    thread = _thread_id_of(svc, user.id, missed[0])
    headers = {"In-Reply-To": thread, "References": thread, **unsubscribe_headers(unsubscribe)}
    if answers is not None:
        headers["Reply-To"] = answers
    organization = view.snapshot.organization.get()
    shows_text = _shows_text(organization, user)
    in_channel = newest.message.channel_id is not None
    topic = newest.message.topic or empty_topic_name
    says = MissedMail(
        organization=organization.name,
        place=f"#{newest.channel_name} > {topic}" if in_channel else "",
        others=[person.full_name for person in newest.people if person.id != user.id],
        messages=[_show_message(svc, user, message.reading) for message in missed[:MAX_MESSAGES]],
        message_count=len(missed),
        cause=missed[0].cause,
        shows_text=shows_text,
        names_organization=value(user, NAMES_ORGANIZATION) == ALWAYS,
        can_be_answered=answers is not None,
        link=svc.settings.external_url + (path_to(user, missed[0].reading) if shows_text else ""),
        unsubscribe_link=unsubscribe,
    )
    return says, headers


def _message_ids_in(mail: Mail) -> Sequence[MessageId]:
    return [MessageId(int(number)) for number in mail.facts["messages"].split()]


def compose_digest(view: View, mail: Mail) -> tuple[DigestMail, dict[str, str]] | None:
    """Return what a summary says, and its further headers; None if there is no reason any more to send it, or
    its person has another address now.
    """
    svc, user = view.svc, view.snapshot.users.find(int(mail.facts["user"]))
    if user is None or ascii_address(user.email) != mail.recipient:
        return None
    digest = find_digest(view, user, int(mail.facts["since"]), int(mail.facts["until"]))
    if digest is None:
        return None
    organization = view.snapshot.organization.get()
    unsubscribe = unsubscribe_link(svc, user.id, MailList.DIGESTS)
    says = DigestMail(
        organization=organization.name,
        topics=list(_show_topics(view, user, digest)),
        channels=[
            NewChannel(
                name=channel.name,
                link=f"{svc.settings.external_url}{channel_address(channel.id, channel.name)}",
            )
            for channel in digest.channels
        ],
        message_count=digest.message_count,
        shows_text=_shows_text(organization, user),
        link=svc.settings.external_url,
        unsubscribe_link=unsubscribe,
    )
    return says, unsubscribe_headers(unsubscribe)


def _show_topics(view: View, user: User, digest: DigestOfPerson) -> Iterator[DigestTopic]:
    """Yield the topics of a summary, but those of which no message can be read any more."""
    ids = [message_id for topic in digest.topics for message_id in topic.first_ids]
    if not ids:
        return
    fetched = fetch_in_history(view, digest.actor, ids)
    readings = {reading.message.id: reading for reading in fetched.readings}
    for topic in digest.topics:
        if shown := [readings[message_id] for message_id in topic.first_ids if message_id in readings]:
            yield DigestTopic(
                place=f"#{shown[0].channel_name} > {shown[0].message.topic or fetched.empty_topic_name}",
                message_count=topic.message_count,
                sender_count=topic.sender_count,
                messages=[_show_message(view.svc, user, reading) for reading in shown],
                link=f"{view.svc.settings.external_url}{path_to(user, shown[0])}",
            )


def _shows_text(organization: Organization, user: User) -> bool:
    """Whether mails to a person tell what messages say, who wrote them, and where."""
    return organization.message_content_allowed_in_email_notifications and bool(value(user, WITH_TEXT))


def _show_message(svc: Services, user: User, reading: Reading) -> ShownMessage:
    sent_at = datetime.fromtimestamp(reading.message.timestamp, zone_of(user))
    return ShownMessage(
        sender=reading.sender.full_name,
        time=f"{sent_at:%Y-%m-%d %H:%M %Z}",
        page=page_of(reading.message.rendered_content, svc.settings.external_url),
    )


def _thread_id_of(svc: Services, user_id: UserId, missed: MissedMessage) -> str:
    """Return the Message-ID to which all mails to a person about one conversation refer: so mail programs
    show them together. No mail has it.
    """
    message = missed.reading.message
    place = f"{user_id} {message.recipient_id} {message.topic_key or ''}"
    return f"<{keyed_hash(svc, THREAD, place)[:THREAD_DIGITS]}@{svc.settings.sender.partition('@')[2]}>"


def path_to(user: User, reading: Reading) -> str:
    """Return the path in the web client of a message that the person has, in its conversation."""
    message = reading.message
    if message.channel_id is not None:
        channel = channel_address(message.channel_id, reading.channel_name)
        place = f"{channel}/topic/{encode_operand(message.topic)}"
    else:
        place = conversation_address(person.id for person in reading.people if person.id != user.id)
    return f"{place}/near/{message.id}"
