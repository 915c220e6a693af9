"""Helpers for the tests of user groups."""

from typing import Any

from tests.worlds.organization import Line, Someone

NOBODY, OWNERS, ADMINISTRATORS, MODERATORS, FULL_MEMBERS, MEMBERS, EVERYONE, INTERNET = range(1, 9)
SETTINGS = (
    "can_add_members_group",
    "can_join_group",
    "can_leave_group",
    "can_manage_group",
    "can_mention_group",
    "can_remove_members_group",
)


def makes(
    who: Someone, name: str, *members: Someone | int, holding: tuple[int, ...] = (), **more: Any
) -> int:
    """Make a group; return its id."""
    given = {"description": "", "members": ids(*members), **more}
    if holding:
        given["subgroups"] = list(holding)
    return who.post("/user_groups/create", name=name, **given)["group_id"]  # type: ignore[no-any-return]


def ids(*users: Someone | int) -> list[int]:
    return [one if isinstance(one, int) else one.id for one in users]


def just(*users: Someone | int, groups: tuple[int, ...] = ()) -> dict[str, list[int]]:
    """Return the group-setting value of these users and groups."""
    return {"direct_members": sorted(ids(*users)), "direct_subgroups": sorted(groups)}


def patches(who: Someone, group_id: int, **changes: Any) -> None:
    done(who, "PATCH", f"/user_groups/{group_id}", **changes)


def fills(who: Someone, group_id: int, **changes: Any) -> None:
    done(who, "POST", f"/user_groups/{group_id}/members", **changes)


def deactivates(who: Someone, group_id: int) -> None:
    done(who, "POST", f"/user_groups/{group_id}/deactivate")


def done(who: Someone, method: str, path: str, **parameters: Any) -> None:
    response = who.request(method, path, **parameters)
    assert response.status_code == 200, response.get_json()


def group(who: Someone, group_id: int) -> dict[str, Any]:
    """Return a group as it is in the list."""
    listed = who.get("/user_groups", include_deactivated_groups=True)["user_groups"]
    (found,) = [one for one in listed if one["id"] == group_id]
    return found  # type: ignore[no-any-return]


def announced(line: Line) -> list[dict[str, Any]]:
    """Return the group events of a queue, without their common fields."""
    return [
        {name: value for name, value in event.items() if name not in ("id", "type")}
        for event in line.events("user_group")
    ]
