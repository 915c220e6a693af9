"""Channel folders."""

from collections.abc import Sequence
from dataclasses import asdict

from peewee import fn

from chatcore.domain.channels.folders import Folder, NewFolder
from chatcore.domain.ids import FolderId
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, change, insert
from storage_backends.sql.values import columns_of

TABLE = schema.ChannelFolder
FIND_ALL = Statement(TABLE.select().order_by(TABLE.order, TABLE.id)).of(Folder)
FIND_LAST = Statement(TABLE.select(fn.coalesce(fn.max(TABLE.order), -1)))
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE)
REORDER = change(TABLE, "order")


class ChannelFolders(SqlRepository):
    def all(self) -> Sequence[Folder]:
        return self._recall_all(RememberedKind.CONFIGURATION, "channel folders", FIND_ALL)

    def add(self, new: NewFolder) -> Folder:
        fields = {**asdict(new), "order": int(self._session.value(FIND_LAST)) + 1}
        return Folder(id=FolderId(self._session.value(ADD, **fields)), **fields)

    def update(self, folder: Folder) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, folder))

    def reorder(self, folder_ids: Sequence[FolderId]) -> None:
        rows = [{"order": order, "id": folder_id} for order, folder_id in enumerate(folder_ids)]
        self._session.run_many(REORDER, rows)
