"""Drafts."""

from collections.abc import Sequence
from dataclasses import replace

from peewee import fn

from chatcore.domain.ids import DraftId, UserId
from chatcore.domain.messages.drafts import NOT_STORED, Draft, DraftContent
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param, size
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.Draft
AS_READ = 6
"""The memory that ids take when read, as a multiple of their bytes as text."""

OF_USER = TABLE.user_id == param("user_id")
IS_DRAFT = TABLE.id == param("draft_id")

FIND = Statement(TABLE.select().where(OF_USER, IS_DRAFT)).of(Draft)
FIND_NEWEST = Statement(
    TABLE.select().where(OF_USER).order_by(TABLE.timestamp.desc(), TABLE.id.desc()).limit(param("limit"))
).of(Draft)
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER))
SIZE = Statement(TABLE.select(fn.sum(size(TABLE.content) + size(TABLE.to) * AS_READ)).where(OF_USER))
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, of=Draft)
REMOVE = Statement(TABLE.delete().where(OF_USER, IS_DRAFT))


class Drafts(SqlRepository):
    def find(self, user_id: UserId, draft_id: int) -> Draft | None:
        return self._session.row(FIND, user_id=user_id, draft_id=draft_id)

    def newest(self, user_id: UserId, limit: int) -> Sequence[Draft]:
        return [*in_slices(self._session.each(FIND_NEWEST, user_id=user_id, limit=limit))]

    def count(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT, user_id=user_id))

    def size(self, user_id: UserId) -> int:
        return int(self._session.value(SIZE, user_id=user_id) or 0)

    def add(self, user_id: UserId, drafts: Sequence[DraftContent], now: int) -> Sequence[Draft]:
        return [self._add(user_id, draft, now) for draft in drafts]

    def _add(self, user_id: UserId, draft: DraftContent, now: int) -> Draft:
        """Add one draft; without a time of its own it is of *now*, in seconds."""
        new = Draft(
            id=NOT_STORED,
            type=draft.type,
            to=tuple(draft.to),
            topic=draft.topic,
            content=draft.content,
            timestamp=now if draft.timestamp is None else draft.timestamp,
        )
        draft_id = self._session.value(ADD, user_id=user_id, **new_columns_of(TABLE, new))
        return replace(new, id=DraftId(draft_id))

    def update(self, draft: Draft) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, draft))

    def remove(self, user_id: UserId, draft_id: int) -> bool:
        return self._session.run_counting(REMOVE, user_id=user_id, draft_id=draft_id) > 0
