"""Links that prove that their reader reads the mail of an address."""

from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.mail.confirmations import Confirmation, Proof


class Confirmations(Protocol):
    def find(self, token_hash: str) -> Confirmation | None: ...

    def add(self, confirmation: Confirmation) -> None: ...

    def remove(self, token_hash: str) -> bool:
        """Remove one; return whether it existed."""

    def remove_of_address(self, proof: Proof, email: str) -> None:
        """Remove those of a proof for an address, in any spelling."""

    def remove_of_user(self, proof: Proof, user_id: UserId) -> None: ...

    def forget_expired(self, now: int) -> None:
        """Remove all that have expired."""
