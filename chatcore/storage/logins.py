"""Failed logins, and the networks from which accounts have logged in."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId


class Logins(Protocol):
    def failures(self, name: str, since: float) -> Sequence[float]:
        """Times of the failures that are counted under *name* after *since*, ascending."""

    def note_failure(self, name: str, at: float) -> None: ...

    def forget_failures(self, before: float) -> None: ...

    def forget_failures_of(self, name: str, at: float | None = None) -> None:
        """Forget the failures under a name, or only the one of that moment."""

    def forget_failures_below(self, beginning: str) -> None:
        """Forget the failures under all names with this beginning."""

    def knows(self, user_id: UserId, network: str) -> bool:
        """Whether the account has logged in from the network."""

    def note_network(self, user_id: UserId, network: str, at: int, *, keep: int) -> None:
        """Note a login from a network; only the newest *keep* networks of the account are kept."""
