"""How far imports have come."""

from storage_backends.sql.session import Session


class Imports:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, source: str) -> tuple[int, bool] | None:
        rows = self._session.rows("SELECT lines, finished FROM import_progress WHERE source = ?", source)
        return (rows[0][0], bool(rows[0][1])) if rows else None

    def note(self, source: str, lines: int, *, finished: bool = False) -> None:
        self._session.run(
            """
            INSERT INTO import_progress (source, lines, finished) VALUES (?, ?, ?)
            ON CONFLICT (source) DO UPDATE SET lines = excluded.lines, finished = excluded.finished
            """,
            source,
            lines,
            finished,
        )
