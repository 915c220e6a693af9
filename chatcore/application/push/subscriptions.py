"""Subscriptions of browsers to pushes, and the key of the server for which browsers subscribe.

The key follows from the server's secret. When that is replaced, all subscriptions end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from chatcore.application.arguments import Id, SessionToken, about
from chatcore.application.people.sessions import find_session
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.devices import device_of
from chatcore.domain.people.push_devices import require_person
from chatcore.domain.people.sessions import is_valid
from chatcore.domain.push.modes import PushMode
from chatcore.domain.push.subscriptions import (
    MAX_SUBSCRIPTIONS,
    NO_SESSION,
    NoSuchPushSubscription,
    PushSubscription,
    WebPushDisabled,
    require_endpoint,
)
from chatcore.runtime import web_push


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPushes:
    """The subscriptions of a person, and what a browser needs for another one."""

    public_key: str | None
    """The key for which browsers subscribe, in base64url; None if the server sends no pushes."""
    shows_content: bool
    subscriptions: Sequence[PushSubscription]


@read_only
def own_pushes(view: View, me: Actor) -> OwnPushes:
    """Return the caller's browsers that get pushes, and the key for which browsers subscribe."""
    svc = view.svc
    is_on = svc.sends_pushes
    present = view.snapshot.push_subscriptions.of_user(me.user_id)
    return OwnPushes(
        public_key=web_push.public_text(web_push.server_key(svc.settings.secret_key)) if is_on else None,
        shows_content=svc.settings.web_push == PushMode.TEXT,
        subscriptions=[subscription for subscription in present if is_live(view, subscription)],
    )


def is_live(view: View, subscription: PushSubscription) -> bool:
    """Whether the session of a subscription, if it has one, has not ended."""
    if subscription.session_id == NO_SESSION:
        return True
    sessions = view.snapshot.browser_sessions.of_user(subscription.user_id)
    return any(
        session.id == subscription.session_id and is_valid(session, view.now, view.limits)
        for session in sessions
    )


@unit_of_work
def subscribe(
    unit: Unit, me: Actor, endpoint: str, p256dh: str, auth: str, *, token: SessionToken, user_agent: str
) -> int:
    """Let a browser get pushes; return the id of its subscription.

    It replaces a subscription with the same endpoint, also another person's. If the person has more than
    `MAX_SUBSCRIPTIONS`, the oldest one is removed.

    :raises WebPushDisabled: the server sends none
    :raises BadRequest: the caller is a bot; the address or the keys are not valid
    """
    if not unit.svc.sends_pushes:
        raise WebPushDisabled
    require_person(me)
    require_endpoint(endpoint, allows_http=unit.svc.settings.outgoing_private_addresses)
    try:
        web_push.require_keys(p256dh, auth)
    except web_push.BadKey as error:
        raise BadRequest("The keys of the browser are not valid.") from error
    session = find_session(unit, token)
    subscription = PushSubscription(
        user_id=me.user_id,
        session_id=NO_SESSION if session is None else session.id,
        endpoint=endpoint,
        p256dh=p256dh,
        auth=auth,
        device=device_of(user_agent),
        created_at=unit.now,
    )
    unit.tx.push_subscriptions.remove_ended(me.user_id)
    return unit.tx.push_subscriptions.put(subscription, keep=MAX_SUBSCRIPTIONS)


@unit_of_work
def unsubscribe(
    unit: Unit, me: Actor, subscription_id: Annotated[Id, about("The subscription's id.")]
) -> None:
    """Let a browser of the caller get no more pushes.

    :raises NoSuchPushSubscription: the caller has no such subscription
    """
    if not unit.tx.push_subscriptions.remove(me.user_id, subscription_id):
        raise NoSuchPushSubscription
