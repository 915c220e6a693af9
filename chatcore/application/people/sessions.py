"""Sessions of browsers: tokens that identify a user where a browser cannot send a key.

The store has a hash of each token, which depends on the server's secret. A session ends by logging out, with
the password, the key or the account, and by itself when it is old or unused.
`chatcore.http.pipeline.sessions` decides for which requests it counts.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from chatcore.application import units
from chatcore.application.arguments import Id, SessionToken, about
from chatcore.application.people.logins import (
    log_in_with_password,
    own_account,
    proves_password,
    record_login,
    user_for_development,
)
from chatcore.application.queue_closing import close_queues_of
from chatcore.application.services import Services
from chatcore.application.signing import keyed_hash
from chatcore.application.units import Unit, View, read_only, require_open, unit_of_work
from chatcore.domain.errors import AuthenticationFailed, BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.sessions import (
    NOT_STORED,
    BrowserSession,
    NoSuchSession,
    ProofRequired,
    is_login_recent,
    is_note_due,
    is_valid,
    may_have_begun_by,
    shown_user_agent,
)
from chatcore.domain.people.users import User, api_email
from chatcore.events.payloads.sessions import SessionObject, session_object

PURPOSE: Final = "session"
TOKEN_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """The browser of a request, as far as the server knows it."""

    address: str = ""
    """The network address of the browser."""
    user_agent: str = ""
    token: str = ""
    """The token of its session, if it has one."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The session of a browser after a login."""

    user_id: UserId
    email: str
    token: str


def begin(svc: Services, name: str, password: str, browser: Browser) -> Begun:
    """Begin a session in exchange for the password; a session that the browser already has ends.

    :raises ChatError: as `chatcore.application.people.logins.log_in` does
    """
    token = draw_token()
    user = log_in_with_password(
        svc, name, password, browser.address, lambda unit, user: store_session(unit, user, browser, token)
    )
    return Begun(user.id, api_email(user, svc.settings.host), token)


def begin_for_development(svc: Services, name: str, browser: Browser) -> Begun:
    """Begin a session of any user, on a development server.

    :raises BadRequest, AuthenticationFailed, UserDeactivated: as `user_for_development` does
    """
    return _begin_session(svc, user_for_development(svc, name), browser)


def begin_for(svc: Services, actor: Actor, browser: Browser) -> Begun:
    """Begin a session of a person whom the program around this server has identified itself.

    :raises BadRequest: a bot
    :raises UserDeactivated, OrganizationDeactivated: as `refresh_actor` does
    :raises AuthenticationFailed: the account changes at this moment
    """
    user = own_account(svc, actor)
    if user.is_bot:
        raise BadRequest("Bots have no sessions of browsers")
    return _begin_session(svc, user, browser)


def begin_after_joining(svc: Services, user_id: UserId, browser: Browser) -> Begun:
    """Begin a session of a person who has made the account in that browser just now.

    :raises OrganizationDeactivated: the whole organization is deactivated
    :raises AuthenticationFailed: the account changes at this moment
    """
    return _begin_session(svc, units.read(svc, _find_if_open, user_id), browser)


def _find_if_open(view: View, user_id: UserId) -> User:
    require_open(view)
    return view.snapshot.users.get(user_id)


def _begin_session(svc: Services, user: User, browser: Browser) -> Begun:
    token = draw_token()
    units.write(svc, store_session, user, browser, token)
    return Begun(user.id, api_email(user, svc.settings.host), token)


def draw_token() -> str:
    """Return a new token for a session."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def store_session(unit: Unit, user: User, browser: Browser, token: str) -> None:
    """Store a new session of a browser, in place of the browser's former one, and note the login.

    :raises AuthenticationFailed: the password or the account has changed since it was verified
    """
    account = unit.tx.users.get(user.id)
    if account.key_version != user.key_version or not account.is_active:
        raise AuthenticationFailed
    sessions = unit.tx.browser_sessions
    sessions.forget_unused(unit.now - unit.limits.session_idle)
    if (old := find_session(unit, browser.token)) is not None:
        _remove_session(unit, old.user_id, old.id)
    session = BrowserSession(
        id=NOT_STORED,
        user_id=user.id,
        began_at=unit.now,
        used_at=unit.now,
        user_agent=shown_user_agent(browser.user_agent),
        address=browser.address,
    )
    sessions.add(_hash_token(unit.svc, token), session, keep=unit.limits.max_sessions_per_user)
    record_login(unit, user, browser.user_agent)


def find_actor(svc: Services, browser: Browser) -> Actor | None:
    """Return the actor of a browser's session, or None without a valid session; note its use from time to
    time.

    :raises OrganizationDeactivated: it is valid, but the whole organization is deactivated
    """
    if not browser.token:
        return None
    session, actor = units.read(svc, _find_with_actor, browser.token)
    if session is not None and actor is not None and is_note_due(session, svc.now):
        units.write(svc, _note_use, browser)
    return actor


def _find_with_actor(view: View, token: str) -> tuple[BrowserSession | None, Actor | None]:
    """Return the valid session with a token, if there is one, and its account, if that is active.

    :raises OrganizationDeactivated: there is such a session
    """
    session = find_session(view, token)
    if session is None:
        return None, None
    require_open(view)
    return session, view.snapshot.users.actors([session.user_id], view.now).get(session.user_id)


def _note_use(unit: Unit, browser: Browser) -> None:
    token_hash = _hash_token(unit.svc, browser.token)
    unit.tx.browser_sessions.note_use(token_hash, now=unit.now, address=browser.address)


def require_proof(svc: Services, actor: Actor, token: str, password: str, *, parameter: str) -> None:
    """Check that the account's own person asks for something that lasts, such as a key: a minute at an
    unlocked browser is no proof. A request without a session (an empty *token*) has a key, which is one. In
    the session with this token, the login has to be recent, or the *password* right; the refusal names the
    *parameter* of the password.

    :raises ProofRequired: another request
    :raises RateLimited: too many wrong passwords
    :raises PasswordsDisabled: a password in an organization that does not use any
    """
    if not token:
        return
    session, user = _find_session_and_account(svc, actor, token)
    if session is not None and is_login_recent(session, svc.now):
        return
    if not (password and proves_password(svc, user, password)):
        raise ProofRequired(parameter)


@read_only
def _find_session_and_account(view: View, me: Actor, token: str) -> tuple[BrowserSession | None, User]:
    return find_session(view, token), view.snapshot.users.get(me.user_id)


@read_only
def list_own(view: View, me: Actor, *, token: SessionToken = "") -> Sequence[SessionObject]:
    """Return the actor's valid sessions of browsers, the one used last first."""
    current = find_session(view, token)
    return [
        session_object(session, is_current=current is not None and session.id == current.id)
        for session in view.snapshot.browser_sessions.of_user(me.user_id)
        if is_valid(session, view.now, view.limits)
    ]


@unit_of_work
def end(unit: Unit, me: Actor, session_id: Annotated[Id, about("The session's id.")]) -> None:
    """Log out one browser from the caller's account. The account's event queues end.

    :raises NoSuchSession: the actor has no session with this id
    """
    if not _remove_session(unit, me.user_id, session_id):
        raise NoSuchSession
    unit.record(AuditKind.SESSION_ENDED, me.user_id)


@unit_of_work
def end_others(unit: Unit, me: Actor, *, token: SessionToken = "") -> None:
    """Log out all browsers from the actor's account, except that of a request for it."""
    if forget_sessions(unit, me.user_id, but=token):
        close_queues_of(unit.tx, me.user_id)
        unit.record(AuditKind.SESSION_ENDED, me.user_id)


def end_of_browser(svc: Services, token: str) -> None:
    """End the session with this token, if it is valid."""
    units.write(svc, _end_session_of_browser, token)


def _end_session_of_browser(unit: Unit, token: str) -> None:
    session = find_session(unit, token)
    if session is not None and _remove_session(unit, session.user_id, session.id):
        unit.record(AuditKind.SESSION_ENDED, session.user_id, by=session.user_id)


def _remove_session(unit: Unit, user_id: UserId, session_id: int) -> bool:
    """Remove a session of an account, with its pushes and the account's event queues, so that pages notice;
    return whether there was such a session.
    """
    if not unit.tx.browser_sessions.remove(user_id, session_id):
        return False
    unit.tx.push_subscriptions.remove_ended(user_id)
    close_queues_of(unit.tx, user_id)
    return True


def forget_sessions(unit: Unit, user_id: UserId, *, but: str = "") -> bool:
    """Remove the sessions of an account, with their pushes, except the session with the token *but*; return
    whether there were any. The caller closes the event queues, so that pages notice.
    """
    removed = unit.tx.browser_sessions.remove_of_user(user_id, but=_hash_token(unit.svc, but))
    unit.tx.push_subscriptions.remove_ended(user_id, also_of_keys=True)
    return removed


def forget_older_sessions(unit: Unit, user_id: UserId, *, by: float) -> bool:
    """Remove the sessions of an account that have begun by a moment of another machine's clock, as
    `forget_sessions` does.
    """
    sessions = unit.tx.browser_sessions
    older = [session for session in sessions.of_user(user_id) if may_have_begun_by(session, by, unit.now)]
    for session in older:
        sessions.remove(user_id, session.id)
    if older:
        unit.tx.push_subscriptions.remove_ended(user_id, also_of_keys=True)
    return bool(older)


def find_session(view: View, token: str) -> BrowserSession | None:
    """Return the valid session with a token; None if there is none."""
    session = view.snapshot.browser_sessions.find(_hash_token(view.svc, token)) if token else None
    return session if session is not None and is_valid(session, view.now, view.limits) else None


def _hash_token(svc: Services, token: str) -> str:
    return keyed_hash(svc, PURPOSE, token)
