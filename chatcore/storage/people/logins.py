"""Failed logins, and the networks and devices from which accounts have logged in."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId


class Logins(Protocol):
    def failures(self, name: str, since: float) -> Sequence[float]:
        """Return the times of the failures counted under *name* after *since*, ascending."""

    def note_failure(self, name: str, at: float) -> None: ...

    def forget_failures(self, before: float) -> None: ...

    def forget_failures_of(self, name: str, at: float | None = None) -> None:
        """Remove the failures under a name, or only the one at that time."""

    def forget_failures_below(self, beginning: str) -> None:
        """Remove the failures under all names with this prefix."""

    def knows(self, user_id: UserId, network: str) -> bool:
        """Whether the account has logged in from the network."""

    def note_network(self, user_id: UserId, network: str, at: int, *, keep: int) -> None:
        """Store a login from a network; only the newest *keep* networks of the account are kept."""

    def devices(self, user_id: UserId) -> frozenset[str]:
        """Return the kinds of devices from which the account has logged in."""

    def note_device(self, user_id: UserId, device: str, at: int, *, keep: int) -> None:
        """Store a login from a device; only the newest *keep* devices of the account are kept."""
