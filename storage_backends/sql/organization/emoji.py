"""The organization's own emoji."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from chatcore.domain.ids import EmojiId
from chatcore.domain.organization.custom_emoji import CustomEmoji
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, insert, param
from storage_backends.sql.values import new_columns_of

TABLE = schema.CustomEmoji

FIND_ALL = Statement(TABLE.select().order_by(TABLE.id)).of(CustomEmoji)
ADD = Statement(insert(TABLE).returning(TABLE.id))
DEACTIVATE = Statement(TABLE.update({TABLE.deactivated: True}).where(TABLE.id == param("emoji_id")))


class CustomEmojis(SqlRepository):
    def all(self) -> Sequence[CustomEmoji]:
        return self._recall_all(RememberedKind.CONFIGURATION, "emoji", FIND_ALL)

    def active(self, names: Collection[str]) -> Mapping[str, CustomEmoji]:
        if not names:
            return {}
        return {emoji.name: emoji for emoji in self.all() if emoji.name in names and not emoji.deactivated}

    def find(self, token: str) -> CustomEmoji | None:
        return next((emoji for emoji in self.all() if emoji.token == token), None)

    def count(self) -> int:
        return len(self.all())

    def add(self, emoji: CustomEmoji) -> CustomEmoji:
        emoji_id = self._session.value(ADD, **new_columns_of(TABLE, emoji))
        return replace(emoji, id=EmojiId(emoji_id))

    def deactivate(self, emoji: CustomEmoji) -> None:
        self._session.run(DEACTIVATE, emoji_id=emoji.id)
