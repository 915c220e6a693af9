"""One reading of the initial state: the caller, the options, and the rows that were read.

Several fields need the same rows; each kind is read once, when the first field needs it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from chatcore.application.services import Services
from chatcore.application.visibility.known_users import accessible_users, is_limited, known_subscriber_count
from chatcore.application.visibility.users import profile_data_from
from chatcore.domain.channels.channels import (
    Activity,
    Channel,
    Subscription,
    has_metadata_access,
    is_subscribed,
)
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, FieldId, UserId
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.profile_fields import ProfileValue
from chatcore.domain.people.setting_values import channel_notification_defaults
from chatcore.domain.people.users import User
from chatcore.domain.roles import Role
from chatcore.domain.scheduled.scheduled_messages import Scheduled
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.payloads.channels import IncludeSubscribers, lists_subscribers
from chatcore.events.payloads.users import ProfileData
from chatcore.events.queue import Registration
from chatcore.storage import Snapshot

NOBODY_LOGGED_IN = User(
    id=UserId(0), email="", full_name="Anonymous User", role=Role.GUEST, is_active=False, date_joined=0
)
"""The user whose settings and rights apply to a caller without an account."""


@dataclass(frozen=True, kw_only=True)
class Fetch:
    snapshot: Snapshot
    actor: Actor | None
    registration: Registration
    svc: Services
    now: int
    include_subscribers: IncludeSubscribers
    organization_url: str
    """The URL of the organization by which the client reaches it."""

    @cached_property
    def host(self) -> str:
        return self.svc.settings.host

    @cached_property
    def organization(self) -> Organization:
        return self.snapshot.organization.get()

    @cached_property
    def user(self) -> User:
        if self.actor is None:
            return NOBODY_LOGGED_IN
        return self.snapshot.users.get(self.actor.user_id)

    @cached_property
    def scheduled(self) -> Sequence[Scheduled]:
        """Return the caller's scheduled messages and reminders; the first due comes first."""
        assert self.actor is not None, "without an account the answer is fixed"
        return self.snapshot.scheduled_messages.of_user(self.actor.user_id)

    # -- users --------------------------------------------------------------------------------------

    @cached_property
    def users(self) -> Sequence[User]:
        """Return all users, by id."""
        return self.snapshot.users.all()

    @cached_property
    def people(self) -> Sequence[User]:
        """Return all users but the server's own bot."""
        return [user for user in self.users if user.id != self.organization.notification_bot_id]

    @cached_property
    def is_limited(self) -> bool:
        """Whether users can exist that the caller may not know of."""
        return self.actor is not None and is_limited(self.organization, self.actor)

    @cached_property
    def is_accessible(self) -> Callable[[UserId], bool]:
        return accessible_users(self.snapshot, self.organization, self.actor, self.users)

    @cached_property
    def profile_data(self) -> Callable[[UserId], ProfileData]:
        """Return a function for everybody's profile values, as the caller may know them."""
        knows = self.is_accessible if self.is_limited else None
        return profile_data_from(self.snapshot, self.profile_values, knows=knows)

    @cached_property
    def profile_values(self) -> Mapping[UserId, Mapping[FieldId, ProfileValue]]:
        """Return everybody's values of profile fields."""
        return self.snapshot.profile_values.of_users()

    @cached_property
    def deactivated(self) -> frozenset[UserId]:
        """Return the users who are hidden wherever others are listed."""
        return frozenset(user.id for user in self.users if not user.is_active)

    @cached_property
    def unseen(self) -> frozenset[UserId]:
        """Return the users to leave out of lists for the caller: deactivated users, and users whom the caller
        may not know of.
        """
        if not self.is_limited:
            return self.deactivated
        return self.deactivated.union(user.id for user in self.users if not self.is_accessible(user.id))

    # -- channels -----------------------------------------------------------------------------------

    @cached_property
    def subscriptions(self) -> Mapping[ChannelId, Subscription]:
        """Return the caller's present and former subscriptions."""
        return {} if self.actor is None else self.snapshot.subscriptions.of_user(self.actor.user_id)

    def is_subscribed(self, channel_id: ChannelId) -> bool:
        return is_subscribed(self.subscriptions.get(channel_id))

    @cached_property
    def channels(self) -> Mapping[ChannelId, Channel]:
        """Return the channels that the caller may know of, by name; archived ones if the client supports
        them.
        """
        return {
            channel.id: channel
            for channel in self.snapshot.channels.all()
            if self.registration.capabilities.archived_channels or not channel.is_archived
            if has_metadata_access(channel, self.actor, subscribed=self.is_subscribed(channel.id))
        }

    @cached_property
    def activities(self) -> Mapping[ChannelId, Activity]:
        return self.snapshot.channels.activities(list(self.channels.values()), self.now)

    @cached_property
    def subscribers(self) -> Mapping[ChannelId, Collection[UserId]]:
        """Return the subscribers of the channels whose lists are to be complete.

        A limited guest receives only the subscribers of its own channels.
        """
        listed = [channel.id for channel in self.channels.values() if self.lists_subscribers(channel)]
        if not self.is_limited:
            return self.snapshot.subscriptions.subscribers_of(listed)
        own = [channel_id for channel_id in listed if self.is_subscribed(channel_id)]
        return {**dict.fromkeys(listed, ()), **self.snapshot.subscriptions.subscribers_of(own)}

    def subscriber_count(self, channel: Channel) -> int:
        """Return the number of subscribers that the caller may know."""
        subscribed = self.is_subscribed(channel.id)
        return known_subscriber_count(channel, self.organization, self.actor, subscribed=subscribed)

    def lists_subscribers(self, channel: Channel) -> bool:
        return lists_subscribers(self.subscriber_count(channel), self.include_subscribers)

    @cached_property
    def notification_defaults(self) -> Mapping[str, bool]:
        """Return the values of null in the notification settings of the caller's channels."""
        return channel_notification_defaults(self.user)

    # -- topics -------------------------------------------------------------------------------------

    @cached_property
    def topic_policies(self) -> Mapping[tuple[ChannelId, str], tuple[str, VisibilityPolicy, int]]:
        """Return the caller's policies in channels that it can see, by channel and key of the topic. Each has
        the topic, the policy, and when it was set.
        """
        if self.actor is None:
            return {}
        policies = self.snapshot.topic_policies.of_user(self.actor.user_id)
        return {place: policy for place, policy in policies.items() if place[0] in self.channels}

    @cached_property
    def viewer(self) -> Viewer:
        policies = {place: policy for place, (_, policy, _) in self.topic_policies.items()}
        return Viewer(actor=self.actor, subscriptions=self.subscriptions, topic_policies=policies)

    def topic_name(self, topic: str) -> str:
        """Return a topic for the client: the empty one has a display name for clients that do not support
        it.
        """
        if topic or self.registration.capabilities.empty_topic_name:
            return topic
        return self.organization.empty_topic_display_name
