"""The organization's own emoji."""

from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.custom_emoji import CustomEmoji
from chatcore.domain.ids import UserId
from storage_backends.sql.session import Row, Session

_COLUMNS = "id, name, author_id, token, content_type, is_animated, deactivated"


class CustomEmojis:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[CustomEmoji]:
        return self._found("ORDER BY id")

    def active(self, names: Collection[str]) -> Mapping[str, CustomEmoji]:
        if not names:
            return {}
        backend = self._session.backend
        found = self._found(f"WHERE name {backend.in_list} AND NOT deactivated", backend.listed(names))
        return {emoji.name: emoji for emoji in found}

    def find(self, token: str) -> CustomEmoji | None:
        return next(iter(self._found("WHERE token = ?", token)), None)

    def count(self) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM custom_emoji")
        return int(count)

    def add(
        self, name: str, author_id: UserId, *, token: str, content_type: str, is_animated: bool
    ) -> CustomEmoji:
        (row,) = self._session.rows(
            f"""
            INSERT INTO custom_emoji (name, author_id, token, content_type, is_animated, deactivated)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}
            """,
            name,
            author_id,
            token,
            content_type,
            is_animated,
            False,
        )
        return _emoji(row)

    def deactivate(self, emoji: CustomEmoji) -> None:
        self._session.run("UPDATE custom_emoji SET deactivated = ? WHERE id = ?", True, emoji.id)

    def _found(self, rest: str, *values: object) -> list[CustomEmoji]:
        return [
            _emoji(row) for row in self._session.rows(f"SELECT {_COLUMNS} FROM custom_emoji {rest}", *values)
        ]


def _emoji(row: Row) -> CustomEmoji:
    return CustomEmoji(
        id=row[0],
        name=row[1],
        author_id=row[2],
        token=row[3],
        content_type=row[4],
        is_animated=bool(row[5]),
        deactivated=bool(row[6]),
    )
