"""Who hears of an event: a rule, not a list, so that announcing costs the same for any number.

A rule is read when an event is dispatched or replayed: the membership is the one at the event's place
in the log, the role and groups are those of now.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, assert_never

import msgspec

from chatcore.domain.channels import Channel, Period
from chatcore.domain.groups import Actor, GroupSetting
from chatcore.domain.ids import ChannelId, GroupId, Position, UserId


class Users(msgspec.Struct, frozen=True, tag="users"):
    """Exactly these."""

    user_ids: tuple[UserId, ...]


class SubscribersOf(msgspec.Struct, frozen=True, omit_defaults=True, tag="subscribers"):
    """The people subscribed to a channel at that place in the log.

    Of a private channel, only while they still are: who has left hears nothing more of it, even from
    a queue that has not been polled since. A public one is also heard by queues that ask for all.
    """

    channel_id: ChannelId
    private: bool
    also: tuple[UserId, ...] = ()
    """Bots that are mentioned without being subscribed."""


class ChannelViewers(msgspec.Struct, frozen=True, omit_defaults=True, tag="channel_viewers"):
    """The people with metadata access to a channel, as its settings were then."""

    channel_id: ChannelId
    private: bool
    web_public: bool = False
    members: tuple[UserId, ...] = ()
    groups: tuple[GroupId, ...] = ()
    without: tuple[UserId, ...] = ()


class Everyone(msgspec.Struct, frozen=True, tag="everyone"):
    """Everybody with an active account."""


Audience = Users | SubscribersOf | ChannelViewers | Everyone

METADATA_GROUPS = ("can_administer_channel_group", "can_add_subscribers_group", "can_subscribe_group")


def channel_viewers(channel: Channel, *, without: Sequence[UserId] = ()) -> ChannelViewers:
    """The audience of *channel* as it is now."""
    values = [channel.permission_value(name) for name in METADATA_GROUPS]
    return ChannelViewers(
        channel.id,
        private=channel.invite_only,
        web_public=channel.is_web_public,
        members=tuple(sorted({user for value in values for user in value.members})),
        groups=tuple(sorted({group for value in values for group in value.groups})),
        without=tuple(without),
    )


class Memberships(Protocol):
    """The subscription periods that the rules may ask about."""

    def periods(self, channel_id: ChannelId, user_id: UserId) -> Sequence[Period]: ...


class KnownMemberships:
    """Memberships out of a mapping by channel and user."""

    def __init__(self, by_channel: Mapping[ChannelId, Mapping[UserId, Sequence[Period]]]) -> None:
        self._by_channel = by_channel

    def periods(self, channel_id: ChannelId, user_id: UserId) -> Sequence[Period]:
        return self._by_channel.get(channel_id, {}).get(user_id, ())


def channel_of(audience: Audience) -> ChannelId | None:
    """The channel whose memberships the rule asks about."""
    if isinstance(audience, SubscribersOf | ChannelViewers):
        return audience.channel_id
    return None


def hears(audience: Audience, actor: Actor, at: Position, memberships: Memberships) -> bool:
    """Whether the actor is in the audience of the event at that position."""
    match audience:
        case Users():
            return actor.user_id in audience.user_ids
        case Everyone():
            return True
        case SubscribersOf():
            return actor.user_id in audience.also or any(
                period.covers(at) and (period.until is None or not audience.private)
                for period in memberships.periods(audience.channel_id, actor.user_id)
            )
        case ChannelViewers():
            if actor.user_id in audience.without:
                return False
            if audience.web_public or actor.role.is_administrator:
                return True
            if not actor.is_guest and (
                not audience.private
                or GroupSetting(frozenset(audience.groups), frozenset(audience.members)).includes(actor)
            ):
                return True
            return any(p.covers(at) for p in memberships.periods(audience.channel_id, actor.user_id))
        case _:
            assert_never(audience)


def overhears(audience: Audience, actor: Actor) -> bool:
    """Whether a queue with `all_public_streams` hears it without being in the audience."""
    return isinstance(audience, SubscribersOf) and not audience.private and not actor.is_guest
