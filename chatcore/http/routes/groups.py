"""User groups."""

from collections.abc import Sequence
from typing import Final

from chatcore.http.endpoints.groups import editing, listing
from chatcore.http.routing import AnyRoute, Route

ROUTES: Final[Sequence[AnyRoute]] = (
    Route("GET", "/user_groups", listing.ListParams, listing.list_groups),
    Route("POST", "/user_groups/create", editing.CreateParams, editing.create),
    Route("PATCH", "/user_groups/{user_group_id:int}", editing.UpdateParams, editing.update),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/deactivate",
        editing.DeactivateParams,
        editing.deactivate,
    ),
    Route("DELETE", "/user_groups/{user_group_id:int}", editing.DeactivateParams, editing.remove),
    Route("GET", "/user_groups/{user_group_id:int}/members", listing.MembersParams, listing.members),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/members",
        editing.UpdateMembersParams,
        editing.update_members,
    ),
    Route(
        "GET",
        "/user_groups/{user_group_id:int}/members/{user_id:int}",
        listing.MemberParams,
        listing.is_member,
    ),
    Route(
        "GET",
        "/user_groups/{user_group_id:int}/subgroups",
        listing.SubgroupsParams,
        listing.subgroups,
    ),
    Route(
        "POST",
        "/user_groups/{user_group_id:int}/subgroups",
        editing.UpdateSubgroupsParams,
        editing.update_subgroups,
    ),
)
