"""Progress of imports."""

from storage_backends.sql.schema import ImportProgress
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, param, upsert

FIND = Statement(
    ImportProgress.select(ImportProgress.lines, ImportProgress.finished).where(
        ImportProgress.source == param("source")
    )
)
PUT = upsert(ImportProgress)


class Imports:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, source: str) -> tuple[int, bool] | None:
        row = self._session.row(FIND, source=source)
        return None if row is None else (row.lines, bool(row.finished))

    def note(self, source: str, lines: int, *, finished: bool = False) -> None:
        self._session.run(PUT, source=source, lines=lines, finished=finished)
        if finished:
            self._session.backend.analyze()
