"""Key-value storage of bots, which lasts between their runs."""

from collections.abc import Collection, Mapping

from peewee import fn

from chatcore.domain.ids import UserId
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, in_list, param

TABLE = schema.BotStorage
_COLUMNS = ("name", "value")
NAME, VALUE = TABLE.name, TABLE.value
OF_USER = TABLE.user_id == param("user_id")
OF_KEYS = in_list(NAME, "keys")

FIND_ALL = Statement(TABLE.select(NAME, VALUE).where(OF_USER))
FIND = Statement(TABLE.select(NAME, VALUE).where(OF_USER, OF_KEYS))
SIZE = Statement(
    TABLE.select(
        fn.count(NAME).alias("keys"),
        fn.coalesce(fn.sum(fn.length(NAME) + fn.length(VALUE)), 0).alias("length"),
    ).where(OF_USER)
)
PUT = Statement(
    lambda dialect: (
        f"""
        INSERT INTO bot_storage (user_id, name, value)
        SELECT :user_id, new.name, new.value FROM {dialect.rows("new", "values", _COLUMNS, texts=_COLUMNS)}
        WHERE TRUE ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value
        """
    )
)
REMOVE_ALL = Statement(TABLE.delete().where(OF_USER))
REMOVE = Statement(TABLE.delete().where(OF_USER, OF_KEYS))


class BotStorage(SqlRepository):
    def get(self, user_id: UserId, keys: Collection[str] | None) -> Mapping[str, str]:
        if keys is None:
            return self._session.mapping(FIND_ALL, user_id=user_id)
        return self._session.mapping(FIND, user_id=user_id, keys=keys)

    def size(self, user_id: UserId) -> tuple[int, int]:
        row = self._session.row(SIZE, user_id=user_id)
        return int(row.keys), int(row.length)

    def put(self, user_id: UserId, values: Mapping[str, str]) -> None:
        if values:
            self._session.run(PUT, user_id=user_id, values=list(values.items()))

    def remove(self, user_id: UserId, keys: Collection[str] | None) -> int:
        if keys is None:
            return self._session.run_counting(REMOVE_ALL, user_id=user_id)
        return self._session.run_counting(REMOVE, user_id=user_id, keys=keys)
