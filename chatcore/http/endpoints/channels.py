"""Channels, their topics, and subscriptions."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application import channels
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest, InvalidParameter
from chatcore.domain.groups import CHANNEL_PERMISSIONS, GroupSetting
from chatcore.domain.ids import UserId
from chatcore.events.queue import IncludeSubscribers
from chatcore.events.shapes import ChannelShape, SubscriptionShape
from chatcore.http.auth import Caller
from chatcore.http.params import Count, Params, Text
from chatcore.http.routing import Answer

# -- reading ----------------------------------------------------------------------------------------


class ListParams(Params, kw_only=True, frozen=True):
    include_public: bool = True
    include_web_public: bool = False
    include_subscribed: bool = True
    exclude_archived: bool = True
    include_all_active: bool = False
    include_all: bool = False
    include_default: bool = False
    include_owner_subscribed: bool = False
    include_can_access_content: bool = False


class ListAnswer(Answer, frozen=True, kw_only=True):
    streams: list[ChannelShape]


def list_channels(svc: Services, caller: Caller, p: ListParams) -> ListAnswer:
    """List the channels that one may know of."""
    which = channels.Which(
        public=p.include_public,
        web_public=p.include_web_public,
        subscribed=p.include_subscribed,
        owner_subscribed=p.include_owner_subscribed,
        can_access_content=p.include_can_access_content,
        all=p.include_all or p.include_all_active,
        archived=not p.exclude_archived,
        with_default=p.include_default,
    )
    return ListAnswer(streams=channels.list_channels(svc, caller.user, which))


class IdParams(Params, kw_only=True, frozen=True):
    stream: Text


class IdAnswer(Answer, frozen=True, kw_only=True):
    stream_id: int


def get_id(svc: Services, caller: Caller, p: IdParams) -> IdAnswer:
    """Get the id of a channel by its name."""
    return IdAnswer(stream_id=channels.channel_id_of(svc, caller.user, p.stream))


class TopicsParams(Params, kw_only=True, frozen=True):
    stream_id: int
    allow_empty_topic_name: bool = False


class TopicShape(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    max_id: int


class TopicsAnswer(Answer, frozen=True, kw_only=True):
    topics: list[TopicShape]


def topics(svc: Services, caller: Caller, p: TopicsParams) -> TopicsAnswer:
    """List the topics of a channel, newest first."""
    found, empty_topic_name = channels.topics(svc, caller.actor, p.stream_id)
    empty = "" if p.allow_empty_topic_name else empty_topic_name
    return TopicsAnswer(topics=[TopicShape(name=name or empty, max_id=newest) for name, newest in found])


def read_include_subscribers(value: bool | str) -> IncludeSubscribers:
    """The text or truth value that clients send.

    :raises InvalidParameter: another text
    """
    if isinstance(value, bool) or value == "partial":
        return value  # type: ignore[return-value]
    if value not in ("true", "false"):
        raise InvalidParameter("include_subscribers", "true, false or partial")
    return value == "true"


class SubscriptionsParams(Params, kw_only=True, frozen=True):
    include_subscribers: Literal["true", "false", "partial"] = "false"


class SubscriptionsAnswer(Answer, frozen=True, kw_only=True):
    subscriptions: list[SubscriptionShape]


def subscriptions(svc: Services, caller: Caller, p: SubscriptionsParams) -> SubscriptionsAnswer:
    """List one's own subscriptions."""
    which = read_include_subscribers(p.include_subscribers)
    return SubscriptionsAnswer(
        subscriptions=channels.own_subscriptions(svc, caller.user, include_subscribers=which)
    )


# -- subscribing ------------------------------------------------------------------------------------


class WantedChannel(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str = ""
    color: str | None = None


class SettingObject(msgspec.Struct, frozen=True, kw_only=True):
    """A group-setting value that is not one group."""

    direct_members: list[int]
    direct_subgroups: list[int]


SettingParam = int | SettingObject | None
Principals = list[int] | list[str]


class SubscribeParams(Params, kw_only=True, frozen=True):
    subscriptions: list[WantedChannel]
    principals: Annotated[list[int | str] | None, msgspec.Meta(description="User ids or addresses.")] = None
    authorization_errors_fatal: bool = True
    announce: bool = False
    invite_only: bool = False
    is_web_public: bool = False
    is_default_stream: bool = False
    history_public_to_subscribers: bool | None = None
    message_retention_days: int | Text | None = None
    topics_policy: Literal["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] = (
        "inherit"
    )
    can_add_subscribers_group: SettingParam = None
    can_remove_subscribers_group: SettingParam = None
    can_administer_channel_group: SettingParam = None
    can_delete_any_message_group: SettingParam = None
    can_delete_own_message_group: SettingParam = None
    can_move_messages_out_of_channel_group: SettingParam = None
    can_move_messages_within_channel_group: SettingParam = None
    can_send_message_group: SettingParam = None
    can_subscribe_group: SettingParam = None
    can_resolve_topics_group: SettingParam = None
    folder_id: Count | None = None
    send_new_subscription_messages: bool = True


class SubscribeAnswer(Answer, frozen=True, kw_only=True):
    subscribed: dict[str, Sequence[str]]
    already_subscribed: dict[str, Sequence[str]]
    unauthorized: list[str] | UnsetType = UNSET
    new_subscription_messages_sent: bool | UnsetType = UNSET


def subscribe(svc: Services, caller: Caller, p: SubscribeParams) -> SubscribeAnswer:
    """Subscribe people to channels, making those that do not exist."""
    permissions = {
        name: _setting(value) for name in CHANNEL_PERMISSIONS if (value := getattr(p, name)) is not None
    }
    if p.folder_id is not None:
        raise BadRequest("Invalid channel folder ID")
    cmd = channels.Subscribe(
        channels=[
            channels.Wanted(wanted.name, wanted.description, _color(wanted.color))
            for wanted in p.subscriptions
        ],
        principals=principals(p.principals),
        creation=channels.Creation(
            invite_only=p.invite_only,
            is_web_public=p.is_web_public,
            is_default_stream=p.is_default_stream,
            history_public_to_subscribers=p.history_public_to_subscribers,
            message_retention_days=_retention(p.message_retention_days),
            topics_policy=p.topics_policy,
            permissions=permissions,
            announce=p.announce,
        ),
        authorization_errors_fatal=p.authorization_errors_fatal,
        send_new_subscription_messages=p.send_new_subscription_messages,
    )
    result = channels.subscribe(svc, caller.user, cmd)
    return SubscribeAnswer(
        subscribed={str(user_id): names for user_id, names in result.subscribed.items()},
        already_subscribed={str(user_id): names for user_id, names in result.already_subscribed.items()},
        unauthorized=UNSET if p.authorization_errors_fatal else list(result.unauthorized),
        new_subscription_messages_sent=result.new_subscription_messages_sent
        if p.send_new_subscription_messages
        else UNSET,
    )


def _setting(value: int | SettingObject) -> GroupSetting:
    if isinstance(value, int):
        return GroupSetting.of(value)
    return GroupSetting.of(*value.direct_subgroups, members=map(UserId, value.direct_members))


_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3,6})")


def _color(text: str | None) -> str | None:
    """A colour as clients read it: six lower-case digits."""
    if text is None:
        return None
    if not _COLOR.fullmatch(text):
        raise BadRequest("color is not a valid hex color code")
    digits = text[1:].lower()
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return "#" + digits.ljust(6, "0")


_RETENTION = {"realm_default": None, "unlimited": -1}


def _retention(value: int | str | None) -> int | None:
    if isinstance(value, str):
        if value not in _RETENTION:
            raise InvalidParameter("message_retention_days", "not a number of days")
        return _RETENTION[value]
    if value is not None and value <= 0:
        raise InvalidParameter("message_retention_days", "not a number of days")
    return value


def principals(given: list[int | str] | None) -> Principals | None:
    """People by ids or by addresses, but not both in one list."""
    if given is None:
        return None
    ids = [one for one in given if isinstance(one, int)]
    emails = [one for one in given if isinstance(one, str)]
    if ids and emails:
        raise InvalidParameter("principals", "ids and addresses together")
    return emails or ids


class UnsubscribeParams(Params, kw_only=True, frozen=True):
    subscriptions: list[str]
    principals: list[int | str] | None = None


class UnsubscribeAnswer(Answer, frozen=True, kw_only=True):
    removed: Sequence[str]
    not_removed: Sequence[str]


def unsubscribe(svc: Services, caller: Caller, p: UnsubscribeParams) -> UnsubscribeAnswer:
    """Unsubscribe oneself or others from channels."""
    result = channels.unsubscribe(svc, caller.user, p.subscriptions, principals(p.principals))
    return UnsubscribeAnswer(removed=result.removed, not_removed=result.not_removed)
