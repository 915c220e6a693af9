"""Endpoints for the subscribers of channels, and for the caller's properties of subscriptions."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.channels import subscribers, subscription_settings
from chatcore.application.services import Services
from chatcore.domain.channels.subscription_settings import SETTINGS
from chatcore.http.endpoints.channels.subscribing import WantedChannel, read_wanted_channel, with_text_keys
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


class Property(msgspec.Struct, frozen=True, kw_only=True):
    stream_id: int
    property: Annotated[str, msgspec.Meta(extra_json_schema={"enum": [*SETTINGS]})]
    value: bool | str


class PropertiesParams(Params, kw_only=True, frozen=True):
    subscription_data: Annotated[list[Property], about("Properties, each {stream_id, property, value}.")]


def set_properties(svc: Services, caller: Caller, p: PropertiesParams) -> Done:
    """Set properties of the caller's subscriptions."""
    changes = [
        subscription_settings.SubscriptionChange(setting.stream_id, setting.property, setting.value)
        for setting in p.subscription_data
    ]
    subscription_settings.change_settings(svc, caller.actor, changes)
    return Done()


class PropertyParams(Params, kw_only=True, frozen=True):
    stream_id: ChannelNumber
    property: Annotated[Text, about("The property.", *SETTINGS)]
    value: Annotated[bool | Text, about("Its value: true or false, or a colour.")]


def set_property(svc: Services, caller: Caller, p: PropertyParams) -> Done:
    """Set a property of one of the caller's subscriptions.

    Deprecated: `POST users/me/subscriptions/properties` does this too.
    """
    change = subscription_settings.SubscriptionChange(p.stream_id, p.property, p.value)
    subscription_settings.change_settings(svc, caller.actor, [change])
    return Done()


class UpdateParams(Params, kw_only=True, frozen=True):
    add: Annotated[
        list[WantedChannel] | None,
        about("Channels to subscribe to, each {name, description?, color?}; missing ones are created."),
    ] = None
    delete: Annotated[list[str] | None, about("Names of the channels to unsubscribe from.")] = None


class UpdateSubscriptionsAnswer(Answer, frozen=True, kw_only=True):
    subscribed: dict[str, Sequence[str]]
    already_subscribed: dict[str, Sequence[str]]
    removed: Sequence[str]
    not_removed: Sequence[str]


def update(svc: Services, caller: Caller, p: UpdateParams) -> UpdateSubscriptionsAnswer:
    """Subscribe to some channels and unsubscribe from others."""
    add = [read_wanted_channel(wanted) for wanted in p.add or ()]
    joined, left = subscribers.change_subscriptions(svc, caller.actor, add, p.delete or ())
    return UpdateSubscriptionsAnswer(
        subscribed=with_text_keys(joined.subscribed),
        already_subscribed=with_text_keys(joined.already_subscribed),
        removed=left.removed,
        not_removed=left.not_removed,
    )
