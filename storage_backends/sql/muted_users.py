"""Whom people have muted."""

from collections.abc import Mapping

from chatcore.domain.ids import UserId
from storage_backends.sql.session import Session


class MutedUsers:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Mapping[UserId, int]:
        rows = self._session.rows(
            "SELECT muted_id, muted_at FROM muted_user WHERE user_id = ? ORDER BY muted_at, muted_id", user_id
        )
        return dict(rows)

    def who_muted(self, muted_id: UserId) -> frozenset[UserId]:
        rows = self._session.rows("SELECT user_id FROM muted_user WHERE muted_id = ?", muted_id)
        return frozenset(row[0] for row in rows)

    def add(self, user_id: UserId, muted_id: UserId, at: int) -> None:
        self._session.run(
            "INSERT INTO muted_user (user_id, muted_id, muted_at) VALUES (?, ?, ?)", user_id, muted_id, at
        )

    def remove(self, user_id: UserId, muted_id: UserId) -> None:
        self._session.run("DELETE FROM muted_user WHERE user_id = ? AND muted_id = ?", user_id, muted_id)
