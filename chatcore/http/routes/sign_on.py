"""Logging in by a provider outside."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from chatcore.application.organization.server_settings import SSO_PATH
from chatcore.domain.sign_on.providers import PATH
from chatcore.http.endpoints.sign_on import openid, remote_user
from chatcore.http.endpoints.sign_on.arriving import refuse
from chatcore.http.pages.html import page_route
from chatcore.http.pipeline.routing import AnyRoute

PROVIDER: Final = f"{PATH}/{{provider}}"

_address = partial(page_route, refuse=refuse)

ROUTES: Final[Sequence[AnyRoute]] = (
    _address("GET", SSO_PATH, remote_user.EnterParams, remote_user.log_in),
    _address("GET", PROVIDER, openid.BeginParams, openid.begin),
    _address("GET", f"{PROVIDER}/callback", openid.ReturnParams, openid.finish),
    _address("GET", f"{PROVIDER}/logout", openid.ProviderParams, openid.log_out),
    _address("POST", f"{PROVIDER}/backchannel-logout", openid.ProviderParams, openid.end_sessions),
)
