"""JSON Web Tokens, by which a program that has a key in common with this server vouches for a person.

The key and the algorithms are settings. The algorithm that a token names does not decide how it is verified:
only those of the settings are accepted, and all of them need the key.
"""

from collections.abc import Mapping
from typing import Any, Final

from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest, BadWebToken

MAX_LENGTH: Final = 8192
"""Characters of a token."""
LATEST: Final = 2**53
"""The latest time of a token, in seconds since 1970."""
LEEWAY_SECONDS: Final = 30
"""Seconds by which the clock of the other program may differ."""


def require_tokens(svc: Services) -> None:
    """Require an organization that accepts tokens.

    :raises BadRequest: it accepts none
    """
    if not svc.settings.jwt_key:
        raise BadRequest("JWT authentication is not enabled for this organization")


def vouched_address(svc: Services, token: str) -> str:
    """Return the e-mail address of the person for whom a token vouches.

    :raises BadWebToken: forged, expired, not valid yet, for another audience, or without an address
    """
    claims = _verify_token(svc, token)
    now = svc.clock()
    begins = max(_stated_time(claims, "iat", now), _stated_time(claims, "nbf", now))
    ends = _stated_time(claims, "exp", now + LEEWAY_SECONDS)
    if not begins - LEEWAY_SECONDS <= now < ends + LEEWAY_SECONDS:
        raise BadWebToken
    email = claims.get("email")
    if not isinstance(email, str) or not email:
        raise BadWebToken("No email specified in JSON web token claims")
    return email


def _verify_token(svc: Services, token: str) -> Mapping[str, Any]:
    """Return the claims of a token with a valid signature; its times are not checked."""
    from jwt import PyJWTError, decode  # rarely used

    if len(token) > MAX_LENGTH:
        raise BadWebToken
    try:
        claims: Mapping[str, Any] = decode(
            token,
            svc.settings.jwt_key,
            [*svc.settings.jwt_algorithms],
            # The times are compared with the clock of the services.
            {"verify_exp": False, "verify_nbf": False, "verify_iat": False},
        )
    except (PyJWTError, ValueError, RecursionError):
        raise BadWebToken from None
    return claims


def _stated_time(claims: Mapping[str, Any], name: str, otherwise: float) -> float:
    """Return a time that the token states, in seconds since 1970; *otherwise* if it states none.

    :raises BadWebToken: the token states something else than a time
    """
    given = claims.get(name, otherwise)
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadWebToken
    if not 0 <= given <= LATEST:  # nor NaN
        raise BadWebToken
    return given
