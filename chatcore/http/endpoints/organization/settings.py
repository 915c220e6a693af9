"""The endpoint that changes settings of the organization."""

from typing import Annotated, Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.organization.deactivation import deactivate_organization
from chatcore.application.organization.settings import change_organization
from chatcore.application.people.welcome import try_custom_text
from chatcore.application.services import Services
from chatcore.domain.organization.settings import SETTINGS, OrganizationSetting
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, Text, about
from chatcore.http.routing import Answer, Done


def _hint(setting: OrganizationSetting) -> Any:
    kind: Any = setting.kind
    if isinstance(setting.nothing, str):
        kind = kind | str | None
    return Annotated[kind, about(setting.explained, *setting.allowed)] | UnsetType


UpdateParams = cast(
    type[Params],
    msgspec.defstruct(
        "UpdateParams",
        [(name, _hint(setting), UNSET) for name, setting in SETTINGS.items()],
        bases=(Params,),
        kw_only=True,
        frozen=True,
    ),
)
"""A parameter for each setting."""


def update(svc: Services, caller: Caller, p: Params) -> Done:
    """Change settings of the organization."""
    given = msgspec.structs.asdict(p)
    changes = {name: value for name, value in given.items() if value is not UNSET}
    change_organization(svc, changes, by=caller.user)
    return Done()


def deactivate(svc: Services, caller: Caller, p: NoParams) -> Done:
    """Deactivate the whole organization; it refuses all requests until its operators reactivate it."""
    deactivate_organization(svc, caller.user)
    return Done()


class WelcomeParams(Params, kw_only=True, frozen=True):
    welcome_message_custom_text: Annotated[Text, about("The text to try, in Markdown.")]


class WelcomeAnswer(Answer, frozen=True, kw_only=True):
    message_id: int


def try_welcome(svc: Services, caller: Caller, p: WelcomeParams) -> WelcomeAnswer:
    """Send the caller the text that would end the welcome of new people."""
    return WelcomeAnswer(message_id=try_custom_text(svc, caller.user, p.welcome_message_custom_text))
