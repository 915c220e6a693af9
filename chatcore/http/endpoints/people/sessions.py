"""Sessions of browsers: login, logout, and the list of them. Programs get a key instead, see `accounts`."""

from msgspec import UNSET, UnsetType

from chatcore.application.people import sessions
from chatcore.application.services import Services
from chatcore.application.sign_on.leaving import page_to_log_out
from chatcore.events.payloads.sessions import SessionObject
from chatcore.http.endpoints.people.accounts import DevelopmentLoginParams, LoginParams
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done, WithHeaders
from chatcore.http.pipeline.sessions import forget_session, keep_session


class WhoAnswer(Answer, frozen=True, kw_only=True):
    user_id: int
    email: str


class LoginAnswer(WithHeaders, frozen=True):
    fields: WhoAnswer


def log_in(svc: Services, caller: Caller, p: LoginParams) -> LoginAnswer:
    """Begin a session in a browser.

    The answer sets the session's cookie. The request must come from the organization's own pages, as browsers
    state in `Origin`.
    """
    return _answer(svc, caller, sessions.begin(svc, p.username, p.password, _browser(caller)))


def log_in_for_development(svc: Services, caller: Caller, p: DevelopmentLoginParams) -> LoginAnswer:
    """Begin a session of any account in a browser, on a development server."""
    return _answer(svc, caller, sessions.begin_for_development(svc, p.username, _browser(caller)))


def _browser(caller: Caller) -> sessions.Browser:
    return sessions.Browser(address=caller.address, user_agent=caller.user_agent, token=caller.session)


def _answer(svc: Services, caller: Caller, begun: sessions.Begun) -> LoginAnswer:
    who = WhoAnswer(user_id=begun.user_id, email=begun.email)
    return LoginAnswer(who, keep_session(svc, begun.token, caller.organization_url))


class LoggedOut(Answer, frozen=True, kw_only=True):
    logout_url: str | UnsetType = UNSET
    """The address at which the browser logs out at its login service, too, if the operator wants that."""


class LogoutAnswer(WithHeaders, frozen=True):
    fields: LoggedOut


def log_out(svc: Services, caller: Caller, p: NoParams) -> LogoutAnswer:
    """End the session of a browser.

    The answer deletes the cookie, and may name the address that logs out at a login service, too. The request
    must come from the organization's own pages.
    """
    url = caller.organization_url or svc.settings.external_url
    page = page_to_log_out(svc, caller.session, url=url)
    sessions.end_of_browser(svc, caller.session)
    return LogoutAnswer(LoggedOut(logout_url=page or UNSET), forget_session(svc, url))


class SessionsAnswer(Answer, frozen=True, kw_only=True):
    sessions: list[SessionObject]


def list_own(svc: Services, caller: Caller, p: NoParams) -> SessionsAnswer:
    """List the sessions of browsers that are logged in to the caller's account, the one used last first.

    The time of the last use is exact to the hour.
    """
    return SessionsAnswer(sessions=list(sessions.list_own(svc, caller.actor, token=caller.session)))


def end_others(svc: Services, caller: Caller, p: NoParams) -> Done:
    """Log out all browsers from the caller's account, except the one that asks. The account's event queues
    end.
    """
    sessions.end_others(svc, caller.actor, token=caller.session)
    return Done()
