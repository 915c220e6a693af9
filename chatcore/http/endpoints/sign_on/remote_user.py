"""The address behind a proxy that logs people in, and says in a header who they are."""

from chatcore.application.people.sessions import Browser
from chatcore.application.services import Services
from chatcore.application.sign_on.entering import begin_session_as
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.remote_user import identity_in
from chatcore.http.pipeline.sessions import keep, session_in
from chatcore.http.response import Response


def log_in(svc: Services, caller: Caller, request: Incoming, p: NoParams) -> Response:
    """Begin a session of the person whom the proxy names, and go on to the web client.

    Whoever is new gets an account, if an invitation or the organization's settings permit it.
    """
    identity = identity_in(svc.settings, request.environ)
    token = session_in(svc, request.environ)
    browser = Browser(address=caller.address, user_agent=caller.user_agent, token=token)
    url = caller.organization_url or svc.settings.external_url
    begun = begin_session_as(svc, identity, browser)
    return Response(302, b"", [("Location", f"{url}/"), *keep(svc, begun.token, url)])
