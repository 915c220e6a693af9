"""Events for limited guests about people whose visibility to them changes.

A use case that changes which people limited guests know creates a `GuestVisibility` before the change and
calls `announce` after it, in the same unit of work. Only the affected guests are notified.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property

import msgspec

from chatcore.application.units import Unit
from chatcore.application.visibility import presences, statuses
from chatcore.application.visibility.channel_changes import requires_archived
from chatcore.application.visibility.groups import group_shapes
from chatcore.application.visibility.known_users import accessible_users, deactivated_among
from chatcore.application.visibility.users import (
    announce_value,
    fields_listing_users,
    profile_data_of,
)
from chatcore.domain.channels.channels import has_metadata_access, is_subscribed
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import (
    CHANNEL_PERMISSIONS,
    GROUP_PERMISSIONS,
    ORGANIZATION_PERMISSIONS,
)
from chatcore.domain.ids import ChannelId, GroupId, UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.profile_fields import FieldType, ProfileField
from chatcore.domain.people.presence import Presence
from chatcore.domain.people.statuses import Status
from chatcore.domain.people.users import User
from chatcore.domain.roles import Role
from chatcore.events.audience import Users
from chatcore.events.happened import (
    ChannelUpdated,
    GroupChanged,
    GroupMembersChanged,
    OrganizationPermissionsChanged,
    StatusChanged,
    UserAdded,
    UserRemoved,
)
from chatcore.events.happened.groups import MembersOp
from chatcore.events.payloads.groups import GroupShape
from chatcore.events.payloads.users import Person, ProfileData, person


class GuestVisibility:
    """The people known to some limited guests before a change. The guests are those among *user_ids* and
    among the subscribers of the channels.
    """

    def __init__(
        self,
        unit: Unit,
        user_ids: Collection[UserId],
        channel_ids: Collection[ChannelId] = (),
        *,
        with_groups: bool = False,
    ) -> None:
        """Read the state before the change. Pass *with_groups* for a change that also removes people from
        groups.
        """
        tx = unit.tx
        self._people = PeopleVisibility(unit)
        self._guests: Mapping[UserId, Actor] = {}
        if self._people.organization.hides_users_from_guests:
            candidates = set(user_ids)
            for subscribers in tx.subscriptions.subscribers_of(list(channel_ids)).values():
                candidates.update(subscribers)
            guests = [user.id for user in tx.users.active_with_roles([Role.GUEST]) if user.id in candidates]
            self._guests = tx.users.actors(guests, unit.now)
        self._before = {guest.user_id: self._people.known_to(guest) for guest in self._guests.values()}
        if with_groups and self._guests:
            self._people.read_groups()

    def announce(self) -> None:
        """Notify each guest of the people who have come into the guest's sight by the change, or have gone
        out of it.
        """
        for guest in self._guests.values():
            self._people.announce_difference(guest, self._before[guest.user_id], self._people.known_to(guest))

    def who_met(self, user_id: UserId) -> tuple[UserId, ...]:
        """Return the guests who know of that user since the change."""
        return tuple(
            sorted(
                guest.user_id
                for guest in self._guests.values()
                if user_id in self._people.known_to(guest) - self._before[guest.user_id]
            )
        )


class PeopleVisibility:
    """Events for viewers whose visibility of people has changed; data that they share is read once, at its
    first use.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit, self._tx = unit, unit.tx
        self._groups: Collection[GroupShape] | None = None
        self.organization: Organization = unit.tx.organization.get()

    def known_to(self, actor: Actor) -> frozenset[UserId]:
        """Return the users known to the actor with the given rights, without the server's own bot."""
        knows = accessible_users(self._tx, self.organization, actor, self._users.values())
        return frozenset(filter(knows, self._users))

    def read_groups(self) -> Collection[GroupShape]:
        """Return the groups with their members as they were at the first call: before the change, or when
        events are formed.
        """
        if self._groups is None:
            self._groups = group_shapes(self._tx, include_deactivated=True, now=self._unit.now)
        return self._groups

    def announce_difference(self, viewer: Actor, knew: Collection[UserId], knows: Collection[UserId]) -> None:
        """Notify a viewer of the people of whom the viewer now knows or no longer knows, and of what names
        them.
        """
        gained, lost = frozenset(knows).difference(knew), frozenset(knew).difference(knows)
        if not gained and not lost:
            return
        to = Users((viewer.user_id,))
        for user_id in sorted(lost):
            self._tx.announce(UserRemoved(user_id=user_id), to)
            self._tx.announce(UserAdded(person=self._person(user_id), out_of_sight=True), to)
        for user_id in sorted(gained):
            added = UserAdded(
                person=self._person(user_id),
                profile_data=self._profiles(user_id),
                listing=self._fields_listing_users,
            )
            self._tx.announce(added, to)
            if status := statuses.shown_status(self._users[user_id], self._statuses.get(user_id)):
                self._tx.announce(StatusChanged(user_id=user_id, changes=status), to)
            if self._users[user_id].is_active and user_id in self._presences:
                event = presences.make_presence_changed(
                    self._unit.svc, self._users[user_id], self._presences[user_id]
                )
                self._tx.announce(event, to)
        for group in self.read_groups():
            self._announce_group(group, gained, lost, to)
        self._announce_profiles(frozenset(knew).intersection(knows), gained | lost, to)
        self._announce_channels(viewer, gained | lost, to)
        self._announce_permissions(gained | lost, to)

    def _person(self, user_id: UserId) -> Person:
        return person(self._users[user_id], self._unit.svc.settings.host)

    def _announce_group(
        self, group: GroupShape, gained: frozenset[UserId], lost: frozenset[UserId], to: Users
    ) -> None:
        """Announce those members of a group who came into sight of the viewer or went out of it, and the
        group's permissions that name such people.
        """
        group_id = GroupId(group.id)
        changes: Sequence[tuple[MembersOp, frozenset[UserId]]] = (
            ("add_members", gained),
            ("remove_members", lost),
        )
        member_ids = frozenset(map(UserId, group.members))
        for op, user_ids in changes:
            if members := sorted(user_ids & member_ids):
                changed = GroupMembersChanged(
                    group_id=group_id,
                    deactivated=group.deactivated,
                    op=op,
                    user_ids=tuple(members),
                    out_of_sight=op == "remove_members",
                )
                self._tx.announce(changed, to)
        values = msgspec.structs.asdict(group)
        naming = {name: values[name] for name in GROUP_PERMISSIONS if _names_any(values[name], gained | lost)}
        if naming:
            event = GroupChanged(group_id=group_id, deactivated=group.deactivated, data=naming)
            self._tx.announce(event, to)

    def _announce_profiles(self, known: frozenset[UserId], changed: frozenset[UserId], to: Users) -> None:
        """Announce profiles of people known before and after that list one of the *changed*."""
        for definition in self._fields:
            if definition.type != FieldType.PERSON:
                continue
            for user_id, values in self._tx.profile_values.of_users(known).items():
                value = values.get(definition.id)
                if value is not None and not changed.isdisjoint(json.loads(value.value)):
                    announce_value(self._tx, user_id, definition, value, to)

    def _announce_channels(self, viewer: Actor, user_ids: frozenset[UserId], to: Users) -> None:
        """Announce to *to* those permissions that name one of the users, in the channels visible to the
        viewer.
        """
        subscriptions = self._tx.subscriptions.of_user(viewer.user_id)
        for channel in self._tx.channels.all():
            if user_ids.isdisjoint(channel.named_people):
                continue
            subscribed = is_subscribed(subscriptions.get(channel.id))
            if not has_metadata_access(channel, viewer, subscribed=subscribed):
                continue
            hidden = deactivated_among(self._tx, channel.named_people)
            for name in CHANNEL_PERMISSIONS:
                value = channel.permission_value(name).as_sent(hidden=hidden)
                if _names_any(value, user_ids):
                    changed = ChannelUpdated(
                        channel_id=channel.id,
                        name=channel.name,
                        property=name,
                        value=value,
                        knows_archived=requires_archived(channel),
                    )
                    self._tx.announce(changed, to)

    def _announce_permissions(self, user_ids: frozenset[UserId], to: Users) -> None:
        values = {name: self.organization.permission_value(name) for name in ORGANIZATION_PERMISSIONS}
        naming = {name: value for name, value in values.items() if value.members & user_ids}
        if naming:
            hidden = deactivated_among(self._tx, frozenset().union(*(v.members for v in naming.values())))
            data = {name: value.as_sent(hidden=hidden) for name, value in naming.items()}
            self._tx.announce(OrganizationPermissionsChanged(data=data), to)

    @cached_property
    def _users(self) -> Mapping[UserId, User]:
        bot_id = self.organization.notification_bot_id
        return {user.id: user for user in self._tx.users.all() if user.id != bot_id}

    @cached_property
    def _profiles(self) -> Callable[[UserId], ProfileData]:
        return profile_data_of(self._tx)

    @cached_property
    def _fields(self) -> Sequence[ProfileField]:
        return self._tx.profile_fields.all()

    @cached_property
    def _fields_listing_users(self) -> tuple[str, ...]:
        return fields_listing_users(self._tx)

    @cached_property
    def _statuses(self) -> Mapping[UserId, Status]:
        return self._tx.statuses.all()

    @cached_property
    def _presences(self) -> Mapping[UserId, Presence]:
        return presences.select_presences(self._unit, self.organization, presences.WantedPresences())


def _names_any(value: int | dict[str, list[int]], user_ids: Iterable[UserId]) -> bool:
    """Whether a group-setting value names one of the users."""
    return isinstance(value, dict) and not set(user_ids).isdisjoint(value["direct_members"])
