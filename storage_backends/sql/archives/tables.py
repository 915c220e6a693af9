"""The rows of a store for archives."""

from collections.abc import Iterator, Mapping, Sequence

from chatcore.domain.ids import Position
from chatcore.storage.archives.tables import ExportedTable, OnePerson, Row, Scope
from storage_backends.sql.archives import loading, rules
from storage_backends.sql.archives.exported import EXPORTED
from storage_backends.sql.archives.exporting import EXPORTED_TABLES, export
from storage_backends.sql.archives.person import export_person
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement

COUNT_MESSAGES = Statement("SELECT count(*) FROM (SELECT 1 FROM message LIMIT :most) AS counted")

IS_MADE_AGAIN = {table._meta.table_name: exported.is_made_again for table, exported in EXPORTED.items()}


class Tables(SqlRepository):
    def exported(self) -> Sequence[ExportedTable]:
        return [*EXPORTED_TABLES.values()]

    def export(
        self, scope: Scope | OnePerson | None
    ) -> Iterator[tuple[ExportedTable, Iterator[Sequence[Row]]]]:
        if isinstance(scope, OnePerson):
            return export_person(self._session, scope.user_id)
        return export(self._session, scope)

    def count_messages(self, most: int) -> int:
        return int(self._session.value(COUNT_MESSAGES, most=most))

    def sequences(self) -> Mapping[str, int]:
        return {name: self._session.backend.last_id(name) for name in loading.HIGHEST}

    def clear(self) -> None:
        loading.clear(self._session)

    def check(self, table: str, rows: Sequence[Row]) -> None:
        if not IS_MADE_AGAIN[table]:
            rules.require_rows(table, rows)

    def check_whole(self, head: Position) -> None:
        rules.require_whole(self._session, head)

    def load(self, table: str, rows: Sequence[Row]) -> Sequence[Row]:
        return loading.load(self._session, table, rows)

    def finish(self, head: Position, sequences: Mapping[str, int]) -> None:
        loading.finish(self._session, head)
        for name, statement in loading.HIGHEST.items():
            drawn = max(sequences.get(name, 0), self._session.value(statement) or 0)
            self._session.backend.continue_ids(name, drawn)
        self._session.backend.analyze()
