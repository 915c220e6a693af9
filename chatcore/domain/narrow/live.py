"""The narrow of an event queue: a small subset, tested on messages as they are sent.

It compares names as they are at that moment and never adds messages: the queue's owner receives them
anyway.
"""

from dataclasses import dataclass

from chatcore.domain.channels import channel_key
from chatcore.domain.errors import BadRequest
from chatcore.domain.flags import Flag
from chatcore.domain.limits import Limits
from chatcore.domain.messages import Message
from chatcore.domain.narrow.parse import ALIASES, DEFAULT_LIMITS
from chatcore.domain.narrow.raw import read_pairs
from chatcore.domain.topics import is_resolved, topic_key

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LiveNarrow:
    """A conjunction of (operator, operand), as `parse_live` reads them; it can be stored as that."""

    pairs: Pairs = ()

    def lets_through(
        self, message: Message, flags: Flag, *, channel_name: str | None, sender_email: str
    ) -> bool:
        """Whether a queue with this narrow hears of the new message, whose flags are the owner's.

        *channel_name* is None for a direct message.
        """
        return all(
            _holds(operator, operand, message, flags, channel_name, sender_email)
            for operator, operand in self.pairs
        )

    def __bool__(self) -> bool:
        return bool(self.pairs)


OPERATORS = frozenset({"channel", "topic", "sender", "is"})


def parse_live(raw: object, *, limits: Limits = DEFAULT_LIMITS) -> LiveNarrow:
    """The narrow of a registration: pairs of strings only, and without a way to negate.

    :raises InconvertibleParameter: not a list
    :raises BadRequest: anything but pairs, another operator, or `is:followed`
    """
    terms = [
        (ALIASES.get(term.operator, term.operator), str(term.operand)) for term in read_pairs(raw, limits)
    ]
    for operator, operand in terms:
        if operator not in OPERATORS or (operator, operand) == ("is", "followed"):
            raise BadRequest(f"Operator '{operator}' is not supported for event queues")
    return LiveNarrow(tuple(terms))


def with_empty_topic(pairs: Pairs, empty_topic_name: str) -> Pairs:
    """The first topic term may call the empty topic by its display name, as in every narrow."""
    for index, (operator, operand) in enumerate(pairs):
        if operator == "topic":
            return (
                (*pairs[:index], (operator, ""), *pairs[index + 1 :])
                if operand == empty_topic_name
                else pairs
            )
    return pairs


_HAS_FLAG = {
    "starred": Flag.STARRED,
    "mentioned": Flag.MENTIONED,
    "alerted": Flag.MENTIONED,
}


def _holds(
    operator: str, operand: str, message: Message, flags: Flag, channel_name: str | None, sender_email: str
) -> bool:
    match operator:
        case "channel":
            return channel_name is not None and channel_key(channel_name) == channel_key(operand)
        case "topic":
            return message.topic_key == topic_key(operand)
        case "sender":
            return sender_email.lower() == operand.lower()
        case _:
            return _is(operand, message, flags)


def _is(operand: str, message: Message, flags: Flag) -> bool:
    """An operand that is not known lets everything through, as clients of the API expect."""
    match operand:
        case "dm" | "private":
            return message.conversation is not None
        case "resolved":
            return message.channel_id is not None and is_resolved(message.topic)
        case "unread":
            return not flags & Flag.READ
        case "starred" | "mentioned" | "alerted":
            return bool(flags & _HAS_FLAG[operand])
        case _:
            return True
