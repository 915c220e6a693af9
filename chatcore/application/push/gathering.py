"""Gathering the messages of which pushes tell, in the way of mails about missed messages."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.application.sent_mail import gathering
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.push.pushes import MAX_WAITING, MAX_WAITING_OF_PERSON, PATIENCE, Push
from chatcore.domain.sent_mail.missed import PUSHES, MissedConversation


def gather_pushes(svc: Services) -> None:
    """Gather the messages that people with subscriptions may miss, as pushes that wait."""
    gathering.gather(
        svc, svc.alarms.push, PUSHES, _put_pushes, lambda snapshot: snapshot.push_subscriptions.subscribers()
    )


def _put_pushes(unit: Unit, part: Sequence[MissedConversation]) -> None:
    """Let a push about each conversation wait for each browser of its person."""
    pushes = unit.tx.pushes
    pushes_left = MAX_WAITING - pushes.count()
    for missed in part:
        for subscription in unit.tx.push_subscriptions.of_user(missed.user_id):
            old = pushes.find_of(subscription.id, missed.recipient_id, missed.topic_key)
            if old is not None:
                pushes.update(replace(old, message_ids=old.with_more(missed.message_ids)))
            elif pushes_left > 0 and pushes.count_to(missed.user_id) < MAX_WAITING_OF_PERSON:
                pushes_left -= 1
                pushes.add(
                    Push(
                        subscription_id=subscription.id,
                        user_id=missed.user_id,
                        recipient_id=missed.recipient_id,
                        topic_key=missed.topic_key,
                        message_ids=missed.message_ids,
                        due=unit.now + PATIENCE,
                    )
                )
