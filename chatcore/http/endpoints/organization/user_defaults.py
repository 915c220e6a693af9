"""The endpoint that changes the settings with which new people start."""

from typing import cast

import msgspec
from msgspec import UNSET

from chatcore.application.organization.user_defaults import change_user_defaults
from chatcore.application.services import Services
from chatcore.domain.people.settings import PRESET
from chatcore.http.auth import Caller
from chatcore.http.endpoints.people.settings import hint_of
from chatcore.http.parameters.declaring import Params
from chatcore.http.routing import Done

UpdateUserDefaultsParams = cast(
    type[Params],
    msgspec.defstruct(
        "UpdateUserDefaultsParams",
        [(name, hint_of(setting), UNSET) for name, setting in PRESET.items()],
        bases=(Params,),
        kw_only=True,
        frozen=True,
    ),
)
"""A parameter for each setting that can be preset."""


def update(svc: Services, caller: Caller, p: Params) -> Done:
    """Change the settings with which new people start."""
    given = msgspec.structs.asdict(p)
    changes = {name: value for name, value in given.items() if value is not UNSET}
    change_user_defaults(svc, changes, by=caller.user)
    return Done()
