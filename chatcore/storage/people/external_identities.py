"""Identities of people at the providers that vouch for them: an account has one at each provider at most."""

from collections.abc import Collection, Mapping
from typing import Protocol

from chatcore.domain.ids import UserId


class ExternalIdentities(Protocol):
    def find(self, provider: str, subject: str) -> UserId | None:
        """Return the account of the person whom a provider names so; spelling counts."""

    def of_user(self, user_id: UserId) -> Mapping[str, str]:
        """Return the subjects of an account, by provider."""

    def subjects(self, provider: str, user_ids: Collection[UserId]) -> Mapping[UserId, str]:
        """Return the subjects of these accounts at a provider, for those that have one."""

    def add(self, provider: str, subject: str, user_id: UserId) -> None:
        """Add an identity that no account has, to an account that has none at this provider."""

    def remove_of_user(self, user_id: UserId, provider: str | None = None) -> None:
        """Remove the identities of an account: that at one provider, or all."""
