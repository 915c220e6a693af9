"""The endpoint that changes the settings with which new people start."""

from chatcore.application.organization.user_defaults import change_user_defaults
from chatcore.application.services import Services
from chatcore.domain.people.setting_values import PRESET
from chatcore.http.endpoints.people.settings import hint_of
from chatcore.http.parameters.declaring import Params, sent_values, with_options
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done

UpdateUserDefaultsParams = with_options(
    Params, "UpdateUserDefaultsParams", {name: hint_of(setting) for name, setting in PRESET.items()}
)
"""A parameter for each setting that can be preset."""


def update(svc: Services, caller: Caller, p: Params) -> Done:
    """Change the settings with which new people start."""
    change_user_defaults(svc, caller.actor, sent_values(p, PRESET))
    return Done()
