"""Channel folders."""

from collections.abc import Sequence
from dataclasses import asdict

from peewee import fn

from chatcore.domain.channels.folders import Folder, NewFolder
from chatcore.domain.ids import FolderId
from storage_backends.sql import schema
from storage_backends.sql.memory import Kind
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, change, insert

TABLE = schema.ChannelFolder
FIND_ALL = Statement(TABLE.select().order_by(TABLE.place, TABLE.id))
FIND_LAST_PLACE = Statement(TABLE.select(fn.coalesce(fn.max(TABLE.place), -1)))
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE, "name", "description", "rendered_description", "is_archived")
PLACE = change(TABLE, "place")


class ChannelFolders:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[Folder]:
        return self._session.recall.one(Kind.CONFIGURATION, "channel folders", self._all)

    def _all(self) -> Sequence[Folder]:
        return tuple(
            Folder(
                id=row.id,
                name=row.name,
                description=row.description,
                rendered_description=row.rendered_description,
                date_created=row.date_created,
                creator_id=row.creator_id,
                is_archived=bool(row.is_archived),
                order=row.place,
            )
            for row in self._session.rows(FIND_ALL)
        )

    def add(self, new: NewFolder) -> Folder:
        place = int(self._session.value(FIND_LAST_PLACE)) + 1
        fields = asdict(new)
        folder_id = self._session.value(ADD, place=place, **fields)
        return Folder(id=FolderId(folder_id), order=place, **fields)

    def update(self, folder: Folder) -> None:
        self._session.run(
            CHANGE,
            id=folder.id,
            name=folder.name,
            description=folder.description,
            rendered_description=folder.rendered_description,
            is_archived=folder.is_archived,
        )

    def reorder(self, folder_ids: Sequence[FolderId]) -> None:
        places = [{"place": place, "id": folder_id} for place, folder_id in enumerate(folder_ids)]
        self._session.run_many(PLACE, places)
