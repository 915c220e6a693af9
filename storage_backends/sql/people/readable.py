"""What a person may read at present, as conditions with the parameter `user_id`.

They follow `chatcore.domain.messages.access`, but for channels that a person may read by a group alone,
without being subscribed: these are left out, as no statement knows who is in the groups of a permission.
"""

from typing import Any, Final

from peewee import SQL, fn

from chatcore.domain.roles import Role
from storage_backends.sql.messages.flag_rows import HISTORICAL
from storage_backends.sql.schema import (
    Account,
    Channel,
    ConversationMember,
    Message,
    MessageFlag,
    Subscription,
    SubscriptionPeriod,
)
from storage_backends.sql.statement import param

PERSON: Final = param("user_id")

OWN_CONVERSATIONS: Final = ConversationMember.select(ConversationMember.conversation_id).where(
    ConversationMember.user_id == PERSON
)
OWN_CHANNELS: Final = Subscription.select(Subscription.channel_id).where(
    Subscription.user_id == PERSON, Subscription.active
)
_IS_GUEST = PERSON.in_(Account.select(Account.id).where(Account.role == Role.GUEST))


def _readable_channels(*conditions: Any) -> Any:
    """Return a query for the channels that the person may read, if not all of their history."""
    return Channel.select(Channel.id).where(
        Channel.id.in_(OWN_CHANNELS) | (~Channel.invite_only & ~_IS_GUEST), *conditions
    )


def reads_in(channel_id: Any) -> Any:
    """Return the condition that the person may read a channel, if not all of its history."""
    return channel_id.in_(_readable_channels())


_ARRIVED = fn.coalesce(Message.arrived_at, Message.id)
_HAS_RECEIVED = fn.EXISTS(
    SubscriptionPeriod.select(SQL("1")).where(
        SubscriptionPeriod.user_id == PERSON,
        SubscriptionPeriod.recipient_id == Message.recipient_id,
        SubscriptionPeriod.start_position <= _ARRIVED,
        SubscriptionPeriod.until_position.is_null() | (SubscriptionPeriod.until_position > _ARRIVED),
    )
)
_IS_ADDED = fn.EXISTS(
    MessageFlag.select(SQL("1")).where(
        MessageFlag.user_id == PERSON,
        MessageFlag.message_id == Message.id,
        MessageFlag.bits.bin_and(HISTORICAL) != 0,
    )
)
READS_MESSAGE: Final = (
    Message.recipient_id.in_(OWN_CONVERSATIONS)
    | Message.recipient_id.in_(_readable_channels(Channel.history_public_to_subscribers))
    | (reads_in(Message.recipient_id) & (_HAS_RECEIVED | _IS_ADDED))
)
"""The condition that the person may read a message where it is now."""
