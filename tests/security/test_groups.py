"""Attacks by way of user groups and group-setting values."""

from typing import Any

import pytest

from chatcore.application.groups import editing
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import FIRST_NAMED_GROUP, SystemGroup
from chatcore.domain.ids import GroupId
from chatcore.domain.limits import Limits
from chatcore.storage import Transaction
from tests.worlds.groups import MEMBERS, deactivates, fills, group, just, makes, patches
from tests.worlds.organization import NOW, Line, MakeWorld, Someone, World

TABLES = ("user_group", "user_group_member", "user_group_subgroup", "event")


def counts(world: World) -> list[int]:
    return [world.count(table) for table in TABLES]


# -- 18 ---------------------------------------------------------------------------------------------


def test_sec_18_a_guest_gets_no_right_through_nested_groups(
    world: World, ada: Someone, olga: Someone, gus: Someone
) -> None:
    """Guests are in the nested groups here, and get no permission by it."""
    inner = makes(ada, "inner", gus)
    outer = makes(ada, "outer", holding=(inner, 7))
    patches(ada, outer, can_manage_group={"new": outer}, can_add_members_group={"new": outer})
    ada.joins(
        "den",
        invite_only=True,
        can_administer_channel_group=outer,
        can_add_subscribers_group=outer,
        can_subscribe_group=just(gus, groups=(outer,)),
    )
    ada.says("between us", "den")
    world.change_organization(
        permissions={
            "can_manage_all_groups": GroupSetting.of(outer, members=[world.users["gus"].id]),
            "can_create_groups": GroupSetting.of(outer),
            "can_create_public_channel_group": GroupSetting.of(outer),
        }
    )
    before = counts(world)
    path = f"/user_groups/{outer}"
    gus.refused("PATCH", path, name="mine", can_manage_group={"new": just(gus)})
    gus.refused("POST", f"{path}/members", add=[gus.id])
    gus.refused("POST", "/user_groups/create", name="mine", description="", members=[gus.id])
    gus.refused("POST", f"{path}/deactivate")
    gus.refused("POST", "/users/me/subscriptions", subscriptions=[{"name": "den"}])
    gus.refused("POST", "/users/me/subscriptions", subscriptions=[{"name": "mine"}])
    assert gus.finds("channel:lunch") == []
    assert gus.finds("search:between") == []
    assert "den" not in [channel["name"] for channel in gus.get("/streams", include_all=True)["streams"]]
    assert counts(world) == before
    state = gus.registers(event_types=["stream", "subscription"]).state
    named = [one["name"] for part in ("streams", "subscriptions", "never_subscribed") for one in state[part]]
    assert "den" not in named


def test_sec_18_no_value_can_name_guests_where_they_hold_nothing(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    for value in (7, 8, just(ada, groups=(7,)), just(groups=(8, 6))):
        ada.refused("PATCH", f"/user_groups/{cooks}", can_manage_group={"new": value})


# -- 20 ---------------------------------------------------------------------------------------------


def test_sec_20_bad_values_are_refused_without_a_trace(world: World, ada: Someone, bea: Someone) -> None:
    gone, cooks = makes(ada, "gone"), makes(ada, "cooks", ada)
    deactivates(ada, gone)
    ida = world.add_user("ida", is_active=False)
    line, seen, before = ada.opens_queue("user_group"), group(ada, cooks), counts(world)
    for value in (
        gone,
        0,
        -1,
        987654,
        2**62,
        just(ida),
        just(0),
        just(-5),
        just(2**62),
        just(groups=(gone, 6)),
    ):
        ada.refused("PATCH", f"/user_groups/{cooks}", name="new", can_join_group={"new": value})
        ada.refused("POST", "/user_groups/create", name="x", description="", members=[], can_join_group=value)
    for members in ([ida.id], [0], [-1], [2**62], [bea.id, 987654]):
        ada.refused("POST", f"/user_groups/{cooks}/members", add=members)
        ada.refused("POST", "/user_groups/create", name="x", description="", members=members)
    answer = ada.refused(
        "PATCH",
        f"/user_groups/{cooks}",
        code="EXPECTATION_MISMATCH",
        name="new",
        can_join_group={"new": MEMBERS, "old": MEMBERS},
    )
    assert answer["field_name"] == "old"
    for huge in (2**63, 10**30):
        response = ada.request("POST", f"/user_groups/{cooks}/members", add=[huge])
        assert response.status_code == 400
    assert group(ada, cooks) == seen
    assert line.events() == []
    assert counts(world) == before


def chain(world: World, length: int) -> list[int]:
    """Groups of which each holds the one before, made behind the API's back; ada is in the first."""

    def write(tx: Transaction) -> list[int]:
        made: list[GroupId] = []
        owner = world.users["ada"].id
        for number in range(length):
            group = tx.groups.add(
                {
                    "name": f"link {number}",
                    "date_created": NOW,
                    "creator_id": owner,
                    "settings": dict.fromkeys(SETTING_NAMES, GroupSetting.of(members=[owner])),
                }
            )
            if made:
                tx.groups.add_subgroups(group.id, made[-1:])
            made.append(group.id)
        tx.groups.add_members(made[0], [owner])
        return list(map(int, made))

    return world.storage.write(write)


SETTING_NAMES = (
    "can_add_members_group",
    "can_join_group",
    "can_leave_group",
    "can_manage_group",
    "can_mention_group",
    "can_remove_members_group",
)


def test_sec_20_a_circle_of_any_length_is_refused(world: World, ada: Someone) -> None:
    links = chain(world, 51)
    line = ada.opens_queue("user_group")
    for length in (1, 2, 50, 51):
        before = counts(world)
        path = f"/user_groups/{links[0]}"
        ada.refused("POST", f"{path}/subgroups", add=[links[length - 1]])
        ada.refused("POST", f"{path}/members", add=[world["bea"].id], add_subgroups=[links[length - 1]])
        assert counts(world) == before
    assert line.events() == []
    ada.post(f"/user_groups/{links[50]}/subgroups", delete=[links[49]])
    ada.post(f"/user_groups/{links[0]}/subgroups", add=[links[50]])


def test_sec_20_the_depth_of_groups_is_limited(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_group_depth=10))
    ada = world["ada"]
    inner = makes(ada, "group 0", ada)
    for number in range(1, 11):
        inner = makes(ada, f"group {number}", holding=(inner,))
    before = counts(world)
    ada.refused("POST", "/user_groups/create", name="x", description="", members=[], subgroups=[inner])
    other = makes(ada, "other")
    ada.refused("POST", f"/user_groups/{other}/subgroups", add=[inner])
    ada.refused("POST", f"/user_groups/{inner - 10}/subgroups", add=[other])
    ada.refused("POST", f"/user_groups/{inner - 9}/subgroups", add=[FIRST_NAMED_GROUP - 1])
    assert counts(world)[2] == before[2]
    ada.post(f"/user_groups/{inner - 9}/subgroups", add=[other])


def test_sec_20_the_width_of_groups_is_limited(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_direct_subgroups=3))["ada"]
    cooks = makes(ada, "cooks", holding=(1, 2))
    ada.refused("POST", f"/user_groups/{cooks}/subgroups", add=[3, 4])
    ada.post(f"/user_groups/{cooks}/subgroups", add=[3])
    ada.refused("POST", "/user_groups/create", name="x", description="", members=[], subgroups=[1, 2, 3, 4])


def test_sec_20_rights_are_found_in_time_however_deep_and_wide(world: World, ada: Someone) -> None:
    """The nesting is deeper than the API allows."""
    links = chain(world, 3_000)
    top = links[-1]
    people = world.add_people(2_000, to="lunch")
    world.storage.write(lambda tx: tx.groups.add_members(GroupId(links[0]), people))
    world.storage.write(
        lambda tx: tx.groups.update(
            GroupId(links[0]),
            settings=dict.fromkeys(SETTING_NAMES, GroupSetting.of(top)),
        )
    )
    patches(ada, links[0], description="managed from afar")
    ada.refused("POST", f"/user_groups/{links[0]}/subgroups", add=[top])
    world["bea"].refused("PATCH", f"/user_groups/{links[0]}", name="x")
    assert len(ada.get(f"/user_groups/{top}/members")["members"]) == 2_001
    assert len(ada.get(f"/user_groups/{top}/subgroups")["subgroups"]) == 2_999
    assert ada.get(f"/user_groups/{top}/members/{ada.id}")["is_user_group_member"]


# -- 21 ---------------------------------------------------------------------------------------------


def test_sec_21_rights_end_with_the_membership_that_gave_them(
    ada: Someone, bea: Someone, cem: Someone
) -> None:
    inner = makes(ada, "inner", bea)
    managers = makes(ada, "managers", holding=(inner,))
    cooks = makes(ada, "cooks", can_manage_group=just(ada, groups=(managers,)))
    patches(bea, cooks, description="mine")

    def require_powerless(who: Someone) -> None:
        who.refused("PATCH", f"/user_groups/{cooks}", name="taken")
        who.refused("POST", f"/user_groups/{cooks}/members", add=[who.id])
        who.refused("POST", f"/user_groups/{cooks}/members", add=[cem.id])
        who.refused("POST", f"/user_groups/{cooks}/subgroups", add=[inner])
        who.refused("POST", f"/user_groups/{cooks}/deactivate")

    fills(ada, inner, delete=[bea.id])
    require_powerless(bea)
    fills(ada, inner, add=[bea.id])
    fills(ada, managers, delete_subgroups=[inner])
    require_powerless(bea)
    fills(ada, managers, add=[bea.id])
    patches(ada, cooks, can_manage_group={"new": just(ada)})
    require_powerless(bea)
    assert group(ada, cooks)["name"] == "cooks"


def test_sec_21_a_demoted_user_has_no_rights_of_a_second_ago(
    world: World, ada: Someone, bea: Someone, olga: Someone
) -> None:
    cooks = makes(ada, "cooks", bea, can_manage_group=just(bea, groups=(MEMBERS,)))
    patches(bea, cooks, description="mine")
    world.change_user("bea", role=600)
    bea.refused("PATCH", f"/user_groups/{cooks}", name="taken")
    bea.refused("POST", f"/user_groups/{cooks}/members", add=[bea.id])
    patches(olga, cooks, description="owner's")
    world.change_user("olga", role=400)
    other = makes(ada, "other")
    olga.refused("PATCH", f"/user_groups/{other}", name="taken")


def test_sec_21_another_process_knows_at_once(make_world: MakeWorld) -> None:
    here, there = make_world(), make_world()
    ada, bea = here["ada"], there["bea"]
    managers = makes(ada, "managers", bea)
    cooks = makes(ada, "cooks", can_manage_group=managers)
    for number in range(5):
        patches(bea, cooks, description=str(number))
        fills(ada, managers, delete=[bea.id])
        bea.refused("PATCH", f"/user_groups/{cooks}", name="taken")
        fills(ada, managers, add=[bea.id])


def test_sec_21_a_right_that_ends_while_a_request_runs_is_not_used(world: World) -> None:
    """A use case reads the actor's rights again, because they may have changed since authentication."""
    ada, bea = world["ada"], world["bea"]
    managers = makes(ada, "managers", bea)
    cooks = makes(ada, "cooks", can_manage_group=managers)
    stale = bea.actor
    fills(ada, managers, delete=[bea.id])
    with pytest.raises(BadRequest, match="Insufficient permission"):
        editing.update(world.svc, stale, cooks, editing.GroupChanges(name="taken"))


# -- 22 ---------------------------------------------------------------------------------------------


def test_sec_22_values_name_only_people_one_may_know_of(world: World, ada: Someone, gus: Someone) -> None:
    """A guest that knows ada and bea only, from its channel, reads everything that has a value in it."""
    limit = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    cem = world["cem"]
    value = GroupSetting.of(members=[world.users["ada"].id, world.users["cem"].id])
    world.change_organization(permissions={**limit, "can_invite_users_group": value})
    line: Line = gus.registers()
    cooks = makes(ada, "cooks", ada, cem, can_join_group=just(ada, cem), can_mention_group=just(cem))
    patches(ada, cooks, can_leave_group={"new": just(ada, cem)})
    ada.joins("pantry", is_web_public=False, can_send_message_group=just(ada, cem))
    ada.joins("pantry", principals=[gus.id])
    events = line.events()
    assert {"user_group", "stream", "subscription"} <= {event["type"] for event in events}
    state = gus.registers(**{"client_capabilities": {"notification_settings_null": True}}).state
    listed = gus.get("/streams"), gus.get("/users/me/subscriptions")
    found = [*values_in(events), *values_in(state), *values_in(listed)]
    assert len(found) > 10
    for one in found:
        assert cem.id not in one["direct_members"]
    assert any(one["direct_members"] == [ada.id] for one in found)
    (seen,) = [one for one in state["realm_user_groups"] if one["id"] == cooks]
    assert seen["members"] == [ada.id]
    assert all(cem.id not in one["members"] for one in state["realm_user_groups"])
    assert state["realm_can_invite_users_group"] == just(ada)


def values_in(data: Any) -> list[dict[str, Any]]:
    """Every group-setting value that is an object, wherever it is."""
    if isinstance(data, dict):
        if set(data) == {"direct_members", "direct_subgroups"}:
            return [data]
        return [value for part in data.values() for value in values_in(part)]
    if isinstance(data, list | tuple):
        return [value for part in data for value in values_in(part)]
    return []
