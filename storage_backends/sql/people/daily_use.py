"""Use of resources with a daily limit, by account."""

from collections.abc import Mapping

from chatcore.domain.ids import UserId
from chatcore.domain.people.daily_use import Daily
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, param

TABLE = schema.DailyUse
FIND = Statement(
    TABLE.select(TABLE.amount).where(
        TABLE.user_id == param("user_id"),
        TABLE.what == param("what"),
        TABLE.day == param("day"),
    )
)
ADD = Statement(
    lambda dialect: (
        f"""
        INSERT INTO daily_use (user_id, what, day, amount)
        SELECT new.user_id, CAST(:what AS TEXT), CAST(:day AS BIGINT), new.amount
        FROM {dialect.rows("new", "amounts", ("user_id", "amount"))} WHERE TRUE
        ON CONFLICT (user_id, what) DO UPDATE SET
            amount = excluded.amount
                + CASE WHEN daily_use.day = excluded.day THEN daily_use.amount ELSE 0 END,
            day = excluded.day
        RETURNING user_id, amount
        """
    )
)


class DailyUse(SqlRepository):
    def find(self, user_id: UserId, what: Daily, day: int) -> int:
        return int(self._session.value(FIND, user_id=user_id, what=str(what), day=day) or 0)

    def add(self, what: Daily, day: int, amounts: Mapping[UserId, int]) -> Mapping[UserId, int]:
        if not amounts:
            return {}
        return self._session.mapping(ADD, what=str(what), day=day, amounts=sorted(amounts.items()))
