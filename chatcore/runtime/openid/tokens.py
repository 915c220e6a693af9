"""Tokens of a provider: their signatures, and the claims that say for whom and when they are."""

from collections.abc import Mapping
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from chatcore.domain.sign_on.external_identities import is_subject
from chatcore.domain.sign_on.providers import LoginRefused, Logout
from chatcore.domain.times import MAX_CLOCK_DIFFERENCE
from chatcore.runtime.openid.services import LoginService

MAX_TOKEN_LENGTH: Final = 2**16
"""Characters of a token."""
LOGOUT_EVENT: Final = "http://schemas.openid.net/event/backchannel-logout"
LOGOUT_SECONDS: Final = 300
"""Seconds for which a token that ends sessions counts."""

_UNUSABLE: Final = (JoseError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)


def claims_of_login(
    service: LoginService, token: object, *, nonce: str, access_token: str | None, now: float
) -> Mapping[str, Any]:
    """Return the claims of the token that a provider has issued for one login.

    :raises LoginRefused: not signed by the provider, for another program or login, expired, or without a
        claim that each token has
    :raises ProviderUnavailable: its keys cannot be read
    """
    decoded = _verify(service, token)
    provider = service.provider
    claims = CodeIDToken(
        decoded.claims,
        decoded.header,
        {"iss": _exactly(provider.issuer), "aud": _exactly(provider.client_id)},
        {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token},
    )
    try:
        claims.validate(int(now), MAX_CLOCK_DIFFERENCE)
    except _UNUSABLE as error:
        raise _refused(type(error).__name__) from error
    return {**claims}


def read_logout(service: LoginService, token: object, *, now: float) -> Logout:
    """Return what a token says by which a provider ends sessions.

    :raises LoginRefused: another token, one that is too old, or one without a subject
    :raises ProviderUnavailable: its keys cannot be read
    """
    claims = _verify(service, token).claims
    registry = jwt.JWTClaimsRegistry(
        int(now),
        MAX_CLOCK_DIFFERENCE,
        iss=_exactly(service.provider.issuer),
        aud=_exactly(service.provider.client_id),
        sub={"essential": True},
        iat={"essential": True},
    )
    try:
        registry.validate(claims)
        is_recent = now - claims["iat"] <= LOGOUT_SECONDS
        is_logout = LOGOUT_EVENT in claims.get("events", {}) and "nonce" not in claims
    except _UNUSABLE as error:
        raise _refused(type(error).__name__) from error
    subject = claims["sub"]
    if not (is_recent and is_logout and isinstance(subject, str) and is_subject(subject)):
        raise _refused("it ends no session")
    return Logout(subject, claims["iat"])


def _exactly(value: str) -> Any:
    return {"essential": True, "value": value}


def _verify(service: LoginService, token: object) -> jwt.Token:
    """Return a token that one of the provider's keys has signed. If none of the known keys has, the provider
    may have replaced them: then its keys are read anew.
    """
    if not isinstance(token, str) or len(token) > MAX_TOKEN_LENGTH:
        raise _refused("there is none")
    algorithms = service.description().algorithms
    try:
        return _decode(token, service.keys(), algorithms)
    except (InvalidKeyIdError, BadSignatureError) as error:
        if (newer := service.newer_keys()) is None:
            raise _refused(type(error).__name__) from error
    except _UNUSABLE as error:
        raise _refused(type(error).__name__) from error
    try:
        return _decode(token, newer, algorithms)
    except _UNUSABLE as error:
        raise _refused(type(error).__name__) from error


def _decode(token: str, keys: KeySet, algorithms: list[str]) -> jwt.Token:
    return jwt.decode(token, keys, algorithms=algorithms)


def _refused(reason: str) -> LoginRefused:
    return LoginRefused("What the login service says of you cannot be verified.", reason=reason)
