"""Requests of browsers: their origin, and the cookie of a session.

A browser sends a cookie with every request to us, whichever page caused it. So a cookie is accepted on few
routes only (`by_cookie`), and changes on these require requests from the organization's own pages. Browsers
send stored credentials in the same way, so pages of other sites change nothing, however their requests
authenticate.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from werkzeug.http import dump_cookie, parse_cookie

from chatcore.application.people import sessions
from chatcore.application.services import Services
from chatcore.domain.errors import ChatError
from chatcore.domain.groups.actors import Actor
from chatcore.domain.network_addresses import plain_address
from chatcore.http.pipeline.methods import OVERRIDE_HEADER, SAFE_METHODS
from chatcore.http.pipeline.own_address import own_address
from chatcore.http.response import Headers, Response
from chatcore.settings import host_name

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

COOKIE: Final = "chat_session"
HOST_ONLY: Final = "__Host-"
"""The prefix of cookies that browsers accept only from the host itself, over TLS."""
CHALLENGE_HEADER: Final = "WWW-Authenticate"
SESSION_CHALLENGE: Final = 'Session realm="chat"'
"""A challenge of a scheme that no browser knows, so none asks for a password."""


class NotFromOwnPage(ChatError):
    """A request that a browser sends on behalf of another site."""

    code = "CSRF_FAILED"
    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__("This request must come from the organization's own pages", reason=reason)


def require_own_page(svc: Services, environ: "WSGIEnvironment") -> None:
    """Require that a request comes from our own page: browsers state its origin, and no page can forge it.

    :raises NotFromOwnPage: from elsewhere, or without an origin
    """
    if not _is_from_own_page(svc, environ):
        raise NotFromOwnPage("another Origin" if "HTTP_ORIGIN" in environ else "no Origin")


def _is_from_own_page(svc: Services, environ: "WSGIEnvironment") -> bool:
    origin = environ.get("HTTP_ORIGIN")
    if origin is None:
        return environ.get("HTTP_SEC_FETCH_SITE") == "same-origin"
    return origin in _own_origins(svc, environ)


SCRIPT_HEADER: Final = "HTTP_X_CHAT_PAGE"
"""The header that the scripts of our page add to their requests."""
OTHER_SITES: Final = frozenset({"cross-site", "same-site"})
"""Values of `Sec-Fetch-Site` for pages of other origins; another port or subdomain is the "same-site"."""


def require_no_other_site(svc: Services, environ: "WSGIEnvironment") -> None:
    """Refuse a change that a page of another site makes a browser request. Programs send no Origin.

    :raises NotFromOwnPage:
    """
    if environ["REQUEST_METHOD"] in SAFE_METHODS:
        return
    if environ.get("HTTP_SEC_FETCH_SITE") in OTHER_SITES:
        raise NotFromOwnPage("another site")
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and origin not in _own_origins(svc, environ):
        raise NotFromOwnPage("another Origin")


def _own_origins(svc: Services, environ: "WSGIEnvironment") -> tuple[str, str]:
    """Return the origins of pages at the organization's address, and at the address to which the client has
    connected if that is trusted.
    """
    as_reached = replace(svc.settings, external_url=own_address(svc.settings, environ))
    return svc.settings.origin, as_reached.origin


def is_from_own_script(svc: Services, environ: "WSGIEnvironment") -> bool:
    """Whether a script of our own page made the request: forms and links cannot have its header, and scripts
    of other origins may not set it.

    Browsers name no origin in requests that change nothing; at addresses without TLS they do not even state
    whether it is the same one.
    """
    if SCRIPT_HEADER not in environ:
        return False
    says_nothing = "HTTP_ORIGIN" not in environ and "HTTP_SEC_FETCH_SITE" not in environ
    if says_nothing and environ["REQUEST_METHOD"] in SAFE_METHODS:
        return True
    return _is_from_own_page(svc, environ)


def session_in(svc: Services, environ: "WSGIEnvironment") -> str:
    """Return the token in a request's cookie; empty without one."""
    return token_in_cookies(environ.get("HTTP_COOKIE", ""), own_address(svc.settings, environ))


def token_in_cookies(cookies: str, url: str) -> str:
    """Return the token in the header `Cookie` of a request to *url*; empty without one."""
    return cookie_in(cookies, url, COOKIE)


def cookie_in(cookies: str, url: str, name: str) -> str:
    """Return the value of a cookie in the header `Cookie` of a request to *url*; empty without one."""
    try:
        return parse_cookie(cookies).get(_cookie_name(url, name), "")
    except UnicodeError:
        return ""


def actor_by_cookie(svc: Services, environ: "WSGIEnvironment", method: str, token: str) -> Actor | None:
    """Return the actor of the *token* in a request's cookie. A wrong cookie is ignored: browsers keep expired
    ones.

    :raises NotFromOwnPage: the cookie is valid, but the request changes something and is not from our own
    pages
    """
    browser = sessions.Browser(address=plain_address(environ.get("REMOTE_ADDR", "")), token=token)
    actor = sessions.find_actor(svc, browser)
    if actor is None:
        return None
    if OVERRIDE_HEADER in environ:
        raise NotFromOwnPage("method override")
    if method not in SAFE_METHODS:
        require_own_page(svc, environ)
    return actor


def without_basic_challenge(refusal: Response, environ: "WSGIEnvironment") -> Response:
    """Return the refusal; for a browser, with `SESSION_CHALLENGE` in place of `Basic`, after which a browser
    asks the user for a password, and then sends it with the requests of any page.
    """
    if refusal.status != 401 or not _is_browser(environ):
        return refusal
    others = [pair for pair in refusal.headers if pair[0] != CHALLENGE_HEADER]
    return replace(refusal, headers=[*others, (CHALLENGE_HEADER, SESSION_CHALLENGE)])


def _is_browser(environ: "WSGIEnvironment") -> bool:
    """Whether a browser sent the request. Older ones send no `Sec-Fetch-…`; all of them begin with
    "Mozilla/".
    """
    return "HTTP_SEC_FETCH_MODE" in environ or environ.get("HTTP_USER_AGENT", "").startswith("Mozilla/")


# The cookie


def keep_session(svc: Services, token: str, url: str | None = None) -> Headers:
    """Return the header that makes a browser at *url* store a session's token."""
    return cookie(url or svc.settings.external_url, COOKIE, token, svc.limits.session_lifetime)


def forget_session(svc: Services, url: str | None) -> Headers:
    """Return the header that makes a browser at *url* delete the session."""
    return cookie(url or svc.settings.external_url, COOKIE, "", 0)


def cookie(url: str, name: str, value: str, max_age: int) -> Headers:
    """Return a cookie for *url* that no script can read, no other host receives, and no form or picture
    elsewhere sends.
    """
    header = dump_cookie(
        _cookie_name(url, name),
        value,
        max_age=max_age,
        path="/",
        secure=_is_secure(url),
        httponly=True,
        samesite="Lax",
    )
    return [("Set-Cookie", header)]


def _cookie_name(url: str, name: str) -> str:
    """Return the cookie's name with port and path of *url*: browsers send a cookie to all ports of a host."""
    rest = url.partition("://")[2]
    port_and_path = rest[len(host_name(rest.partition("/")[0])) :]
    name += quote(port_and_path, safe="")
    return HOST_ONLY + name if _is_secure(url) else name


def _is_secure(url: str) -> bool:
    return url.lower().startswith("https://")
