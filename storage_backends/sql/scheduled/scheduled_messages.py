"""Scheduled messages and reminders, in one table: one look at it says what is due next."""

from collections.abc import Sequence
from dataclasses import replace

from peewee import fn

from chatcore.domain.ids import ScheduledId, UserId
from chatcore.domain.scheduled.scheduled_messages import LATEST, Scheduled
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param, size
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.ScheduledMessage

OF_USER = TABLE.author_id == param("user_id")
IS_THIS = TABLE.id == param("scheduled_id")
OF_KIND = TABLE.reminds_of.is_null(False) == param("reminders")
BY_TIME = TABLE.select().order_by(TABLE.due, TABLE.id)

FIND = Statement(TABLE.select().where(OF_USER, IS_THIS)).of(Scheduled)
FIND_ALL = Statement(BY_TIME.where(OF_USER)).of(Scheduled)
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER, OF_KIND))
SIZE = Statement(
    TABLE.select(fn.sum(size(TABLE.content) + size(TABLE.rendered_content) + size(TABLE.note))).where(OF_USER)
)
WAITS = TABLE.failure.is_null()
IS_DUE = WAITS & (TABLE.due <= param("until"))
FIRST_DUE = Statement(BY_TIME.where(WAITS, TABLE.due <= LATEST).limit(1)).of(Scheduled)
"""With a bound that everything keeps, SQLite searches the index instead of scanning it."""
AUTHOR = TABLE.author_id + 0  # an expression: SQLite would group by the index of users, over all rows
DUE_AUTHORS = Statement(
    TABLE.select(AUTHOR)
    .where(IS_DUE)
    .group_by(AUTHOR)
    .order_by(fn.min(TABLE.due), AUTHOR)
    .limit(param("limit"))
)
DUE_OF = Statement(BY_TIME.where(OF_USER, IS_DUE).limit(param("limit"))).of(Scheduled)
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, of=Scheduled)
REMOVE = Statement(TABLE.delete().where(OF_USER, IS_THIS))


class ScheduledMessages(SqlRepository):
    def find(self, user_id: UserId, scheduled_id: int) -> Scheduled | None:
        return self._session.row(FIND, user_id=user_id, scheduled_id=scheduled_id)

    def of_user(self, user_id: UserId) -> Sequence[Scheduled]:
        return [*in_slices(self._session.each(FIND_ALL, user_id=user_id))]

    def count(self, user_id: UserId, *, reminders: bool) -> int:
        return int(self._session.value(COUNT, user_id=user_id, reminders=reminders))

    def size(self, user_id: UserId) -> int:
        return int(self._session.value(SIZE, user_id=user_id) or 0)

    def first_due(self) -> Scheduled | None:
        return self._session.row(FIRST_DUE)

    def due_authors(self, until: int, limit: int) -> Sequence[UserId]:
        return self._session.column(DUE_AUTHORS, until=until, limit=limit)

    def due_of(self, user_id: UserId, until: int, limit: int) -> Sequence[Scheduled]:
        return self._session.rows(DUE_OF, user_id=user_id, until=until, limit=limit)

    def add(self, scheduled: Scheduled) -> Scheduled:
        scheduled_id = self._session.value(ADD, **new_columns_of(TABLE, scheduled))
        return replace(scheduled, id=ScheduledId(scheduled_id))

    def update(self, scheduled: Scheduled) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, scheduled))

    def remove(self, user_id: UserId, scheduled_id: int) -> bool:
        return self._session.run_counting(REMOVE, user_id=user_id, scheduled_id=scheduled_id) > 0
