"""Subscriptions of browsers to pushes."""

from collections.abc import Sequence

from chatcore.domain.ids import UserId
from chatcore.domain.push.subscriptions import NO_SESSION, PushSubscription
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import BrowserSession
from storage_backends.sql.statement import Statement, insert, param, remove_but_newest
from storage_backends.sql.values import new_columns_of

TABLE = schema.PushSubscription
KEPT = TABLE.alias("kept")

OF_USER = TABLE.user_id == param("user_id")

FIND = Statement(TABLE.select().where(TABLE.id == param("id"))).of(PushSubscription)
FIND_ALL = Statement(TABLE.select().where(OF_USER).order_by(TABLE.id)).of(PushSubscription)
FIND_SUBSCRIBERS = Statement(TABLE.select(TABLE.user_id).distinct())
REMOVE_ENDPOINT = Statement(TABLE.delete().where(TABLE.endpoint == param("endpoint")))
ADD = Statement(insert(TABLE).returning(TABLE.id))
REMOVE_OLDEST = remove_but_newest(KEPT, "id", KEPT.id.desc())
REMOVE = Statement(TABLE.delete().where(OF_USER, TABLE.id == param("id")))
REMOVE_ENDED = Statement(
    TABLE.delete().where(
        OF_USER,
        TABLE.session_id.not_in(
            BrowserSession.select(BrowserSession.id).where(BrowserSession.user_id == param("user_id"))
        ),
        (TABLE.session_id != NO_SESSION) | (TABLE.session_id == param("removed")),
    )
)
REMOVE_ALL = Statement(TABLE.delete())
NEVER = -1
"""No id of a session."""


class PushSubscriptions(SqlRepository):
    def find(self, subscription_id: int) -> PushSubscription | None:
        return self._session.row(FIND, id=subscription_id)

    def of_user(self, user_id: UserId) -> Sequence[PushSubscription]:
        return self._session.rows(FIND_ALL, user_id=user_id)

    def subscribers(self) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_SUBSCRIBERS))

    def put(self, subscription: PushSubscription, *, keep: int) -> int:
        self._session.run(REMOVE_ENDPOINT, endpoint=subscription.endpoint)
        subscription_id = self._session.value(ADD, **new_columns_of(TABLE, subscription))
        self._session.run(REMOVE_OLDEST, user_id=subscription.user_id, keep=keep)
        return int(subscription_id)

    def remove(self, user_id: UserId, subscription_id: int) -> bool:
        return self._session.run_counting(REMOVE, user_id=user_id, id=subscription_id) > 0

    def remove_ended(self, user_id: UserId, *, also_of_keys: bool = False) -> None:
        self._session.run(REMOVE_ENDED, user_id=user_id, removed=NO_SESSION if also_of_keys else NEVER)

    def remove_all(self) -> None:
        self._session.run(REMOVE_ALL)
