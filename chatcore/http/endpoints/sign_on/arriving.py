"""The end of a login by a provider: a session of a browser, or the key for a mobile app."""

from typing import Annotated, Final, TypeAlias

from chatcore.application.arguments import about
from chatcore.application.people.sessions import Browser
from chatcore.application.services import Services
from chatcore.application.sign_on.arriving import address_in_app
from chatcore.application.sign_on.entering import begin_session_as, log_in_as
from chatcore.domain.errors import ChatError
from chatcore.domain.sign_on.external_identities import ExternalIdentity
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.pages import html
from chatcore.http.parameters.declaring import Text
from chatcore.http.pipeline import sessions
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Headers, Response

UNCACHED: Final[Headers] = [("Cache-Control", "no-store"), ("X-Robots-Tag", "noindex")]

NextPage: TypeAlias = Annotated[
    Text, about("The path of the organization at which a browser is after the login.")
]
OneTimePad: TypeAlias = Annotated[
    Text,
    about(
        "64 hexadecimal digits of a mobile app, which gets the API key, combined with them by exclusive"
        " or, as `otp_encrypted_api_key` in an address of its own scheme."
    ),
]


def arrive(
    svc: Services, caller: Caller, request: Incoming, identity: ExternalIdentity, *, page: str, pad: str
) -> tuple[str, Headers]:
    """Log a person in; return the address to which the browser goes on, and the headers of its session.

    :raises ChatError: as `begin_session_as` does
    """
    url = url_of_organization(svc, caller)
    if pad:
        login = log_in_as(svc, identity, caller.user_agent)
        return address_in_app(svc, login, pad, url=url), []
    token = sessions.session_in(svc, request.environ)
    browser = Browser(address=caller.address, user_agent=caller.user_agent, token=token)
    begun = begin_session_as(svc, identity, browser)
    return url + page, sessions.keep_session(svc, begun.token, url)


def refuse(error: ChatError, request: Incoming) -> Response | None:
    """Return a page for a browser, and the envelope for others."""
    if not html.prefers_page(request):
        return None
    path: str = request.environ.get("PATH_INFO", "")
    back = "../" * (path.count("/") - 1)  # a relative link, as the organization may be below any path
    return html.refusal(error, request, f"Go back to the login and try again. ({error.code})", back)


def url_of_organization(svc: Services, caller: Caller) -> str:
    """Return the address at which a browser reaches the organization."""
    return caller.organization_url or svc.settings.external_url


def redirect(address: str, headers: Headers) -> Response:
    return Response(302, b"", [("Location", address), *UNCACHED, *headers])
