"""Alert words: users are notified of messages that contain them."""

from collections.abc import Collection, Sequence

from chatcore.domain.ids import UserId
from chatcore.domain.people.alert_words import first_token
from storage_backends.sql.memory import MOST, RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import AlertWord
from storage_backends.sql.statement import Statement, in_list, insert, param

OF_USER = AlertWord.user_id == param("user_id")

FIND_OF_USER = Statement(AlertWord.select(AlertWord.word).where(OF_USER).order_by(AlertWord.id))
FIND_CANDIDATES = Statement(
    AlertWord.select(AlertWord.user_id, AlertWord.word)
    .where(in_list(AlertWord.first_token, "tokens"))
    .order_by(AlertWord.id)
)
FIND_FIRST_TOKENS = Statement(AlertWord.select(AlertWord.first_token).distinct().limit(MOST))
ADD = Statement(
    insert(AlertWord).on_conflict(conflict_target=[AlertWord.user_id, AlertWord.word_key], action="NOTHING")
)
REMOVE = Statement(AlertWord.delete().where(OF_USER, AlertWord.word_key == param("word_key")))


class AlertWords(SqlRepository):
    def of_user(self, user_id: UserId) -> Sequence[str]:
        def read() -> Sequence[str]:
            return self._session.column(FIND_OF_USER, user_id=user_id)

        return self._session.recall.one(RememberedKind.PREFERENCES, "words", read, key=user_id)

    def add(self, user_id: UserId, words: Sequence[str]) -> None:
        self._session.run_many(
            ADD,
            [
                {"user_id": user_id, "word_key": word.lower(), "word": word, "first_token": first_token(word)}
                for word in words
            ],
        )

    def remove(self, user_id: UserId, words: Collection[str]) -> None:
        self._session.run_many(REMOVE, [{"user_id": user_id, "word_key": word.lower()} for word in words])

    def candidates(self, tokens: Collection[str]) -> Sequence[tuple[UserId, str]]:
        first_tokens = self._session.recall.one(
            RememberedKind.PREFERENCES, "first tokens", self._find_first_tokens
        )
        if first_tokens is not None:
            tokens = first_tokens.intersection(tokens)  # mostly none: that saves the statement
        if not tokens:
            return []
        rows = self._session.rows(FIND_CANDIDATES, tokens=tokens)
        return [(row.user_id, row.word) for row in rows]

    def _find_first_tokens(self) -> frozenset[str] | None:
        """Return the first tokens of all alert words, or None if there are too many to remember."""
        tokens = self._session.column(FIND_FIRST_TOKENS)
        return frozenset(tokens) if len(tokens) < MOST else None
