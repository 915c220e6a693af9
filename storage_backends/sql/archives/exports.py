"""The exports that administrators have requested."""

from collections.abc import Collection, Sequence
from typing import Any

from chatcore.domain.archives.exports import Export, ExportType
from chatcore.domain.ids import ExportId, UserId
from storage_backends.sql.schema import RequestedExport as Table
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, change, insert, listed, param

FIND = Statement(Table.select().where(Table.id == param("export_id")))
FIND_BY_TOKEN = Statement(Table.select().where(Table.token == param("token")))
FIND_ALL = Statement(Table.select().order_by(Table.id))
FIND_PENDING = Statement(
    Table.select().where(Table.finished_at.is_null(), Table.failed_at.is_null()).order_by(Table.id)
)
ADD = Statement(insert(Table).returning(Table.id))
CHANGE = change(Table, "attempts", "finished_at", "failed_at", "deleted_at")
REMOVE = Statement(Table.delete().where(listed(Table.id, "export_ids")))


class Exports:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, export_id: int) -> Export | None:
        row = self._session.row(FIND, export_id=export_id)
        return None if row is None else _export(row)

    def find_by_token(self, token: str) -> Export | None:
        row = self._session.row(FIND_BY_TOKEN, token=token)
        return None if row is None else _export(row)

    def all(self) -> Sequence[Export]:
        return [_export(row) for row in self._session.rows(FIND_ALL)]

    def pending(self) -> Sequence[Export]:
        return [_export(row) for row in self._session.rows(FIND_PENDING)]

    def add(self, acting_user_id: UserId, export_type: ExportType, token: str, now: int) -> Export:
        export_id = self._session.value(
            ADD,
            acting_user_id=acting_user_id,
            export_type=int(export_type),
            requested_at=now,
            token=token,
            attempts=0,
            finished_at=None,
            failed_at=None,
            deleted_at=None,
        )
        return Export(
            id=ExportId(export_id),
            acting_user_id=acting_user_id,
            export_type=export_type,
            requested_at=now,
            token=token,
        )

    def update(self, export: Export) -> None:
        self._session.run(
            CHANGE,
            id=export.id,
            attempts=export.attempts,
            finished_at=export.finished_at,
            failed_at=export.failed_at,
            deleted_at=export.deleted_at,
        )

    def remove(self, export_ids: Collection[ExportId]) -> None:
        self._session.run(REMOVE, export_ids=export_ids)


def _export(row: Any) -> Export:
    return Export(
        id=row.id,
        acting_user_id=row.acting_user_id,
        export_type=ExportType(row.export_type),
        requested_at=row.requested_at,
        token=row.token,
        attempts=row.attempts,
        finished_at=row.finished_at,
        failed_at=row.failed_at,
        deleted_at=row.deleted_at,
    )
