"""User groups."""

from collections.abc import Sequence
from typing import Final

from chatcore.application.groups import listing
from chatcore.application.groups.editing import deactivate
from chatcore.application.groups.members import update_subgroups
from chatcore.http.endpoints.groups import editing
from chatcore.http.endpoints.groups.answers import (
    GroupMembersAnswer,
    GroupsAnswer,
    MemberAnswer,
    SubgroupsAnswer,
)
from chatcore.http.operations import operation
from chatcore.http.pipeline.routing import AnyRoute, Route

GROUP: Final = {"group_id": "user_group_id"}
MEMBERS: Final = {**GROUP, "direct_only": "direct_member_only"}
SUBGROUPS: Final = {**GROUP, "direct_only": "direct_subgroup_only"}

ROUTES: Final[Sequence[AnyRoute]] = (
    operation(
        "GET",
        "/user_groups",
        listing.list_groups,
        GroupsAnswer,
        names={"include_deactivated": "include_deactivated_groups"},
    ),
    Route("POST", "/user_groups/create", editing.CreateParams, editing.create),
    Route("PATCH", "/user_groups/{user_group_id:int}", editing.UpdateParams, editing.update),
    operation("POST", "/user_groups/{user_group_id:int}/deactivate", deactivate, names=GROUP),
    Route("DELETE", "/user_groups/{user_group_id:int}", editing.DeactivateParams, editing.remove),
    operation(
        "GET",
        "/user_groups/{user_group_id:int}/members",
        listing.members,
        GroupMembersAnswer,
        names=MEMBERS,
    ),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/members",
        editing.UpdateMembersParams,
        editing.update_members,
    ),
    operation(
        "GET",
        "/user_groups/{user_group_id:int}/members/{user_id:int}",
        listing.is_member,
        MemberAnswer,
        names=MEMBERS,
    ),
    operation(
        "GET",
        "/user_groups/{user_group_id:int}/subgroups",
        listing.subgroups,
        SubgroupsAnswer,
        names=SUBGROUPS,
    ),
    operation("POST", "/user_groups/{user_group_id:int}/subgroups", update_subgroups, names=GROUP),
)
