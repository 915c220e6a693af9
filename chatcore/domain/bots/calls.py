"""Calls of bots: messages that a bot's service has to be asked about, and when."""

from dataclasses import dataclass

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.people.users import BotType, User

PAUSES = (2, 10, 60, 300)
"""Seconds between the attempts of a call; after one more attempt it is given up."""
MAX_ATTEMPTS = len(PAUSES) + 1
"""Attempts of a call, with those that ended without any result."""
LEASE_SECONDS = 60
"""Seconds for which an attempt belongs to one process at most. An attempt takes less, so that the process
that looks after that time knows that the first one is gone.
"""
BEGIN_SECONDS = 5
"""Seconds after the beginning of an attempt from which its process holds the name of the call for certain: if
nobody holds it then, the process has ended.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotCall:
    """A message that calls a bot. A row is removed with the answer, in one unit of work."""

    id: int = 0
    bot_id: UserId
    message_id: MessageId
    is_mention: bool
    """Whether the bot was mentioned in a channel; otherwise it is addressed directly."""
    due: int
    attempts: int = 0
    """The number of times that its service was asked, or its program was run, or that a fault ended it."""
    leased_until: int = 0
    """The time until which only the process that has begun the last attempt may answer the call."""

    @property
    def name(self) -> str:
        """The name that the process which answers the call holds meanwhile; see `Storage.holding`."""
        return f"call {self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DueCall:
    """A call that is due, with the accounts that it may take time from."""

    call: BotCall
    owner_id: UserId
    """The owner of the bot; the bot itself if nobody owns it."""
    caller_id: UserId
    """The sender of the message; the bot itself if the message is gone."""


def may_call_bots(sender: User) -> bool:
    """Whether messages of the sender call bots: not those of bots, which could call each other in circles."""
    return not sender.is_bot


def can_be_called(user: User) -> bool:
    """Whether the user is a bot that a service or a program of the server answers for."""
    return user.is_active and user.bot_type in (BotType.OUTGOING_WEBHOOK, BotType.EMBEDDED)
