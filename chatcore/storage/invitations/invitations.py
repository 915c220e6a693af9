"""Invitations, by address and by link."""

from collections.abc import Collection, Sequence
from typing import Protocol

from chatcore.domain.ids import InvitationId
from chatcore.domain.invitations.invitations import Invitation


class Invitations(Protocol):
    def find(self, invitation_id: int) -> Invitation | None: ...

    def find_by_token(self, token_hash: str) -> Invitation | None: ...

    def all(self) -> Sequence[Invitation]:
        """Return all invitations, also expired ones, by id."""

    def to_addresses(self, emails: Collection[str]) -> Sequence[Invitation]:
        """Return the invitations of these addresses, in any spelling, also expired ones, by id."""

    def count(self) -> int: ...

    def add(self, invitation: Invitation) -> Invitation:
        """Store it; return it with its id."""

    def renew(self, invitation_id: InvitationId, *, invited_at: int, expires_at: int | None) -> None: ...

    def change_link(self, invitation_id: InvitationId, nonce: str, token_hash: str) -> None:
        """Give it another link; the former one is unknown then."""

    def remove(self, invitation_id: InvitationId) -> bool:
        """Remove one; return whether it existed."""

    def forget_expired(self, now: int) -> None:
        """Remove all that have expired."""
