"""Endpoints that change the caller's settings."""

from typing import Annotated, Any

from msgspec import UnsetType

from chatcore.application.arguments import about
from chatcore.application.people import settings as own_settings
from chatcore.application.people.settings import OwnChange
from chatcore.application.services import Services
from chatcore.domain.people.settings import SETTINGS, UserSetting
from chatcore.http.endpoints.people.proof import require_proof
from chatcore.http.parameters.declaring import SECRET, Params, Text, sent_values, with_options
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class AccountParams(Params, kw_only=True, frozen=True):
    full_name: Annotated[Text, about("The new name.")] = ""
    email: Annotated[
        Text,
        about(
            "The new address, for callers who may change addresses. If the server sends mail, it changes"
            " when the link in a mail to it is followed."
        ),
    ] = ""
    old_password: Annotated[
        Text,
        about(
            "The current password; required with a new one, and with a new address in a browser's session"
            " some minutes after its login."
        ),
        SECRET,
    ] = ""
    new_password: Annotated[Text, about("The new password. It makes a new API key."), SECRET] = ""


def hint_of(setting: UserSetting) -> Any:
    """Return the type of the parameter for a setting."""
    kind: Any = type(setting.default)
    if setting.nullable:
        kind = kind | None
    return Annotated[kind, about(setting.explained, *setting.allowed)] | UnsetType


UpdateParams = with_options(
    AccountParams, "UpdateOwnParams", {name: hint_of(setting) for name, setting in SETTINGS.items()}
)
"""The parameters of `update`: fields of the account, and a field for each setting."""


def update(svc: Services, caller: Caller, p: AccountParams) -> Done:
    """Change the caller's settings, name, address or password."""
    if p.email.strip():
        require_proof(svc, caller, p.old_password, parameter="old_password")
    account = {name: getattr(p, name) for name in AccountParams.__struct_fields__}
    change = OwnChange(settings=sent_values(p, SETTINGS), **account)
    own_settings.change_own(svc, caller.actor, change, session=caller.session)
    return Done()


def update_by_older_name(svc: Services, caller: Caller, p: AccountParams) -> Done:
    """Change the caller's settings, name, address or password; an older name of the endpoint.

    Deprecated: `PATCH settings` is the same.
    """
    return update(svc, caller, p)
