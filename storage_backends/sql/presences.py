"""When people were last there."""

from collections.abc import Mapping

from chatcore.domain.ids import UserId
from chatcore.domain.presence import Presence
from storage_backends.sql.session import Session


class Presences:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId) -> Presence | None:
        rows = self._session.rows(
            "SELECT active_at, connected_at FROM user_presence WHERE user_id = ?", user_id
        )
        return Presence(*rows[0]) if rows else None

    def since(self, update_id: int, connected_from: int) -> Mapping[UserId, Presence]:
        by_index = self._session.backend.by_index("user_presence_update")
        rows = self._session.rows(
            f"""
            SELECT user_id, active_at, connected_at FROM user_presence{by_index}
            WHERE update_id > ? AND connected_at >= ? ORDER BY user_id
            """,
            update_id,
            connected_from,
        )
        return {user_id: Presence(active_at, connected_at) for user_id, active_at, connected_at in rows}

    def newest_update(self) -> int:
        ((newest,),) = self._session.rows("SELECT max(update_id) FROM user_presence")
        return -1 if newest is None else int(newest)

    def put(self, user_id: UserId, presence: Presence) -> None:
        # Rows are never removed and units of work never run together, so the next number is a new one.
        self._session.run(
            """
            INSERT INTO user_presence (user_id, active_at, connected_at, update_id)
            SELECT CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), COALESCE(max(update_id), 0) + 1
            FROM user_presence WHERE TRUE
            ON CONFLICT (user_id) DO UPDATE SET active_at = excluded.active_at,
                connected_at = excluded.connected_at, update_id = excluded.update_id
            """,
            user_id,
            presence.active_at,
            presence.connected_at,
        )
