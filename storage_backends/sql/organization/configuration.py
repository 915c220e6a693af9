"""Linkifiers and playgrounds, which the organization's administrators set up for everybody."""

from collections.abc import Sequence
from dataclasses import replace

from peewee import fn

from chatcore.domain.ids import LinkifierId, PlaygroundId
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.domain.organization.playgrounds import Playground
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, change, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

LINKIFIERS = schema.Linkifier
FIND_LINKIFIERS = Statement(LINKIFIERS.select().order_by(LINKIFIERS.place, LINKIFIERS.id)).of(Linkifier)
ADD_LINKIFIER = Statement(
    LINKIFIERS.insert_from(
        LINKIFIERS.select(
            fn.coalesce(fn.max(LINKIFIERS.place), 0) + 1, param("pattern"), param("url_template")
        ),
        [LINKIFIERS.place, LINKIFIERS.pattern, LINKIFIERS.url_template],
    ).returning(LINKIFIERS.id)
)
CHANGE_LINKIFIER = change(LINKIFIERS, of=Linkifier)
PLACE_LINKIFIER = change(LINKIFIERS, "place")
REMOVE_LINKIFIER = Statement(LINKIFIERS.delete().where(LINKIFIERS.id == param("linkifier_id")))

PLAYGROUNDS = schema.Playground
FIND_PLAYGROUNDS = Statement(PLAYGROUNDS.select().order_by(PLAYGROUNDS.id)).of(Playground)
ADD_PLAYGROUND = Statement(insert(PLAYGROUNDS).returning(PLAYGROUNDS.id))
REMOVE_PLAYGROUND = Statement(PLAYGROUNDS.delete().where(PLAYGROUNDS.id == param("playground_id")))


class Linkifiers(SqlRepository):
    def all(self) -> Sequence[Linkifier]:
        return self._recall_all(RememberedKind.CONFIGURATION, "linkifiers", FIND_LINKIFIERS)

    def add(self, pattern: str, url_template: str) -> LinkifierId:
        added = self._session.value(ADD_LINKIFIER, pattern=pattern, url_template=url_template)
        return LinkifierId(added)

    def update(self, linkifier: Linkifier) -> None:
        self._session.run(CHANGE_LINKIFIER, **columns_of(LINKIFIERS, linkifier))

    def reorder(self, linkifier_ids: Sequence[LinkifierId]) -> None:
        places = enumerate(linkifier_ids, start=1)
        self._session.run_many(
            PLACE_LINKIFIER, [{"place": place, "id": linkifier_id} for place, linkifier_id in places]
        )

    def remove(self, linkifier_id: LinkifierId) -> None:
        self._session.run(REMOVE_LINKIFIER, linkifier_id=linkifier_id)


class Playgrounds(SqlRepository):
    def all(self) -> Sequence[Playground]:
        return self._recall_all(RememberedKind.CONFIGURATION, "playgrounds", FIND_PLAYGROUNDS)

    def add(self, playground: Playground) -> Playground:
        playground_id = self._session.value(ADD_PLAYGROUND, **new_columns_of(PLAYGROUNDS, playground))
        return replace(playground, id=PlaygroundId(playground_id))

    def remove(self, playground_id: PlaygroundId) -> None:
        self._session.run(REMOVE_PLAYGROUND, playground_id=playground_id)
