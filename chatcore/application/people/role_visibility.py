"""Changes of visibility that follow from another role: channels, people, addresses, bots.

Only the user whose role changed is notified.
"""

from chatcore.application.units import Unit
from chatcore.application.visibility.bot_managers import announce_managed
from chatcore.application.visibility.channel_changes import (
    announce_gone_channels,
    announce_visible,
    withdraw_channels,
)
from chatcore.application.visibility.known_users import is_limited
from chatcore.application.visibility.people_changes import PeopleVisibility
from chatcore.domain.channels.channels import Channel, has_metadata_access, is_subscribed
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.users import AvatarSource, may_see_email
from chatcore.events.audience import Users
from chatcore.events.happened import (
    AddressChanged,
    AvatarChanged,
    DefaultChannelsChanged,
    DefaultGroupsChanged,
)
from chatcore.events.payloads.users import person


def announce_visibility(unit: Unit, before: Actor) -> None:
    """Notify an active user of the differences in visibility between the rights *before* and now."""
    after = unit.tx.users.actors([before.user_id], unit.now)[before.user_id]
    _VisibilityChange(unit, before, after).announce()


class _VisibilityChange:
    """The difference between two sets of rights of one person, announced to that person alone."""

    def __init__(self, unit: Unit, before: Actor, after: Actor) -> None:
        self.unit, self.tx = unit, unit.tx
        self.before = before
        self.after = after
        self.audience = Users((after.user_id,))

    def announce(self) -> None:
        self._announce_channels()
        self._announce_people()
        self._announce_addresses()
        self._announce_default_channels()
        announce_managed(self.unit, self.before, self.after)

    def _announce_default_channels(self) -> None:
        """Announce the default channels and their groups, which guests do not receive. Groups that are gone
        count too: a guest who has not polled since does not receive that they went.
        """
        if self.before.is_guest != self.after.is_guest:
            self.tx.announce(DefaultChannelsChanged(), self.audience)
            self.tx.announce(DefaultGroupsChanged(), self.audience)

    def _announce_channels(self) -> None:
        """Announce which channels appear to the person with the new role, and which disappear."""
        subscriptions = self.tx.subscriptions.of_user(self.after.user_id)
        gained: list[Channel] = []
        lost: list[Channel] = []
        for channel in self.tx.channels.all():
            subscribed = is_subscribed(subscriptions.get(channel.id))
            saw = has_metadata_access(channel, self.before, subscribed=subscribed)
            sees = has_metadata_access(channel, self.after, subscribed=subscribed)
            if sees != saw:
                (gained if sees else lost).append(channel)
        announce_visible(self.unit, gained, [self.after.user_id])
        withdraw_channels(self.unit, lost, [self.after.user_id])

    def _announce_people(self) -> None:
        """Announce the other people to a user who becomes a guest or ceases to be one: guests may know only
        of some.
        """
        organization = self.tx.organization.get()
        if is_limited(organization, self.before) == is_limited(organization, self.after):
            return
        # Anew, as a client that polls late may not have the present subscribers.
        channels = self._unsubscribed_open_channels()
        announce_gone_channels(self.tx, channels, [self.after.user_id])
        announce_visible(self.unit, channels, [self.after.user_id])
        people_visibility = PeopleVisibility(self.unit)
        people_visibility.announce_difference(
            self.after, people_visibility.known_to(self.before), people_visibility.known_to(self.after)
        )

    def _unsubscribed_open_channels(self) -> list[Channel]:
        """Return the channels that are open to the web and to which the user is not subscribed. The user sees
        them with any role, but a limited guest does not receive their subscribers.
        """
        subscriptions = self.tx.subscriptions.of_user(self.after.user_id)
        return [
            channel
            for channel in self.tx.channels.all()
            if channel.is_web_public and not is_subscribed(subscriptions.get(channel.id))
        ]

    def _announce_addresses(self) -> None:
        """Announce the people whose addresses appear to the person with the new role, or disappear."""
        for user in self.tx.users.all():
            if may_see_email(self.before, user) != may_see_email(self.after, user):
                who = person(user, self.unit.svc.settings.host)
                self.tx.announce(AddressChanged(person=who, also_hidden=True), self.audience)
                generated = self.unit.svc.settings.gravatar and user.avatar_source == AvatarSource.GRAVATAR
                if generated and not may_see_email(self.after, user):
                    # Clients that derive pictures from the address can no longer do so.
                    self.tx.announce(AvatarChanged(person=who), self.audience)
