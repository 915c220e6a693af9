"""Sessions of browsers. The store has hashes of their tokens only."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.people.sessions import BrowserSession


class BrowserSessions(Protocol):
    def find(self, token_hash: str) -> BrowserSession | None: ...

    def of_user(self, user_id: UserId) -> Sequence[BrowserSession]:
        """Return the sessions of an account; the one used last is the first."""

    def add(self, token_hash: str, browser_session: BrowserSession, *, keep: int) -> None:
        """Write a new session, whatever its id is. Only the *keep* sessions of the account that were used
        last are kept.
        """

    def note_use(self, token_hash: str, *, now: int, address: str) -> None: ...

    def remove(self, user_id: UserId, session_id: int) -> bool:
        """Remove a session of an account; return whether it existed."""

    def remove_of_user(self, user_id: UserId, *, but: str = "") -> bool:
        """Remove the sessions of an account, except the one with the token hash *but*; return whether there
        were any.
        """

    def forget_unused(self, since: int) -> None:
        """Remove all sessions whose last use was before *since*."""
