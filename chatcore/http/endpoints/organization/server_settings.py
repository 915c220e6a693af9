"""What a client learns before it has an account."""

from typing import Any

from chatcore.application.organization.server_settings import server_settings
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams
from chatcore.http.routing import Spread


class SettingsAnswer(Spread, frozen=True):
    fields: dict[str, Any]


def settings(svc: Services | None, caller: Caller, p: NoParams) -> SettingsAnswer:
    """Get what a client needs to know before anybody is logged in."""
    return SettingsAnswer(server_settings(svc, address=caller.organization_url))
