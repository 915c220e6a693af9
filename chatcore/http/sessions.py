"""Requests of browsers: which pages they may come from, and the cookie of a session.

A browser sends a cookie whoever makes it ask, so one counts on few routes only (`by_cookie`), and where
something changes only for requests from the organization's own pages. Credentials that a browser has kept are
sent in the same way, so other sites' pages change nothing, whatever authenticates their requests.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from werkzeug.http import dump_cookie, parse_cookie

from chatcore.application.people import sessions
from chatcore.application.services import Services
from chatcore.domain.errors import ChatError
from chatcore.domain.groups import Actor
from chatcore.http.methods import CHANGE_NOTHING, OVERRIDE
from chatcore.http.response import Headers, Response
from chatcore.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

COOKIE: Final = "chat_session"
HOST_ONLY: Final = "__Host-"
"""Begins the names of cookies that browsers take from the host itself alone, over TLS."""


CHALLENGE: Final = "WWW-Authenticate"
IN_PAGES: Final = 'Session realm="chat"'


class NotFromOwnPage(ChatError):
    """What a browser sends on behalf of some other site."""

    code = "CSRF_FAILED"
    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__("This request must come from the organization's own pages", reason=reason)


def require_own_page(svc: Services, environ: "WSGIEnvironment") -> None:
    """Browsers say where a request comes from, and let no page say it for them.

    :raises NotFromOwnPage: from elsewhere, or nothing is said
    """
    origin = environ.get("HTTP_ORIGIN")
    if origin is None:
        if environ.get("HTTP_SEC_FETCH_SITE") != "same-origin":
            raise NotFromOwnPage("no Origin")
    elif origin != svc.settings.origin:
        raise NotFromOwnPage("another Origin")


OTHER_SITES: Final = frozenset({"cross-site", "same-site"})


def require_no_other_site(svc: Services, environ: "WSGIEnvironment") -> None:
    """Refuse a change that the page of another site makes a browser ask for. Programs send no Origin.

    :raises NotFromOwnPage:
    """
    if environ["REQUEST_METHOD"] in CHANGE_NOTHING:
        return
    if environ.get("HTTP_SEC_FETCH_SITE") in OTHER_SITES:
        raise NotFromOwnPage("another site")
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and origin != svc.settings.origin:
        raise NotFromOwnPage("another Origin")


def actor_by_cookie(svc: Services, environ: "WSGIEnvironment", method: str) -> Actor | None:
    """Who the cookie of a request stands for. One that is wrong is none: browsers keep what is long over.

    :raises NotFromOwnPage: it would count, but the request changes something and is none of our pages'
    """
    try:
        token = parse_cookie(environ.get("HTTP_COOKIE")).get(cookie_name(svc.settings), "")
    except UnicodeError:
        return None
    actor = sessions.actor_of(svc, token)
    if actor is None:
        return None
    if OVERRIDE in environ:
        raise NotFromOwnPage("method override")
    if method not in CHANGE_NOTHING:
        require_own_page(svc, environ)
    return actor


def asking_nobody(refusal: Response, environ: "WSGIEnvironment") -> Response:
    """The same refusal; for a browser its challenge is of a kind that browsers do not know: at `Basic` they
    ask people for a password themselves, and send it from then on with whatever any page asks for.
    """
    if refusal.status != 401 or not _is_browser(environ):
        return refusal
    others = [pair for pair in refusal.headers if pair[0] != CHALLENGE]
    return replace(refusal, headers=[*others, (CHALLENGE, IN_PAGES)])


def _is_browser(environ: "WSGIEnvironment") -> bool:
    """Older browsers send no `Sec-Fetch-…`; all of them name themselves after the first."""
    return "HTTP_SEC_FETCH_MODE" in environ or environ.get("HTTP_USER_AGENT", "").startswith("Mozilla/")


# The cookie


def cookie_name(settings: Settings) -> str:
    return HOST_ONLY + COOKIE if settings.is_secure else COOKIE


def keep(svc: Services, token: str) -> Headers:
    """The header that makes a browser keep a session."""
    return _cookie(svc.settings, token, svc.limits.session_lifetime)


def forget(svc: Services) -> Headers:
    """The header that makes a browser forget it."""
    return _cookie(svc.settings, "", 0)


def _cookie(settings: Settings, value: str, max_age: int) -> Headers:
    """No program in a page can read it, no other host gets it, no form or picture elsewhere sends it."""
    header = dump_cookie(
        cookie_name(settings),
        value,
        max_age=max_age,
        path="/",
        secure=settings.is_secure,
        httponly=True,
        samesite="Lax",
    )
    return [("Set-Cookie", header)]
