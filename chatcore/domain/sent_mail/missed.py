"""Rules for mails and pushes about missed messages: which messages cause one for a person, and when mails are
sent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.people.setting_values import value
from chatcore.domain.people.users import User
from chatcore.domain.topics import VisibilityPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """A way by which people learn of messages that they miss, with the account's settings for it."""

    number: int
    """The store's number of it."""
    direct: str
    """The setting for direct messages and mentions."""
    followed: str
    channels: str
    of_channel: str
    """The attribute of a subscription that counts instead of the setting *channels*, unless it is None."""

    @property
    def switches(self) -> Sequence[str]:
        """Return the settings without which it tells of no message, unless a single channel is set so."""
        return self.direct, self.followed, self.channels


MAILS: Final = Medium(
    number=1,
    direct="enable_offline_email_notifications",
    followed="enable_followed_topic_email_notifications",
    channels="enable_stream_email_notifications",
    of_channel="email_notifications",
)
PUSHES: Final = Medium(
    number=2,
    direct="enable_offline_push_notifications",
    followed="enable_followed_topic_push_notifications",
    channels="enable_stream_push_notifications",
    of_channel="push_notifications",
)
WILDCARDS: Final = "wildcard_mentions_notify"
FOLLOWED_WILDCARDS: Final = "enable_followed_topic_wildcard_mentions_notify"
PATIENCE: Final = "email_notifications_batching_period_seconds"
WITH_TEXT: Final = "message_content_in_email_notifications"
NAMES_ORGANIZATION: Final = "realm_name_in_email_notifications_policy"
ALWAYS: Final = 2
"""The value of the policy by which the subject names the organization; the sender does in any case."""

ACTIVE_SECONDS: Final = 140
"""Seconds after the last report of activity during which a person still counts as active."""
MAX_AGE: Final = 3600
"""Seconds after which a message causes no mail if it was not looked at before, as while no mail was sent."""
MAX_MESSAGES: Final = 20
"""Messages of a conversation that one mail shows."""
MAX_WAITING: Final = 50
"""Conversations of one person that wait, and also mails to one person about such that are not sent yet."""
FULL_PAUSE: Final = 600
"""Seconds until a conversation is looked at again if `MAX_WAITING` mails to its person are not sent yet."""


class Cause(StrEnum):
    """The reason why a message causes a mail or a push; the strongest comes first."""

    DIRECT = "direct"
    MENTION = "mention"
    WILDCARD = "wildcard"
    FOLLOWED_TOPIC = "followed_topic"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedConversation:
    """Messages of a topic or of a direct conversation that may be worth a mail to a person."""

    user_id: UserId
    recipient_id: RecipientId
    """The channel or conversation where the messages were found."""
    topic_key: str
    """Empty in conversations."""
    message_ids: tuple[MessageId, ...]
    """The first ones; one more than a mail shows says that there are more."""
    due: int

    def with_more(self, message_ids: tuple[MessageId, ...]) -> tuple[MessageId, ...]:
        """Return the ids together with others, the first ones, as many as a row has."""
        return tuple(sorted({*self.message_ids, *message_ids}))[: MAX_MESSAGES + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """A message as one person has it, and the medium that may tell of it."""

    medium: Medium
    user: User
    sender_id: UserId
    flags: Flag
    is_direct: bool = False
    subscription: Subscription | None = None
    policy: VisibilityPolicy = VisibilityPolicy.INHERIT

    @classmethod
    def of(
        cls,
        medium: Medium,
        message: Message,
        user: User,
        flags: Flag,
        subscription: Subscription | None,
        policy: VisibilityPolicy,
    ) -> "Reception":
        return cls(
            medium=medium,
            user=user,
            sender_id=message.sender_id,
            flags=flags,
            is_direct=message.conversation is not None,
            subscription=subscription,
            policy=policy,
        )

    @property
    def is_muted(self) -> bool:
        """Whether the topic is muted, or its channel is and the topic is no exception from that."""
        if self.policy == VisibilityPolicy.INHERIT:
            return self.subscription is not None and self.subscription.is_muted
        return self.policy == VisibilityPolicy.MUTED

    @property
    def is_followed(self) -> bool:
        return self.policy == VisibilityPolicy.FOLLOWED


def _is_direct(reception: Reception) -> bool:
    return reception.is_direct and _is_on(reception, reception.medium.direct)


def _is_mentioned(reception: Reception) -> bool:
    return bool(reception.flags & Flag.MENTIONED) and _is_on(reception, reception.medium.direct)


def _is_in_wildcard(reception: Reception) -> bool:
    if not reception.flags & Flag.WILDCARD or not _is_on(reception, reception.medium.direct):
        return False
    if reception.is_followed and _is_on(reception, FOLLOWED_WILDCARDS):
        return True
    of_channel = None if reception.subscription is None else reception.subscription.wildcard_mentions_notify
    return _is_on(reception, WILDCARDS) if of_channel is None else of_channel


def _follows(reception: Reception) -> bool:
    return reception.is_followed and _is_on(reception, reception.medium.followed)


def _wants_channel(reception: Reception) -> bool:
    if reception.subscription is None:
        return False
    of_channel: bool | None = getattr(reception.subscription, reception.medium.of_channel)
    return _is_on(reception, reception.medium.channels) if of_channel is None else of_channel


CAUSES: Final[Mapping[Cause, Callable[[Reception], bool]]] = {
    Cause.DIRECT: _is_direct,
    Cause.MENTION: _is_mentioned,
    Cause.WILDCARD: _is_in_wildcard,
    Cause.FOLLOWED_TOPIC: _follows,
    Cause.CHANNEL: _wants_channel,
}


def cause_of(reception: Reception) -> Cause | None:
    """Return why the message is worth telling the person; None if it is not: by the settings, or because it
    is read, muted or the person's own.
    """
    user = reception.user
    if user.is_bot or not user.is_active or reception.sender_id == user.id:
        return None
    if reception.flags & (Flag.READ | Flag.CALLED) or (reception.is_muted and not reception.is_direct):
        return None
    causes = (cause for cause in CAUSES if (cause is Cause.DIRECT) == reception.is_direct)
    return next((cause for cause in causes if CAUSES[cause](reception)), None)


def patience_of(user: User) -> int:
    """Return the seconds for which messages to a person are collected after the first reception."""
    return int(value(user, PATIENCE) or 0)


def active_until(active_at: int | None, now: int) -> int | None:
    """Return the time until which a person counts as active; None if that is over, or its begin in the
    future, as after the clock was set back.
    """
    if active_at is None or active_at > now or now >= active_at + ACTIVE_SECONDS:
        return None
    return active_at + ACTIVE_SECONDS


def _is_on(reception: Reception, setting: str) -> bool:
    return bool(value(reception.user, setting))
