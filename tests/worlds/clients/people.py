"""A client's handling of events about users and groups."""

from collections.abc import Mapping
from typing import Any

from tests.worlds.clients.state import PEOPLE, Event, State


def user_added(state: State, event: Event) -> None:
    person = dict(event["person"])
    to, other = PEOPLE if person.pop("is_active") else PEOPLE[::-1]
    state[other].pop(person["user_id"], None)
    state[to][person["user_id"]] = person


def user_removed(state: State, event: Event) -> None:
    number = event["person"]["user_id"]
    for user in [state[name].pop(number) for name in PEOPLE if number in state[name]]:
        state["presences"].pop(user["email"], None)
    state["user_status"].pop(str(number), None)
    state["presences"].pop(str(number), None)


def user_updated(state: State, event: Event) -> None:
    changes = dict(event["person"])
    number = changes.pop("user_id")
    if (is_active := changes.pop("is_active", None)) is not None:
        _change_state(state, number, is_active=is_active)
    if "new_email" in changes:
        changes["email"] = changes.pop("new_email")
    if (role := changes.get("role")) is not None:
        changes.update(is_owner=role == 100, is_admin=role <= 200, is_guest=role == 600)
    field = changes.pop("custom_profile_field", None)
    for user in [state[name][number] for name in PEOPLE if number in state[name]]:
        if "email" in changes and user["email"] in state["presences"]:
            state["presences"][changes["email"]] = state["presences"].pop(user["email"])
        user.update({name: value for name, value in changes.items() if name in user})
        if user["delivery_email"] is not None and _makes_pictures(state, user["avatar_url"]):
            user["avatar_url"] = None
        if field is not None:
            _fill_field(user["profile_data"], field)
    if number == state["user_id"]:
        _update_myself(state, changes)
    if number in state["realm_bots"] and "email" in changes:
        state["realm_bots"][number]["email"] = changes["email"]


def _change_state(state: State, number: int, *, is_active: bool) -> None:
    """Move a user between the lists of active and deactivated users; presences of deactivated users are
    dropped.
    """
    to, other = PEOPLE if is_active else PEOPLE[::-1]
    if (user := state[other].pop(number, None)) is None:
        return
    state[to][number] = user
    if not is_active:
        state["user_status"].pop(str(number), None)
        for key in (str(number), user["email"]):
            state["presences"].pop(key, None)


def _makes_pictures(state: State, url: str | None) -> bool:
    """Whether the client derives a picture from the address, instead of a generated one."""
    return bool(state["asked"]["client_gravatar"]) and url is not None and "/user-" in url


def _fill_field(data: dict[str, Any], field: Mapping[str, Any]) -> None:
    data.pop(str(field["id"]), None)
    if field["value"] is not None:
        data[str(field["id"])] = {name: value for name, value in field.items() if name != "id"}


def _update_myself(state: State, changes: Mapping[str, Any]) -> None:
    if "role" in changes:
        state["is_moderator"] = changes["role"] <= 300
    state.update({name: value for name, value in changes.items() if name in state})


def bot_added(state: State, event: Event) -> None:
    state["realm_bots"][event["bot"]["user_id"]] = event["bot"]


def bot_updated(state: State, event: Event) -> None:
    state["realm_bots"][event["bot"]["user_id"]].update(event["bot"])


def bot_removed(state: State, event: Event) -> None:
    del state["realm_bots"][event["bot"]["user_id"]]


def user_status(state: State, event: Event) -> None:
    number = str(event["user_id"])
    changes = {name: value for name, value in event.items() if name not in ("id", "type", "user_id")}
    status = {**state["user_status"].pop(number, {}), **changes}
    if status := {name: value for name, value in status.items() if value}:
        state["user_status"][number] = status


def presence(state: State, event: Event) -> None:
    if state["asked"].get("slim_presence"):
        state["presences"].update(event["presences"])
        return
    announced = event["presence"]["website"]
    whole = {name: announced[name] for name in ("client", "status", "timestamp")}
    state["presences"][event["email"]] = {"aggregated": whole, "website": announced}


def typing(state: State, event: Event) -> None:
    """Check that a client with the complete list of users finds everybody in it.
    The state does not change.
    """
    people = [event["sender"], *event.get("recipients", ())]
    if not state["asked"]["client_capabilities"].get("user_list_incomplete"):
        assert all(person["user_id"] in state["realm_users"] for person in people)


def user_setting(state: State, event: Event) -> None:
    state["user_settings"][event["property"]] = event["value"]


def display_setting(state: State, event: Event) -> None:
    state[event["setting_name"]] = event["setting"]


def notification_setting(state: State, event: Event) -> None:
    state[event["notification_name"]] = event["setting"]


# -- groups -----------------------------------------------------------------------------------------


def group_added(state: State, event: Event) -> None:
    group = dict(event["group"])
    for name in ("members", "direct_subgroup_ids"):
        group[name] = set(group[name])
    state["realm_user_groups"][group["id"]] = group


def group_removed(state: State, event: Event) -> None:
    del state["realm_user_groups"][event["group_id"]]


def group_updated(state: State, event: Event) -> None:
    state["realm_user_groups"][event["group_id"]].update(event["data"])


def group_members_added(state: State, event: Event) -> None:
    state["realm_user_groups"][event["group_id"]]["members"] |= set(event["user_ids"])


def group_members_removed(state: State, event: Event) -> None:
    state["realm_user_groups"][event["group_id"]]["members"] -= set(event["user_ids"])


def subgroups_added(state: State, event: Event) -> None:
    state["realm_user_groups"][event["group_id"]]["direct_subgroup_ids"] |= set(event["direct_subgroup_ids"])


def subgroups_removed(state: State, event: Event) -> None:
    state["realm_user_groups"][event["group_id"]]["direct_subgroup_ids"] -= set(event["direct_subgroup_ids"])
