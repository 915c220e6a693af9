"""Replacing passwords and API keys. The old key stops authenticating requests, and its event queues end."""

from dataclasses import replace
from hmac import compare_digest

from msgspec import UNSET, UnsetType

from chatcore.application import units
from chatcore.application.people import login_attempts
from chatcore.application.people.logins import Login, api_key, login_of
from chatcore.application.people.passwords import hash_of_password
from chatcore.application.people.sessions import forget_sessions
from chatcore.application.queue_closing import close_queues_of
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, unit_of_work
from chatcore.application.visibility.bot_managers import announce_key, managed_bot, owner_of
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.bot_roles import may_have_key
from chatcore.domain.people.users import User, no_active_account


def store_new_key(
    unit: Unit, user: User, *, session: str = "", holder: UserId | UnsetType | None = UNSET
) -> int:
    """Renew a key as `_put_new_key` does, and note that in the audit log; return the new key's version."""
    unit.record(AuditKind.KEY_RENEWED, user.id)
    return _put_new_key(unit, user, session=session, holder=holder)


def _put_new_key(
    unit: Unit, user: User, *, session: str = "", holder: UserId | UnsetType | None = UNSET
) -> int:
    """Renew the API key of an account by storing and returning its next version, from which keys are derived.
    With the old key end the event queues, and the sessions of browsers except the one with the token
    *session*.

    *holder* is the administrator who receives the key of a bot of somebody else; None if only the owner of
    the bot receives it. Otherwise it stays as it is: when an account renews its own key, whoever had the old
    one has the new one.
    """
    version = user.key_version + 1
    unit.tx.users.update(user.id, key_version=version)
    if not isinstance(holder, UnsetType):
        unit.tx.users.update(user.id, key_holder_id=holder)
    forget_sessions(unit, user.id, but=session)
    close_queues_of(unit.tx, user.id)
    announce_key(unit, replace(user, key_version=version))
    return version


@unit_of_work
def renew_own_key(unit: Unit, me: Actor) -> str:
    """Replace the actor's API key, and return the new one."""
    user = unit.tx.users.get(me.user_id)
    return api_key(unit.svc, user.id, store_new_key(unit, user))


@unit_of_work
def renew_own_key_in_session(unit: Unit, me: Actor, session: str, current_key: str) -> str:
    """Replace the actor's API key from a browser, and return the new one. The session with the token
    *session* continues. The request has to name the *current_key*: otherwise, a session would be as good as a
    key.

    :raises BadRequest: *current_key* is not the actor's
    """
    user = unit.tx.users.get(me.user_id)
    key = api_key(unit.svc, user.id, user.key_version)
    if not compare_digest(key.encode(), current_key.encode(errors="replace")):
        raise BadRequest("The current API key is needed to replace it from a browser.")
    return api_key(unit.svc, user.id, store_new_key(unit, user, session=session))


@unit_of_work
def renew_bot_key(unit: Unit, me: Actor, bot_id: int) -> str:
    """Replace a bot's API key, as its owner or an administrator, and return the new one.

    An administrator has the key of somebody else's bot only as long as the role suffices for it.

    :raises InsufficientRole: the actor is an administrator, and the bot or the person whose it is has the
        role of owners
    :raises BadRequest: no such bot, or another user's
    """
    bot = managed_bot(unit.tx, me, bot_id)
    holder = None if bot.bot_owner_id == me.user_id else me.user_id
    return api_key(unit.svc, bot.id, store_new_key(unit, bot, holder=holder))


def renew_lent_keys(unit: Unit, user_id: UserId) -> None:
    """Replace keys of others' bots that administrators have asked for and may not have any more. To be called
    after a change of an account: it may be the bot, its owner, or the administrator.
    """
    for bot in unit.tx.users.all():
        if bot.key_holder_id is not None and user_id in (bot.id, bot.bot_owner_id, bot.key_holder_id):
            holder = unit.tx.users.get(bot.key_holder_id)
            if not may_have_key(holder, bot, owner_of(unit.tx, bot)):
                store_new_key(unit, bot, holder=None)


def renew_key(svc: Services, email: str) -> Login:
    """Replace the API key of the account with this address; for the organization's own tools.

    :raises BadRequest: no such active account
    """
    return login_of(svc, units.write(svc, _renew_key, email))


def _renew_key(unit: Unit, email: str) -> UserId:
    user = _find_active_account(unit, email)
    store_new_key(unit, user, holder=None)
    return user.id


def store_password(unit: Unit, user: User, password_hash: str, *, session: str = "") -> None:
    """Store a hash that was computed before the unit of work, and renew the API key; see `_put_new_key`."""
    unit.tx.users.update(user.id, password_hash=password_hash)
    unit.record(AuditKind.PASSWORD_SET, user.id, by=user.id)
    _put_new_key(unit, user, session=session)


def set_password(svc: Services, email: str, password: str) -> Login:
    """Set the password of the account with this address, whether or not it has one; for the organization's
    own tools. Failed attempts to log in with the old password no longer count.

    :raises BadRequest: no such active account, a bot, or an invalid password
    """
    return login_of(svc, units.write(svc, _replace_password, email, hash_of_password(svc, password)))


def _replace_password(unit: Unit, email: str, password_hash: str) -> UserId:
    user = _find_active_account(unit, email)
    if user.is_bot:
        raise BadRequest("A bot has no password; it uses its API key.")
    store_password(unit, user, password_hash)
    login_attempts.forgive(unit.tx, user.email)
    login_attempts.forget_failed_proofs(unit, user.id)
    return user.id


def _find_active_account(view: View, email: str) -> User:
    """Return the active account with this address.

    :raises BadRequest: there is none
    """
    user = view.snapshot.users.find_by_email(email)
    if user is None or not user.is_active:
        raise no_active_account(email)
    return user
