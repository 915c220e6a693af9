"""Endpoints for administrators' changes to accounts."""

from typing import Annotated

import msgspec

from chatcore.application.arguments import UserNumber, about
from chatcore.application.people import administration
from chatcore.application.services import Services
from chatcore.domain.roles import Role
from chatcore.http.endpoints.people.profiles import ProfileEntry, read_entries
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done

RoleParam = Annotated[
    int,
    msgspec.Meta(
        description="100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.",
        extra_json_schema={"enum": [int(role) for role in Role]},
    ),
]


class UpdateParams(Params, kw_only=True, frozen=True):
    user_id: UserNumber
    full_name: Annotated[Text | None, about("The new name.")] = None
    role: Annotated[RoleParam | None, about("The new role, by its number.")] = None
    profile_data: Annotated[list[ProfileEntry] | None, about("Ids of fields with their values.")] = None
    new_email: Annotated[Text | None, about("The new address.")] = None
    own_password: OwnPassword = ""


class UpdateByEmailParams(Params, kw_only=True, frozen=True):
    email: Annotated[Text, about("The user's address, or the placeholder.")]
    full_name: Annotated[Text | None, about("The new name.")] = None
    role: Annotated[RoleParam | None, about("The new role, by its number.")] = None
    profile_data: Annotated[list[ProfileEntry] | None, about("Ids of fields with their values.")] = None
    new_email: Annotated[Text | None, about("The new address.")] = None
    own_password: OwnPassword = ""


def update_user(svc: Services, caller: Caller, p: UpdateParams) -> Done:
    """Change an account."""
    administration.update_user(svc, caller.actor, p.user_id, _read_change(svc, caller, p))
    return Done()


def update_user_by_email(svc: Services, caller: Caller, p: UpdateByEmailParams) -> Done:
    """Change the account with an address: the real one if the caller may see it, or the placeholder."""
    administration.update_user(svc, caller.actor, p.email, _read_change(svc, caller, p))
    return Done()


def _read_change(
    svc: Services, caller: Caller, p: UpdateParams | UpdateByEmailParams
) -> administration.UserChange:
    """Return the requested change; that of an address needs the caller's own password."""
    if p.new_email is not None:
        require_proof(svc, caller, p.own_password)
    return administration.UserChange(
        full_name=p.full_name, role=p.role, profile_data=read_entries(p.profile_data), new_email=p.new_email
    )
