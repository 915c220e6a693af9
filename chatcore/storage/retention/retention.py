"""Finding the messages that are due, the marks of the time, and the one process that deletes."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.retention.due import ClockMark, Deadline


class DueMessage(NamedTuple):
    """A message that is due, by its id and time."""

    id: MessageId
    timestamp: int


class Retention(Protocol):
    def due(
        self,
        channel_id: ChannelId | None,
        deadline: Deadline,
        held: Collection[UserId],
        *,
        after: DueMessage | None = None,
        limit: int,
    ) -> Sequence[DueMessage]:
        """Return the oldest messages of a channel that are due, without those that *held* people sent;
        without a channel, the oldest direct messages, without those of conversations of held people.

        They are in the order of time, then id; *after* leaves out one and all before it.
        """

    def marks(self) -> Sequence[ClockMark]:
        """Return all marks, by time."""

    def note(self, mark: ClockMark) -> None:
        """Note a mark; no other has its time."""

    def claim(self, holder: str, now: int, until: int) -> bool:
        """Let a holder be the only one that deletes, until a time; return False if another one is.

        A claim that would last longer than *until* was made by a clock that was set back since, and is void.
        """

    def release(self, holder: str) -> None:
        """End the claim of a holder, if it has one."""
