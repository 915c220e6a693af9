"""The event log and the queues that follow it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from chatcore.domain.ids import MessageId, Position, QueueId, UserId
from chatcore.events.audience import Audience
from chatcore.events.queue import Queue
from chatcore.events.types import AnyEvent


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event at its place in the log."""

    position: Position
    event: AnyEvent
    audience: Audience
    size: int
    """Characters that it takes in the log."""


class EventLog(Protocol):
    """Append-only; positions follow the order of commits, so a cursor never skips anything."""

    def head(self) -> Position:
        """The newest position that was given out."""

    def after(
        self,
        position: Position,
        limit: int,
        *,
        max_size: int | None = None,
        types: Collection[str] | None = None,
    ) -> Sequence[LoggedEvent]:
        """Events after *position* in order, at most *limit*; of all types, or of these.

        No more are given once they reach *max_size* together.
        """

    def forget(self, up_to: Position) -> int:
        """Delete events up to *up_to*; how many there were."""


class Queues(Protocol):
    def find(self, queue_id: str) -> Queue | None: ...

    def by_ids(self, queue_ids: Collection[QueueId]) -> Mapping[QueueId, Queue]: ...

    def of_user(self, user_id: UserId) -> Sequence[Queue]:
        """A user's queues, the one seen longest ago first."""

    def all(self) -> Sequence[Queue]: ...

    def add(self, queue: Queue) -> None: ...

    def touch(self, seen: Mapping[QueueId, tuple[Position, float]]) -> None:
        """Note what queues have acknowledged and when they were last seen; both only ever grow."""

    def remove(self, queue_ids: Collection[QueueId]) -> None: ...

    def find_echo(self, queue_id: str, local_id: str) -> tuple[MessageId, str] | None:
        """The message that was sent with this local id from the queue, and the digest of the request."""

    def add_echo(self, queue_id: QueueId, local_id: str, message_id: MessageId, digest: str) -> None: ...
