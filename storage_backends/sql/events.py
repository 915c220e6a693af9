"""The event log and the queues that follow it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from peewee import Case, fn

from chatcore.domain.choices import given_values
from chatcore.domain.ids import MessageId, Position, QueueId, UserId
from chatcore.events.audience import Audience, Everyone, channels_of
from chatcore.events.happened import AnyEvent, MessageSent, Unreadable
from chatcore.events.queue import Queue
from chatcore.storage.events import LoggedEvent
from storage_backends.sql.channels.periods import note_events
from storage_backends.sql.memory import HEAD, HeadRows, RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import AdoptedLog, Event, EventQueue, LocalEcho
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, in_list, insert, param
from storage_backends.sql.values import columns_of, value_in

_encode = msgspec.json.Encoder().encode
_decode_event = msgspec.json.Decoder(AnyEvent).decode
_decode_audience = msgspec.json.Decoder(Audience).decode


_AFTER = Event.id > param("position")
_OF_TYPES = in_list(Event.kind, "types")
_IN_ORDER = (
    Event.select(Event.id, Event.kind, Event.body, Event.audience).order_by(Event.id).limit(param("limit"))
)


def _up_to_size(*wanted: Any) -> Any:
    """Return the condition that an event begins within a size limit: the first one always does, and the last
    may go beyond it. Later ones are not even read.
    """
    size = (fn.length(Event.body) + fn.length(Event.audience)).alias("size")
    sizes = (
        Event.select(Event.id, size).where(*wanted).order_by(Event.id).limit(param("limit")).alias("sizes")
    )
    before = (fn.sum(sizes.c.size).over(order_by=[sizes.c.id]) - sizes.c.size).alias("before")
    sums = Event.select(sizes.c.id, before).from_(sizes).alias("sums")
    return Event.id <= Event.select(fn.max(sums.c.id)).from_(sums).where(sums.c.before < param("max_size"))


FIND = Statement(_IN_ORDER.where(_AFTER))
FIND_OF_TYPES = Statement(_IN_ORDER.where(_AFTER, _OF_TYPES))
FIND_UP_TO_SIZE = Statement(_IN_ORDER.where(_AFTER, _up_to_size(_AFTER)))
FIND_OF_TYPES_UP_TO_SIZE = Statement(_IN_ORDER.where(_AFTER, _OF_TYPES, _up_to_size(_AFTER, _OF_TYPES)))
ADD = Statement(insert(Event))
FORGET = Statement(Event.delete().where(Event.id <= param("up_to")))

FIND_ADOPTED = Statement(AdoptedLog.select(AdoptedLog.identity))
REMOVE_IDENTITY = Statement(AdoptedLog.delete())
ADD_IDENTITY = Statement(insert(AdoptedLog))

FIND_QUEUES = Statement(EventQueue.select().where(in_list(EventQueue.id, "queue_ids"))).of(Queue)
FIND_QUEUE_AND_HEAD = Statement(
    f"""
    SELECT head.position, head.kind, head.version, q.* FROM ({HEAD}) AS head
    LEFT JOIN event_queue AS q ON q.id = :queue_id AND head.kind = '{RememberedKind.ORGANIZATION}'
"""
)
"""The rows of `HEAD`, one of them with the queue: its registration may be long."""
FIND_QUEUES_OF_USER = Statement(
    EventQueue.select()
    .where(EventQueue.user_id == param("user_id"))
    .order_by(EventQueue.last_seen, EventQueue.id)
).of(Queue)
FIND_OWNERS_AMONG = Statement(
    EventQueue.select(EventQueue.user_id).where(in_list(EventQueue.user_id, "user_ids")).distinct()
)
COUNT_QUEUES = Statement(EventQueue.select(ROW_COUNT))
FIND_ALL_QUEUES = Statement(EventQueue.select().order_by(EventQueue.id)).of(Queue)
ADD_QUEUE = Statement(insert(EventQueue))
TOUCH_QUEUE = Statement(
    EventQueue.update(
        {
            EventQueue.acknowledged: Case(
                None,
                [(EventQueue.acknowledged < param("acknowledged"), param("acknowledged"))],
                EventQueue.acknowledged,
            ),
            EventQueue.last_seen: Case(
                None,
                [
                    (
                        (EventQueue.last_seen < param("seen")) | (EventQueue.last_seen > param("now")),
                        param("seen"),
                    )
                ],
                EventQueue.last_seen,
            ),
        }
    ).where(EventQueue.id == param("queue_id"))
)
"""Both values only rise, except for a time that lies ahead: it is from a clock that was set back since."""
BEAT = Statement(
    EventQueue.update({EventQueue.heartbeat: param("position")}).where(in_list(EventQueue.id, "queue_ids"))
)
REMOVE_QUEUES = Statement(EventQueue.delete().where(in_list(EventQueue.id, "queue_ids")))
REMOVE_ECHOES = Statement(LocalEcho.delete().where(in_list(LocalEcho.queue_id, "queue_ids")))
FIND_ECHO = Statement(
    LocalEcho.select(LocalEcho.message_id, LocalEcho.digest).where(
        LocalEcho.queue_id == param("queue_id"), LocalEcho.local_id == param("local_id")
    )
)
ADD_ECHO = Statement(insert(LocalEcho))


class EventLog(SqlRepository):
    def head(self) -> Position:
        return Position(self._session.head)

    def after(
        self,
        position: Position,
        limit: int,
        *,
        max_size: int | None = None,
        types: Collection[str] | None = None,
    ) -> Sequence[LoggedEvent]:
        """Read the next events by the statement for what is limited: types, sizes, both or neither."""
        if types is None:
            statement = FIND if max_size is None else FIND_UP_TO_SIZE
        else:
            statement = FIND_OF_TYPES if max_size is None else FIND_OF_TYPES_UP_TO_SIZE
        optional = given_values(types=types, max_size=max_size)
        rows = self._session.rows(statement, position=position, limit=limit, **optional)
        return [_logged_event(row) for row in rows]

    def is_copied(self) -> bool | None:
        """Compare the identity in the table of the adopted log with that of this database."""
        adopted, own = self._session.backend.database_identities()
        return None if adopted is None else adopted != own

    def adopt(self) -> None:
        self._put_identity(self._session.backend.database_identities()[1])

    def disown(self) -> None:
        self._put_identity("")

    def _put_identity(self, identity: str) -> None:
        self._session.run(REMOVE_IDENTITY)
        self._session.run(ADD_IDENTITY, identity=identity)

    def forget(self, up_to: Position) -> int:
        return self._session.run_counting(FORGET, up_to=up_to)

    def append(self, announced: Sequence[tuple[Position, AnyEvent, Audience]]) -> None:
        """Add the events of a unit of work, and note the last one of each channel."""
        self._session.run_many(
            ADD,
            [
                {
                    "id": at,
                    "kind": event.type,
                    "body": _encode(event).decode(),
                    "audience": _encode(to).decode(),
                }
                for at, event, to in announced
            ],
        )
        self._note_channels(announced)

    def _note_channels(self, announced: Sequence[tuple[Position, AnyEvent, Audience]]) -> None:
        """Note each channel's last event, except for messages: the row of a message is enough."""
        last = {
            channel_id: at
            for at, event, to in announced
            if not isinstance(event, MessageSent)
            for channel_id in channels_of(to)
        }
        note_events(self._session, last)


def _logged_event(row: Any) -> LoggedEvent:
    """Return a stored event. One that this version cannot read is `Unreadable`: clients with queues for its
    type register anew. If not even its audience can be read, it goes to everyone, so that none of these
    clients misses it.
    """
    event: AnyEvent | Unreadable
    audience: Audience
    try:
        audience = _decode_audience(row.audience)
    except msgspec.DecodeError:
        event, audience = Unreadable(event_type=row.kind), Everyone()
    else:
        try:
            event = _decode_event(row.body)
        except msgspec.DecodeError:
            event = Unreadable(event_type=row.kind)
    return LoggedEvent(Position(row.id), event, audience, len(row.body) + len(row.audience))


def queue_and_head(session: Session, queue_id: str) -> tuple[Queue | None, HeadRows]:
    """Return a queue, if it exists, and the rows of `HEAD`, by one statement."""
    rows = session.rows(FIND_QUEUE_AND_HEAD, queue_id=queue_id)
    queue = next((value_in(row, Queue, EventQueue) for row in rows if row.id is not None), None)
    return queue, [(row.position, row.kind, row.version) for row in rows]


class Queues(SqlRepository):
    def find(self, queue_id: str) -> Queue | None:
        return self.by_ids([QueueId(queue_id)]).get(QueueId(queue_id))

    def by_ids(self, queue_ids: Collection[QueueId]) -> Mapping[QueueId, Queue]:
        return {queue.id: queue for queue in self._session.rows(FIND_QUEUES, queue_ids=queue_ids)}

    def of_user(self, user_id: UserId) -> Sequence[Queue]:
        return self._session.rows(FIND_QUEUES_OF_USER, user_id=user_id)

    def all(self) -> Sequence[Queue]:
        return self._session.rows(FIND_ALL_QUEUES)

    def count(self) -> int:
        return int(self._session.value(COUNT_QUEUES))

    def owners_among(self, user_ids: Collection[UserId]) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_OWNERS_AMONG, user_ids=user_ids) if user_ids else ())

    def add(self, queue: Queue) -> None:
        self._session.run(ADD_QUEUE, **columns_of(EventQueue, queue))

    def touch(self, seen: Mapping[QueueId, tuple[Position, float]], now: float) -> None:
        self._session.run_many(
            TOUCH_QUEUE,
            [
                {"queue_id": queue_id, "acknowledged": acknowledged, "seen": seen_at, "now": now}
                for queue_id, (acknowledged, seen_at) in sorted(seen.items())
            ],
        )

    def beat(self, queue_ids: Collection[QueueId], position: Position) -> None:
        self._session.run(BEAT, queue_ids=queue_ids, position=position)

    def remove(self, queue_ids: Collection[QueueId]) -> None:
        self._session.run(REMOVE_QUEUES, queue_ids=queue_ids)
        self._session.run(REMOVE_ECHOES, queue_ids=queue_ids)

    def find_echo(self, queue_id: str, local_id: str) -> tuple[MessageId, str] | None:
        row = self._session.row(FIND_ECHO, queue_id=queue_id, local_id=local_id)
        return None if row is None else (MessageId(row.message_id), row.digest)

    def add_echo(self, queue_id: QueueId, local_id: str, message_id: MessageId, digest: str) -> None:
        self._session.run(
            ADD_ECHO, queue_id=queue_id, local_id=local_id, message_id=message_id, digest=digest
        )
