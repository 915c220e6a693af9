"""Login and logout of browsers. Programs get a key instead, see `accounts`."""

from chatcore.application.people import sessions
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.endpoints.people.accounts import DevelopmentLoginParams, LoginParams
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import Answer, Done, WithHeaders
from chatcore.http.sessions import forget, keep


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
    return _answer(svc, sessions.begin(svc, p.username, p.password, caller.address))


def log_in_for_development(svc: Services, caller: Caller, p: DevelopmentLoginParams) -> LoginAnswer:
    """Begin a session of any account in a browser, on a development server."""
    return _answer(svc, sessions.begin_for_development(svc, p.username))


def _answer(svc: Services, session: sessions.Session) -> LoginAnswer:
    who = WhoAnswer(user_id=session.user_id, email=session.email)
    return LoginAnswer(who, keep(svc, session.token))


class LogoutAnswer(WithHeaders, frozen=True):
    fields: Done


def log_out(svc: Services, caller: Caller, p: NoParams) -> LogoutAnswer:
    """End the session of a browser.

    The answer deletes the cookie. The request must come from the organization's own pages.
    """
    return LogoutAnswer(Done(), forget(svc))
