"""Channels and who is subscribed to them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from chatcore.domain.channels import Channel, Period, Subscription
from chatcore.domain.ids import ChannelId, Position, UserId


class Channels(Protocol):
    def find(self, channel_id: int) -> Channel | None: ...

    def find_by_name(self, name: str) -> Channel | None:
        """The channel with this name, letter case and outer blanks ignored; archived ones too."""

    def by_ids(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Channel]:
        """Those of the channels that exist."""

    def names(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, str]:
        """The names of those of the channels that exist."""

    def by_names(self, names: Collection[str]) -> Mapping[str, Channel]:
        """Channels by channel key (`domain.channels.channel_key`) of the names that exist."""

    def public(self) -> Mapping[ChannelId, Channel]:
        """Every channel that is not private."""

    def all(self) -> Sequence[Channel]:
        """Every channel, by name."""

    def private(self) -> Sequence[Channel]:
        """Every channel that is private, by name."""

    def count(self) -> int:
        """The number of channels, archived ones too."""

    def weekly_traffic(self, channels: Sequence[Channel], now: int) -> Mapping[ChannelId, int | None]:
        """Each channel's messages a week as clients see it (`domain.channels.weekly_traffic`)."""

    def add(self, fields: Mapping[str, Any]) -> Channel:
        """A new channel from the fields of `Channel` without `id`."""

    def add_many(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Channel]:
        """New channels in this order; the ids ascend."""

    def update(self, channel_id: ChannelId, **fields: Any) -> None:
        """Change fields of `Channel`; one that is renamed must not take another's name."""

    def private_among(self, channel_ids: Collection[ChannelId]) -> frozenset[ChannelId]:
        """Those of the channels that are private."""

    def note_message(self, channel_id: ChannelId, timestamp: int, count: int = 1) -> None:
        """Count messages for the traffic figures of the day."""


class Start(NamedTuple):
    """The start of a subscription."""

    user_id: UserId
    channel_id: ChannelId
    color: str
    at: Position
    """The first position that belongs to the subscription; it can lie in the past."""


class Subscriptions(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[ChannelId, Subscription]:
        """Every subscription a user has or had, with its periods."""

    def find(self, user_id: UserId, channel_id: ChannelId) -> Subscription | None: ...

    def among(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Mapping[ChannelId, Mapping[UserId, Subscription]]:
        """The subscriptions that those users have or had to the channels, without the periods.

        A channel without any has an empty mapping.
        """

    def colors(self, user_ids: Collection[UserId]) -> Mapping[UserId, Sequence[str]]:
        """The colours of the users' active subscriptions."""

    def subscribers(self, channel_id: ChannelId) -> Sequence[UserId]:
        """The active subscribers with active accounts, ascending."""

    def subscribers_of(self, channel_ids: Collection[ChannelId]) -> Mapping[ChannelId, Sequence[UserId]]:
        """The same for several channels at once; a channel without any has an empty list."""

    def everybody_in(self, channel_id: ChannelId) -> Sequence[UserId]:
        """The active subscribers, those with deactivated accounts too, ascending."""

    def has_guest(self, channel_id: ChannelId) -> bool:
        """Whether an active guest is subscribed."""

    def subscribed_among(self, channel_id: ChannelId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        """Which of the users are subscribed now."""

    def having_set(self, channel_id: ChannelId, setting: str) -> Sequence[UserId]:
        """The active subscribers who have set the account setting of this name, to whatever value.

        Each subscriber is looked at: it is for what happens seldom in a channel.
        """

    def periods(self, channel_id: ChannelId, among: Collection[UserId]) -> Mapping[UserId, Sequence[Period]]:
        """The subscription periods of those users in one channel, of each the oldest first."""

    def turns(self, channel_id: ChannelId, after: int, to: int) -> Sequence[Position]:
        """Where somebody came to the channel or left it, after one position and up to another, ascending."""

    def start(self, starts: Sequence[Start]) -> Sequence[tuple[UserId, ChannelId]]:
        """Subscribe users who are not subscribed; what was in the channel before counts as read. Returned are
        the users and channels for which a new period has begun.

        Who was subscribed once keeps the old personal settings, the colour too. The last period goes on where
        the channel has had no message, move or event (`Transaction.announce`) since its end, but for those of
        this unit of work: at none of the positions between could it matter who was subscribed.
        """

    def count_returns(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        """How many periods those users have besides the first one in each channel."""

    def end(self, leaving: Mapping[ChannelId, Collection[UserId]], at: Position) -> None:
        """Unsubscribe users from channels as of *at*; their unread messages there become read."""

    def update(self, user_id: UserId, channel_id: ChannelId, **fields: bool | str) -> None:
        """Change what a user has set for a channel."""

    def count_anew(self, channel_ids: Collection[ChannelId]) -> None:
        """Count the subscribers of channels, of whom some have come into or out of an active account."""
