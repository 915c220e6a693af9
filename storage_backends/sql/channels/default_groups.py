"""Default channel groups."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.channels.default_groups import DefaultGroup
from chatcore.domain.ids import DefaultGroupId
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, change, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.DefaultChannelGroup
FIND_ALL = Statement(TABLE.select().order_by(TABLE.id)).of(DefaultGroup)
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE)
REMOVE = Statement(TABLE.delete().where(TABLE.id == param("group_id")))


class DefaultGroups:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[DefaultGroup]:
        return self._session.recall.one(
            RememberedKind.CONFIGURATION,
            "default channel groups",
            lambda: tuple(self._session.each(FIND_ALL)),
        )

    def add(self, group: DefaultGroup) -> DefaultGroup:
        group_id = self._session.value(ADD, **new_columns_of(TABLE, group))
        return replace(group, id=DefaultGroupId(group_id))

    def update(self, group: DefaultGroup) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, group))

    def remove(self, group_id: DefaultGroupId) -> None:
        self._session.run(REMOVE, group_id=group_id)
