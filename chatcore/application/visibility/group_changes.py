"""Consequences of changed groups for the visibility of private channels, and the events for them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.units import Unit, View
from chatcore.application.visibility.channel_changes import announce_visible, withdraw_channels
from chatcore.application.visibility.groups import members_with_subgroups
from chatcore.domain.channels.channels import METADATA_GROUPS, Channel, has_metadata_access
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, GroupId, UserId
from chatcore.storage import Snapshot

Viewers = Mapping[ChannelId, frozenset[UserId]]
"""For each channel, the people who can see it."""


@dataclass(frozen=True, slots=True)
class SightBefore:
    """The people and channels affected by a change, and who of these people could see each channel before."""

    channels: Sequence[Channel]
    user_ids: Collection[UserId]
    viewers: Viewers


def find_sight_before(
    view: View,
    group_ids: Iterable[GroupId],
    find_user_ids: Callable[[], Collection[UserId]],
) -> SightBefore | None:
    """Return which private channels the people of a change of group members see before it, for
    `announce_changed_sight` after it; None if no channel depends on the groups.

    *group_ids* are the changing groups and all groups that contain them; *find_user_ids* returns the people
    who come or go, and is called only if a channel depends on the groups.
    """
    changing = frozenset(group_ids)
    channels = [
        channel
        for channel in view.snapshot.channels.private()
        if any(not changing.isdisjoint(channel.permission_value(name).groups) for name in METADATA_GROUPS)
    ]
    if not channels:
        return None
    people = find_user_ids()
    return SightBefore(channels, people, _viewers_of_each(view, channels, people))


def find_sight_of_members(view: View, group_id: GroupId) -> SightBefore | None:
    """Return which private channels the members of a group see before it is deactivated or active again, as
    `find_sight_before` does. No active group contains it meanwhile.
    """
    return find_sight_before(view, [group_id], lambda: members_with_subgroups(view, [group_id]))


def announce_changed_sight(unit: Unit, before: SightBefore | None) -> None:
    """Notify people of the channels that they gained or lost since *before*."""
    if before is None:
        return
    after = _viewers_of_each(unit, before.channels, before.user_ids)
    for channel in before.channels:
        announce_visible(unit, [channel], after[channel.id] - before.viewers[channel.id])
        withdraw_channels(unit, [channel], before.viewers[channel.id] - after[channel.id])


def _viewers_of_each(view: View, channels: Iterable[Channel], user_ids: Collection[UserId]) -> Viewers:
    """Return for each channel those of the users who can see it now."""
    actors = view.snapshot.users.actors(user_ids, view.now)
    return {channel.id: actors_who_see(view.snapshot, channel, actors) for channel in channels}


def users_who_see(view: View, channel: Channel, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the people who can see the channel now; deactivated users cannot."""
    return actors_who_see(view.snapshot, channel, view.snapshot.users.actors(user_ids, view.now))


def actors_who_see(snapshot: Snapshot, channel: Channel, actors: Mapping[UserId, Actor]) -> frozenset[UserId]:
    """Return those of *actors* to whom the channel is visible with the settings in *channel*."""
    subscribed = snapshot.subscriptions.subscribed_among(channel.id, actors.keys())
    return frozenset(
        user_id
        for user_id, actor in actors.items()
        if has_metadata_access(channel, actor, subscribed=user_id in subscribed)
    )
