"""Endpoints that create, change, fill and deactivate user groups."""

from typing import Annotated, Any

from chatcore.application.arguments import about
from chatcore.application.groups import editing
from chatcore.application.groups import members as group_members
from chatcore.application.services import Services
from chatcore.domain.groups.permissions import GROUP_PERMISSIONS
from chatcore.http.parameters.declaring import Params, Text, with_options
from chatcore.http.parameters.group_settings import (
    UPDATE_SCHEMA,
    SettingParam,
    SettingUpdate,
    read_setting,
    read_update,
)
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


def _new_permission(name: str) -> Any:
    described = about(f"{GROUP_PERMISSIONS[name].explained} A group's id, or an object of people and groups.")
    return Annotated[SettingParam, described]


def _changed_permission(name: str) -> Any:
    described = about(
        f"{GROUP_PERMISSIONS[name].explained} The new value (`new`), and optionally the value that"
        " the caller expects to replace (`old`).",
        schema=UPDATE_SCHEMA,
    )
    return Annotated[SettingUpdate | None, described]


class NewGroupParams(Params, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name.")]
    description: Annotated[Text, about("The purpose of the group.")]
    members: Annotated[list[int], about("Ids of the first members.")]
    subgroups: Annotated[tuple[int, ...], about("Ids of the first subgroups.")] = ()


CreateParams = with_options(
    NewGroupParams,
    "CreateGroupParams",
    {name: _new_permission(name) for name in GROUP_PERMISSIONS},
    absent=None,
)
"""The parameters of a new group, with its permissions."""


class NewGroupAnswer(Answer, frozen=True, kw_only=True):
    group_id: int


def create(svc: Services, caller: Caller, p: NewGroupParams) -> NewGroupAnswer:
    """Create a user group."""
    settings = {
        name: read_setting(value) for name in GROUP_PERMISSIONS if (value := getattr(p, name)) is not None
    }
    new = editing.NewGroup(
        name=p.name,
        description=p.description,
        members=p.members,
        subgroups=p.subgroups,
        settings=settings,
    )
    return NewGroupAnswer(group_id=editing.create(svc, caller.actor, new))


class ChangeParams(Params, kw_only=True, frozen=True):
    user_group_id: Annotated[int, about("The group's id.")]
    name: Annotated[Text | None, about("The name.")] = None
    description: Annotated[Text | None, about("The purpose of the group.")] = None
    deactivated: Annotated[bool | None, about("False reactivates a deactivated group.")] = None


UpdateParams = with_options(
    ChangeParams,
    "UpdateGroupParams",
    {name: _changed_permission(name) for name in GROUP_PERMISSIONS},
    absent=None,
)
"""The changes of a group, with its permissions."""


def update(svc: Services, caller: Caller, p: ChangeParams) -> Done:
    """Change a user group, or reactivate it."""
    settings = {
        name: read_update(name, change)
        for name in GROUP_PERMISSIONS
        if (change := getattr(p, name)) is not None
    }
    changes = editing.GroupChanges(
        name=p.name, description=p.description, deactivated=p.deactivated, settings=settings
    )
    editing.update(svc, caller.actor, p.user_group_id, changes)
    return Done()


class UpdateMembersParams(Params, kw_only=True, frozen=True):
    user_group_id: Annotated[int, about("The group's id.")]
    delete: Annotated[tuple[int, ...], about("Ids of members to remove.")] = ()
    add: Annotated[tuple[int, ...], about("Ids of users to add as members.")] = ()
    delete_subgroups: Annotated[tuple[int, ...], about("Ids of subgroups to remove.")] = ()
    add_subgroups: Annotated[tuple[int, ...], about("Ids of subgroups to add.")] = ()


def update_members(svc: Services, caller: Caller, p: UpdateMembersParams) -> Done:
    """Change the members of a user group."""
    changes = group_members.MemberChanges(
        add=p.add, delete=p.delete, add_subgroups=p.add_subgroups, delete_subgroups=p.delete_subgroups
    )
    group_members.update_members(svc, caller.actor, p.user_group_id, changes)
    return Done()


class DeactivateParams(Params, kw_only=True, frozen=True):
    user_group_id: Annotated[int, about("The group's id.")]


def remove(svc: Services, caller: Caller, p: DeactivateParams) -> Done:
    """Deactivate a user group; an older name of the endpoint.

    Deprecated: `POST user_groups/{user_group_id}/deactivate` is the same.
    """
    editing.deactivate(svc, caller.actor, p.user_group_id)
    return Done()
