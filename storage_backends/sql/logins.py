"""Failed logins, and the networks from which accounts have logged in."""

from collections.abc import Sequence

from chatcore.domain.ids import UserId
from storage_backends.sql.session import Session
from storage_backends.sql.users import email_key


class Logins:
    def __init__(self, session: Session) -> None:
        self._session = session

    def failures(self, name: str, since: float) -> Sequence[float]:
        rows = self._session.rows(
            "SELECT failed_at FROM login_failure WHERE name_key = ? AND failed_at > ? ORDER BY failed_at",
            email_key(name),
            since,
        )
        return [row[0] for row in rows]

    def note_failure(self, name: str, at: float) -> None:
        self._session.run(
            "INSERT INTO login_failure (name_key, failed_at) VALUES (?, ?)", email_key(name), at
        )

    def forget_failures(self, before: float) -> None:
        self._session.run("DELETE FROM login_failure WHERE failed_at < ?", before)

    def forget_failures_of(self, name: str, at: float | None = None) -> None:
        if at is None:
            self._session.run("DELETE FROM login_failure WHERE name_key = ?", email_key(name))
        else:
            self._session.run(
                "DELETE FROM login_failure WHERE name_key = ? AND failed_at = ?", email_key(name), at
            )

    def forget_failures_below(self, beginning: str) -> None:
        key = email_key(beginning)
        self._session.run("DELETE FROM login_failure WHERE substr(name_key, 1, ?) = ?", len(key), key)

    def knows(self, user_id: UserId, network: str) -> bool:
        return bool(
            self._session.rows(
                "SELECT 1 FROM known_network WHERE user_id = ? AND network = ?", user_id, network
            )
        )

    def note_network(self, user_id: UserId, network: str, at: int, *, keep: int) -> None:
        self._session.run(
            "INSERT INTO known_network (user_id, network, seen_at) VALUES (?, ?, ?)"
            " ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at",
            user_id,
            network,
            at,
        )
        self._session.run(
            "DELETE FROM known_network WHERE user_id = ? AND network NOT IN"
            " (SELECT network FROM known_network WHERE user_id = ? ORDER BY seen_at DESC, network LIMIT ?)",
            user_id,
            user_id,
            keep,
        )
