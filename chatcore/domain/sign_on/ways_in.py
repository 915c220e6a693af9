"""The ways by which people log in to an organization."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chatcore.domain.sign_on.providers import Provider

PROXY: Final = "remoteuser"
"""The proxy as a provider of identities; the API has the way to log in under the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaysIn:
    """The ways by which people log in: the organization decides on passwords, the operator on all others."""

    passwords: bool
    proxy: bool
    """Whether a proxy says who has logged in there."""
    providers: Sequence[Provider]
    without_proof: bool
    """Whether everybody may choose a person, as on a server for development."""

    def __bool__(self) -> bool:
        return self.passwords or self.without_proof or bool(self.vouchers)

    @property
    def vouchers(self) -> frozenset[str]:
        """Return the providers of identities whose word counts."""
        proxy = {PROXY} if self.proxy else set()
        return frozenset(proxy | {provider.voucher_name for provider in self.providers})

    def may_replace_passwords(self, known_at: frozenset[str]) -> bool:
        """Whether a person whom some providers of identities know can still log in without a password."""
        return self.without_proof or not self.vouchers.isdisjoint(known_at)
