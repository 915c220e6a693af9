"""Logging in by a login service outside."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.organization.server_settings import SSO_PATH
from chatcore.http.endpoints.invitations.html import refusal_of_login
from chatcore.http.endpoints.sign_on import remote_user
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, RawRoute

ROUTES: Final[Sequence[AnyRoute]] = (
    RawRoute(
        "GET",
        SSO_PATH,
        NoParams,
        remote_user.log_in,
        auth=Auth.NONE,
        prefix="",
        answers="text/html",
        refuse=refusal_of_login,
    ),
)
