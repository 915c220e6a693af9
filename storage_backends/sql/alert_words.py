"""Words that people want to be told of."""

from collections.abc import Collection, Sequence

from chatcore.domain.alert_words import first_token
from chatcore.domain.ids import UserId
from storage_backends.sql.session import Session


class AlertWords:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Sequence[str]:
        rows = self._session.rows("SELECT word FROM alert_word WHERE user_id = ? ORDER BY id", user_id)
        return [row[0] for row in rows]

    def add(self, user_id: UserId, words: Sequence[str]) -> None:
        self._session.run_many(
            """
            INSERT INTO alert_word (user_id, word_key, word, first_token) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id, word_key) DO NOTHING
            """,
            [(user_id, word.lower(), word, first_token(word)) for word in words],
        )

    def remove(self, user_id: UserId, words: Collection[str]) -> None:
        self._session.run_many(
            "DELETE FROM alert_word WHERE user_id = ? AND word_key = ?",
            [(user_id, word.lower()) for word in words],
        )

    def candidates(self, tokens: Collection[str]) -> Sequence[tuple[UserId, str]]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT user_id, word FROM alert_word WHERE first_token {backend.in_list} ORDER BY id",
            backend.listed(tokens),
        )
        return [(row[0], row[1]) for row in rows]
