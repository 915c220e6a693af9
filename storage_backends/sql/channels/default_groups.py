"""Default channel groups."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.channels.default_groups import DefaultGroup
from chatcore.domain.ids import DefaultGroupId
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, change, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.DefaultChannelGroup
FIND_ALL = Statement(TABLE.select().order_by(TABLE.id)).of(DefaultGroup)
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE)
REMOVE = Statement(TABLE.delete().where(TABLE.id == param("group_id")))


class DefaultGroups(SqlRepository):
    def all(self) -> Sequence[DefaultGroup]:
        return self._recall_all(RememberedKind.CONFIGURATION, "default channel groups", FIND_ALL)

    def add(self, group: DefaultGroup) -> DefaultGroup:
        group_id = self._session.value(ADD, **new_columns_of(TABLE, group))
        return replace(group, id=DefaultGroupId(group_id))

    def update(self, group: DefaultGroup) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, group))

    def remove(self, group_id: DefaultGroupId) -> None:
        self._session.run(REMOVE, group_id=group_id)
