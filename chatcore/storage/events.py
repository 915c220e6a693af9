"""The event log and the queues that follow it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from chatcore.domain.ids import MessageId, Position, QueueId, UserId
from chatcore.events.audience import Audience
from chatcore.events.happened import AnyEvent, Unreadable
from chatcore.events.queue import Queue


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event at its position in the log."""

    position: Position
    event: AnyEvent | Unreadable
    audience: Audience
    size: int
    """Number of characters that it occupies in the log."""


class EventLog(Protocol):
    """Append-only log; positions follow the order of commits, so a cursor never skips anything."""

    def head(self) -> Position:
        """Return the newest position that was assigned."""

    def after(
        self,
        position: Position,
        limit: int,
        *,
        max_size: int | None = None,
        types: Collection[str] | None = None,
    ) -> Sequence[LoggedEvent]:
        """Return events after *position* in order, at most *limit*; of all types, or of these.

        The result ends once the events reach *max_size* in total. An event that cannot be read is
        `Unreadable`; if its audience cannot be read either, it goes to everyone.
        """

    def is_copied(self) -> bool | None:
        """Whether the log is a copy of the adopted one: the database was restored from a backup, or is
        another one. None if none was adopted yet.

        A backup that replaces the bytes of the same file cannot be detected.
        """

    def adopt(self) -> None:
        """Mark the current log as the original."""

    def disown(self) -> None:
        """Mark the log as a copy, whatever file it is in."""

    def forget(self, up_to: Position) -> int:
        """Delete events up to *up_to*; return how many there were."""


class Queues(Protocol):
    def find(self, queue_id: str) -> Queue | None: ...

    def by_ids(self, queue_ids: Collection[QueueId]) -> Mapping[QueueId, Queue]: ...

    def of_user(self, user_id: UserId) -> Sequence[Queue]:
        """Return a user's queues, the one seen longest ago first."""

    def all(self) -> Sequence[Queue]: ...

    def count(self) -> int: ...

    def owners_among(self, user_ids: Collection[UserId]) -> frozenset[UserId]:
        """Return those of the users who have a queue."""

    def add(self, queue: Queue) -> None: ...

    def touch(self, seen: Mapping[QueueId, tuple[Position, float]], now: float) -> None:
        """Store the acknowledged positions of queues and when they were last seen.

        Both only ever increase; but a stored time after *now* comes from a clock that was set back
        since, and is replaced.
        """

    def beat(self, queue_ids: Collection[QueueId], position: Position) -> None:
        """Store the newest heartbeat of queues."""

    def remove(self, queue_ids: Collection[QueueId]) -> None: ...

    def find_echo(self, queue_id: str, local_id: str) -> tuple[MessageId, str] | None:
        """Return the message sent with this local id from the queue, and the digest of the request."""

    def add_echo(self, queue_id: QueueId, local_id: str, message_id: MessageId, digest: str) -> None: ...
