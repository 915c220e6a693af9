"""Logins and API keys: authentication of actors."""

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from chatcore.application import units
from chatcore.application.mail.login_notices import note_device
from chatcore.application.people import login_attempts
from chatcore.application.people.passwords import is_right_password, require_passwords
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, is_open, read_only, require_open
from chatcore.application.visibility.addresses import holder_of
from chatcore.application.web_tokens import require_tokens, vouched_address
from chatcore.domain.characters import is_storable
from chatcore.domain.errors import (
    AuthenticationFailed,
    BadRequest,
    BadWebToken,
    ChatError,
    OrganizationDeactivated,
    RateLimited,
    Unauthorized,
    UserDeactivated,
)
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.mail_addresses import ascii_address, is_unmistakable
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people import users as rules
from chatcore.domain.people.api_keys import derive_api_key
from chatcore.domain.people.users import BotType, User, placeholder_email
from chatcore.runtime.measures import LOGINS
from chatcore.storage.slices import in_slices

MAX_LOGIN_NAME_LENGTH = 300
"""Maximum length of a login name, in characters; no address is as long."""

POSTING = (BotType.GENERIC, BotType.INCOMING_WEBHOOK)
"""The types of bots whose key alone permits to post for an integration."""


@dataclass(frozen=True, slots=True)
class Login:
    """The account and API key with which a client continues."""

    user_id: UserId
    email: str
    api_key: str


def api_key(svc: Services, user_id: UserId, key_version: int) -> str:
    """Return the user's API key on this server."""
    return derive_api_key(svc.settings.secret_key, user_id, key_version)


def _is_spelled_exactly(svc: Services, user: User, email: str) -> bool:
    """Whether an address of the user is spelled as the account has it, as it must be with a key. The domain
    may be in its other form.
    """
    is_placeholder = email == placeholder_email(user.id, svc.settings.host)
    return is_placeholder or ascii_address(email) == ascii_address(user.email)


def authenticate(svc: Services, email: str, key: str) -> Actor:
    """Return the actor with this API address and key.

    :raises Unauthorized: no such address or key; one text for every cause
    :raises OrganizationDeactivated: the key is right, but the whole organization is deactivated
    :raises UserDeactivated: the key is right, but the account is deactivated
    """
    return units.recall_or_read(svc, _find_by_key, email, key)


def _find_by_key(view: View, email: str, key: str) -> Actor:
    """Return the actor with this API address and key.

    :raises Unauthorized, OrganizationDeactivated, UserDeactivated: as `authenticate` does
    """
    svc, user = view.svc, holder_of(view, email)
    if user is not None and not _is_spelled_exactly(svc, user, email):
        user = None
    # A key is derived for an unknown address, too, so that the time does not tell whether it exists.
    user_id, key_version = (UserId(0), 0) if user is None else (user.id, user.key_version)
    expected = api_key(svc, user_id, key_version)
    if not hmac.compare_digest(expected.encode(), key.encode()) or user is None:
        raise Unauthorized
    if not is_open(view):
        raise OrganizationDeactivated
    if (actor := view.snapshot.users.actors([user.id], view.now).get(user.id)) is None:
        raise UserDeactivated
    return actor


def authenticate_bot(svc: Services, key: str) -> Actor:
    """Return the bot with this key, for programs that only post and have no address to authenticate with.

    :raises Unauthorized: no active bot has the key, or one that answers messages itself
    :raises OrganizationDeactivated: the key is right, but the whole organization is deactivated
    """
    actor, organization_is_open = units.read(svc, _find_bot, key)
    if actor is None:
        raise Unauthorized
    if not organization_is_open:
        raise OrganizationDeactivated
    return actor


def _find_bot(view: View, key: str) -> tuple[Actor | None, bool]:
    """Return the active bot with a key, and whether the organization is open. All keys are compared, also
    after the right one, so that the time tells nothing.
    """
    bot_id = None
    for bot in in_slices([user for user in view.snapshot.users.all() if user.bot_type in POSTING]):
        expected = api_key(view.svc, bot.id, bot.key_version)
        if hmac.compare_digest(expected.encode(), key.encode()):
            bot_id = bot.id
    actor = None if bot_id is None else view.snapshot.users.actors([bot_id], view.now).get(bot_id)
    return actor, is_open(view)


OUTCOMES: Mapping[type[ChatError], str] = {
    AuthenticationFailed: "wrong",
    BadWebToken: "wrong",
    RateLimited: "limited",
    UserDeactivated: "deactivated",
    OrganizationDeactivated: "deactivated",
}
"""The outcomes as which failed attempts to log in are counted; all others are `refused`."""


@contextmanager
def count_attempt(svc: Services) -> Iterator[None]:
    """Count an attempt to log in with its outcome."""
    try:
        yield
    except ChatError as error:
        svc.measures.add(LOGINS, 1, OUTCOMES.get(type(error), "refused"))
        raise
    svc.measures.add(LOGINS, 1, "ok")


def log_in(svc: Services, name: str, password: str, address: str = "", user_agent: str = "") -> Login:
    """Return the API key of a user in exchange for the password; *address* is the network address of the
    attempt, and *user_agent* what its program calls itself.

    :raises AuthenticationFailed: unknown name, a bot, no password set, or a wrong one; alike in text and time
    :raises UserDeactivated: the password is right, but the account is deactivated
    :raises OrganizationDeactivated: the whole organization is deactivated
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many failures, see `chatcore.application.people.login_attempts`
    """
    user = log_in_with_password(
        svc, name, password, address, lambda unit, user: record_login(unit, user, user_agent)
    )
    return login_as(svc, user)


def record_login(unit: Unit, user: User, user_agent: str) -> None:
    """Note a login of an account in the audit log, and its device."""
    unit.record(AuditKind.LOGGED_IN, user.id, by=user.id)
    note_device(unit, user, user_agent)


def log_in_with_token(svc: Services, token: str, address: str = "", user_agent: str = "") -> Login:
    """Return the API key of a user for whom a JSON Web Token vouches; *address* is the network address of the
    attempt, and *user_agent* what its program calls itself.

    :raises BadWebToken: see `chatcore.application.web_tokens`
    :raises BadRequest: the organization accepts no tokens
    :raises AuthenticationFailed: no person has the address
    :raises UserDeactivated: the account is deactivated
    :raises OrganizationDeactivated: the whole organization is deactivated
    :raises RateLimited: too many failures, see `chatcore.application.people.login_attempts`
    """
    with count_attempt(svc):
        now = svc.clock()
        require_tokens(svc)
        units.write(svc, _begin_with_token, address, now)
        name = vouched_address(svc, token)
        # From here on no attempt has failed: many people log in from the address of the program that vouches.
        user = units.write(svc, _accept_token, name, address, now, user_agent)
        if user is None or user.is_bot:
            raise AuthenticationFailed
        if not user.is_active:
            raise UserDeactivated
        return login_as(svc, user)


def _begin_with_token(unit: Unit, address: str, now: float) -> None:
    require_open(unit)
    login_attempts.begin_without_name(unit, address, now)


def _accept_token(unit: Unit, name: str, address: str, now: float, user_agent: str) -> User | None:
    """Take back the attempt, and return the account for which a token vouches; note the login of a person
    who is active.
    """
    login_attempts.take_back(unit, address, now)
    is_possible = len(name) <= MAX_LOGIN_NAME_LENGTH and is_storable(name) and is_unmistakable(name)
    user = unit.tx.users.find_by_email(name) if is_possible else None
    if user is not None and user.is_active and not user.is_bot:
        record_login(unit, user, user_agent)
    return user


def log_in_with_password(
    svc: Services, name: str, password: str, address: str, store_login: Callable[[Unit, User], None]
) -> User:
    """Return the user with this name and password; the call counts as an attempt to log in.

    :param store_login: stores and notes the login; if it refuses, nothing of the login is stored
    :raises ChatError: as `log_in` and *store_login* do
    """
    with count_attempt(svc):
        name = name[:MAX_LOGIN_NAME_LENGTH]
        now = svc.clock()
        user = units.write(svc, _begin_with_password, name, address, now)
        known_hash = None if user is None or user.is_bot else user.password_hash
        if not is_right_password(svc, password, known_hash) or user is None:
            units.write(svc, login_attempts.record_failure, user)
            raise AuthenticationFailed
        units.write(svc, _accept_password, name, user, address, now, store_login)
        if not user.is_active:
            raise UserDeactivated
        return user


def _begin_with_password(unit: Unit, name: str, address: str, now: float) -> User | None:
    require_open(unit)
    require_passwords(unit.tx)
    user = unit.tx.users.find_by_email(name)
    login_attempts.begin(unit, name, user, address, now)
    return user


def _accept_password(
    unit: Unit, name: str, user: User, address: str, at: float, store_login: Callable[[Unit, User], None]
) -> None:
    """Let a user with the right password enter, unless the account is deactivated: the audit log has that as
    a failed login.
    """
    login_attempts.note_success(unit, name, user, address, at)
    if user.is_active:
        store_login(unit, user)
    else:
        login_attempts.record_failure(unit, user)


def proves_password(svc: Services, user: User, password: str) -> bool:
    """Whether this is the user's password.

    :raises RateLimited: too many wrong passwords for this account, which only holders of its key and its
        browsers can cause
    :raises PasswordsDisabled: the organization does not use passwords
    """
    units.write(svc, _begin_proof, user.id, svc.clock())
    if not is_right_password(svc, password, user.password_hash):
        units.write(svc, login_attempts.record_failure, user)
        return False
    units.write(svc, login_attempts.forget_failed_proofs, user.id)
    return True


def _begin_proof(unit: Unit, user_id: UserId, now: float) -> None:
    require_passwords(unit.tx)
    login_attempts.begin_proof(unit, user_id, now)


MOST_IN_DEVELOPMENT = 100
"""People whom a development server offers to log in as."""


def log_in_for_development(svc: Services, name: str) -> Login:
    """Return the key of any user, on a development server.

    :raises BadRequest, AuthenticationFailed, UserDeactivated: as `user_for_development` does
    """
    return login_as(svc, user_for_development(svc, name))


def user_for_development(svc: Services, name: str) -> User:
    """Return any user, on a development server.

    :raises BadRequest: this is no development server
    :raises AuthenticationFailed: unknown name
    :raises UserDeactivated: the account is deactivated
    """
    _require_development(svc)
    user = units.read(svc, _find_if_open, name)
    if user is None:
        raise AuthenticationFailed
    if not user.is_active:
        raise UserDeactivated
    return user


def _find_if_open(view: View, name: str) -> User | None:
    require_open(view)
    return view.snapshot.users.find_by_email(name)


def users_for_development(svc: Services) -> Sequence[User]:
    """Return the active people of a development server, for a page that offers to log in as any of them.

    :raises BadRequest: this is no development server
    """
    _require_development(svc)
    return units.read(svc, _find_active_people)[:MOST_IN_DEVELOPMENT]


def _find_active_people(view: View) -> list[User]:
    require_open(view)
    return [user for user in view.snapshot.users.all() if user.is_active and not user.is_bot]


def _require_development(svc: Services) -> None:
    if not svc.settings.development:
        raise BadRequest("Endpoint not available in production.")


@read_only
def own_account(view: View, me: Actor) -> User:
    """Return the actor's account."""
    return view.snapshot.users.get(me.user_id)


def login_as(svc: Services, user: User) -> Login:
    """Return the address and key of an account whose permission the caller has checked."""
    return Login(user.id, rules.api_email(user, svc.settings.host), api_key(svc, user.id, user.key_version))


def login_of(svc: Services, user_id: UserId) -> Login:
    """Return the account of a user with its API key, for the organization's own tools."""
    return login_as(svc, svc.storage.read(lambda snapshot: snapshot.users.by_ids([user_id]))[user_id])
