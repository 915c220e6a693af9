"""What programs keep between their runs."""

from collections.abc import Collection, Mapping

from chatcore.domain.ids import UserId
from storage_backends.sql.session import Session


class BotStorage:
    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, user_id: UserId, keys: Collection[str] | None) -> Mapping[str, str]:
        among, values = self._among(keys)
        rows = self._session.rows(
            f"SELECT name, value FROM bot_storage WHERE user_id = ? {among}", user_id, *values
        )
        return dict(rows)

    def size(self, user_id: UserId) -> tuple[int, int]:
        ((keys, length),) = self._session.rows(
            "SELECT count(*), coalesce(sum(length(name) + length(value)), 0) FROM bot_storage"
            " WHERE user_id = ?",
            user_id,
        )
        return int(keys), int(length)

    def put(self, user_id: UserId, values: Mapping[str, str]) -> None:
        if not values:
            return
        backend, columns = self._session.backend, ("name", "value")
        self._session.run(
            f"""
            INSERT INTO bot_storage (user_id, name, value)
            SELECT ?, new.name, new.value FROM {backend.rows("new", columns, texts=columns)} WHERE TRUE
            ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value
            """,
            user_id,
            *backend.row_values(list(values.items())),
        )

    def remove(self, user_id: UserId, keys: Collection[str] | None) -> int:
        among, values = self._among(keys)
        return self._session.run(f"DELETE FROM bot_storage WHERE user_id = ? {among}", user_id, *values)

    def _among(self, keys: Collection[str] | None) -> tuple[str, list[object]]:
        if keys is None:
            return "", []
        backend = self._session.backend
        return f"AND name {backend.in_list}", [backend.listed(keys)]
