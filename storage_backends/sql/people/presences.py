"""Presences of people: the times at which they were last connected and active."""

from collections.abc import Mapping

from peewee import SQL, fn

from chatcore.domain.ids import UserId
from chatcore.domain.people.presence import Presence
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import UserPresence
from storage_backends.sql.statement import Statement, param
from storage_backends.sql.values import columns_of

FIND = Statement(
    UserPresence.select(UserPresence.active_at, UserPresence.connected_at).where(
        UserPresence.user_id == param("user_id")
    )
).of(Presence)
FIND_SINCE = Statement(
    lambda dialect: (
        f"""
        SELECT user_id, active_at, connected_at FROM user_presence{dialect.by_index("user_presence_update")}
        WHERE update_id > :update_id AND connected_at >= :connected_from ORDER BY user_id
        """
    )
)
NEWEST_UPDATE = Statement(UserPresence.select(fn.max(UserPresence.update_id).alias("newest")))
_CHANGED = (UserPresence.active_at, UserPresence.connected_at, UserPresence.update_id)
# The next number is new, because rows are never removed and units of work never run together.
PUT = Statement(
    UserPresence.insert_from(
        UserPresence.select(
            param("user_id").cast("BIGINT"),
            param("active_at").cast("BIGINT"),
            param("connected_at").cast("BIGINT"),
            fn.coalesce(fn.max(UserPresence.update_id), 0) + 1,
        ).where(SQL("TRUE")),  # else SQLite parses ON CONFLICT as the condition of a join
        [UserPresence.user_id, *_CHANGED],
    ).on_conflict(conflict_target=[UserPresence.user_id], preserve=_CHANGED)
)


class Presences(SqlRepository):
    def find(self, user_id: UserId) -> Presence | None:
        return self._session.row(FIND, user_id=user_id)

    def since(self, update_id: int, connected_from: int) -> Mapping[UserId, Presence]:
        rows = self._session.rows(FIND_SINCE, update_id=update_id, connected_from=connected_from)
        return {row.user_id: Presence(row.active_at, row.connected_at) for row in rows}

    def newest_update(self) -> int:
        newest = self._session.value(NEWEST_UPDATE)
        return -1 if newest is None else int(newest)

    def put(self, user_id: UserId, presence: Presence) -> None:
        self._session.run(PUT, user_id=user_id, **columns_of(UserPresence, presence))
