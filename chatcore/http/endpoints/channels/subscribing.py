"""Endpoints that subscribe people to channels and unsubscribe them."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.channels import subscribing, subscription_plans, unsubscribing
from chatcore.application.services import Services
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.ids import UserId
from chatcore.http.endpoints.channels.params import NewChannelParams, read_creation
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer

Principals = list[int] | list[str]


class WantedChannel(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str = ""
    color: str | None = None


def read_wanted_channel(wanted: WantedChannel) -> subscription_plans.WantedChannel:
    return subscription_plans.WantedChannel(wanted.name, wanted.description, wanted.color)


class SubscribeParams(NewChannelParams, kw_only=True, frozen=True):
    subscriptions: Annotated[
        list[WantedChannel],
        about("The channels, each {name, description?, color?}; missing ones are created."),
    ]
    principals: Annotated[
        list[int | str] | None, about("Ids or addresses of the people to subscribe; by default the caller.")
    ] = None
    authorization_errors_fatal: Annotated[
        bool,
        about(
            "Whether to refuse the whole request if the caller has no permission for one channel; if"
            " not, that channel is left out."
        ),
    ] = True


class SubscribeAnswer(Answer, frozen=True, kw_only=True):
    subscribed: dict[str, Sequence[str]]
    already_subscribed: dict[str, Sequence[str]]
    unauthorized: list[str] | UnsetType = UNSET
    new_subscription_messages_sent: bool | UnsetType = UNSET


def subscribe(svc: Services, caller: Caller, p: SubscribeParams) -> SubscribeAnswer:
    """Subscribe people to channels, and create channels that do not exist."""
    cmd = subscription_plans.Subscribe(
        channels=[read_wanted_channel(wanted) for wanted in p.subscriptions],
        principals=read_principals(p.principals),
        creation=read_creation(p),
        authorization_errors_fatal=p.authorization_errors_fatal,
        send_new_subscription_messages=p.send_new_subscription_messages,
    )
    result = subscribing.subscribe(svc, caller.actor, cmd)
    return SubscribeAnswer(
        subscribed=with_text_keys(result.subscribed),
        already_subscribed=with_text_keys(result.already_subscribed),
        unauthorized=UNSET if p.authorization_errors_fatal else list(result.unauthorized),
        new_subscription_messages_sent=result.new_subscription_messages_sent
        if p.send_new_subscription_messages
        else UNSET,
    )


def with_text_keys(names: Mapping[UserId, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return names of channels by the ids of people, as JSON has them: keys are texts."""
    return {str(user_id): of_user for user_id, of_user in names.items()}


def read_principals(given: list[int | str] | None) -> Principals | None:
    """Return people by ids or by addresses, but not both in one list; None stands for the caller.

    :raises InvalidParameter: ids and addresses together
    """
    if given is None:
        return None
    ids = [person for person in given if isinstance(person, int)]
    emails = [person for person in given if isinstance(person, str)]
    if ids and emails:
        raise InvalidParameter("principals", "ids and addresses together")
    return emails or ids


class UnsubscribeParams(Params, kw_only=True, frozen=True):
    subscriptions: Annotated[list[str], about("Names of the channels.")]
    principals: Annotated[
        list[int | str] | None, about("Ids or addresses of the people to unsubscribe; by default the caller.")
    ] = None


class UnsubscribeAnswer(Answer, frozen=True, kw_only=True):
    removed: Sequence[str]
    not_removed: Sequence[str]


def unsubscribe(svc: Services, caller: Caller, p: UnsubscribeParams) -> UnsubscribeAnswer:
    """Unsubscribe the caller or others from channels."""
    result = unsubscribing.unsubscribe(svc, caller.actor, p.subscriptions, read_principals(p.principals))
    return UnsubscribeAnswer(removed=result.removed, not_removed=result.not_removed)
