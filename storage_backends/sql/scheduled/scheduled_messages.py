"""Scheduled messages and reminders, in one table: one look at it says what is due next."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
from peewee import fn

from chatcore.domain.ids import ScheduledId, UserId
from chatcore.domain.scheduled.scheduled_messages import LATEST, Scheduled
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param

TABLE = schema.ScheduledMessage
_decode_people = msgspec.json.Decoder(tuple[UserId, ...]).decode

OF_USER = TABLE.user_id == param("user_id")
IS_THIS = TABLE.id == param("scheduled_id")
OF_KIND = TABLE.reminds_of.is_null(False) == param("reminders")
BY_TIME = (TABLE.due, TABLE.id)

FIND = Statement(TABLE.select().where(OF_USER, IS_THIS))
FIND_ALL = Statement(TABLE.select().where(OF_USER).order_by(*BY_TIME))
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER, OF_KIND))
SIZE = Statement(
    lambda dialect: (
        f"""
        SELECT sum({" + ".join(map(dialect.size, ("content", "rendered_content", "note")))})
        FROM scheduled_message WHERE user_id = :user_id
        """
    )
)
WAITS = TABLE.failure.is_null()
IS_DUE = WAITS & (TABLE.due <= param("until"))
FIRST_DUE = Statement(TABLE.select().where(WAITS, TABLE.due <= LATEST).order_by(*BY_TIME).limit(1))
"""With a bound that everything keeps, SQLite searches the index instead of scanning it."""
AUTHOR = TABLE.user_id + 0  # an expression: SQLite would group by the index of users, over all rows
DUE_AUTHORS = Statement(
    TABLE.select(AUTHOR)
    .where(IS_DUE)
    .group_by(AUTHOR)
    .order_by(fn.min(TABLE.due), AUTHOR)
    .limit(param("limit"))
)
DUE_OF = Statement(TABLE.select().where(OF_USER, IS_DUE).order_by(*BY_TIME).limit(param("limit")))
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE)
REMOVE = Statement(TABLE.delete().where(OF_USER, IS_THIS))


class ScheduledMessages:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId, scheduled_id: int) -> Scheduled | None:
        row = self._session.row(FIND, user_id=user_id, scheduled_id=scheduled_id)
        return None if row is None else scheduled_from(row)

    def of_user(self, user_id: UserId) -> Sequence[Scheduled]:
        return [scheduled_from(row) for row in in_slices(self._session.rows(FIND_ALL, user_id=user_id))]

    def count(self, user_id: UserId, *, reminders: bool) -> int:
        return int(self._session.value(COUNT, user_id=user_id, reminders=reminders))

    def size(self, user_id: UserId) -> int:
        return int(self._session.value(SIZE, user_id=user_id) or 0)

    def first_due(self) -> Scheduled | None:
        row = self._session.row(FIRST_DUE)
        return None if row is None else scheduled_from(row)

    def due_authors(self, until: int, limit: int) -> Sequence[UserId]:
        return self._session.column(DUE_AUTHORS, until=until, limit=limit)

    def due_of(self, user_id: UserId, until: int, limit: int) -> Sequence[Scheduled]:
        rows = self._session.rows(DUE_OF, user_id=user_id, until=until, limit=limit)
        return [scheduled_from(row) for row in rows]

    def add(self, scheduled: Scheduled) -> Scheduled:
        return replace(scheduled, id=ScheduledId(self._session.value(ADD, **_values(scheduled))))

    def update(self, scheduled: Scheduled) -> None:
        self._session.run(CHANGE, id=scheduled.id, **_values(scheduled))

    def remove(self, user_id: UserId, scheduled_id: int) -> bool:
        return self._session.changed(REMOVE, user_id=user_id, scheduled_id=scheduled_id) > 0


def _values(scheduled: Scheduled) -> dict[str, Any]:
    """Return the values of all columns but the id."""
    return {
        "user_id": scheduled.author_id,
        "due": scheduled.due,
        "channel_id": scheduled.channel_id,
        "people": msgspec.json.encode(scheduled.people).decode(),
        "topic": scheduled.topic,
        "content": scheduled.content,
        "rendered_content": scheduled.rendered_content,
        "client": scheduled.client,
        "read_by_sender": scheduled.read_by_sender,
        "failure": scheduled.failure,
        "reminds_of": scheduled.reminds_of,
        "note": scheduled.note,
    }


def scheduled_from(row: Any) -> Scheduled:
    return Scheduled(
        id=row.id,
        author_id=row.user_id,
        due=row.due,
        channel_id=row.channel_id,
        people=_decode_people(row.people),
        topic=row.topic,
        content=row.content,
        rendered_content=row.rendered_content,
        client=row.client,
        read_by_sender=bool(row.read_by_sender),
        failure=row.failure,
        reminds_of=row.reminds_of,
        note=row.note,
    )
