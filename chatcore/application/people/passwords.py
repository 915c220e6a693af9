"""Passwords: their hashes, and whether an organization uses them."""

import threading
from functools import cache
from typing import TYPE_CHECKING

from chatcore.application.services import Services
from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest
from chatcore.runtime.work import Work
from chatcore.storage import Snapshot

if TYPE_CHECKING:
    from passlib.context import CryptContext

MIN_PASSWORD_LENGTH = 6
MAX_PASSWORD_LENGTH = 100
MAX_PASSWORD_BYTES = 400
MAX_HASHES_AT_ONCE = 4
"""Maximum number of concurrent password hashes; each takes 64 MB while it is computed."""

_hashing = threading.BoundedSemaphore(MAX_HASHES_AT_ONCE)


@cache
def password_context() -> "CryptContext":
    """Return the context that computes and verifies hashes; its library is loaded with the first password."""
    from passlib.context import CryptContext

    return CryptContext(schemes=["argon2"])


class PasswordsDisabled(BadRequest):
    """The organization does not allow logging in with passwords."""

    code = "PASSWORD_AUTH_DISABLED"
    status = 401

    def __init__(self) -> None:
        super().__init__("Password authentication is disabled in this organization")


def require_passwords(snapshot: Snapshot) -> None:
    """Check that the organization uses passwords.

    :raises PasswordsDisabled:
    """
    if not snapshot.organization.get().password_auth_enabled:
        raise PasswordsDisabled


def check_passwords_enabled(svc: Services) -> None:
    """Check that the organization uses passwords, before somebody is asked for one.

    :raises PasswordsDisabled:
    """
    svc.storage.read(require_passwords)


def is_right_password(svc: Services, password: str, known_hash: str | None) -> bool:
    """Whether this is the password with the hash, as `verify_password` decides, outside the event loop."""
    with _hashing:
        return svc.run_blocking(lambda: verify_password(password, known_hash), Work.PASSWORDS)


def verify_password(password: str, known_hash: str | None) -> bool:
    """Verify a password; an unknown account takes as long, since a hash is computed in either case."""
    try:
        too_long = len(password.encode()) > MAX_PASSWORD_BYTES
    except UnicodeEncodeError:
        too_long = True
    if too_long or "\0" in password or known_hash is None:
        password_context().dummy_verify()
        return False
    return bool(password_context().verify(password, known_hash))


def hash_of_password(svc: Services, password: str) -> str:
    """Return the hash of a password, computed outside the event loop.

    :raises BadRequest: as `hash_password` does
    """
    with _hashing:
        return svc.run_blocking(lambda: hash_password(password), Work.PASSWORDS)


def hash_password(password: str) -> str:
    """Return the argon2id hash of a password.

    :raises BadRequest: too short, too long, or with a NUL or a lone surrogate
    """
    fits = MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH
    if not fits or not is_storable(password):
        raise BadRequest(
            f"A password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters and no NUL byte."
        )
    return str(password_context().hash(password))
