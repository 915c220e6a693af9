"""Logging in by a provider outside."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from chatcore.application.organization.server_settings import SSO_PATH
from chatcore.domain.sign_on.providers import PATH
from chatcore.http.endpoints.sign_on import openid, remote_user
from chatcore.http.endpoints.sign_on.arriving import refuse
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, Method, RawRoute
from chatcore.http.response import Response

FORM: Final = "application/x-www-form-urlencoded"
PROVIDER: Final = f"{PATH}/{{provider}}"


def _address(
    method: Method, path: str, params: type[Params], handler: Callable[..., Response]
) -> RawRoute[Any]:
    return RawRoute(
        method,
        path,
        params,
        handler,
        auth=Auth.NONE,
        prefix="",
        body=FORM if method == "POST" else "",
        answers="text/html",
        refuse=refuse,
    )


ROUTES: Final[Sequence[AnyRoute]] = (
    _address("GET", SSO_PATH, remote_user.EnterParams, remote_user.log_in),
    _address("GET", PROVIDER, openid.BeginParams, openid.begin),
    _address("GET", f"{PROVIDER}/callback", openid.ReturnParams, openid.finish),
    _address("GET", f"{PROVIDER}/logout", openid.ProviderParams, openid.log_out),
    _address("POST", f"{PROVIDER}/backchannel-logout", openid.ProviderParams, openid.end_sessions),
)
