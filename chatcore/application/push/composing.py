"""Pushes with the texts that messages have when a push is sent; none disturbs who is active then."""

from dataclasses import dataclass

from chatcore.application.push.subscriptions import is_live
from chatcore.application.sent_mail.composing import path_to
from chatcore.application.sent_mail.missed import MissedMessage, find_missed, last_activity
from chatcore.application.services import Services
from chatcore.application.signing import short_mark
from chatcore.application.units import View
from chatcore.domain.people.setting_values import value, zone_of
from chatcore.domain.people.users import User
from chatcore.domain.push.do_not_disturb import DoNotDisturb
from chatcore.domain.push.modes import PushMode
from chatcore.domain.push.pushes import Push, PushText
from chatcore.domain.push.subscriptions import PushSubscription
from chatcore.domain.received_mail.pages import lines_of_page
from chatcore.domain.sent_mail.missed import PUSHES, Cause, active_until
from chatcore.domain.sent_mail.pages import page_of

QUOTES_DIRECT = "pm_content_in_desktop_notifications"
"""The setting of a person that a notification quotes direct messages."""
URGENT = frozenset({Cause.DIRECT, Cause.MENTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposedPush:
    says: PushText
    subscription: PushSubscription
    is_urgent: bool


def compose_push(view: View, push: Push) -> ComposedPush | int | None:
    """Return what a push says; the time until which it waits, as its person is active; or None if nothing of
    it is missed any more, it fell within the times in which nothing notifies its person, or its browser has
    no valid session.
    """
    subscription = view.snapshot.push_subscriptions.find(push.subscription_id)
    if subscription is None or not is_live(view, subscription):
        return None
    found = find_missed(view, push.user_id, push.message_ids, PUSHES)
    if found is None:
        return None
    active_at = last_activity(view, found.user)
    began = max(subscription.created_at, 0 if active_at is None else active_at + 1)
    quiet, zone = DoNotDisturb.of(found.user.settings), zone_of(found.user)
    left = [
        missed
        for missed in found.messages
        if (time := missed.reading.message.timestamp) >= began and not quiet.is_on(time, zone)
    ]
    if not left or quiet.is_on(view.now, zone):
        return None
    waits_until = active_until(active_at, view.now)
    if waits_until is not None:
        return waits_until
    newest = left[-1]
    says = _text_of(view.svc, found.user, newest, found.empty_topic_name)
    return ComposedPush(says=says, subscription=subscription, is_urgent=newest.cause in URGENT)


def _text_of(svc: Services, user: User, missed: MissedMessage, empty_topic_name: str) -> PushText:
    message, reading = missed.reading.message, missed.reading
    is_direct = message.channel_id is None
    shows_text = svc.settings.web_push == PushMode.TEXT and (
        not is_direct or bool(value(user, QUOTES_DIRECT))
    )
    others = [person.full_name for person in reading.people if person.id not in (user.id, message.sender_id)]
    place = (
        ", ".join(others) if is_direct else f"#{reading.channel_name} > {message.topic or empty_topic_name}"
    )
    return PushText(
        sender=reading.sender.full_name,
        place=place,
        text=_plain_text(message.rendered_content, svc.settings.external_url) if shows_text else None,
        tag=short_mark(svc, "push", f"{message.recipient_id} {message.topic_key or ''}"),
        path=path_to(user, reading).removeprefix("/"),
        time=message.timestamp,
        message_id=message.id,
    )


def _plain_text(rendered: str, url: str) -> str:
    """Return a message as one line of plain text."""
    lines = lines_of_page(page_of(rendered, url))
    return " ".join(" ".join(line.text for line in lines).split())
