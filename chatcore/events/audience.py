"""Who hears of an event: a rule, not a list, so that announcing costs the same for any number.

A rule is read when an event is dispatched or replayed: the membership is the one at the event's place
in the log, the role and groups are those of now, and a channel that is private now was always so.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar, assert_never

import msgspec

from chatcore.domain.channels import CONTENT_GROUPS, METADATA_GROUPS, Channel, Period
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


class ReadersOf(msgspec.Struct, frozen=True, omit_defaults=True, tag="readers"):
    """Who has messages of a channel, and the subscribers who may read its history.

    Of a private channel nobody hears who may not read it any more.
    """

    channel_id: ChannelId
    arrived: tuple[int, int]
    """Since when the messages are in the channel, the first and the last: who is subscribed then has received
    them. In a protected history they are such that everybody has all of them, or none."""
    private: bool
    shared_history: bool
    keepers: tuple[UserId, ...] = ()
    """Who has taken messages in without having received them."""
    members: tuple[UserId, ...] = ()
    groups: tuple[GroupId, ...] = ()
    """Those who read a private channel without being subscribed."""


class ReadersOfMove(msgspec.Struct, frozen=True, omit_defaults=True, tag="readers_of_move"):
    """Of the readers of messages that went from one channel to another: those who could read them before, or
    could not, and could read them right after it, or could not. (See `places_seen`.)
    """

    before: ReadersOf
    after: ReadersOf
    could: bool
    can: bool


class Everyone(msgspec.Struct, frozen=True, omit_defaults=True, tag="everyone"):
    """Everybody with an active account."""

    but_guests: bool = False


Audience = Users | SubscribersOf | ReadersOf | ReadersOfMove | ChannelViewers | Everyone


def channel_viewers(channel: Channel, *, without: Sequence[UserId] = ()) -> ChannelViewers:
    """The audience of *channel* as it is now."""
    members, groups = _holders(channel, METADATA_GROUPS)
    return ChannelViewers(
        channel.id,
        private=channel.invite_only,
        web_public=channel.is_web_public,
        members=members,
        groups=groups,
        without=tuple(without),
    )


def readers_of(channel: Channel, arrived: Sequence[int], keepers: Iterable[UserId]) -> ReadersOf:
    """The audience of what happens to messages of *channel* that are there since they *arrived*."""
    members, groups = _holders(channel, CONTENT_GROUPS) if channel.invite_only else ((), ())
    return ReadersOf(
        channel.id,
        (min(arrived), max(arrived)),
        private=channel.invite_only,
        shared_history=channel.history_public_to_subscribers,
        keepers=tuple(sorted(keepers)),
        members=members,
        groups=groups,
    )


def _holders(channel: Channel, permissions: Sequence[str]) -> tuple[tuple[UserId, ...], tuple[GroupId, ...]]:
    """The people and the groups that hold any of these permissions."""
    values = [channel.permission_value(name) for name in permissions]
    members = {user for value in values for user in value.members}
    groups = {group for value in values for group in value.groups}
    return tuple(sorted(members)), tuple(sorted(groups))


class Memberships(Protocol):
    """What the rules may ask about channels: when who was subscribed, and whether they are private now."""

    def periods(self, channel_id: ChannelId, user_id: UserId) -> Sequence[Period]: ...

    def is_private(self, channel_id: ChannelId) -> bool: ...


class KnownMemberships:
    """Memberships out of a mapping by channel and user."""

    def __init__(
        self,
        by_channel: Mapping[ChannelId, Mapping[UserId, Sequence[Period]]],
        private: Collection[ChannelId] = (),
    ) -> None:
        self._by_channel = by_channel
        self._private = private

    def periods(self, channel_id: ChannelId, user_id: UserId) -> Sequence[Period]:
        return self._by_channel.get(channel_id, {}).get(user_id, ())

    def is_private(self, channel_id: ChannelId) -> bool:
        return channel_id in self._private


def channels_of(audience: Audience) -> tuple[ChannelId, ...]:
    """The channels whose memberships the rule asks about."""
    if isinstance(audience, ReadersOfMove):
        return audience.before.channel_id, audience.after.channel_id
    if isinstance(audience, SubscribersOf | ReadersOf | ChannelViewers):
        return (audience.channel_id,)
    return ()


def hears(audience: Audience, actor: Actor, at: Position, memberships: Memberships) -> bool:
    """Whether the actor is in the audience of the event at that position."""
    if isinstance(audience, ReadersOfMove):
        return any(places_seen(audience, actor, at, memberships))
    audience = _as_of_now(audience, memberships)
    match audience:
        case Users():
            return actor.user_id in audience.user_ids
        case Everyone():
            return not (audience.but_guests and actor.is_guest)
        case SubscribersOf():
            if actor.user_id in audience.also:
                return True
            return _is_subscribed(audience, actor, at, memberships)
        case ReadersOf():
            return _is_concerned(audience, actor, at, memberships) and _may_read(
                audience, actor, at, memberships
            )
        case ChannelViewers():
            if actor.user_id in audience.without:
                return False
            if audience.web_public or actor.role.is_administrator:
                return True
            if not actor.is_guest and (not audience.private or _is_among(audience, actor)):
                return True
            return any(p.covers(at) for p in memberships.periods(audience.channel_id, actor.user_id))
        case _:
            assert_never(audience)


class PlacesSeen(NamedTuple):
    """The places of a move that a reader may still read."""

    before: bool
    after: bool


def places_seen(audience: ReadersOfMove, actor: Actor, at: Position, memberships: Memberships) -> PlacesSeen:
    """Which of the two places the actor, if in the audience, may still read.

    Who is in the audience follows from what was readable at that position, so that a late poll is notified of
    the move in the same way as a prompt one. A place that became private since, or that the actor has left
    since, must not be described any more.
    """
    places = audience.before, audience.after
    readable = [_may_read(place, actor, at, memberships, then=True) for place in places]
    if readable != [audience.could, audience.can] or not any(
        could and _is_concerned(place, actor, at, memberships, then=True)
        for place, could in zip(places, readable, strict=True)
    ):
        return PlacesSeen(before=False, after=False)
    before, after = (
        could and _may_read(_as_of_now(place, memberships), actor, at, memberships)
        for place, could in zip(places, readable, strict=True)
    )
    return PlacesSeen(before, after)


Said = TypeVar("Said", bound=Audience)


def _as_of_now(audience: Said, memberships: Memberships) -> Said:
    """What was said in a channel before it became private is for nobody any more but who is in it now."""
    if (
        not isinstance(audience, SubscribersOf | ReadersOf)
        or audience.private
        or not memberships.is_private(audience.channel_id)
    ):
        return audience
    if isinstance(audience, SubscribersOf):
        also = tuple(
            user_id
            for user_id in audience.also
            if any(period.until is None for period in memberships.periods(audience.channel_id, user_id))
        )
        return msgspec.structs.replace(audience, private=True, also=also)
    return msgspec.structs.replace(audience, private=True)


def _is_subscribed(
    audience: SubscribersOf | ReadersOf,
    actor: Actor,
    at: Position,
    memberships: Memberships,
    *,
    then: bool = False,
) -> bool:
    """*then* also counts who has left a private channel since."""
    periods = memberships.periods(audience.channel_id, actor.user_id)
    return any(p.covers(at) and (then or p.until is None or not audience.private) for p in periods)


def _is_concerned(
    audience: ReadersOf, actor: Actor, at: Position, memberships: Memberships, *, then: bool = False
) -> bool:
    return _is_subscribed(audience, actor, at, memberships, then=then) or _has(audience, actor, memberships)


def _has(audience: ReadersOf, actor: Actor, memberships: Memberships) -> bool:
    """Whether the messages are in the actor's own history."""
    periods = memberships.periods(audience.channel_id, actor.user_id)
    return actor.user_id in audience.keepers or any(p.meets(*audience.arrived) for p in periods)


def _may_read(
    audience: ReadersOf, actor: Actor, at: Position, memberships: Memberships, *, then: bool = False
) -> bool:
    if not audience.shared_history and not _has(audience, actor, memberships):
        return False
    if _is_subscribed(audience, actor, at, memberships, then=then):
        return True
    return not actor.is_guest and (not audience.private or _is_among(audience, actor))


def _is_among(audience: ReadersOf | ChannelViewers, actor: Actor) -> bool:
    """Whether the actor is one of the people, or in one of the groups, that the audience names."""
    return GroupSetting(frozenset(audience.groups), frozenset(audience.members)).includes(actor)


def overhears(audience: Audience, actor: Actor, memberships: Memberships) -> bool:
    """Whether a queue with `all_public_streams` hears it without being in the audience."""
    audience = _as_of_now(audience, memberships)
    return isinstance(audience, SubscribersOf) and not audience.private and not actor.is_guest
