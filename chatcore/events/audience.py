"""Audiences of events: who is notified. Most are rules, such as the subscribers of a channel, so that
announcing a message costs the same for any number of them. `Users` is a list, for a change that concerns
certain people, such as those to whom a channel comes into sight; these can be many.

A rule is evaluated when an event is dispatched or replayed. It uses facts as of the event's position in
the log and the current role and groups; of a channel that is private now, only those are notified who may
read it now, and of one whose history is protected now, those who have the messages in their own history.
Who sees a channel follows from its present settings; `application.events.batch` passes over events from
before it came into sight.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, assert_never

import msgspec

from chatcore.domain.channels.channels import CONTENT_GROUPS, METADATA_GROUPS, Channel, Period
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId, GroupId, Position, UserId
from chatcore.domain.messages.access import has_member_access


class Users(msgspec.Struct, frozen=True, tag="users"):
    """The listed users."""

    user_ids: tuple[UserId, ...]


class SubscribersOf(msgspec.Struct, frozen=True, omit_defaults=True, tag="subscribers"):
    """The users subscribed to a channel at the event's position in the log.

    Events of a private channel are sent only to users who may still read it: a queue that is polled after
    its owner has unsubscribed, and has no permission to read it besides, does not receive earlier ones
    either. Events of a public channel are also sent to queues with `all_public_streams`.
    """

    channel_id: ChannelId
    private: bool
    also: tuple[UserId, ...] = ()
    """Bots that are mentioned without being subscribed."""


class ChannelViewers(msgspec.Struct, frozen=True, omit_defaults=True, tag="channel_viewers"):
    """Users with metadata access to a channel; the settings are those at the time of the event."""

    channel_id: ChannelId
    private: bool
    web_public: bool = False
    members: tuple[UserId, ...] = ()
    groups: tuple[GroupId, ...] = ()
    without: tuple[UserId, ...] = ()


class ReadersOf(msgspec.Struct, frozen=True, omit_defaults=True, tag="readers"):
    """Users who have messages of a channel in their history, and subscribers who may read its history.

    Users who can no longer read a private channel are not notified.
    """

    channel_id: ChannelId
    arrived: tuple[int, int]
    """The first and last position at which the messages arrived in the channel; users subscribed then have
    received them. With protected history the messages are chosen so that every user has all of them or none.
    """
    private: bool
    shared_history: bool
    keepers: tuple[UserId, ...] = ()
    """Users who have the messages in their history without having received them."""
    members: tuple[UserId, ...] = ()
    groups: tuple[GroupId, ...] = ()
    """Users and groups that may read a private channel without being subscribed."""


class ReadersOfMove(msgspec.Struct, frozen=True, omit_defaults=True, tag="readers_of_move"):
    """A subset of the readers of messages that were moved to another channel (see `places_seen`)."""

    before: ReadersOf
    after: ReadersOf
    could: bool
    """Whether they could read the messages before the move."""
    can: bool
    """Whether they could read them right after it."""


class Everyone(msgspec.Struct, frozen=True, omit_defaults=True, tag="everyone"):
    """All users with active accounts."""

    but_guests: bool = False


Audience = Users | SubscribersOf | ReadersOf | ReadersOfMove | ChannelViewers | Everyone


def channel_viewers(channel: Channel, *, without: Sequence[UserId] = ()) -> ChannelViewers:
    """Return the audience of users, except *without*, to whom the channel is visible by its settings."""
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
    """Return the audience of changes to messages that *arrived* in *channel* at these positions."""
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
    """Return the users and the groups that hold any of these permissions."""
    values = [channel.permission_value(name) for name in permissions]
    members = {user for value in values for user in value.members}
    groups = {group for value in values for group in value.groups}
    return tuple(sorted(members)), tuple(sorted(groups))


class ChannelFacts(Protocol):
    """Facts about channels that rules need: periods of subscription, and the present state."""

    def periods(self, channel_id: ChannelId, user_id: UserId) -> Sequence[Period]: ...

    def is_private(self, channel_id: ChannelId) -> bool: ...

    def shares_history(self, channel_id: ChannelId) -> bool: ...

    def viewers(self, channel_id: ChannelId) -> ChannelViewers | None:
        """Return the rule by which users see the channel; None if that is not known."""

    def may_read(self, channel_id: ChannelId, actor: Actor) -> bool: ...

    def keepers(self, channel_id: ChannelId, at: Position) -> Collection[UserId]:
        """Return who has messages of that event in the own history without having received them."""


class KnownChannelFacts:
    """Facts from a mapping by channel and user, and from the channels as they are now."""

    def __init__(
        self,
        periods: Mapping[ChannelId, Mapping[UserId, Sequence[Period]]],
        channels: Collection[Channel] = (),
        *,
        keepers: Mapping[tuple[ChannelId, Position], Collection[UserId]] | None = None,
        knows_viewers: bool = True,
    ) -> None:
        self._periods = periods
        self._keepers = keepers or {}
        self._channels = {channel.id: channel for channel in channels}
        self._viewers = {channel.id: channel_viewers(channel) for channel in channels if knows_viewers}

    def periods(self, channel_id: ChannelId, user_id: UserId) -> Sequence[Period]:
        return self._periods.get(channel_id, {}).get(user_id, ())

    def is_private(self, channel_id: ChannelId) -> bool:
        return channel_id in self._channels and self._channels[channel_id].invite_only

    def shares_history(self, channel_id: ChannelId) -> bool:
        channel = self._channels.get(channel_id)
        return channel is None or channel.history_public_to_subscribers

    def viewers(self, channel_id: ChannelId) -> ChannelViewers | None:
        return self._viewers.get(channel_id)

    def may_read(self, channel_id: ChannelId, actor: Actor) -> bool:
        if any(period.until is None for period in self.periods(channel_id, actor.user_id)):
            return True
        channel = self._channels.get(channel_id)
        return channel is not None and has_member_access(channel, actor, subscribed=False)

    def keepers(self, channel_id: ChannelId, at: Position) -> Collection[UserId]:
        return self._keepers.get((channel_id, at), ())


def channels_of(audience: Audience) -> tuple[ChannelId, ...]:
    """Return the channels about which the rule needs facts."""
    if isinstance(audience, ReadersOfMove):
        return audience.before.channel_id, audience.after.channel_id
    if isinstance(audience, SubscribersOf | ReadersOf | ChannelViewers):
        return (audience.channel_id,)
    return ()


def is_notified(audience: Audience, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the actor is in the audience of the event at that position."""
    if isinstance(audience, ReadersOfMove):
        return any(places_seen(audience, actor, at, facts))
    match audience:
        case Users():
            return actor.user_id in audience.user_ids
        case Everyone():
            return not (audience.but_guests and actor.is_guest)
        case SubscribersOf():
            return _is_mentioned_without_subscription(audience, actor, facts) or (
                _was_subscribed(audience, actor, at, facts) and _may_still_read(audience, actor, facts)
            )
        case ReadersOf():
            return _is_reader(audience, actor, at, facts) and _may_read(audience, actor, at, facts)
        case ChannelViewers():
            return actor.user_id not in audience.without and _sees(audience, actor, at, facts)
        case _:
            assert_never(audience)


def _sees(audience: ChannelViewers, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the actor may see a channel now, by its present settings; if these are not known, by those that
    it had at the time of the event, although the groups that they name may have other members now.
    """
    viewers = facts.viewers(audience.channel_id)
    if viewers is None:
        return _saw(audience, actor, at, facts)
    periods = facts.periods(audience.channel_id, actor.user_id)
    # An event may leave out those who see a channel only because it is open to the web.
    is_open = viewers.web_public and audience.web_public
    return any(period.until is None for period in periods) or _is_viewer(viewers, actor, is_open=is_open)


def _saw(audience: ChannelViewers, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the actor could see a channel, by its settings at the time of an event."""
    periods = facts.periods(audience.channel_id, actor.user_id)
    return any(period.covers(at) for period in periods) or _is_viewer(
        audience, actor, is_open=audience.web_public
    )


def _is_viewer(settings: ChannelViewers, actor: Actor, *, is_open: bool) -> bool:
    """Whether the actor may see a channel without a subscription."""
    if is_open or actor.role.is_administrator:
        return True
    return not actor.is_guest and (not settings.private or _is_among(settings, actor))


class PlacesSeen(NamedTuple):
    """The places of a move that a reader may still read."""

    before: bool
    """Whether the reader may read the channel from which messages were moved."""
    after: bool
    """Whether the reader may read the channel to which they were moved."""


def places_seen(audience: ReadersOfMove, actor: Actor, at: Position, facts: ChannelFacts) -> PlacesSeen:
    """Return which of the two places of a move the actor may read now; neither, if the actor is not in the
    audience.

    The audience follows from what the actor could read at the position of the move, so that a late poll is
    notified of the move in the same way as a prompt one. The places follow from the present: one that has
    become private since, or that the actor has left since, must no longer be described.
    """
    before, after = audience.before, audience.after
    could_before = _could_read(before, actor, at, facts)
    could_after = _could_read(after, actor, at, facts)
    was_reader_before = could_before and _is_reader(before, actor, at, facts)
    was_reader_after = could_after and _is_reader(after, actor, at, facts)
    is_in_subset = (could_before, could_after) == (audience.could, audience.can)
    if not (is_in_subset and (was_reader_before or was_reader_after)):
        return PlacesSeen(before=False, after=False)
    return PlacesSeen(_may_read(before, actor, at, facts), _may_read(after, actor, at, facts))


def _is_mentioned_without_subscription(audience: SubscribersOf, actor: Actor, facts: ChannelFacts) -> bool:
    """Whether the actor is mentioned unsubscribed, and may read the channel if it has become private."""
    if actor.user_id not in audience.also:
        return False
    has_become_private = facts.is_private(audience.channel_id) and not audience.private
    return not has_become_private or facts.may_read(audience.channel_id, actor)


def _was_subscribed(
    audience: SubscribersOf | ReadersOf, actor: Actor, at: Position, facts: ChannelFacts
) -> bool:
    """Whether the actor was subscribed at the position of the event."""
    return any(period.covers(at) for period in facts.periods(audience.channel_id, actor.user_id))


def _may_still_read(audience: SubscribersOf | ReadersOf, actor: Actor, facts: ChannelFacts) -> bool:
    """Whether the actor has kept access. Only guests, and all users of private channels, can have lost it."""
    can_have_lost_access = actor.is_guest or _is_or_was_private(audience, facts)
    return not can_have_lost_access or facts.may_read(audience.channel_id, actor)


def _is_or_was_private(audience: SubscribersOf | ReadersOf, facts: ChannelFacts) -> bool:
    """Whether the channel was private at the time of the event, or is private now."""
    return audience.private or facts.is_private(audience.channel_id)


def _is_reader(audience: ReadersOf, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the actor was subscribed, or has the messages in the history."""
    return _was_subscribed(audience, actor, at, facts) or _has_in_history(audience, actor, facts)


def _has_in_history(audience: ReadersOf, actor: Actor, facts: ChannelFacts) -> bool:
    """Whether the messages are in the actor's own history."""
    periods = facts.periods(audience.channel_id, actor.user_id)
    return actor.user_id in audience.keepers or any(p.meets(*audience.arrived) for p in periods)


def _could_read(audience: ReadersOf, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the actor could read the messages at the position of the event."""
    if not audience.shared_history and not _has_in_history(audience, actor, facts):
        return False
    if _was_subscribed(audience, actor, at, facts):
        return True
    return not actor.is_guest and (not audience.private or _is_among(audience, actor))


def _may_read(audience: ReadersOf, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the actor could read the messages, and may still do so."""
    return (
        _could_read(audience, actor, at, facts)
        and _may_still_read(audience, actor, facts)
        and _may_still_read_history(audience, actor, at, facts)
    )


def _may_still_read_history(audience: ReadersOf, actor: Actor, at: Position, facts: ChannelFacts) -> bool:
    """Whether the channel's history has not become protected since the event, or the actor received the first
    or the last of the messages on arrival, or has them in the own history in another way.
    """
    if not audience.shared_history or facts.shares_history(audience.channel_id):
        return True
    periods = facts.periods(audience.channel_id, actor.user_id)
    return (
        actor.user_id in audience.keepers
        or actor.user_id in facts.keepers(audience.channel_id, at)
        or any(period.covers(arrived) for period in periods for arrived in audience.arrived)
    )


def _is_among(audience: ReadersOf | ChannelViewers, actor: Actor) -> bool:
    """Whether the actor is one of the users, or in one of the groups, that the audience names."""
    return GroupSetting(frozenset(audience.groups), frozenset(audience.members)).includes(actor)


def reaches_public_queues(audience: Audience, actor: Actor, facts: ChannelFacts) -> bool:
    """Whether a queue with `all_public_streams` receives the event although the queue's owner is not in the
    audience.
    """
    return (
        isinstance(audience, SubscribersOf) and not _is_or_was_private(audience, facts) and not actor.is_guest
    )
