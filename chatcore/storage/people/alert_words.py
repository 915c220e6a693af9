"""Alert words: words that flag messages for one user."""

from collections.abc import Collection, Sequence
from typing import Protocol

from chatcore.domain.ids import UserId


class AlertWords(Protocol):
    def of_user(self, user_id: UserId) -> Sequence[str]:
        """Return the words in the order in which they were added."""

    def add(self, user_id: UserId, words: Sequence[str]) -> None: ...

    def remove(self, user_id: UserId, words: Collection[str]) -> None:
        """Remove words, ignoring case."""

    def candidates(self, tokens: Collection[str]) -> Sequence[tuple[UserId, str]]:
        """Return words that may occur in a text with these tokens (`domain.people.alert_words.tokens`)."""
