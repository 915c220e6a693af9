"""Topic policies: topics that users mute, unmute and follow."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.topics import VisibilityPolicy


class TopicPolicies(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[tuple[ChannelId, str], tuple[str, VisibilityPolicy, int]]:
        """Return policies by channel and topic key: the topic's name as the user wrote it, the policy, and
        when it was set.
        """

    def counts(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        """Return the number of policies of those users; users without any are omitted."""

    def find(self, user_id: UserId, channel_id: ChannelId, topic_key: str) -> VisibilityPolicy: ...

    def of_channels(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Sequence[tuple[UserId, ChannelId, str, VisibilityPolicy, int]]:
        """Return the policies of those users for topics of those channels, by user, channel and
        topic, with their times.
        """

    def put(
        self, channel_id: ChannelId, topic: str, policies: Mapping[UserId, VisibilityPolicy], now: int
    ) -> None:
        """Set the policies of any number of users for one topic; INHERIT removes one."""

    def among(
        self, channel_id: ChannelId, topic_key: str, user_ids: Collection[UserId]
    ) -> Mapping[UserId, VisibilityPolicy]:
        """Return the policies of those users for one topic; users without one are omitted."""

    def of_topic(self, channel_id: ChannelId, topic_key: str) -> Mapping[UserId, VisibilityPolicy]:
        """Return all users' policies for one topic."""

    def users_with(
        self, channel_ids: Collection[ChannelId], policy: VisibilityPolicy | None = None
    ) -> frozenset[UserId]:
        """Return the users with any policy, or with this one, for a topic of these channels."""
