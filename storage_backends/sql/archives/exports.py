"""The exports that administrators have requested."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from chatcore.domain.archives.exports import Export
from chatcore.domain.ids import ExportId
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import RequestedExport as Table
from storage_backends.sql.statement import Statement, change, in_list, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

FIND = Statement(Table.select().where(Table.id == param("export_id"))).of(Export)
FIND_BY_TOKEN = Statement(Table.select().where(Table.token == param("token"))).of(Export)
FIND_ALL = Statement(Table.select().order_by(Table.id)).of(Export)
FIND_PENDING = Statement(
    Table.select().where(Table.finished_at.is_null(), Table.failed_at.is_null()).order_by(Table.id)
).of(Export)
ADD = Statement(insert(Table).returning(Table.id))
CHANGE = change(Table)
REMOVE = Statement(Table.delete().where(in_list(Table.id, "export_ids")))


class Exports(SqlRepository):
    def find(self, export_id: int) -> Export | None:
        return self._session.row(FIND, export_id=export_id)

    def find_by_token(self, token: str) -> Export | None:
        return self._session.row(FIND_BY_TOKEN, token=token)

    def all(self) -> Sequence[Export]:
        return self._session.rows(FIND_ALL)

    def pending(self) -> Sequence[Export]:
        return self._session.rows(FIND_PENDING)

    def add(self, export: Export) -> Export:
        return replace(export, id=ExportId(self._session.value(ADD, **new_columns_of(Table, export))))

    def update(self, export: Export) -> None:
        self._session.run(CHANGE, **columns_of(Table, export))

    def remove(self, export_ids: Collection[ExportId]) -> None:
        self._session.run(REMOVE, export_ids=export_ids)
