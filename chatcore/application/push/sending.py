"""Sending the pushes that wait, by whichever process comes first, in a few threads of it.

A process claims a push in one unit of work, posts it, and removes it in another, as with mails. Each person
has one push at a time, so that a push service that is slow delays only its own people.
"""

import logging
import secrets
import threading
from collections.abc import Collection
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Final

from chatcore.application import units
from chatcore.application.asking import ask
from chatcore.application.due import read_due
from chatcore.application.push.composing import ComposedPush, compose_push
from chatcore.application.push.gathering import gather_pushes
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.attempts import pause_after
from chatcore.domain.ids import UserId
from chatcore.domain.push.pushes import MAX_ATTEMPTS, PAUSES, TTL, Push
from chatcore.runtime import web_push
from chatcore.runtime.measures import PUSHES
from chatcore.storage import StorageNotReady

if TYPE_CHECKING:
    from chatcore.runtime.outgoing_requests import Outgoing

log = logging.getLogger("chatcore.push")

MAX_AT_ONCE: Final = 8
"""Pushes that one process posts at the same time."""
POST_SECONDS: Final = 10
LEASE_SECONDS: Final = 30
"""The time after which another process may try a push whose process has not come back."""
MAX_ANSWER: Final = 2**16
LONGEST_WAIT: Final = max(PAUSES)
"""Seconds by which a push is put off at most; one that is due later is from a clock that was set back."""
GONE: Final = frozenset({404, 410})
"""Statuses that say that the browser has ended its subscription."""
RETRIED: Final = frozenset({408, 425, 429})
"""Statuses below 500 after which a push is tried again."""


class PushSender:
    """The threads of one process that send pushes."""

    def __init__(self, svc: Services) -> None:
        self._svc = svc
        self._busy: set[UserId] = set()
        """The people to whom a thread sends."""

    def run(self) -> float:
        """Gather what people miss, and begin to send what is due; the task of `Services.alarms`."""
        gather_pushes(self._svc)
        while not self._svc.alarms.push.stopped and len(self._busy) < MAX_AT_ONCE:
            push = claim_push(self._svc, frozenset(self._busy))
            if push is None:
                break
            self._busy.add(push.user_id)
            threading.Thread(target=self._send, args=(push,), name="chatcore-push", daemon=True).start()
        return inf

    def _send(self, push: Push) -> None:
        try:
            send_push(self._svc, push)
        except StorageNotReady as error:
            self._svc.alarms.quiet_log.tell_not_ready(log, "a push has to wait: %s", error)
        except Exception:
            log.exception("push %d could not be sent", push.id)
        finally:
            self._busy.discard(push.user_id)
            self._svc.alarms.push.ring()


def claim_push(svc: Services, busy: Collection[UserId] = ()) -> Push | None:
    """Put the first push that is due off while it is sent, and return it; None if none is due. Pushes to
    *busy* people are left out.

    :raises StorageNotReady: the secret, from which the key follows, was replaced meanwhile
    """
    first = read_due(svc, lambda snapshot: snapshot.pushes.first_due(but_of=busy))
    if first is None or 0 < first.due - svc.clock() <= LONGEST_WAIT:
        return None
    return units.write(svc, _claim_push, first)


def _claim_push(unit: Unit, first: Push) -> Push | None:
    units.find_with_secret(unit)
    if unit.tx.pushes.find(first.id) != first:
        return None
    claimed = replace(first, due=unit.now + LEASE_SECONDS, attempts=first.attempts + 1)
    unit.tx.pushes.update(claimed)
    return claimed


def send_push(svc: Services, push: Push) -> None:
    """Send a push that was claimed, and remove it; if that fails, put it off or give it up."""
    if push.attempts > MAX_ATTEMPTS:
        _end_push(svc, push, "given_up")
        return
    composed = units.read(svc, compose_push, push)
    if composed is None:
        _end_push(svc, push, "outdated")
    elif isinstance(composed, int):
        units.write(svc, _put_off_push, push, replace(push, due=composed, attempts=0))
    else:
        _post_push(svc, push, composed)


def _post_push(svc: Services, push: Push, composed: ComposedPush) -> None:
    from chatcore.runtime import outgoing_requests as requests  # loads a library of HTTP

    host = composed.subscription.endpoint_host
    try:
        answer = ask(svc, _make_request(svc, composed), push.user_id)
    except (requests.AddressRefused, requests.AnswerRefused) as error:
        log.warning("a push to %s is given up: %s", host, error)
        _end_push(svc, push, "given_up")
        return
    except requests.RequestFailed as error:
        _retry_or_give_up(svc, push, f"a push to {host}: {error}")
        return
    if answer.status in GONE:
        units.write(svc, _remove_subscription, composed)
        _end_push(svc, push, "gone")
    elif answer.status >= 500 or answer.status in RETRIED:
        _retry_or_give_up(svc, push, f"a push to {host}: status {answer.status}")
    elif 200 <= answer.status < 300:
        _end_push(svc, push, "sent")
    else:
        log.warning("a push to %s is given up: status %d", host, answer.status)
        _end_push(svc, push, "given_up")


def _make_request(svc: Services, composed: ComposedPush) -> "Outgoing":
    from chatcore.runtime.outgoing_requests import Outgoing

    says, subscription, settings = composed.says, composed.subscription, svc.settings
    url = settings.external_url
    subject = url if url.startswith("https:") else f"mailto:{settings.sender}"
    key = web_push.server_key(settings.secret_key)
    body = web_push.encrypt(
        says.encoded(),
        subscription.p256dh,
        subscription.auth,
        key=web_push.new_key(),
        salt=secrets.token_bytes(web_push.SALT_BYTES),
    )
    headers = {
        "Authorization": web_push.authorization_header(key, subscription.endpoint, subject, svc.now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL),
        "Urgency": "high" if composed.is_urgent else "normal",
        "Topic": says.tag,
    }
    return Outgoing(
        method="POST",
        url=subscription.endpoint,
        body=body,
        headers=headers,
        seconds=POST_SECONDS,
        max_bytes=MAX_ANSWER,
    )


def _retry_or_give_up(svc: Services, push: Push, failure: str) -> None:
    """Put a push off, or give it up after the last attempt."""
    pause = pause_after(PAUSES, push.attempts)
    if pause is None:
        log.warning("given up after %d attempts: %s", push.attempts, failure)
        _end_push(svc, push, "given_up")
        return
    log.warning("tried again in %d s: %s", pause, failure)
    svc.measures.add(PUSHES, 1, "failed")
    units.write(svc, _put_off_push, push, replace(push, due=svc.now + pause))


def _end_push(svc: Services, push: Push, outcome: str) -> None:
    svc.measures.add(PUSHES, 1, outcome)
    units.write(svc, _remove_push, push)


def _put_off_push(unit: Unit, push: Push, later: Push) -> None:
    """Put a push off, with the messages that came meanwhile, unless another process has it now."""
    present = unit.tx.pushes.find(push.id)
    if present is not None and (present.due, present.attempts) == (push.due, push.attempts):
        unit.tx.pushes.update(replace(later, message_ids=present.message_ids))


def _remove_push(unit: Unit, push: Push) -> None:
    """Remove a push that was sent or given up; with messages that came meanwhile it is due anew."""
    present = unit.tx.pushes.find(push.id)
    if present is None:
        return
    more = tuple(message_id for message_id in present.message_ids if message_id not in push.message_ids)
    if more:
        unit.tx.pushes.update(replace(present, message_ids=more, due=unit.now, attempts=0))
    else:
        unit.tx.pushes.remove(push.id)


def _remove_subscription(unit: Unit, composed: ComposedPush) -> None:
    subscription = composed.subscription
    unit.tx.push_subscriptions.remove(subscription.user_id, subscription.id)
