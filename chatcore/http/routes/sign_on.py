"""Logging in by a provider outside."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from chatcore.application.organization.server_settings import SSO_PATH
from chatcore.domain.sign_on.providers import PATH
from chatcore.http.endpoints.sign_on import openid, remote_user, scim
from chatcore.http.endpoints.sign_on.arriving import refuse
from chatcore.http.pages.html import page_route
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, Method, RawRoute
from chatcore.http.response import Response
from chatcore.runtime.admission import Lane

KIND: Final = "/{kind}"
ONE: Final = f"{KIND}/{{id}}"
PROVIDER: Final = f"{PATH}/{{provider}}"

_address = partial(page_route, refuse=refuse)


def _scim(method: Method, path: str, params: type[Params], handler: Callable[..., Response]) -> AnyRoute:
    body = scim.TYPE if method in ("POST", "PUT", "PATCH") else ""
    return RawRoute(
        method,
        path,
        params,
        handler,
        auth=Auth.NONE,
        prefix=scim.PATH,
        body=body,
        answers=scim.TYPE,
    )


ROUTES: Final[Sequence[AnyRoute]] = (
    _address("GET", SSO_PATH, remote_user.EnterParams, remote_user.log_in),
    _address("GET", PROVIDER, openid.BeginParams, openid.begin),
    _address("GET", f"{PROVIDER}/callback", openid.ReturnParams, openid.finish),
    _address("GET", f"{PROVIDER}/logout", openid.ProviderParams, openid.log_out),
    _address(
        "POST",
        f"{PROVIDER}/backchannel-logout",
        openid.ProviderParams,
        openid.end_sessions,
        lane=Lane.LOGOUTS,
    ),
    _scim("GET", KIND, scim.ListParams, scim.find),
    _scim("POST", KIND, scim.KindParams, scim.create),
    _scim("GET", ONE, scim.OneParams, scim.get),
    _scim("PUT", ONE, scim.OneParams, scim.replace),
    _scim("PATCH", ONE, scim.OneParams, scim.patch),
    _scim("DELETE", ONE, scim.OneParams, scim.deactivate),
)
