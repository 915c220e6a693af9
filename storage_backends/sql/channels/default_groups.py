"""Default channel groups."""

from collections.abc import Sequence

import msgspec

from chatcore.domain.channels.default_groups import DefaultGroup
from chatcore.domain.ids import ChannelId, DefaultGroupId
from storage_backends.sql import schema
from storage_backends.sql.memory import Kind
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, change, insert, param

TABLE = schema.DefaultChannelGroup
FIND_ALL = Statement(TABLE.select().order_by(TABLE.id))
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, "name", "description", "channel_ids")
REMOVE = Statement(TABLE.delete().where(TABLE.id == param("group_id")))
_decode_ids = msgspec.json.Decoder(tuple[ChannelId, ...]).decode


class DefaultGroups:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[DefaultGroup]:
        return self._session.recall.one(Kind.CONFIGURATION, "default channel groups", self._all)

    def _all(self) -> Sequence[DefaultGroup]:
        return tuple(
            DefaultGroup(
                id=row.id,
                name=row.name,
                description=row.description,
                channel_ids=_decode_ids(row.channel_ids),
            )
            for row in self._session.rows(FIND_ALL)
        )

    def add(self, name: str, description: str) -> DefaultGroup:
        group_id = self._session.value(ADD, name=name, description=description, channel_ids="[]")
        return DefaultGroup(id=DefaultGroupId(group_id), name=name, description=description, channel_ids=())

    def update(self, group: DefaultGroup) -> None:
        self._session.run(
            CHANGE,
            id=group.id,
            name=group.name,
            description=group.description,
            channel_ids=msgspec.json.encode(group.channel_ids).decode(),
        )

    def remove(self, group_id: DefaultGroupId) -> None:
        self._session.run(REMOVE, group_id=group_id)
