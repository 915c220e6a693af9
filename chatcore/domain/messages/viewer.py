"""Readers of messages, with the personal facts that determine visibility and flags."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chatcore.domain.channels.channels import Subscription, is_subscribed
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.topics import VisibilityPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """A reader of messages; without an `actor`, a spectator.

    `flags` holds the reader's flags by message; a message that is not in it has `default_flags`. A program
    that narrows its own list of messages needs no more than ``Viewer()``.
    """

    actor: Actor | None = None
    subscriptions: Mapping[ChannelId, Subscription] = field(default_factory=dict)
    topic_policies: Mapping[tuple[ChannelId, str], VisibilityPolicy] = field(default_factory=dict)
    """By channel and topic key."""
    flags: Mapping[MessageId, Flag] = field(default_factory=dict)
    default_flags: Flag = Flag.NONE

    @property
    def user_id(self) -> UserId | None:
        return None if self.actor is None else self.actor.user_id

    def is_subscribed_to(self, channel_id: ChannelId) -> bool:
        return is_subscribed(self.subscriptions.get(channel_id))

    def has_muted_channel(self, channel_id: ChannelId) -> bool:
        subscription = self.subscriptions.get(channel_id)
        return subscription is not None and subscription.is_muted

    def policy(self, channel_id: ChannelId, topic_key: str) -> VisibilityPolicy:
        return self.topic_policies.get((channel_id, topic_key), VisibilityPolicy.INHERIT)

    def has_muted(self, channel_id: ChannelId, topic_key: str) -> bool:
        """Whether a topic is muted: by its own policy, or by its channel unless unmuted or followed."""
        policy = self.policy(channel_id, topic_key)
        if policy == VisibilityPolicy.INHERIT:
            return self.has_muted_channel(channel_id)
        return policy == VisibilityPolicy.MUTED
