"""Navigation views."""

from collections.abc import Sequence

from chatcore.domain.channels.navigation_views import NavigationView
from chatcore.domain.ids import UserId
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, param, upsert
from storage_backends.sql.values import columns_of

TABLE = schema.NavigationView
OF_USER = TABLE.user_id == param("user_id")

FIND = Statement(TABLE.select().where(OF_USER).order_by(TABLE.fragment)).of(NavigationView)
PUT = upsert(TABLE)
REMOVE = Statement(TABLE.delete().where(OF_USER, TABLE.fragment == param("fragment")))


class NavigationViews(SqlRepository):
    def of_user(self, user_id: UserId) -> Sequence[NavigationView]:
        return self._session.rows(FIND, user_id=user_id)

    def put(self, user_id: UserId, view: NavigationView) -> None:
        self._session.run(PUT, user_id=user_id, **columns_of(TABLE, view))

    def remove(self, user_id: UserId, fragment: str) -> bool:
        return self._session.run_counting(REMOVE, user_id=user_id, fragment=fragment) > 0
