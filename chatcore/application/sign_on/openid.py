"""Logins by providers of OpenID Connect, from the first request of a browser to the person it comes back as.

The browser keeps what has to be the same at the end, in a proof that only this server can make: no request of
another browser, and no answer of another provider, completes a login.
"""

import secrets
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

import msgspec

from chatcore.application.services import Services
from chatcore.application.sign_on.arriving import require_destination
from chatcore.application.signing import sign, signed_text
from chatcore.domain.sign_on.claims import identity_of
from chatcore.domain.sign_on.external_identities import ExternalIdentity
from chatcore.domain.sign_on.providers import LoginRefused
from chatcore.domain.times import MAX_CLOCK_DIFFERENCE

PURPOSE: Final = "login by a provider"
SECONDS: Final = 600
"""The time for a login at the provider."""
RANDOM_BYTES: Final = 32


class _BegunLogin(msgspec.Struct, frozen=True, kw_only=True):
    """A login that a browser has begun."""

    provider: str
    state: str
    nonce: str
    verifier: str
    page: str
    pad: str
    at: int


@dataclass(frozen=True, slots=True)
class Departure:
    """The address to which a browser goes, and the proof with which it comes back."""

    address: str
    proof: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """The parameters with which a provider sends a browser back."""

    state: str = ""
    code: str = ""
    error: str = ""
    issuer: str | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """The person who has logged in, and where the login leads."""

    identity: ExternalIdentity
    page: str
    """A path of this organization."""
    pad: str
    """The one-time pad of a mobile app; empty for a browser."""


def begin(svc: Services, name: str, *, url: str, page: str = "/", pad: str = "") -> Departure:
    """Begin a login by the provider of this name; the organization is reached at *url*.

    :raises NoSuchProvider: there is none
    :raises InvalidParameter: a page that is not one of this organization, or a pad that is none
    :raises BadRequest: a pad, and there is no app
    :raises ProviderUnavailable: the provider does not answer
    """
    service = svc.login_services.get(name)
    require_destination(svc, page, pad)
    begun = _BegunLogin(
        provider=name,
        state=secrets.token_urlsafe(RANDOM_BYTES),
        nonce=secrets.token_urlsafe(RANDOM_BYTES),
        verifier=secrets.token_urlsafe(RANDOM_BYTES),
        page=page,
        pad=pad.lower(),
        at=svc.now,
    )
    from chatcore.runtime.openid.logins import address_to_log_in  # loads libraries that only logins need

    address = address_to_log_in(
        service,
        redirect_uri=address_of_return(svc, name, url),
        state=begun.state,
        nonce=begun.nonce,
        verifier=begun.verifier,
    )
    return Departure(address, sign(svc, PURPOSE, msgspec.json.encode(begun).decode()))


def finish(svc: Services, name: str, proof: str, returned: Returned, *, url: str) -> Arrival:
    """Return the person as whom a browser has come back from the provider of this name.

    :raises NoSuchProvider: there is none
    :raises LoginRefused: this browser has not begun the login, or too long ago, or by another provider; or
        the provider has not let the person in, or what it says does not hold
    :raises ProviderUnavailable: the provider does not answer
    """
    service = svc.login_services.get(name)
    begun = _read_begun_login(svc, proof)
    if begun is None or begun.provider != name or not _is_same_state(begun.state, returned.state):
        raise LoginRefused("This browser has not begun this login, or too long ago. Begin again.")
    from chatcore.runtime.openid.logins import claims_for_code, require_issuer

    require_issuer(service, returned.issuer)
    if returned.error or not returned.code:
        raise LoginRefused("The login service has not let you in.", reason=returned.error[:100])
    claims = claims_for_code(
        service,
        returned.code,
        redirect_uri=address_of_return(svc, name, url),
        nonce=begun.nonce,
        verifier=begun.verifier,
        now=svc.clock(),
    )
    return Arrival(identity_of(service.provider, claims), begun.page, begun.pad)


def _read_begun_login(svc: Services, proof: str) -> _BegunLogin | None:
    """Return the login of a proof, unless it is too old."""
    text = signed_text(svc, PURPOSE, proof) if proof else None
    if text is None:
        return None
    begun = msgspec.json.decode(text, type=_BegunLogin)
    return begun if -MAX_CLOCK_DIFFERENCE <= svc.now - begun.at < SECONDS else None


def _is_same_state(state: str, other: str) -> bool:
    return compare_digest(state.encode(), other.encode("utf-8", "replace"))


def address_of_return(svc: Services, name: str, url: str) -> str:
    """Return the address to which the provider sends browsers back, as it has to know it."""
    return f"{url}{svc.login_services.get(name).provider.path}/callback"
