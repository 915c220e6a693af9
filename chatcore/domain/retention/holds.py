"""Legal holds: people and channels whose messages and files stay, whoever wants to delete them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.ids import ChannelId, HoldId, UserId
from chatcore.domain.messages.messages import Message

MAX_HOLDS: Final = 1000
MAX_REASON: Final = 200
"""Characters of the reason of a hold."""
NOT_STORED: Final = HoldId(0)
"""The id of a hold that has none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A hold on one person, or on one channel."""

    id: HoldId
    user_id: UserId | None
    channel_id: ChannelId | None
    reason: str
    set_at: int
    set_by: UserId
    """The owner who has set it, or in whose name a command has."""


@dataclass(frozen=True, slots=True)
class Holds:
    """The people and channels on hold. Whatever deletes messages, files or accounts asks it before."""

    people: frozenset[UserId] = frozenset()
    channels: frozenset[ChannelId] = frozenset()

    @classmethod
    def of(cls, holds: Iterable[Hold]) -> "Holds":
        """Return the people and channels of all these holds together."""
        given = tuple(holds)
        return cls(
            people=frozenset(hold.user_id for hold in given if hold.user_id is not None),
            channels=frozenset(hold.channel_id for hold in given if hold.channel_id is not None),
        )

    def __bool__(self) -> bool:
        return bool(self.people or self.channels)

    def have_message(self, message: Message) -> bool:
        """Whether a message is held: by its channel, its sender, or a person of its conversation."""
        if message.sender_id in self.people or message.channel_id in self.channels:
            return True
        return message.conversation is not None and not self.people.isdisjoint(message.conversation.user_ids)


class MustBeKept(ChatError):
    """A hold keeps what would be lost. The answer does not say whom or what the hold is on."""

    code = "MUST_BE_KEPT"

    def __init__(self) -> None:
        super().__init__("This has to be kept at present.")


def require_not_held(holds: Holds, messages: Iterable[Message]) -> None:
    """Refuse to lose messages that are held.

    :raises MustBeKept: one of them is held
    """
    if holds and any(map(holds.have_message, messages)):
        raise MustBeKept


def checked_reason(raw: str) -> str:
    """Check the reason of a hold and return it stripped.

    :raises BadRequest: none, too long, or characters that no store can hold
    """
    reason = raw.strip()
    if not 0 < len(reason) <= MAX_REASON or not is_storable(reason) or not reason.isprintable():
        raise BadRequest(f"The reason of a hold has 1 to {MAX_REASON} characters, in one line.")
    return reason
