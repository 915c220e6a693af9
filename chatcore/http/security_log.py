"""The security log: a line for each refusal that may indicate an attack."""

import logging
from enum import StrEnum
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from chatcore.domain.errors import AuthenticationFailed, BadWebToken, ChatError, RateLimited, Unauthorized
from chatcore.domain.groups.actors import Actor
from chatcore.domain.sign_on.external_identities import BadIdentity
from chatcore.domain.sign_on.providers import LoginRefused
from chatcore.settings import BadSetting

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

log = logging.getLogger("chatcore.security")


class SecurityEvent(StrEnum):
    """The kinds of lines, as their field `event` has them."""

    LOGIN_FAILED = "login_failed"
    """A wrong name, password or token of a login, or an answer of a login service that does not hold or names
    nobody.
    """
    KEY_REFUSED = "key_refused"
    """A wrong API key."""
    RATE_LIMITED = "rate_limited"
    """A request without an account after too many others, such as failed logins."""


def security_event_of(
    error: ChatError, environ: "WSGIEnvironment", actor: Actor | None
) -> SecurityEvent | None:
    """Return the kind of a refused request in the security log; None if it is not logged there."""
    if actor is not None:
        return None
    if isinstance(error, AuthenticationFailed | BadWebToken | BadIdentity | LoginRefused):
        return SecurityEvent.LOGIN_FAILED
    if isinstance(error, RateLimited):
        return SecurityEvent.RATE_LIMITED
    if isinstance(error, Unauthorized) and "HTTP_AUTHORIZATION" in environ:
        return SecurityEvent.KEY_REFUSED
    return None


def write_to(path: Path, formatter: logging.Formatter) -> None:
    """Write the lines to a file of their own, whatever the level of the other logs; it is opened anew when
    another program has moved it away.

    :raises BadSetting: the file cannot be written
    """
    try:
        handler = WatchedFileHandler(path, encoding="utf-8")
    except OSError as error:
        raise BadSetting(
            f"CHATCORE_SECURITY_LOG is '{path}', which cannot be written: {error.strerror}"
        ) from error
    handler.setFormatter(formatter)
    log.addHandler(handler)
    log.setLevel(logging.WARNING)
    log.propagate = False
