"""Endpoints that read channels, their topics, and the caller's subscriptions."""

from typing import Annotated, Literal

import msgspec

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.channels import listing
from chatcore.application.services import Services
from chatcore.domain.errors import InvalidParameter
from chatcore.events.payloads.channels import ChannelShape, IncludeSubscribers, SubscriptionShape
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class ListParams(Params, kw_only=True, frozen=True):
    include_public: Annotated[bool, about("Public channels.")] = True
    include_web_public: Annotated[bool, about("Channels that are open to the web.")] = False
    include_subscribed: Annotated[bool, about("Channels to which the caller is subscribed.")] = True
    exclude_archived: Annotated[bool, about("Leave out archived channels.")] = True
    include_all_active: Annotated[bool, about("An older name of include_all.")] = False
    include_all: Annotated[bool, about("All channels that the caller may know of.")] = False
    include_default: Annotated[
        bool, about("Include in each channel whether new users are subscribed to it.")
    ] = False
    include_owner_subscribed: Annotated[
        bool, about("For a bot: channels to which its owner is subscribed.")
    ] = False
    include_can_access_content: Annotated[bool, about("Channels whose messages the caller may read.")] = False


class ChannelsAnswer(Answer, frozen=True, kw_only=True):
    streams: list[ChannelShape]


def list_channels(svc: Services, caller: Caller, p: ListParams) -> ChannelsAnswer:
    """List the channels that the caller may see."""
    which = listing.Which(
        public=p.include_public,
        web_public=p.include_web_public,
        subscribed=p.include_subscribed,
        owner_subscribed=p.include_owner_subscribed,
        can_access_content=p.include_can_access_content,
        all=p.include_all or p.include_all_active,
        archived=not p.exclude_archived,
        with_default=p.include_default,
    )
    return ChannelsAnswer(streams=listing.list_channels(svc, caller.actor, which))


class TopicsParams(Params, kw_only=True, frozen=True):
    stream_id: ChannelNumber
    allow_empty_topic_name: Annotated[
        bool, about("Return the empty topic as '', not by its display name.")
    ] = False


class TopicShape(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    max_id: int


class TopicsAnswer(Answer, frozen=True, kw_only=True):
    topics: list[TopicShape]


def topics(svc: Services, caller: Caller, p: TopicsParams) -> TopicsAnswer:
    """List the topics of a channel, newest first."""
    listed, empty_topic_name = listing.topics(svc, caller.actor_or_none, p.stream_id)
    empty = "" if p.allow_empty_topic_name else empty_topic_name
    return TopicsAnswer(topics=[TopicShape(name=name or empty, max_id=newest) for name, newest in listed])


def read_include_subscribers(value: bool | str) -> IncludeSubscribers:
    """Return the text or truth value of a parameter that clients send as either.

    :raises InvalidParameter: another text
    """
    if isinstance(value, bool) or value == "partial":
        return value  # type: ignore[return-value]
    if value not in ("true", "false"):
        raise InvalidParameter("include_subscribers", "true, false or partial")
    return value == "true"


class SubscriptionsParams(Params, kw_only=True, frozen=True):
    include_subscribers: Annotated[
        Literal["true", "false", "partial"],
        about("Whether to list the subscribers of each channel; 'partial' may leave some out."),
    ] = "false"


class SubscriptionsAnswer(Answer, frozen=True, kw_only=True):
    subscriptions: list[SubscriptionShape]


def subscriptions(svc: Services, caller: Caller, p: SubscriptionsParams) -> SubscriptionsAnswer:
    """List the caller's subscriptions."""
    which = read_include_subscribers(p.include_subscribers)
    return SubscriptionsAnswer(
        subscriptions=listing.own_subscriptions(svc, caller.actor, include_subscribers=which)
    )
