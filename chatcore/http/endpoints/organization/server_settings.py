"""The endpoint for clients without an account."""

from typing import Any

from chatcore.application.organization.server_settings import server_settings
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Spread


class SettingsAnswer(Spread, frozen=True):
    fields: dict[str, Any]


def settings(svc: Services | None, caller: Caller, p: NoParams) -> SettingsAnswer:
    """Get the settings that a client needs before login."""
    return SettingsAnswer(server_settings(svc, organization_url=caller.organization_url))
