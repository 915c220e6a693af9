"""Subscriptions of channels."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.channels.channels import Period, Subscription
from chatcore.domain.ids import ChannelId, Position, UserId


class Start(NamedTuple):
    """The start of a subscription."""

    user_id: UserId
    channel_id: ChannelId
    color: str
    at: Position
    """The first position that belongs to the subscription; it can lie in the past."""


class Subscriptions(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[ChannelId, Subscription]:
        """Return every current or former subscription of a user, with its periods."""

    def find(self, user_id: UserId, channel_id: ChannelId) -> Subscription | None: ...

    def among(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Mapping[ChannelId, Mapping[UserId, Subscription]]:
        """Return the current or former subscriptions of those users to the channels, without the periods.

        A channel without any has an empty mapping.
        """

    def colors(self, user_ids: Collection[UserId]) -> Mapping[UserId, Sequence[str]]:
        """Return the colours of the users' active subscriptions."""

    def subscribers(self, channel_id: ChannelId) -> Sequence[UserId]:
        """Return the active subscribers with active accounts, ascending."""

    def subscribers_of(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Sequence[UserId]]:
        """Return the active subscribers with active accounts of each channel, ascending, or an empty list."""

    def all_subscribers(self, channel_id: ChannelId) -> Sequence[UserId]:
        """Return the active subscribers including those with deactivated accounts, ascending."""

    def has_guest(self, channel_id: ChannelId) -> bool:
        """Whether an active guest is subscribed."""

    def subscribed_among(self, channel_id: ChannelId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        """Return those of the users who are subscribed now."""

    def having_set(self, channel_id: ChannelId, setting: str) -> Sequence[UserId]:
        """Return the active subscribers who have set the account setting of this name, to any value.

        It examines every subscriber, so use it only for rare operations.
        """

    def periods(self, channel_id: ChannelId, among: Collection[UserId]) -> Mapping[UserId, Sequence[Period]]:
        """Return the subscription periods of those users in one channel, oldest first for each user."""

    def membership_changes(self, channel_id: ChannelId, after: int, to: int) -> Sequence[Position]:
        """Return the positions after one and up to another at which a user
        subscribed or unsubscribed, ascending.
        """

    def start(self, starts: Sequence[Start]) -> Sequence[tuple[UserId, ChannelId]]:
        """Subscribe users who are not subscribed; earlier messages of the channel count as read. Return the
        users and channels for which a new period has begun.

        Users who were subscribed before keep their old personal settings, including the colour. Their last
        period continues if the channel has had no message, move or event (`Transaction.announce`) since its
        end: membership at the positions in between then cannot matter. Events that this unit of work
        announces are not among them yet.
        """

    def count_returns(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        """Return how many periods those users have besides the first one in each channel."""

    def end(self, leaving: Mapping[ChannelId, Collection[UserId]], at: Position) -> None:
        """Unsubscribe users from channels as of *at*; their unread messages there become read."""

    def update(self, user_id: UserId, channel_id: ChannelId, **fields: bool | str) -> None:
        """Change personal settings of a user's subscription."""

    def count_anew(self, channel_ids: Collection[ChannelId]) -> None:
        """Recount the subscribers of channels after accounts of subscribers were activated or deactivated."""
