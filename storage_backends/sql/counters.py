"""Request counts that all processes of an organization share."""

from collections.abc import Mapping

from storage_backends.sql.session import Session

_COLUMNS = ("name", "until", "amount")


class Counters:
    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, amounts: Mapping[tuple[str, int], int], now: int) -> Mapping[tuple[str, int], int]:
        self._session.run("DELETE FROM request_count WHERE until < ?", now)
        if not amounts:
            return {}
        backend = self._session.backend
        added = backend.rows("new", _COLUMNS, texts=_COLUMNS[:1])
        totals = self._session.rows(
            f"""
            INSERT INTO request_count (name, until, amount)
            SELECT new.name, new.until, new.amount FROM {added} WHERE TRUE
            ON CONFLICT (name, until) DO UPDATE SET amount = request_count.amount + excluded.amount
            RETURNING name, until, amount
            """,
            *backend.row_values([(name, until, amount) for (name, until), amount in amounts.items()]),
        )
        return {(name, until): amount for name, until, amount in totals}
