"""The organization's own emoji."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from chatcore.domain.ids import UserId
from chatcore.domain.organization.custom_emoji import CustomEmoji
from storage_backends.sql import schema
from storage_backends.sql.memory import Kind
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, insert, param

TABLE = schema.CustomEmoji

FIND_ALL = Statement(TABLE.select().order_by(TABLE.id))
ADD = Statement(insert(TABLE).returning(TABLE))
DEACTIVATE = Statement(TABLE.update({TABLE.deactivated: True}).where(TABLE.id == param("emoji_id")))


class CustomEmojis:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[CustomEmoji]:
        return self._session.recall.one(Kind.CONFIGURATION, "emoji", self._all)

    def _all(self) -> Sequence[CustomEmoji]:
        return tuple(_emoji(row) for row in self._session.rows(FIND_ALL))

    def active(self, names: Collection[str]) -> Mapping[str, CustomEmoji]:
        if not names:
            return {}
        return {one.name: one for one in self.all() if one.name in names and not one.deactivated}

    def find(self, token: str) -> CustomEmoji | None:
        return next((one for one in self.all() if one.token == token), None)

    def count(self) -> int:
        return len(self.all())

    def add(
        self, name: str, author_id: UserId, *, token: str, content_type: str, is_animated: bool
    ) -> CustomEmoji:
        row = self._session.row(
            ADD,
            name=name,
            author_id=author_id,
            token=token,
            content_type=content_type,
            is_animated=is_animated,
            deactivated=False,
        )
        return _emoji(row)

    def deactivate(self, emoji: CustomEmoji) -> None:
        self._session.run(DEACTIVATE, emoji_id=emoji.id)


def _emoji(row: Any) -> CustomEmoji:
    return CustomEmoji(
        id=row.id,
        name=row.name,
        author_id=row.author_id,
        token=row.token,
        content_type=row.content_type,
        is_animated=bool(row.is_animated),
        deactivated=bool(row.deactivated),
    )
