"""Imported messages, and the files that they came from."""

from collections.abc import Collection, Mapping

from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import ImportedMessage, ImportProgress
from storage_backends.sql.statement import Statement, in_list, upsert

FIND_SOURCES = Statement(ImportProgress.select())
PUT_SOURCE = upsert(ImportProgress)
FIND_MESSAGES = Statement(ImportedMessage.select().where(in_list(ImportedMessage.digest, "digests")))


class Imports(SqlRepository):
    def sources(self) -> Mapping[str, tuple[int, bool]]:
        rows = self._session.rows(FIND_SOURCES)
        return {row.source: (row.lines, bool(row.finished)) for row in rows}

    def note(self, source: str, lines: int, *, finished: bool = False) -> None:
        self._session.run(PUT_SOURCE, source=source, lines=lines, finished=finished)
        if finished:
            self._session.backend.analyze()

    def known(self, digests: Collection[str]) -> set[str]:
        return set(self._session.column(FIND_MESSAGES, digests=digests))

    def add(self, digests: Collection[str]) -> None:
        self._session.load("imported_message", ["digest"], [[digest] for digest in digests])
