"""Pushes that wait for browsers."""

from collections.abc import Collection

from chatcore.domain.ids import RecipientId, UserId
from chatcore.domain.push.pushes import Push
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import ROW_COUNT, Statement, change, in_list, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.Push

IS_THIS = TABLE.id == param("id")

FIND = Statement(TABLE.select().where(IS_THIS)).of(Push)
FIND_OF = Statement(
    TABLE.select().where(
        TABLE.subscription_id == param("subscription_id"),
        TABLE.recipient_id == param("recipient_id"),
        TABLE.topic_key == param("topic_key"),
    )
).of(Push)
FIRST_DUE = Statement(
    TABLE.select().where(~in_list(TABLE.user_id, "but_of")).order_by(TABLE.due, TABLE.id).limit(1)
).of(Push)
COUNT = Statement(TABLE.select(ROW_COUNT))
COUNT_TO = Statement(TABLE.select(ROW_COUNT).where(TABLE.user_id == param("user_id")))
ADD = Statement(insert(TABLE))
CHANGE = change(TABLE)
REMOVE = Statement(TABLE.delete().where(IS_THIS))


class Pushes(SqlRepository):
    def find(self, push_id: int) -> Push | None:
        return self._session.row(FIND, id=push_id)

    def find_of(self, subscription_id: int, recipient_id: RecipientId, topic_key: str) -> Push | None:
        return self._session.row(
            FIND_OF, subscription_id=subscription_id, recipient_id=recipient_id, topic_key=topic_key
        )

    def first_due(self, *, but_of: Collection[UserId] = ()) -> Push | None:
        return self._session.row(FIRST_DUE, but_of=but_of)

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def count_to(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT_TO, user_id=user_id))

    def add(self, push: Push) -> None:
        self._session.run(ADD, **new_columns_of(TABLE, push))

    def update(self, push: Push) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, push))

    def remove(self, push_id: int) -> None:
        self._session.run(REMOVE, id=push_id)
