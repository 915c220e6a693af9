"""The address behind a proxy that logs people in, and says in a header who they are."""

from chatcore.application.services import Services
from chatcore.application.sign_on.arriving import require_destination
from chatcore.http.bodies.incoming import Incoming
from chatcore.http.endpoints.sign_on.arriving import NextPage, OneTimePad, arrive, redirect
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.remote_user import identity_in
from chatcore.http.response import Response


class EnterParams(Params, kw_only=True, frozen=True):
    next: NextPage = "/"
    mobile_flow_otp: OneTimePad = ""


def log_in(svc: Services, caller: Caller, request: Incoming, p: EnterParams) -> Response:
    """Begin a session of the person whom the proxy names, or give a mobile app the person's key.

    Whoever is new gets an account, if an invitation or the organization's settings permit it.
    """
    require_destination(svc, p.next, p.mobile_flow_otp)
    identity = identity_in(svc.settings, request.environ)
    address, headers = arrive(svc, caller, request, identity, page=p.next, pad=p.mobile_flow_otp)
    return redirect(address, headers)
