"""Saved snippets; each belongs to one user and is accessible only through that user."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.messages.saved_snippets import SavedSnippet


class SavedSnippets(Protocol):
    def find(self, user_id: UserId, snippet_id: int) -> SavedSnippet | None:
        """Return one of the user's snippets."""

    def of_user(self, user_id: UserId) -> Sequence[SavedSnippet]:
        """Return all of the user's snippets, oldest first."""

    def count(self, user_id: UserId) -> int: ...

    def size(self, user_id: UserId) -> int:
        """Return the number of bytes of all of the user's titles and texts."""

    def add(self, user_id: UserId, snippet: SavedSnippet) -> SavedSnippet:
        """Write a new snippet, whatever its id is; return it with the id that it got."""

    def update(self, snippet: SavedSnippet) -> None:
        """Write a snippet that was found before."""

    def remove(self, user_id: UserId, snippet_id: int) -> bool:
        """Remove one of the user's snippets; return whether it existed."""
