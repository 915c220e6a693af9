"""Endpoints that read user groups, their members and subgroups."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.groups import listing
from chatcore.application.services import Services
from chatcore.events.shapes.groups import GroupShape
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params
from chatcore.http.routing import Answer


class ListParams(Params, kw_only=True, frozen=True):
    include_deactivated_groups: Annotated[bool, about("Include deactivated groups.")] = False


class GroupsAnswer(Answer, frozen=True, kw_only=True):
    user_groups: list[GroupShape]


def list_groups(svc: Services, caller: Caller, p: ListParams) -> GroupsAnswer:
    """List the user groups of the organization."""
    found = listing.list_groups(svc, caller.actor, include_deactivated=p.include_deactivated_groups)
    return GroupsAnswer(user_groups=found)


class MembersParams(Params, kw_only=True, frozen=True):
    user_group_id: Annotated[int, about("The group's id.")]
    direct_member_only: Annotated[bool, about("Leave out the members of subgroups.")] = False


class GroupMembersAnswer(Answer, frozen=True, kw_only=True):
    members: list[int]


def members(svc: Services, caller: Caller, p: MembersParams) -> GroupMembersAnswer:
    """List the members of a user group, including those of its subgroups."""
    found = listing.members(svc, caller.actor, p.user_group_id, direct_only=p.direct_member_only)
    return GroupMembersAnswer(members=list(found))


class MemberParams(Params, kw_only=True, frozen=True):
    user_group_id: Annotated[int, about("The group's id.")]
    user_id: Annotated[int, about("The user's id.")]
    direct_member_only: Annotated[bool, about("Leave out the members of subgroups.")] = False


class MemberAnswer(Answer, frozen=True, kw_only=True):
    is_user_group_member: bool


def is_member(svc: Services, caller: Caller, p: MemberParams) -> MemberAnswer:
    """Get whether a user is a member of a user group."""
    found = listing.is_member(svc, caller.actor, p.user_group_id, p.user_id, direct_only=p.direct_member_only)
    return MemberAnswer(is_user_group_member=found)


class SubgroupsParams(Params, kw_only=True, frozen=True):
    user_group_id: Annotated[int, about("The group's id.")]
    direct_subgroup_only: Annotated[bool, about("Leave out the subgroups of subgroups.")] = False


class SubgroupsAnswer(Answer, frozen=True, kw_only=True):
    subgroups: list[int]


def subgroups(svc: Services, caller: Caller, p: SubgroupsParams) -> SubgroupsAnswer:
    """List the subgroups of a user group, including their subgroups."""
    found = listing.subgroups(svc, caller.actor, p.user_group_id, direct_only=p.direct_subgroup_only)
    return SubgroupsAnswer(subgroups=list(found))
