"""What differs from reader to reader: flags, read watermarks, topic policies, alert words."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.channels import Subscription
from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.topics import VisibilityPolicy


class UnreadMessage(NamedTuple):
    """Where an unread message is, and how it concerns the reader; there can be very many of these."""

    id: MessageId
    channel_id: ChannelId | None
    topic: str
    topic_key: str | None
    user_ids: frozenset[UserId]
    """The people of a direct message."""
    flags: int
    """A `Flag`, as a number."""


class Flags(Protocol):
    """One reader's flags, worked out of periods, watermarks, message facts and sparse rows."""

    def of(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        subscriptions: Mapping[ChannelId, Subscription],
    ) -> Mapping[MessageId, Flag]:
        """The flags of those messages that are in the reader's history: received, or taken in later.

        A message that is not among them shows as `domain.flags.NEVER_RECEIVED` to who may read it.
        """

    def set(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        flag: Flag,
        *,
        historical: Collection[MessageId] = (),
    ) -> None:
        """Set *flag* on messages that do not have it.

        Those in *historical* were never received; they enter the reader's history by it.
        """

    def clear(self, user_id: UserId, messages: Sequence[Message], flag: Flag) -> None:
        """Clear *flag* on messages that have it."""

    def on_arrival(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        """Write what a new message's readers do not have by rule: mentions, alert words, read."""

    def on_arrivals(self, arrived: Sequence[tuple[Message, Mapping[UserId, Flag]]]) -> None:
        """The same for many messages at once."""

    def keep_unread(self, message: Message, user_ids: Collection[UserId]) -> None:
        """A message that arrives read is unread for these. They receive it, and have not muted its sender."""

    def readers(self, message: Message) -> frozenset[UserId]:
        """Who has flags of a message: who has received it, and who has taken it in."""

    def of_readers(self, message: Message, user_ids: Collection[UserId]) -> Mapping[UserId, Flag]:
        """The flags that each of these readers has of one message, where it is in their history."""

    def on_edit(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        """From now on these readers have the flags that follow from the text (`domain.flags.OF_TEXT`), and
        nobody else has. Only who has the message in the history is among them.
        """

    def read_all(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        """Everything up to *to* in these channels and conversations counts as read for those users."""

    def read_calls(self, *, user_id: UserId | None = None, channel_id: ChannelId | None = None) -> None:
        """The messages that one bot, or each, was called for in one channel, or anywhere, count as read."""

    def pass_over_muted(self, user_id: UserId) -> None:
        """Look no longer at what is read only as it arrived so, where nothing before it is unread.

        No flag changes. It is for who has muted somebody, now and then: nobody marks those messages as read,
        and however many there are, one would come across them whenever unread ones are looked for.
        """

    def unread(
        self, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
    ) -> Sequence[UnreadMessage]:
        """The newest unread messages, ascending, at most *limit*; of channels, of those subscribed to."""

    def with_flag(self, user_id: UserId, flag: Flag, limit: int) -> Sequence[MessageId]:
        """The newest messages that carry *flag* as a row, ascending, at most *limit*."""

    def keepers(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        """Who has each of the messages in their history without having received it, where anybody has."""

    def starred_by(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        """Who has starred each of the messages, where anybody has."""

    def historical_channels(self, user_id: UserId) -> frozenset[ChannelId]:
        """The channels of messages that are in the reader's history without having been received."""


class TopicPolicies(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[tuple[ChannelId, str], tuple[str, VisibilityPolicy, int]]:
        """By channel and topic key: the name as it was given, the policy, and when it was set."""

    def counts(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        """How many policies those users have; users without any are left out."""

    def find(self, user_id: UserId, channel_id: ChannelId, topic_key: str) -> VisibilityPolicy: ...

    def of_channels(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Sequence[tuple[UserId, ChannelId, str, VisibilityPolicy, int]]:
        """What those users have set for topics of those channels, and when, by user, channel and topic."""

    def put(
        self, channel_id: ChannelId, topic: str, policies: Mapping[UserId, VisibilityPolicy], now: int
    ) -> None:
        """Set the policies of any number of users for one topic; INHERIT removes one."""

    def among(
        self, channel_id: ChannelId, topic_key: str, user_ids: Collection[UserId]
    ) -> Mapping[UserId, VisibilityPolicy]:
        """The policies of those users for one topic, where they have one."""

    def of_topic(self, channel_id: ChannelId, topic_key: str) -> Mapping[UserId, VisibilityPolicy]:
        """Everybody's policy for one topic."""

    def holders(
        self, channel_ids: Collection[ChannelId], policy: VisibilityPolicy | None = None
    ) -> frozenset[UserId]:
        """Who has a policy, or just that one, for a topic of these channels."""


class AlertWords(Protocol):
    def of_user(self, user_id: UserId) -> Sequence[str]:
        """The words in the order in which they were added."""

    def add(self, user_id: UserId, words: Sequence[str]) -> None: ...

    def remove(self, user_id: UserId, words: Collection[str]) -> None:
        """Remove words, letter case ignored."""

    def candidates(self, tokens: Collection[str]) -> Sequence[tuple[UserId, str]]:
        """Words that may occur in a text with these word tokens (`domain.alert_words.tokens`)."""
