"""Narrows of event queues: a small subset, tested on messages when they are sent.

They compare names as of that moment and never add messages: they only filter those that
the owner receives anyway.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from chatcore.domain.channels.channels import channel_key
from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.narrow.parse import ALIASES, DEFAULT_LIMITS
from chatcore.domain.narrow.raw import read_pairs
from chatcore.domain.topics import is_resolved, topic_key

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LiveNarrow:
    """A conjunction of (operator, operand) pairs as `parse_live` reads them; they can be stored as such."""

    pairs: Pairs = ()

    def lets_through(
        self, message: Message, flags: Flag, *, channel_name: str | None, sender_email: str
    ) -> bool:
        """Whether the owner of a queue with this narrow is notified of the new message;
        *flags* are the owner's.

        *channel_name* is None for a direct message.
        """
        sent = _Sent(message, flags, channel_name, sender_email)
        return all(LIVE_OPERATORS[operator](operand, sent) for operator, operand in self.pairs)

    def __bool__(self) -> bool:
        return bool(self.pairs)


def parse_live(raw: object, *, limits: Limits = DEFAULT_LIMITS) -> LiveNarrow:
    """Parse the narrow of a registration: pairs of strings only, without negation.

    :raises InconvertibleParameter: not a list
    :raises BadRequest: anything but pairs, another operator, or `is:followed`
    """
    terms = [
        (ALIASES.get(term.operator, term.operator), str(term.operand)) for term in read_pairs(raw, limits)
    ]
    for operator, operand in terms:
        if operator not in LIVE_OPERATORS or (operator, operand) == ("is", "followed"):
            raise BadRequest(f"Operator '{operator}' is not supported for event queues")
    return LiveNarrow(tuple(terms))


def with_empty_topic(pairs: Pairs, empty_topic_name: str) -> Pairs:
    """Resolve the display name of the empty topic in the first topic term, as in every narrow."""
    for index, (operator, operand) in enumerate(pairs):
        if operator == "topic":
            if operand == empty_topic_name:
                return (*pairs[:index], (operator, ""), *pairs[index + 1 :])
            break
    return pairs


class _Sent(NamedTuple):
    """A new message as the owner of a queue receives it."""

    message: Message
    flags: Flag
    channel_name: str | None
    sender_email: str


def _channel(operand: str, sent: _Sent) -> bool:
    return sent.channel_name is not None and channel_key(sent.channel_name) == channel_key(operand)


def _topic(operand: str, sent: _Sent) -> bool:
    return sent.message.topic_key == topic_key(operand)


def _sender(operand: str, sent: _Sent) -> bool:
    return address_key(sent.sender_email) == address_key(operand)


def _is(operand: str, sent: _Sent) -> bool:
    """Test an `is:` operand. An unknown operand matches everything, as clients of the API expect."""
    match operand:
        case "dm" | "private":
            return sent.message.conversation is not None
        case "resolved":
            return sent.message.channel_id is not None and is_resolved(sent.message.topic)
        case "unread":
            return not sent.flags & Flag.READ
        case "starred":
            return bool(sent.flags & Flag.STARRED)
        case "mentioned" | "alerted":  # in queues, both ask for mentions
            return bool(sent.flags & Flag.MENTIONED)
        case _:
            return True


LIVE_OPERATORS: Mapping[str, Callable[[str, _Sent], bool]] = {
    "channel": _channel,
    "topic": _topic,
    "sender": _sender,
    "is": _is,
}
"""The operators that the narrow of an event queue may use, each with its test of a new message."""
