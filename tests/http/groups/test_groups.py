"""User groups: making, reading, changing, filling and deactivating them."""

from dataclasses import replace
from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.limits import Limits
from tests.worlds.groups import (
    ADMINISTRATORS,
    EVERYONE,
    FULL_MEMBERS,
    INTERNET,
    MEMBERS,
    MODERATORS,
    NOBODY,
    OWNERS,
    SETTINGS,
    deactivates,
    fills,
    group,
    just,
    makes,
    patches,
)
from tests.worlds.organization import NOW, MakeWorld, Someone, World


def refused_patch(who: Someone, group_id: int, **changes: Any) -> dict[str, Any]:
    return who.refused("PATCH", f"/user_groups/{group_id}", **changes)


def refused_fill(who: Someone, group_id: int, **changes: Any) -> dict[str, Any]:
    return who.refused("POST", f"/user_groups/{group_id}/members", **changes)


# -- making -----------------------------------------------------------------------------------------


@pytest.mark.shows(
    "conventions.unix-seconds", "setting.number", "setting.object", "group.fields", "group.defaults",
    "group.id", "create-group.subgroups", "create-group.permissions", "create-group.answer",
    "change.subgroups",
)  # fmt: skip
def test_a_new_group_has_what_was_asked_for(ada: Someone, bea: Someone, cem: Someone) -> None:
    inner = makes(bea, "inner", bea)
    made = makes(
        ada,
        " night shift ",
        bea,
        cem,
        bea,
        holding=(MODERATORS, inner),
        description="any\ntext",
        can_join_group=MEMBERS,
        can_mention_group=just(cem, groups=(inner,)),
    )
    assert group(ada, made) == {
        "id": made,
        "name": "night shift",
        "description": "any\ntext",
        "creator_id": ada.id,
        "date_created": NOW,
        "members": sorted([bea.id, cem.id]),
        "direct_subgroup_ids": sorted([MODERATORS, inner]),
        "is_system_group": False,
        "deactivated": False,
        "can_add_members_group": just(ada),
        "can_join_group": MEMBERS,
        "can_leave_group": EVERYONE,
        "can_manage_group": just(ada),
        "can_mention_group": just(cem, groups=(inner,)),
        "can_remove_members_group": NOBODY,
    }


@pytest.mark.shows("create-group.required")
@pytest.mark.parametrize("missing", ["name", "description", "members"])
def test_a_new_group_needs_name_description_and_members(ada: Someone, missing: str) -> None:
    given = {"name": "cooks", "description": "", "members": []}
    del given[missing]
    ada.refused("POST", "/user_groups/create", code="REQUEST_VARIABLE_MISSING", **given)


@pytest.mark.parametrize(
    "name", ["", " ", "x" * 101, "@x", "role:x", "user:x", "stream:x", "channel:x", "a\nb"]
)
def test_names_outside_the_rules_are_refused(ada: Someone, name: str) -> None:
    ada.refused("POST", "/user_groups/create", name=name, description="", members=[])
    cooks = makes(ada, "cooks")
    refused_patch(ada, cooks, name=name)
    assert group(ada, cooks)["name"] == "cooks"


def test_names_are_taken_for_good_and_letter_case_counts(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks")
    makes(ada, "Cooks")
    deactivates(ada, cooks)
    ada.refused("POST", "/user_groups/create", name=" cooks ", description="", members=[])
    waiters = makes(ada, "waiters")
    refused_patch(ada, waiters, name="cooks")
    patches(ada, cooks, name="chefs")
    patches(ada, waiters, name="cooks")


def test_descriptions_are_limited(ada: Someone) -> None:
    ada.refused("POST", "/user_groups/create", name="cooks", description="x" * 10_001, members=[])


@pytest.mark.parametrize(
    ("who", "value", "may"),
    [
        ("ada", None, True),
        ("robo", None, True),
        ("gus", None, False),
        ("ada", ADMINISTRATORS, False),
        ("adi", 3, True),
    ],
)
def test_creating_groups_needs_permission(world: World, who: str, value: int | None, may: bool) -> None:
    if value is not None:
        world.change_organization(permissions={"can_create_groups": GroupSetting.of(value)})
    if may:
        makes(world[who], "cooks")
    else:
        before = world.count("user_group")
        world[who].refused("POST", "/user_groups/create", name="cooks", description="", members=[])
        assert world.count("user_group") == before


@pytest.mark.shows(
    "group.manage-not-everyone", "group.mention-not-owners", "group-state.no-permission",
    "create-group.subgroups", "create-group.invalid-user", "code.bad-request",
)  # fmt: skip
def test_only_active_people_and_groups_can_be_put_into_a_new_group(world: World, ada: Someone) -> None:
    ida = world.add_user("ida", is_active=False)
    gone = makes(ada, "gone")
    deactivates(ada, gone)
    for what in (
        {"members": [ada.id, ida.id]},
        {"members": [987654]},
        {"members": [world.users["system"].id]},
        {"subgroups": [gone]},
        {"subgroups": [987654]},
        {"can_join_group": gone},
        {"can_join_group": 987654},
        {"can_join_group": just(ida)},
        {"can_join_group": just(987654)},
        {"can_join_group": just(groups=(gone, MEMBERS))},
        {"can_join_group": INTERNET},
        {"can_manage_group": EVERYONE},
        {"can_manage_group": INTERNET},
        {"can_manage_group": just(ada, groups=(EVERYONE,))},
        {"can_mention_group": OWNERS},
        {"can_mention_group": INTERNET},
    ):
        before = world.count("user_group"), world.count("user_group_member")
        answer = ada.refused(
            "POST", "/user_groups/create", **{"name": "x", "description": "", "members": [], **what}
        )
        assert (world.count("user_group"), world.count("user_group_member")) == before
        if "members" in what:
            assert str(what["members"][-1]) in answer["msg"]  # type: ignore[index]


def test_the_number_of_groups_is_limited(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_groups=10))
    makes(world["ada"], "one")
    makes(world["ada"], "two")
    world["ada"].refused("POST", "/user_groups/create", name="three", description="", members=[])


# -- reading ----------------------------------------------------------------------------------------


@pytest.mark.shows("group.id", "group.deactivated", "named.groups")
def test_groups_are_listed_by_id_and_deactivated_ones_on_request(ada: Someone) -> None:
    cooks, waiters = makes(ada, "cooks"), makes(ada, "waiters")
    ada.delete(f"/user_groups/{cooks}")  # the older name of deactivating it
    system = list(range(NOBODY, INTERNET + 1))
    assert [one["id"] for one in ada.get("/user_groups")["user_groups"]] == [*system, waiters]
    everything = ada.get("/user_groups", include_deactivated_groups=True)["user_groups"]
    assert [one["id"] for one in everything] == [*system, cooks, waiters]


@pytest.mark.shows("setting.system-groups")
def test_system_groups_are_listed_like_others(world: World, ada: Someone) -> None:
    listed = {one["name"]: one for one in ada.get("/user_groups")["user_groups"]}
    members = {
        name: [world_name(world, user_id) for user_id in one["members"]] for name, one in listed.items()
    }
    people = ["ada", "bea", "cem", "robo"]
    assert members == {
        "role:nobody": [],
        "role:owners": ["olga"],
        "role:administrators": ["adi"],
        "role:moderators": ["mona"],
        "role:fullmembers": people,
        "role:members": people,
        "role:everyone": ["gus"],
        "role:internet": [],
    }
    for one in listed.values():
        assert one["is_system_group"] is True
        assert one["creator_id"] is None
        assert one["date_created"] == world.storage.read(lambda s: s.organization.get().date_created)
        assert {one[name] for name in SETTINGS} == {NOBODY}
    assert listed["role:everyone"]["direct_subgroup_ids"] == [MEMBERS]


def world_name(world: World, user_id: int) -> str:
    (name,) = [name for name, user in world.users.items() if user.id == user_id]
    return name


def test_members_and_subgroups_are_read_with_and_without_those_below(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    inner = makes(ada, "inner", cem, holding=(OWNERS,))
    middle = makes(ada, "middle", bea, holding=(inner,))
    outer = makes(ada, "outer", ada, holding=(middle,))
    path = f"/user_groups/{outer}"
    olga = world["olga"]
    assert bea.get(f"{path}/members")["members"] == sorted([ada.id, bea.id, cem.id, olga.id])
    assert bea.get(f"{path}/members", direct_member_only=True)["members"] == [ada.id]
    assert bea.get(f"{path}/subgroups")["subgroups"] == [OWNERS, inner, middle]
    assert bea.get(f"{path}/subgroups", direct_subgroup_only=True)["subgroups"] == [middle]

    def is_in(who: Someone, **parameters: bool) -> bool:
        answer = bea.get(f"{path}/members/{who.id}", **parameters)
        return answer["is_user_group_member"]  # type: ignore[no-any-return]

    assert is_in(olga)
    assert not is_in(olga, direct_member_only=True)
    assert is_in(ada, direct_member_only=True)
    assert not is_in(world["gus"])
    bea.refused("GET", f"{path}/members/987654")
    world.change_user("cem", is_active=False)
    assert cem.id not in bea.get(f"{path}/members")["members"]
    assert not is_in(cem)
    assert cem.id not in group(bea, inner)["members"]


def test_everyone_is_in_everyone(world: World, ada: Someone) -> None:
    everyone = ada.get(f"/user_groups/{EVERYONE}/members")["members"]
    assert everyone == sorted(user.id for name, user in world.users.items() if name != "system")
    assert ada.get(f"/user_groups/{INTERNET}/subgroups")["subgroups"] == list(range(OWNERS, INTERNET))


@pytest.mark.shows("update-group.invalid", "code.bad-request")
@pytest.mark.parametrize("group_id", [0, 987654])
def test_a_group_that_is_not_there(ada: Someone, group_id: int) -> None:
    path = f"/user_groups/{group_id}"
    for method, where, parameters in (
        ("GET", "/members", {}),
        ("GET", f"/members/{ada.id}", {}),
        ("GET", "/subgroups", {}),
        ("PATCH", "", {"name": "x"}),
        ("POST", "/members", {"add": [ada.id]}),
        ("POST", "/subgroups", {"add": [MEMBERS]}),
        ("POST", "/deactivate", {}),
    ):
        assert ada.refused(method, path + where, **parameters)["msg"] == "Invalid user group"


# -- changing ---------------------------------------------------------------------------------------


@pytest.mark.shows("setting.new", "update-group.fields")
def test_a_group_is_changed(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea)
    patches(ada, cooks, name="chefs", description="They cook.", can_join_group={"new": MEMBERS})
    changed = group(ada, cooks)
    assert (changed["name"], changed["description"], changed["can_join_group"]) == (
        "chefs",
        "They cook.",
        MEMBERS,
    )


@pytest.mark.shows("update-group.fields")
def test_a_change_needs_something_to_change(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    refused_patch(ada, cooks)
    patches(ada, cooks, deactivated=True)
    assert group(ada, cooks)["deactivated"] is False
    patches(ada, cooks, deactivated=False, name="cooks", description="")


@pytest.mark.shows("group.manage-not-everyone")
def test_a_change_is_made_as_a_whole_or_not_at_all(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    before = group(ada, cooks)
    refused_patch(ada, cooks, name="chefs", description="new", can_join_group={"new": INTERNET})
    refused_patch(ada, cooks, name="chefs", can_join_group={"new": 6}, can_manage_group={"new": 7})
    assert group(ada, cooks) == before


@pytest.mark.shows("setting.number")
@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({"direct_members": [], "direct_subgroups": []}, NOBODY),
        ({"direct_members": [], "direct_subgroups": [4]}, MODERATORS),
        (
            {"direct_members": [], "direct_subgroups": [4, 3, 4]},
            {"direct_members": [], "direct_subgroups": [3, 4]},
        ),
        (5, FULL_MEMBERS),
    ],
)
def test_values_are_stored_in_their_plain_form(ada: Someone, given: Any, stored: Any) -> None:
    cooks = makes(ada, "cooks", can_join_group=given)
    assert group(ada, cooks)["can_join_group"] == stored
    patches(ada, cooks, can_leave_group={"new": given, "old": EVERYONE})
    assert group(ada, cooks)["can_leave_group"] == stored


@pytest.mark.shows("setting.old", "update-group.expected")
def test_old_values_sent_by_the_client_must_be_current(ada: Someone, bea: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", can_join_group=just(bea, cem, groups=(MODERATORS,)))
    other_order = {"direct_members": [cem.id, bea.id, cem.id], "direct_subgroups": [MODERATORS]}
    line = ada.opens_queue("user_group")
    for old in (just(bea, groups=(MODERATORS,)), MODERATORS, just(bea, cem), NOBODY, just()):
        answer = ada.refused(
            "PATCH",
            f"/user_groups/{cooks}",
            code="EXPECTATION_MISMATCH",
            name="chefs",
            can_join_group={"new": MEMBERS, "old": old},
        )
        assert answer["field_name"] == "old"
    assert group(ada, cooks)["name"] == "cooks"
    assert line.events() == []
    patches(ada, cooks, can_join_group={"new": MEMBERS, "old": other_order})
    patches(ada, cooks, can_join_group={"new": NOBODY, "old": just(groups=(MEMBERS,))})
    patches(ada, cooks, can_join_group={"new": MEMBERS, "old": None})
    assert group(ada, cooks)["can_join_group"] == MEMBERS


@pytest.mark.shows("setting.old", "update-group.expected")
@pytest.mark.parametrize("name", SETTINGS)
def test_each_permission_of_a_group_is_changed_only_from_what_it_is(
    ada: Someone, bea: Someone, name: str
) -> None:
    cooks = makes(ada, "cooks", **{name: just(ada, bea)})
    answer = ada.refused(
        "PATCH",
        f"/user_groups/{cooks}",
        code="EXPECTATION_MISMATCH",
        **{name: {"new": MEMBERS, "old": NOBODY}},
    )
    assert answer["field_name"] == "old"
    assert group(ada, cooks)[name] == just(ada, bea)
    patches(ada, cooks, **{name: {"new": MEMBERS, "old": just(ada, bea)}})
    assert group(ada, cooks)[name] == MEMBERS


@pytest.mark.shows("setting.old")
def test_a_value_is_compared_as_it_is_seen(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", can_join_group=just(bea, cem))
    world.change_user("cem", is_active=False)
    assert group(ada, cooks)["can_join_group"] == just(bea)
    line = ada.opens_queue("user_group")
    patches(ada, cooks, can_join_group={"new": just(bea), "old": just(bea)})
    assert line.events() == []
    world.change_user("cem", is_active=True)
    assert group(ada, cooks)["can_join_group"] == just(bea, cem)
    patches(ada, cooks, can_join_group={"new": just(cem), "old": just(bea, cem)})
    world.change_user("cem", is_active=False)
    assert group(ada, cooks)["can_join_group"] == just()
    patches(ada, cooks, can_join_group={"new": MEMBERS, "old": just()})


@pytest.mark.shows("setting.new")
@pytest.mark.parametrize("update", [{}, {"old": NOBODY}, {"new": None}])
def test_an_update_needs_a_new_value(ada: Someone, update: dict[str, Any]) -> None:
    cooks = makes(ada, "cooks")
    refused_patch(ada, cooks, can_join_group=update)


@pytest.mark.shows("setting.two-forms", "setting.object", "change.settings-as-objects")
@pytest.mark.parametrize(
    "update", ["6", 6, [6], {"new": "6"}, {"new": {"direct_members": []}}, {"new": {"direct_subgroups": [6]}}]
)
def test_a_value_has_one_of_its_two_forms(ada: Someone, update: Any) -> None:
    cooks = makes(ada, "cooks")
    ada.refused("PATCH", f"/user_groups/{cooks}", can_join_group=update)


def test_huge_values_are_refused(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_ids_per_request=3))
    ada = world["ada"]
    cooks = makes(ada, "cooks")
    for value in (just(1, 2, 3, 4), just(groups=(1, 2, 3, 4))):
        assert "Too many" in refused_patch(ada, cooks, can_join_group={"new": value})["msg"]
    assert "Too many" in refused_fill(ada, cooks, add=[1, 2, 3, 4])["msg"]
    assert "Too many" in refused_fill(ada, cooks, delete=[1, 2, 3, 4])["msg"]
    assert "Too many" in refused_fill(ada, cooks, add_subgroups=[1, 2, 3, 4])["msg"]


# -- permissions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("group_id", range(NOBODY, INTERNET + 1))
def test_system_groups_cannot_be_changed(olga: Someone, group_id: int) -> None:
    before = group(olga, group_id)
    for changes in (
        {"name": "x"},
        {"description": "x"},
        {"deactivated": False},
        {"can_join_group": {"new": 6}},
    ):
        assert refused_patch(olga, group_id, **changes)["msg"] == "Insufficient permission"
    for changes in (
        {"add": [olga.id]},
        {"delete": [olga.id]},
        {"add_subgroups": [1]},
        {"delete_subgroups": [2]},
    ):
        assert refused_fill(olga, group_id, **changes)["msg"] == "Insufficient permission"
    assert olga.refused("POST", f"/user_groups/{group_id}/deactivate")["msg"] == "Insufficient permission"
    assert group(olga, group_id) == before


def test_all_of_it_is_closed_to_guests(world: World, ada: Someone, gus: Someone) -> None:
    cooks = makes(
        ada,
        "cooks",
        gus,
        can_manage_group=just(gus),
        can_join_group=just(gus),
        can_add_members_group=just(gus),
        can_leave_group=just(gus),
        can_remove_members_group=just(gus),
    )
    path = f"/user_groups/{cooks}"
    for method, where, parameters in (
        ("GET", "/user_groups", {}),
        ("POST", "/user_groups/create", {"name": "x", "description": "", "members": []}),
        ("GET", f"{path}/members", {}),
        ("GET", f"{path}/members/{gus.id}", {}),
        ("GET", f"{path}/subgroups", {}),
        ("PATCH", path, {"name": "x"}),
        ("POST", f"{path}/members", {"delete": [gus.id]}),
        ("POST", f"{path}/members", {"add": [ada.id]}),
        ("POST", f"{path}/subgroups", {"add": [MEMBERS]}),
        ("POST", f"{path}/deactivate", {}),
    ):
        assert gus.refused(method, where, **parameters)["msg"] == "Not allowed for guest users"
    assert group(ada, cooks)["members"] == [gus.id]


@pytest.mark.shows("group.manage", "authentication.groups")
def test_owners_manage_all_groups_and_administrators_do_not(
    world: World, ada: Someone, olga: Someone
) -> None:
    cooks = makes(ada, "cooks")
    adi = world["adi"]
    for who, changes in ((adi, {"name": "x"}), (adi, {"deactivated": False})):
        assert refused_patch(who, cooks, **changes)["msg"] == "Insufficient permission"
    refused_fill(adi, cooks, add=[adi.id])
    adi.refused("POST", f"/user_groups/{cooks}/deactivate")
    patches(olga, cooks, name="chefs", can_manage_group={"new": just(olga)})
    refused_patch(ada, cooks, name="cooks")
    fills(olga, cooks, add=[olga.id])
    world.change_organization(permissions={"can_manage_all_groups": GroupSetting.of(ADMINISTRATORS)})
    patches(adi, cooks, name="cooks")


@pytest.mark.shows("setting.who-holds-it", "group.manage", "authentication.groups", "change.manage-group")
def test_managers_may_come_through_groups(ada: Someone, bea: Someone) -> None:
    inner = makes(ada, "inner", bea)
    outer = makes(ada, "outer", holding=(inner,))
    cooks = makes(ada, "cooks", can_manage_group=outer)
    patches(bea, cooks, name="chefs")
    fills(ada, outer, delete_subgroups=[inner])
    refused_patch(bea, cooks, name="cooks")


@pytest.mark.shows(
    "group.join", "group.leave", "fill-group.add", "fill-group.delete", "authentication.groups",
    "change.join-group", "change.leave-group",
)  # fmt: skip
def test_joining_and_leaving_a_group_needs_permission(ada: Someone, bea: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", can_join_group=MEMBERS)
    fills(bea, cooks, add=[bea.id])
    refused_fill(cem, cooks, add=[cem.id, ada.id])
    refused_fill(cem, cooks, add=[ada.id])
    refused_fill(cem, cooks, delete=[bea.id])
    fills(bea, cooks, delete=[bea.id, bea.id])
    assert group(ada, cooks)["members"] == []
    closed = makes(ada, "closed", bea, can_leave_group=NOBODY)
    refused_fill(bea, closed, delete=[bea.id])
    refused_fill(cem, closed, add=[cem.id])


@pytest.mark.shows(
    "group.add-members", "group.remove-members", "change.add-members-group",
    "change.remove-members-group",
)  # fmt: skip
def test_rights_are_those_from_before_the_request(ada: Someone, bea: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", cem, can_join_group=MEMBERS)
    patches(ada, cooks, can_remove_members_group={"new": cooks}, can_add_members_group={"new": cooks})
    refused_fill(bea, cooks, add=[bea.id], delete=[cem.id])
    refused_fill(bea, cooks, add=[bea.id], add_subgroups=[MEMBERS])
    assert group(ada, cooks)["members"] == [cem.id]
    fills(bea, cooks, add=[bea.id])
    fills(bea, cooks, delete=[cem.id], add_subgroups=[MODERATORS])
    refused_fill(bea, cooks, delete_subgroups=[MODERATORS])


# -- members and subgroups --------------------------------------------------------------------------


@pytest.mark.shows(
    "fill-group.add", "fill-group.delete", "fill-group.add-subgroups", "fill-group.delete-subgroups",
    "change.subgroups",
)  # fmt: skip
def test_all_parts_of_a_request_are_done_in_one_go(ada: Someone, bea: Someone, cem: Someone) -> None:
    inner, cooks = makes(ada, "inner"), makes(ada, "cooks", bea, holding=(MODERATORS,))
    fills(ada, cooks, add=[cem.id], delete=[bea.id], add_subgroups=[inner], delete_subgroups=[MODERATORS])
    changed = group(ada, cooks)
    assert (changed["members"], changed["direct_subgroup_ids"]) == ([cem.id], [inner])
    for bad in ({"delete": [ada.id]}, {"add_subgroups": [inner]}, {"delete_subgroups": [MODERATORS]}):
        refused_fill(ada, cooks, add=[bea.id], **bad)
        assert group(ada, cooks) == changed
    # Something just added can be removed at once.
    fills(ada, cooks, add=[bea.id], delete=[bea.id])
    assert group(ada, cooks) == changed


def test_a_request_to_fill_a_group_needs_something_to_do(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    refused_fill(ada, cooks)
    refused_fill(ada, cooks, add=[], delete=[], add_subgroups=[], delete_subgroups=[])
    ada.refused("POST", f"/user_groups/{cooks}/subgroups")
    ada.refused("POST", f"/user_groups/{cooks}/subgroups", add=[], delete=[])


@pytest.mark.shows("fill-group.active-people")
def test_members_of_a_group_cannot_be_added_again(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    inner = makes(ada, "inner", cem)
    cooks = makes(ada, "cooks", bea, holding=(inner,))
    assert str(bea.id) in refused_fill(ada, cooks, add=[ada.id, bea.id])["msg"]
    assert str(cem.id) in refused_fill(ada, cooks, delete=[cem.id])["msg"]
    fills(ada, cooks, add=[cem.id])
    ida = world.add_user("ida")
    fills(ada, cooks, add=[ida.id])
    world.change_user("ida", is_active=False)
    for part in ("add", "delete"):
        for unknown in (ida.id, 987654, world.users["system"].id, -1):
            assert str(unknown) in refused_fill(ada, cooks, **{part: [unknown]})["msg"]


@pytest.mark.shows("fill-subgroups.add", "fill-subgroups.delete")
def test_subgroups_that_cannot_be(ada: Someone) -> None:
    gone, inner, cooks = makes(ada, "gone"), makes(ada, "inner"), makes(ada, "cooks")
    deactivates(ada, gone)
    path = f"/user_groups/{cooks}/subgroups"
    for unknown in (987654, 0, -1, gone, cooks):
        ada.refused("POST", path, add=[inner, unknown])
    ada.post(path, add=[inner, INTERNET])
    ada.refused("POST", path, add=[inner])
    ada.refused("POST", path, delete=[inner, gone])
    assert group(ada, cooks)["direct_subgroup_ids"] == [INTERNET, inner]
    ada.post(path, add=[MEMBERS], delete=[inner])
    assert group(ada, cooks)["direct_subgroup_ids"] == [MEMBERS, INTERNET]


@pytest.mark.shows("group-state.editable", "update-group.deactivated", "level.deactivated-groups")
def test_a_deactivated_group_can_still_be_filled_and_changed(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks")
    deactivates(ada, cooks)
    fills(ada, cooks, add=[bea.id], add_subgroups=[MODERATORS])
    patches(ada, cooks, name="chefs", can_join_group={"new": MEMBERS})
    assert ada.get(f"/user_groups/{cooks}/members", direct_member_only=True)["members"] == [bea.id]
    changed = group(ada, cooks)
    assert (changed["name"], changed["can_join_group"], changed["deactivated"]) == ("chefs", MEMBERS, True)


@pytest.mark.shows("group-state.editable", "update-group.deactivated")
@pytest.mark.parametrize("name", SETTINGS)
def test_each_permission_of_a_deactivated_group_can_be_changed(ada: Someone, name: str) -> None:
    cooks = makes(ada, "cooks", **{name: just(ada)})
    deactivates(ada, cooks)
    line = ada.opens_queue(
        "user_group",
        client_capabilities={"notification_settings_null": True, "include_deactivated_groups": True},
    )
    patches(ada, cooks, **{name: {"new": MODERATORS, "old": just(ada)}})
    assert (group(ada, cooks)[name], group(ada, cooks)["deactivated"]) == (MODERATORS, True)
    assert [event["data"] for event in line.events()] == [{name: MODERATORS}]


def test_users_receive_a_message_saying_who_added_or_removed_them(
    world: World, ada: Someone, bea: Someone, cem: Someone, robo: Someone
) -> None:
    cooks = makes(ada, "cooks", cem)
    assert cem.finds("is:dm") == []
    fills(ada, cooks, add=[ada.id, bea.id, robo.id])
    fills(ada, cooks, delete=[bea.id])
    added, removed = bea.reads("is:dm")
    assert added["sender_id"] == world.users["system"].id
    mention = f'<span class="user-mention silent" data-user-id="{ada.id}">Ada</span>'
    where = f'<span class="user-group-mention silent" data-user-group-id="{cooks}">cooks</span>'
    assert added["content"] == f"<p>{mention} added you to the group {where}.</p>"
    assert removed["content"] == f"<p>{mention} removed you from the group {where}.</p>"
    assert added["flags"] == []
    assert ada.finds("is:dm") == robo.finds("is:dm") == cem.finds("is:dm") == []
    makes(ada, "open", can_join_group=MEMBERS)


def test_more_added_members_than_the_limit_are_not_notified(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_notified_members=2))
    ada, bea, cem = world["ada"], world["bea"], world["cem"]
    cooks = makes(ada, "cooks")
    fills(ada, cooks, add=[bea.id, cem.id])
    fills(ada, cooks, add=[world["mona"].id, world["olga"].id, world["adi"].id])
    assert len(bea.finds("is:dm")) == 1
    assert world["mona"].finds("is:dm") == []


def test_without_the_notification_bot_nobody_receives_a_message(
    world: World, ada: Someone, bea: Someone
) -> None:
    world.change_organization(notification_bot_id=None)
    fills(ada, makes(ada, "cooks"), add=[bea.id])
    assert bea.finds("is:dm") == []


# -- deactivating -----------------------------------------------------------------------------------


def objections(who: Someone, group_id: int) -> list[dict[str, Any]]:
    answer = who.refused("POST", f"/user_groups/{group_id}/deactivate", code="CANNOT_DEACTIVATE_GROUP_IN_USE")
    return answer["objections"]  # type: ignore[no-any-return]


@pytest.mark.shows("named.groups")
def test_a_group_in_use_is_not_deactivated(world: World, ada: Someone, olga: Someone) -> None:
    cooks = makes(ada, "cooks", ada)
    waiters = makes(ada, "waiters", holding=(cooks,), can_join_group=just(ada, groups=(cooks,)))
    patches(ada, cooks, can_manage_group={"new": cooks}, can_add_members_group={"new": cooks})
    ada.joins(
        "kitchen", can_send_message_group=cooks, can_administer_channel_group=just(ada, groups=(cooks,))
    )
    world.change_organization(
        permissions={
            "can_create_groups": GroupSetting.of(cooks),
            "can_invite_users_group": GroupSetting.of(cooks),
        }
    )
    assert objections(ada, cooks) == [
        {"type": "subgroup", "supergroup_ids": [waiters]},
        {
            "type": "channel",
            "channel_id": world.id("kitchen"),
            "settings": ["can_administer_channel_group", "can_send_message_group"],
        },
        {"type": "user_group", "group_id": cooks, "settings": ["can_add_members_group", "can_manage_group"]},
        {"type": "user_group", "group_id": waiters, "settings": ["can_join_group"]},
        {"type": "realm", "settings": ["can_create_groups", "can_invite_users_group"]},
    ]
    assert group(ada, cooks)["deactivated"] is False
    world.change_organization(permissions={})
    world.archive("kitchen")
    deactivates(ada, waiters)
    patches(ada, cooks, can_manage_group={"new": just(ada)}, can_add_members_group={"new": just(ada)})
    deactivates(ada, cooks)
    changed = group(ada, cooks)
    assert (changed["deactivated"], changed["members"]) == (True, [ada.id])


def test_objections_do_not_reveal_invisible_channels(world: World, ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", can_manage_group=just(bea))
    ada.joins("den", invite_only=True, can_send_message_group=cooks)
    assert objections(bea, cooks) == []
    assert objections(world["olga"], cooks)[0]["channel_id"] == world.id("den")


@pytest.mark.shows("group.deactivated")
def test_a_group_is_deactivated_once(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    deactivates(ada, cooks)
    ada.refused("POST", f"/user_groups/{cooks}/deactivate")
    patches(ada, cooks, deactivated=False)
    patches(ada, cooks, deactivated=False)
    assert group(ada, cooks)["deactivated"] is False
    deactivates(ada, cooks)


@pytest.mark.shows("group-state.back", "level.groups-come-back")
def test_a_group_comes_back_after_what_it_is_made_of(ada: Someone) -> None:
    part, value = makes(ada, "part"), makes(ada, "value")
    whole = makes(ada, "whole", holding=(part,), can_join_group=value)
    deactivates(ada, whole)
    deactivates(ada, part)
    deactivates(ada, value)
    assert refused_patch(ada, whole, deactivated=False)["msg"].endswith("part, value")
    patches(ada, part, deactivated=False)
    patches(ada, whole, deactivated=False, can_join_group={"new": NOBODY})
    assert group(ada, whole)["deactivated"] is False


@pytest.mark.shows("group-state.no-right", "group-state.back")
def test_a_deactivated_group_gives_no_right(ada: Someone, bea: Someone) -> None:
    managers = makes(ada, "managers", bea)
    cooks = makes(ada, "cooks", can_manage_group=managers)
    patches(bea, cooks, description="1")
    deactivates(bea, cooks)
    deactivates(ada, managers)
    refused_patch(bea, cooks, description="2")
    patches(ada, managers, deactivated=False)
    patches(bea, cooks, description="3", deactivated=False)


# -- values elsewhere -------------------------------------------------------------------------------


@pytest.mark.shows("channel.permissions", "group-state.no-permission")
def test_groups_give_rights_in_channels(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    inner = makes(ada, "inner", bea)
    cooks = makes(ada, "cooks", holding=(inner,))
    ada.joins("kitchen", can_send_message_group=cooks)
    bea.says("mine", "kitchen")
    cem.refused("POST", "/messages", type="channel", to='"kitchen"', topic="x", content="x")
    gone = makes(ada, "gone")
    deactivates(ada, gone)
    for value in (gone, 987654, just(987654), INTERNET):
        ada.refused(
            "POST", "/users/me/subscriptions", subscriptions=[{"name": "new"}], can_send_message_group=value
        )


@pytest.mark.shows("channel.permissions")
@pytest.mark.parametrize("by_group", [False, True])
def test_removing_subscribers_needs_a_visible_channel(
    world: World, ada: Someone, bea: Someone, cem: Someone, by_group: bool
) -> None:
    dan = world["mona"]
    holders = makes(ada, "holders", cem) if by_group else just(cem)
    both: dict[str, Any] = {"principals": [bea.id, dan.id]}
    ada.joins("kitchen", can_remove_subscribers_group=holders, **both)
    ada.joins("cellar", can_remove_subscribers_group=holders, invite_only=True, **both)
    removed = cem.leaves("kitchen", principals=[bea.id])
    assert (removed["removed"], removed["not_removed"]) == (["kitchen"], [])
    refusal = bea.refused("DELETE", "/users/me/subscriptions", subscriptions=["kitchen"], principals=[dan.id])
    assert refusal["msg"] == "Insufficient permission"
    for channels in (["cellar"], ["kitchen", "cellar"]):  # the permission gives no sight of a private one
        cem.refused("DELETE", "/users/me/subscriptions", subscriptions=channels, principals=[dan.id])
    subscribers = ada.get(f"/streams/{world.id('kitchen')}/members")["subscribers"]
    assert subscribers == [dan.id]
    assert sorted(ada.get(f"/streams/{world.id('cellar')}/members")["subscribers"]) == sorted(
        [bea.id, dan.id]
    )


def test_a_list_of_channels_names_no_deactivated_people(world: World, ada: Someone, bea: Someone) -> None:
    ada.joins("kitchen", can_send_message_group=just(ada, bea))
    world.change_user("bea", is_active=False)
    for listed in (ada.get("/streams")["streams"], ada.get("/users/me/subscriptions")["subscriptions"]):
        (kitchen,) = [channel for channel in listed if channel["name"] == "kitchen"]
        assert kitchen["can_send_message_group"] == just(ada)


def test_permissions_can_be_given_by_the_program_too(world: World) -> None:
    """A domain value that is replaced is the same for every request after it."""
    world.storage.write(
        lambda tx: tx.organization.put(
            replace(tx.organization.get(), permissions={"can_create_groups": GroupSetting.of(members=[1])})
        )
    )
    world["ada"].refused("POST", "/user_groups/create", name="x", description="", members=[])
