"""Logins by OpenID Connect: the addresses between which a browser is sent."""

from typing import Annotated, Final

from chatcore.application.arguments import about
from chatcore.application.services import Services
from chatcore.application.sign_on import leaving, openid
from chatcore.domain.errors import MissingParameter
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.bodies.reading import texts_in_form
from chatcore.http.endpoints.sign_on.arriving import (
    UNCACHED,
    NextPage,
    OneTimePad,
    arrive,
    redirect,
    url_of_organization,
)
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline import sessions
from chatcore.http.pipeline.auth import Caller
from chatcore.http.response import Response

COOKIE: Final = "chat_login"
"""The cookie of a login that a browser has begun."""
MAX_FORM: Final = 2**17


class ProviderParams(Params, kw_only=True, frozen=True):
    provider: Annotated[Text, about("The name of the provider in the settings.")]


class BeginParams(ProviderParams, kw_only=True, frozen=True):
    next: NextPage = "/"
    mobile_flow_otp: OneTimePad = ""


def begin(svc: Services, caller: Caller, request: Incoming, p: BeginParams) -> Response:
    """Send a browser to a provider, to log in there."""
    url = url_of_organization(svc, caller)
    with caller.turn.paused():
        departure = openid.begin(svc, p.provider, url=url, page=p.next, pad=p.mobile_flow_otp)
    proof = sessions.cookie(url, COOKIE, departure.proof, openid.SECONDS)
    return redirect(departure.address, proof)


class ReturnParams(ProviderParams, kw_only=True, frozen=True):
    state: Annotated[Text, about("The value that this browser took to the provider.")] = ""
    code: Annotated[Text, about("The code that the provider exchanges for what it knows of the person.")] = ""
    error: Annotated[Text, about("The reason why the provider has let nobody in.")] = ""
    iss: Annotated[Text | None, about("The issuer, if the provider says it.")] = None


def finish(svc: Services, caller: Caller, request: Incoming, p: ReturnParams) -> Response:
    """Begin the session of a browser that comes back from a provider, or give a mobile app its key."""
    url = url_of_organization(svc, caller)
    proof = sessions.cookie_in(request.environ.get("HTTP_COOKIE", ""), url, COOKIE)
    returned = openid.Returned(state=p.state, code=p.code, error=p.error, issuer=p.iss)
    with caller.turn.paused():
        arrival = openid.finish(svc, p.provider, proof, returned, url=url)
    deleted = sessions.cookie(url, COOKIE, "", 0)
    address, headers = arrive(svc, caller, request, arrival.identity, page=arrival.page, pad=arrival.pad)
    return redirect(address, [*headers, *deleted])


def log_out(svc: Services, caller: Caller, request: Incoming, p: ProviderParams) -> Response:
    """Send a browser to a provider, to log out there. Its session here has ended before."""
    url = url_of_organization(svc, caller)
    with caller.turn.paused():
        address = leaving.address_to_log_out(svc, p.provider, url=url)
    return redirect(address, [])


def end_sessions(svc: Services, caller: Caller, request: Incoming, p: ProviderParams) -> Response:
    """End the sessions of a person who has logged out at a provider: a token that it has signed says so."""
    if not (token := texts_in_form(request.environ, MAX_FORM).get("logout_token", "")):
        raise MissingParameter("logout_token")
    with caller.turn.paused():
        logout = leaving.verify_logout(svc, p.provider, token)
    leaving.end_sessions_of(svc, p.provider, logout)
    return Response(200, b"", UNCACHED)
