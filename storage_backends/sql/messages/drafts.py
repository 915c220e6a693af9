"""Drafts."""

from collections.abc import Sequence
from typing import Any

import msgspec

from chatcore.domain.ids import DraftId, UserId
from chatcore.domain.messages.drafts import Draft, DraftContent, DraftType
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param

TABLE = schema.Draft
AS_READ = 6
"""The memory that ids take when read, as a multiple of their bytes as text."""
_decode_recipients = msgspec.json.Decoder(tuple[int, ...]).decode

OF_USER = TABLE.user_id == param("user_id")
IS_DRAFT = TABLE.id == param("draft_id")

FIND = Statement(TABLE.select().where(OF_USER, IS_DRAFT))
FIND_NEWEST = Statement(
    TABLE.select().where(OF_USER).order_by(TABLE.timestamp.desc(), TABLE.id.desc()).limit(param("limit"))
)
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER))
SIZE = Statement(
    lambda dialect: (
        f"""
        SELECT sum({dialect.size("content")} + {dialect.size("recipients")} * {AS_READ})
        FROM draft WHERE user_id = :user_id
        """
    )
)
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, "type", "recipients", "topic", "content", "timestamp")
REMOVE = Statement(TABLE.delete().where(OF_USER, IS_DRAFT))


class Drafts:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId, draft_id: int) -> Draft | None:
        row = self._session.row(FIND, user_id=user_id, draft_id=draft_id)
        return None if row is None else draft_from(row)

    def newest(self, user_id: UserId, limit: int) -> Sequence[Draft]:
        rows = self._session.rows(FIND_NEWEST, user_id=user_id, limit=limit)
        return [draft_from(row) for row in in_slices(rows)]

    def count(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT, user_id=user_id))

    def size(self, user_id: UserId) -> int:
        return int(self._session.value(SIZE, user_id=user_id) or 0)

    def add(self, user_id: UserId, drafts: Sequence[DraftContent], now: int) -> Sequence[Draft]:
        return [self._add(user_id, draft, now) for draft in drafts]

    def _add(self, user_id: UserId, draft: DraftContent, now: int) -> Draft:
        timestamp = now if draft.timestamp is None else draft.timestamp
        to = tuple(draft.to)
        draft_id = self._session.value(
            ADD,
            user_id=user_id,
            type=str(draft.type),
            recipients=_encode_recipients(to),
            topic=draft.topic,
            content=draft.content,
            timestamp=timestamp,
        )
        return Draft(
            id=DraftId(draft_id),
            type=draft.type,
            to=to,
            topic=draft.topic,
            content=draft.content,
            timestamp=timestamp,
        )

    def update(self, draft: Draft) -> None:
        self._session.run(
            CHANGE,
            id=draft.id,
            type=str(draft.type),
            recipients=_encode_recipients(draft.to),
            topic=draft.topic,
            content=draft.content,
            timestamp=draft.timestamp,
        )

    def remove(self, user_id: UserId, draft_id: int) -> bool:
        return self._session.changed(REMOVE, user_id=user_id, draft_id=draft_id) > 0


def draft_from(row: Any) -> Draft:
    return Draft(
        id=row.id,
        type=DraftType(row.type),
        to=_decode_recipients(row.recipients),
        topic=row.topic,
        content=row.content,
        timestamp=row.timestamp,
    )


def _encode_recipients(to: tuple[int, ...]) -> str:
    return msgspec.json.encode(to).decode()
