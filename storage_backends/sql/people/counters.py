"""Request counts that all processes of an organization share."""

from collections.abc import Mapping

from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import RequestCount
from storage_backends.sql.statement import Statement, param

_COLUMNS = ("name", "until", "amount")

FORGET = Statement(RequestCount.delete().where(RequestCount.until < param("now")))
ADD = Statement(
    lambda dialect: (
        f"""
        INSERT INTO request_count (name, until, amount)
        SELECT new.name, new.until, new.amount
        FROM {dialect.rows("new", "amounts", _COLUMNS, texts=_COLUMNS[:1])} WHERE TRUE
        ON CONFLICT (name, until) DO UPDATE SET amount = request_count.amount + excluded.amount
        RETURNING name, until, amount
        """
    )
)


class Counters(SqlRepository):
    def add(self, amounts: Mapping[tuple[str, int], int], now: int) -> Mapping[tuple[str, int], int]:
        self._session.run(FORGET, now=now)
        if not amounts:
            return {}
        added = [(name, until, amount) for (name, until), amount in amounts.items()]
        return {(row.name, row.until): row.amount for row in self._session.rows(ADD, amounts=added)}
