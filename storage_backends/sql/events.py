"""The event log and the queues that follow it."""

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from chatcore.domain.ids import MessageId, Position, QueueId, UserId
from chatcore.events.audience import Audience, channels_of
from chatcore.events.queue import Queue, Registration
from chatcore.events.types import AnyEvent, MessageSent
from chatcore.storage.events import LoggedEvent
from storage_backends.sql.periods import note_events
from storage_backends.sql.session import Row, Session

_encode = msgspec.json.Encoder().encode
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_audience = msgspec.json.Decoder(Audience).decode
_decode_registration = msgspec.json.Decoder(Registration).decode


class EventLog:
    def __init__(self, session: Session, head: Callable[[], int] | None = None) -> None:
        self._session = session
        self._drawn = head
        """In a unit of work: what was drawn is not written down before the commit."""

    def head(self) -> Position:
        if self._drawn is not None:
            return Position(self._drawn())
        ((head,),) = self._session.rows("SELECT position FROM log_head")
        return Position(head)

    def after(
        self,
        position: Position,
        limit: int,
        *,
        max_size: int | None = None,
        types: Collection[str] | None = None,
    ) -> Sequence[LoggedEvent]:
        backend = self._session.backend
        wanted = "id > ?"
        parameters: list[object] = [position]
        if types is not None:
            wanted, parameters = f"{wanted} AND kind {backend.in_list}", [position, backend.listed(types)]
        end = ""
        if max_size is not None:
            # Up to the event that fills the measure: what comes behind it is not even read.
            end = f"""
                AND id <= (
                    SELECT max(id) FROM (
                        SELECT id, sum(size) OVER (ORDER BY id) - size AS before FROM (
                            SELECT id, length(body) + length(audience) AS size FROM event
                            WHERE {wanted} ORDER BY id LIMIT ?
                        ) AS sizes
                    ) AS sums WHERE before < ?
                )
            """
            parameters += [*parameters, limit, max_size]
        rows = self._session.rows(
            f"SELECT id, body, audience FROM event WHERE {wanted} {end} ORDER BY id LIMIT ?",
            *parameters,
            limit,
        )
        return [
            LoggedEvent(
                Position(at), _decode_event(body), _decode_audience(audience), len(body) + len(audience)
            )
            for at, body, audience in rows
        ]

    def is_copied(self) -> bool | None:
        rows = self._session.rows("SELECT identity FROM adopted_log")
        return rows[0][0] != self._session.backend.identity() if rows else None

    def adopt(self) -> None:
        self._put_identity(self._session.backend.identity())

    def disown(self) -> None:
        self._put_identity("")

    def _put_identity(self, identity: str) -> None:
        self._session.run("DELETE FROM adopted_log")
        self._session.run("INSERT INTO adopted_log (identity) VALUES (?)", identity)

    def forget(self, up_to: Position) -> int:
        return self._session.run("DELETE FROM event WHERE id <= ?", up_to)

    def append(self, announced: Sequence[tuple[Position, AnyEvent, Audience]]) -> None:
        self._session.run_many(
            "INSERT INTO event (id, kind, body, audience) VALUES (?, ?, ?, ?)",
            [(at, event.type, _encode(event).decode(), _encode(to).decode()) for at, event, to in announced],
        )
        self._note_channels(announced)

    def _note_channels(self, announced: Sequence[tuple[Position, AnyEvent, Audience]]) -> None:
        """Note each channel's last event; that of a message is the message itself."""
        last = {
            channel_id: at
            for at, event, to in announced
            if not isinstance(event, MessageSent)
            for channel_id in channels_of(to)
        }
        note_events(self._session, last)


class Queues:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, queue_id: str) -> Queue | None:
        return self.by_ids([QueueId(queue_id)]).get(QueueId(queue_id))

    def by_ids(self, queue_ids: Collection[QueueId]) -> Mapping[QueueId, Queue]:
        rows = self._session.rows(f"{_SELECT} WHERE id {self._session.backend.in_list}",
                                 self._session.backend.listed(queue_ids))  # fmt: skip
        return {queue.id: queue for queue in map(_queue, rows)}

    def of_user(self, user_id: UserId) -> Sequence[Queue]:
        return [
            _queue(row)
            for row in self._session.rows(f"{_SELECT} WHERE user_id = ? ORDER BY last_seen, id", user_id)
        ]

    def all(self) -> Sequence[Queue]:
        return [_queue(row) for row in self._session.rows(f"{_SELECT} ORDER BY id")]

    def add(self, queue: Queue) -> None:
        self._session.run(
            """
            INSERT INTO event_queue
                (id, user_id, registration, created_at, acknowledged, last_seen, heartbeat)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            queue.id,
            queue.user_id,
            _encode(queue.registration).decode(),
            queue.created_at,
            queue.acknowledged,
            queue.last_seen,
            queue.heartbeat,
        )

    def touch(self, seen: Mapping[QueueId, tuple[Position, float]], now: float) -> None:
        self._session.run_many(
            """
            UPDATE event_queue
            SET acknowledged = CASE WHEN acknowledged < ? THEN ? ELSE acknowledged END,
                last_seen = CASE WHEN last_seen < ? OR last_seen > ? THEN ? ELSE last_seen END
            WHERE id = ?
            """,
            [(at, at, when, now, when, queue_id) for queue_id, (at, when) in sorted(seen.items())],
        )

    def beat(self, queue_ids: Collection[QueueId], position: Position) -> None:
        backend = self._session.backend
        self._session.run(
            f"UPDATE event_queue SET heartbeat = ? WHERE id {backend.in_list}",
            position,
            backend.listed(queue_ids),
        )

    def remove(self, queue_ids: Collection[QueueId]) -> None:
        backend = self._session.backend
        listed = backend.listed(queue_ids)
        self._session.run(f"DELETE FROM event_queue WHERE id {backend.in_list}", listed)
        self._session.run(f"DELETE FROM local_echo WHERE queue_id {backend.in_list}", listed)

    def find_echo(self, queue_id: str, local_id: str) -> tuple[MessageId, str] | None:
        rows = self._session.rows(
            "SELECT message_id, digest FROM local_echo WHERE queue_id = ? AND local_id = ?",
            queue_id,
            local_id,
        )
        return (MessageId(rows[0][0]), rows[0][1]) if rows else None

    def add_echo(self, queue_id: QueueId, local_id: str, message_id: MessageId, digest: str) -> None:
        self._session.run(
            "INSERT INTO local_echo (queue_id, local_id, message_id, digest) VALUES (?, ?, ?, ?)",
            queue_id,
            local_id,
            message_id,
            digest,
        )


_SELECT = "SELECT id, user_id, registration, created_at, acknowledged, last_seen, heartbeat FROM event_queue"


def _queue(row: Row) -> Queue:
    return Queue(
        id=row[0],
        user_id=row[1],
        registration=_decode_registration(row[2]),
        created_at=row[3],
        acknowledged=row[4],
        last_seen=row[5],
        heartbeat=row[6],
    )
