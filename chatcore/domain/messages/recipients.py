"""Recipients of messages: a channel with a topic, or a direct-message conversation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, ConversationId, RecipientId, UserId
from chatcore.domain.limits import Limits

NameOrId = TypeVar("NameOrId", bound=str | int)


@dataclass(frozen=True, slots=True)
class ChannelRecipient:
    channel_id: ChannelId
    topic: str

    @property
    def recipient_id(self) -> RecipientId:
        return self.channel_id


@dataclass(frozen=True, slots=True)
class DirectRecipient:
    """A conversation, identified by its set of users: one (notes to self), two, or a group
    of at least three.
    """

    conversation_id: ConversationId
    user_ids: frozenset[UserId]

    @property
    def recipient_id(self) -> RecipientId:
        return self.conversation_id

    def recipient_id_for(self, reader: UserId) -> RecipientId:
        """Return the id as sent: a group's own id; in a one-to-one conversation, the other user's id."""
        if len(self.user_ids) > 2:
            return self.conversation_id
        others = self.user_ids - {reader}
        return RecipientId(next(iter(others), reader))


Recipient = ChannelRecipient | DirectRecipient


def conversation_of(sender: UserId, others: Iterable[UserId]) -> frozenset[UserId]:
    """Return the users of a direct message including the sender; order and duplicates do not matter."""
    return frozenset(others) | {sender}


def only_channel(to: Sequence[NameOrId]) -> NameOrId:
    """Return the one channel to which a message goes.

    :raises BadRequest: none, or several
    """
    if len(to) != 1:
        raise BadRequest("Expected exactly one channel")
    return to[0]


def require_few_recipients(to: Sequence[object], limits: Limits) -> None:
    """Check that a request does not name too many recipients.

    :raises BadRequest:
    """
    if len(to) > limits.max_ids_per_request:
        raise BadRequest("Too many recipients")


def missing_topic() -> BadRequest:
    """Return the error for a message to a channel that names no topic, not even the empty one."""
    return BadRequest("Missing topic")
