"""The endpoint that changes settings of the organization."""

from typing import Annotated, Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.organization.deactivation import deactivate_organization
from chatcore.application.organization.setting_fields import PASSWORDS, passwords_among
from chatcore.application.organization.settings import change_organization
from chatcore.application.people.welcome import try_custom_text
from chatcore.application.services import Services
from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS, Permission
from chatcore.domain.organization.settings import PERMISSIONS_OF_OWNERS, SETTINGS, OrganizationSetting
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, Text, about
from chatcore.http.parameters.group_settings import UPDATE_SCHEMA, SettingUpdate, read_update
from chatcore.http.routing import Answer, Done


def _hint(setting: OrganizationSetting) -> Any:
    kind: Any = setting.kind
    if isinstance(setting.nothing, str):
        kind = kind | str | None
    return Annotated[kind, about(setting.explained, *setting.allowed)] | UnsetType


def _permission_hint(permission: Permission) -> Any:
    owners = " Owners only." if permission.name in PERMISSIONS_OF_OWNERS else ""
    said = about(permission.explained + owners, schema=UPDATE_SCHEMA)
    return Annotated[SettingUpdate, said] | UnsetType


METHODS = "authentication_methods"
_MethodsHint = Annotated[dict[str, bool], about("Whether each way to log in is enabled. Owners only.")]

UpdateParams = cast(
    type[Params],
    msgspec.defstruct(
        "UpdateParams",
        [
            *((name, _hint(setting), UNSET) for name, setting in SETTINGS.items()),
            (METHODS, _MethodsHint | UnsetType, UNSET),
            *((name, _permission_hint(one), UNSET) for name, one in ORGANIZATION_PERMISSIONS.items()),
        ],
        bases=(Params,),
        kw_only=True,
        frozen=True,
    ),
)
"""A parameter for each setting and each permission."""


def update(svc: Services, caller: Caller, p: Params) -> Done:
    """Change settings and permissions of the organization."""
    given = {name: value for name, value in msgspec.structs.asdict(p).items() if value is not UNSET}
    changes: dict[str, object] = {name: given[name] for name in SETTINGS if name in given}
    if METHODS in given:
        changes[PASSWORDS] = passwords_among(svc, given[METHODS])
    permissions = {name: read_update(name, given[name]) for name in ORGANIZATION_PERMISSIONS if name in given}
    change_organization(svc, changes, permissions, by=caller.user)
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
