"""Amounts that accounts have used of what is limited by day."""

from collections.abc import Mapping

from chatcore.domain.daily_use import Daily
from chatcore.domain.ids import UserId
from storage_backends.sql.session import Session


class DailyUse:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId, what: Daily, day: int) -> int:
        rows = self._session.rows(
            "SELECT amount FROM daily_use WHERE user_id = ? AND what = ? AND day = ?", user_id, str(what), day
        )
        return int(rows[0][0]) if rows else 0

    def add(self, what: Daily, day: int, amounts: Mapping[UserId, int]) -> Mapping[UserId, int]:
        if not amounts:
            return {}
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            INSERT INTO daily_use (user_id, what, day, amount)
            SELECT user_id, CAST(? AS TEXT), CAST(? AS BIGINT), amount
            FROM {backend.rows("given", ("user_id", "amount"))} WHERE TRUE
            ON CONFLICT (user_id, what) DO UPDATE SET
                amount = excluded.amount
                    + CASE WHEN daily_use.day = excluded.day THEN daily_use.amount ELSE 0 END,
                day = excluded.day
            RETURNING user_id, amount
            """,
            str(what),
            day,
            *backend.row_values(sorted(amounts.items())),
        )
        return dict(rows)
