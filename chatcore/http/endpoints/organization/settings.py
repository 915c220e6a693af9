"""The endpoint that changes settings of the organization."""

from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.organization.settings import change_organization
from chatcore.application.organization.ways_in import PASSWORDS, passwords_among
from chatcore.application.people.welcome import try_custom_text
from chatcore.application.services import Services
from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS, Permission
from chatcore.domain.organization.settings import SETTINGS, OrganizationSetting
from chatcore.http.parameters.declaring import Params, Text, sent_values, with_options
from chatcore.http.parameters.group_settings import UPDATE_SCHEMA, SettingUpdate, read_update
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


def _type_hint(setting: OrganizationSetting) -> Any:
    """Return the type of the parameter that changes a setting; it may be left out."""
    kind: Any = setting.kind
    if isinstance(setting.sent_for_none, str):
        kind = kind | str | None
    return Annotated[kind, about(setting.explained, *setting.allowed)] | UnsetType


def _permission_hint(permission: Permission) -> Any:
    return Annotated[SettingUpdate, about(permission.explained, schema=UPDATE_SCHEMA)] | UnsetType


METHODS = "authentication_methods"
"""The parameter for the ways to log in. Only that by password can be disabled; it has a setting."""
_MethodsHint = Annotated[dict[str, bool], about("Whether each way to log in is enabled. Owners only.")]

UpdateParams = with_options(
    Params,
    "UpdateOrganizationParams",
    {
        **{name: _type_hint(setting) for name, setting in SETTINGS.items()},
        METHODS: _MethodsHint | UnsetType,
        **{name: _permission_hint(permission) for name, permission in ORGANIZATION_PERMISSIONS.items()},
    },
)
"""A parameter for each setting and each permission."""


def update(svc: Services, caller: Caller, p: Params) -> Done:
    """Change settings and permissions of the organization."""
    changes = sent_values(p, SETTINGS)
    if (methods := getattr(p, METHODS)) is not UNSET:
        changes[PASSWORDS] = passwords_among(svc, methods)
    updates = sent_values(p, ORGANIZATION_PERMISSIONS)
    permissions = {name: read_update(name, update) for name, update in updates.items()}
    change_organization(svc, changes, permissions, by=caller.actor)
    return Done()


class WelcomeParams(Params, kw_only=True, frozen=True):
    welcome_message_custom_text: Annotated[Text, about("The text to try, in Markdown.")]


class WelcomeAnswer(Answer, frozen=True, kw_only=True):
    message_id: int


def try_welcome(svc: Services, caller: Caller, p: WelcomeParams) -> WelcomeAnswer:
    """Send the caller a text as the end of the welcome message, to try it out."""
    return WelcomeAnswer(message_id=try_custom_text(svc, caller.actor, p.welcome_message_custom_text))
