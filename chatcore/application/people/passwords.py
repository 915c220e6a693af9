"""Another password for an account. With the old API key nobody gets in any more, nor waits for events."""

from chatcore.application.people import login_tries
from chatcore.application.people.accounts import Login, hashed, login_of
from chatcore.application.people.api_keys import store_new_key
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.users import User
from chatcore.storage import Transaction


def store_password(tx: Transaction, user: User, password_hash: str) -> None:
    """What was hashed before, where that holds up nobody."""
    tx.users.update(user.id, password_hash=password_hash)
    store_new_key(tx, user)


def set_password(svc: Services, email: str, password: str) -> Login:
    """Give the account with this address a password, whether or not it has one; for the organization's own
    tools. Wrong passwords that were tried before keep nobody out any more.

    :raises BadRequest: no such active account, a bot, or a password outside the rules
    """
    password_hash = hashed(svc, password)

    def write(tx: Transaction) -> User:
        user = tx.users.find_by_email(email)
        if user is None or not user.is_active:
            raise BadRequest(f"There is no such account in use: '{email}'")
        if user.is_bot:
            raise BadRequest("A bot has no password; it uses its API key.")
        store_password(tx, user, password_hash)
        login_tries.forgive(tx, user.email)
        login_tries.proved(tx, user.id)
        return user

    (login,) = login_of(svc, [svc.storage.write(write).id])
    return login
