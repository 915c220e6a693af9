"""Replacing passwords. The old API key stops authenticating requests, and its event queues end."""

from chatcore.application.people import login_tries
from chatcore.application.people.api_keys import store_new_key
from chatcore.application.people.logins import Login, hashed, login_of
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.people.users import User
from chatcore.storage import Transaction


def store_password(
    svc: Services, tx: Transaction, user: User, password_hash: str, *, session: str = ""
) -> None:
    """Store a hash that was computed before the unit of work, and renew the API key; see `store_new_key`."""
    tx.users.update(user.id, password_hash=password_hash)
    store_new_key(svc, tx, user, session=session)


def set_password(svc: Services, email: str, password: str) -> Login:
    """Set the password of the account with this address, whether or not it has one; for the organization's
    own tools. Failed attempts to log in with the old password no longer count.

    :raises BadRequest: no such active account, a bot, or an invalid password
    """
    password_hash = hashed(svc, password)

    def write(tx: Transaction) -> User:
        user = tx.users.find_by_email(email)
        if user is None or not user.is_active:
            raise BadRequest(f"There is no active account '{email}'")
        if user.is_bot:
            raise BadRequest("A bot has no password; it uses its API key.")
        store_password(svc, tx, user, password_hash)
        login_tries.forgive(tx, user.email)
        login_tries.proved(tx, user.id)
        return user

    return login_of(svc, svc.storage.write(write).id)
