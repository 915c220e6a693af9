"""Drafts."""

from collections.abc import Sequence

import msgspec

from chatcore.domain.drafts import Draft, DraftContent, DraftType
from chatcore.domain.ids import DraftId, UserId
from storage_backends.sql.session import Row, Session

_SELECT = "SELECT id, type, recipients, topic, content, timestamp FROM draft"
AS_READ = 6
"""Ids take so many times the bytes when they are read that they have as text."""
_decode_recipients = msgspec.json.Decoder(tuple[int, ...]).decode


def _draft(row: Row) -> Draft:
    return Draft(
        id=row[0],
        type=DraftType(row[1]),
        to=_decode_recipients(row[2]),
        topic=row[3],
        content=row[4],
        timestamp=row[5],
    )


class Drafts:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId, draft_id: int) -> Draft | None:
        rows = self._session.rows(f"{_SELECT} WHERE user_id = ? AND id = ?", user_id, draft_id)
        return _draft(rows[0]) if rows else None

    def newest(self, user_id: UserId, limit: int) -> Sequence[Draft]:
        rows = self._session.rows(
            f"{_SELECT} WHERE user_id = ? ORDER BY timestamp DESC, id DESC LIMIT ?", user_id, limit
        )
        return [_draft(row) for row in rows]

    def count(self, user_id: UserId) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM draft WHERE user_id = ?", user_id)
        return int(count)

    def size(self, user_id: UserId) -> int:
        size = self._session.backend.size
        ((total,),) = self._session.rows(
            f"""
            SELECT sum({size.format(column="content")} + {size.format(column="recipients")} * {AS_READ})
            FROM draft WHERE user_id = ?
            """,
            user_id,
        )
        return int(total or 0)

    def add(self, user_id: UserId, drafts: Sequence[DraftContent], now: int) -> Sequence[Draft]:
        return [self._add(user_id, draft, now) for draft in drafts]

    def _add(self, user_id: UserId, draft: DraftContent, now: int) -> Draft:
        timestamp = now if draft.timestamp is None else draft.timestamp
        to = tuple(draft.to)
        ((draft_id,),) = self._session.rows(
            """
            INSERT INTO draft (user_id, type, recipients, topic, content, timestamp)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING id
            """,
            user_id,
            str(draft.type),
            _encoded(to),
            draft.topic,
            draft.content,
            timestamp,
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
            "UPDATE draft SET type = ?, recipients = ?, topic = ?, content = ?, timestamp = ? WHERE id = ?",
            str(draft.type),
            _encoded(draft.to),
            draft.topic,
            draft.content,
            draft.timestamp,
            draft.id,
        )

    def remove(self, user_id: UserId, draft_id: int) -> bool:
        return self._session.run("DELETE FROM draft WHERE user_id = ? AND id = ?", user_id, draft_id) > 0


def _encoded(to: tuple[int, ...]) -> str:
    return msgspec.json.encode(to).decode()
