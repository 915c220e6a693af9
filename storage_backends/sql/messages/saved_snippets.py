"""Saved snippets."""

from collections.abc import Sequence
from dataclasses import replace

from peewee import fn

from chatcore.domain.ids import SnippetId, UserId
from chatcore.domain.messages.saved_snippets import SavedSnippet
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param, size
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.SavedSnippet
OF_USER = TABLE.user_id == param("user_id")
IS_SNIPPET = TABLE.id == param("snippet_id")

FIND = Statement(TABLE.select().where(OF_USER, IS_SNIPPET)).of(SavedSnippet)
FIND_ALL = Statement(TABLE.select().where(OF_USER).order_by(TABLE.id)).of(SavedSnippet)
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER))
SIZE = Statement(TABLE.select(fn.sum(size(TABLE.title) + size(TABLE.content))).where(OF_USER))
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, of=SavedSnippet)
REMOVE = Statement(TABLE.delete().where(OF_USER, IS_SNIPPET))


class SavedSnippets(SqlRepository):
    def find(self, user_id: UserId, snippet_id: int) -> SavedSnippet | None:
        return self._session.row(FIND, user_id=user_id, snippet_id=snippet_id)

    def of_user(self, user_id: UserId) -> Sequence[SavedSnippet]:
        return [*in_slices(self._session.each(FIND_ALL, user_id=user_id))]

    def count(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT, user_id=user_id))

    def size(self, user_id: UserId) -> int:
        return int(self._session.value(SIZE, user_id=user_id) or 0)

    def add(self, user_id: UserId, snippet: SavedSnippet) -> SavedSnippet:
        snippet_id = self._session.value(ADD, user_id=user_id, **new_columns_of(TABLE, snippet))
        return replace(snippet, id=SnippetId(snippet_id))

    def update(self, snippet: SavedSnippet) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, snippet))

    def remove(self, user_id: UserId, snippet_id: int) -> bool:
        return self._session.run_counting(REMOVE, user_id=user_id, snippet_id=snippet_id) > 0
