"""Saved snippets."""

from collections.abc import Sequence
from typing import Any

from chatcore.domain.ids import SnippetId, UserId
from chatcore.domain.messages.saved_snippets import SavedSnippet
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param

TABLE = schema.SavedSnippet
OF_USER = TABLE.user_id == param("user_id")
IS_SNIPPET = TABLE.id == param("snippet_id")

FIND = Statement(TABLE.select().where(OF_USER, IS_SNIPPET))
FIND_ALL = Statement(TABLE.select().where(OF_USER).order_by(TABLE.id))
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER))
SIZE = Statement(
    lambda dialect: (
        f"""
        SELECT sum({dialect.size("title")} + {dialect.size("content")})
        FROM saved_snippet WHERE user_id = :user_id
        """
    )
)
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, "title", "content")
REMOVE = Statement(TABLE.delete().where(OF_USER, IS_SNIPPET))


class SavedSnippets:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId, snippet_id: int) -> SavedSnippet | None:
        row = self._session.row(FIND, user_id=user_id, snippet_id=snippet_id)
        return None if row is None else _snippet(row)

    def of_user(self, user_id: UserId) -> Sequence[SavedSnippet]:
        return [_snippet(row) for row in in_slices(self._session.rows(FIND_ALL, user_id=user_id))]

    def count(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT, user_id=user_id))

    def size(self, user_id: UserId) -> int:
        return int(self._session.value(SIZE, user_id=user_id) or 0)

    def add(self, user_id: UserId, title: str, content: str, now: int) -> SavedSnippet:
        snippet_id = self._session.value(ADD, user_id=user_id, title=title, content=content, date_created=now)
        return SavedSnippet(id=SnippetId(snippet_id), title=title, content=content, date_created=now)

    def update(self, snippet: SavedSnippet) -> None:
        self._session.run(CHANGE, id=snippet.id, title=snippet.title, content=snippet.content)

    def remove(self, user_id: UserId, snippet_id: int) -> bool:
        return self._session.changed(REMOVE, user_id=user_id, snippet_id=snippet_id) > 0


def _snippet(row: Any) -> SavedSnippet:
    return SavedSnippet(id=row.id, title=row.title, content=row.content, date_created=row.date_created)
