"""Browsers that get pushes."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.push import subscriptions
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import SECRET, NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class PushSubscriptionObject(Answer, frozen=True, kw_only=True):
    id: int
    device: str
    """The kind of browser and system."""
    created_at: int
    endpoint_host: str
    """The host of the push service."""


class WebPushAnswer(Answer, frozen=True, kw_only=True):
    public_key: str | None
    """The key for which a browser subscribes, in base64url; null if the server sends no pushes."""
    shows_content: bool
    """Whether pushes have the beginning of the message."""
    subscriptions: list[PushSubscriptionObject]


def show(svc: Services, caller: Caller, p: NoParams) -> WebPushAnswer:
    """List the caller's browsers that get push messages, with what a browser needs to subscribe."""
    own = subscriptions.own_pushes(svc, caller.actor)
    return WebPushAnswer(
        public_key=own.public_key,
        shows_content=own.shows_content,
        subscriptions=[
            PushSubscriptionObject(
                id=subscription.id,
                device=subscription.device,
                created_at=subscription.created_at,
                endpoint_host=subscription.endpoint_host,
            )
            for subscription in own.subscriptions
        ],
    )


class SubscribeParams(Params, frozen=True, kw_only=True):
    endpoint: Annotated[Text, about("The address of the push service that the browser has given.")]
    p256dh: Annotated[Text, about("The public key of the browser, in base64url.")]
    auth: Annotated[Text, about("The secret that the browser has given, in base64url."), SECRET]


class PushSubscriptionAnswer(Answer, frozen=True, kw_only=True):
    subscription_id: int


def subscribe(svc: Services, caller: Caller, p: SubscribeParams) -> PushSubscriptionAnswer:
    """Let a browser get push messages about what the caller misses.

    The subscription ends with the session of the browser. That with the same endpoint is replaced, also if it
    was another person's; of more than 20, the oldest goes.
    """
    subscription_id = subscriptions.subscribe(
        svc,
        caller.actor,
        p.endpoint,
        p.p256dh,
        p.auth,
        token=caller.session,
        user_agent=caller.user_agent,
    )
    return PushSubscriptionAnswer(subscription_id=subscription_id)
