"""A person as the claims of a provider of OpenID Connect say."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from chatcore.domain.roles import Role
from chatcore.domain.sign_on.external_identities import ExternalIdentity
from chatcore.domain.sign_on.providers import ANY_OTHER, Provider

Claims = Mapping[str, Any]

VERIFIED: Final = "email_verified"
ELSEWHERE: Final = "_claim_names"
"""The claim that names others which are to be read elsewhere."""


def identity_of(provider: Provider, claims: Claims) -> ExternalIdentity:
    """Return the person whom a provider's claims describe.

    An absent claim, or one of another type, says nothing of name and address. Of roles and groups it says
    that there are none: some providers leave out an empty list.
    """
    groups = None
    if (values := _values(provider.groups_claim, claims)) is not None:
        groups = [provider.groups[value] for value in values if value in provider.groups]
    return ExternalIdentity(
        provider=provider.voucher_name,
        subject=_text("sub", claims),
        email=_verified_address(provider, claims),
        full_name=_text(provider.name_claim, claims),
        role=_role(provider, claims),
        groups=groups,
        managed_groups=frozenset(provider.groups.values()),
    )


def wanted_claims(provider: Provider) -> Iterator[str]:
    """Yield the names of the claims that have a meaning here."""
    names = (provider.email_claim, provider.name_claim, provider.role_claim, provider.groups_claim)
    yield from filter(None, names)
    if not provider.trust_email:
        yield VERIFIED


def claim_in(claims: Claims, name: str) -> object:
    """Return a claim; `a.b` is also the claim `b` in the object `a`."""
    if name in claims:
        return claims[name]
    outer, dot, inner = name.partition(".")
    within = claims.get(outer)
    return claim_in(within, inner) if dot and isinstance(within, Mapping) else None


def _text(name: str, claims: Claims) -> str:
    value = claim_in(claims, name)
    return value if isinstance(value, str) else ""


def _verified_address(provider: Provider, claims: Claims) -> str:
    """Return the address; empty if it is not verified and the provider not trusted."""
    verified = claims.get(VERIFIED)
    is_verified = verified is True or verified == "true"  # some write a text
    return _text(provider.email_claim, claims) if is_verified or provider.trust_email else ""


def _role(provider: Provider, claims: Claims) -> Role | None:
    """Return the highest role of those that the values have; None if the provider decides nothing."""
    if (values := _values(provider.role_claim, claims)) is None:
        return None
    roles = [provider.roles[value] for value in values if value in provider.roles]
    return min(roles, default=provider.roles.get(ANY_OTHER))


def _values(name: str, claims: Claims) -> list[str] | None:
    """Return the texts of a claim that is a text or a list, none if it is absent or of another type; None if
    nothing can be said: the claim has no name, or is too long for the token and was left out of it (OpenID
    Connect calls that a distributed claim).
    """
    value = claim_in(claims, name) if name else None
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for text in value if isinstance(text, str)]
    return None if not name or _is_elsewhere(name, claims) else []


def _is_elsewhere(name: str, claims: Claims) -> bool:
    places = claims.get(ELSEWHERE)
    return isinstance(places, Mapping) and (name in places or name.partition(".")[0] in places)
