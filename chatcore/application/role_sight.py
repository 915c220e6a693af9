"""What comes into or goes out of somebody's sight with another role: channels, people, addresses.

All of it is told to nobody but that one person.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from chatcore.application import statuses
from chatcore.application.accessible import accessible_users, is_limited
from chatcore.application.services import Services
from chatcore.application.users import profile_data_of
from chatcore.domain.channels import Channel, has_metadata_access
from chatcore.domain.groups import Actor
from chatcore.domain.users import User, may_see_email
from chatcore.events.audience import Users
from chatcore.events.shapes.channels import channel_shape
from chatcore.events.shapes.users import person
from chatcore.events.types import (
    AddressChanged,
    ChannelsCreated,
    ChannelsDeleted,
    PeersChanged,
    StatusChanged,
    UserAdded,
    UserRemoved,
)
from chatcore.storage import Transaction


def announce_sight(svc: Services, tx: Transaction, before: Actor) -> None:
    """Tell an active user what they see now and did not see with the rights they had *before*."""
    _Sight(svc, tx, before, tx.users.actors([before.user_id], svc.now)[before.user_id]).announce()


class _Sight:
    def __init__(self, svc: Services, tx: Transaction, before: Actor, after: Actor) -> None:
        self.svc = svc
        self.tx = tx
        self.before = before
        self.after = after
        self.audience = Users((after.user_id,))

    def announce(self) -> None:
        self._channels()
        users = self.tx.users.all()
        self._people(users)
        self._addresses(users)

    def _channels(self) -> None:
        subscriptions = self.tx.subscriptions.of_user(self.after.user_id)
        gained: list[Channel] = []
        lost: list[Channel] = []
        for channel in self.tx.channels.all():
            subscription = subscriptions.get(channel.id)
            subscribed = subscription is not None and subscription.active
            saw, sees = (
                has_metadata_access(channel, actor, subscribed=subscribed)
                for actor in (self.before, self.after)
            )
            if sees != saw:
                (gained if sees else lost).append(channel)
        self._gained(gained)
        for archived in (False, True):
            ids = tuple(channel.id for channel in lost if channel.is_archived == archived)
            if ids:
                self.tx.announce(ChannelsDeleted(channel_ids=ids, archived=archived), self.audience)

    def _gained(self, channels: Sequence[Channel]) -> None:
        if not channels:
            return
        traffic = self.tx.channels.weekly_traffic(channels, self.svc.now)
        shapes: list[dict[str, Any]] = [
            msgspec.to_builtins(channel_shape(channel, now=self.svc.now, weekly_traffic=traffic[channel.id]))
            for channel in channels
        ]
        self.tx.announce(ChannelsCreated(channels=tuple(shapes)), self.audience)
        living = [channel.id for channel in channels if not channel.is_archived]
        for channel_id, user_ids in self.tx.subscriptions.subscribers_of(living).items():
            if user_ids:
                peers = PeersChanged(op="peer_add", channel_ids=(channel_id,), user_ids=tuple(user_ids))
                self.tx.announce(peers, self.audience)

    def _people(self, users: Sequence[User]) -> None:
        """Guests may know only of some; whoever becomes one, or is none any more, is told of the others."""
        organization = self.tx.organization.get()
        if is_limited(organization, self.before) == is_limited(organization, self.after):
            return
        knew = accessible_users(self.tx, organization, self.before, users)
        knows = accessible_users(self.tx, organization, self.after, users)
        profiles, texts = profile_data_of(self.tx), self.tx.statuses.all()
        for user in users:
            if knew(user.id) == knows(user.id) or user.id == organization.notification_bot_id:
                continue
            if knew(user.id):
                self.tx.announce(UserRemoved(user_id=user.id), self.audience)
            # To who knew of the user, this is what stands for one that may not be known.
            added = UserAdded(person=person(user, self.svc.settings.host), profile_data=profiles(user.id))
            self.tx.announce(added, self.audience)
            if status := statuses.shown(user, texts.get(user.id)):
                self.tx.announce(StatusChanged(user_id=user.id, changes=status), self.audience)

    def _addresses(self, users: Sequence[User]) -> None:
        for user in users:
            if may_see_email(self.before, user) != may_see_email(self.after, user):
                who = person(user, self.svc.settings.host)
                self.tx.announce(AddressChanged(person=who, also_hidden=True), self.audience)
