"""User groups in the state of a registration, and the events about every later change."""

from collections.abc import Callable
from typing import Any

import pytest

from chatcore.application.groups import system_members
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import GroupId
from chatcore.domain.roles import Role
from chatcore.storage import Transaction
from tests.waiting import until
from tests.worlds.groups import (
    ADMINISTRATORS,
    EVERYONE,
    FULL_MEMBERS,
    MEMBERS,
    MODERATORS,
    NOBODY,
    OWNERS,
    announced,
    deactivates,
    fills,
    group,
    just,
    makes,
    patches,
)
from tests.worlds.organization import DAY, NOW, Someone, World

KNOWS = {"client_capabilities": {"notification_settings_null": True, "include_deactivated_groups": True}}


# -- one change after another -----------------------------------------------------------------------


def test_a_new_group_is_announced_to_all(world: World, ada: Someone, gus: Someone) -> None:
    lines = [who.opens_queue("user_group") for who in (ada, gus, world["olga"])]
    cooks = makes(ada, "cooks", ada, holding=(MODERATORS,), description="They cook.")
    for line in lines:
        assert announced(line) == [{"op": "add", "group": group(ada, cooks)}]


def test_each_changed_property_is_an_event(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    line = ada.opens_queue("user_group")
    patches(ada, cooks, name="cooks", description="new", can_join_group={"new": NOBODY})
    patches(ada, cooks, name="chefs", can_join_group={"new": MEMBERS}, can_mention_group={"new": just(ada)})
    assert announced(line) == [
        {"op": "update", "group_id": cooks, "data": {"description": "new"}},
        {"op": "update", "group_id": cooks, "data": {"name": "chefs"}},
        {"op": "update", "group_id": cooks, "data": {"can_join_group": MEMBERS}},
        {"op": "update", "group_id": cooks, "data": {"can_mention_group": just(ada)}},
    ]


def test_members_and_subgroups_come_and_go(ada: Someone, bea: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", cem)
    line = bea.opens_queue("user_group")
    fills(
        ada,
        cooks,
        add=[bea.id, ada.id],
        delete=[cem.id],
        add_subgroups=[MEMBERS, OWNERS],
        delete_subgroups=[OWNERS],
    )
    assert announced(line) == [
        {"op": "add_members", "group_id": cooks, "user_ids": sorted([ada.id, bea.id])},
        {"op": "remove_members", "group_id": cooks, "user_ids": [cem.id]},
        {"op": "add_subgroups", "group_id": cooks, "direct_subgroup_ids": [OWNERS, MEMBERS]},
        {"op": "remove_subgroups", "group_id": cooks, "direct_subgroup_ids": [OWNERS]},
    ]


def test_refused_changes_are_not_announced(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    line = ada.opens_queue("user_group")
    ada.refused("POST", f"/user_groups/{cooks}/members", add=[ada.id], delete_subgroups=[OWNERS])
    ada.refused("PATCH", f"/user_groups/{cooks}", name="chefs", can_manage_group={"new": EVERYONE})
    assert line.events() == []


@pytest.mark.shows("register.without-deactivated-groups-event", "cause.group-deactivated")
def test_a_deactivated_group_is_gone_for_clients_that_know_of_none(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea)
    old, new = bea.opens_queue("user_group"), bea.opens_queue("user_group", **KNOWS)
    deactivates(ada, cooks)
    assert announced(old) == [{"op": "remove", "group_id": cooks}]
    assert announced(new) == [{"op": "update", "group_id": cooks, "data": {"deactivated": True}}]
    patches(ada, cooks, name="chefs", can_join_group={"new": MEMBERS})
    fills(ada, cooks, add=[ada.id], add_subgroups=[OWNERS])
    assert announced(old) == []
    assert [event["op"] for event in announced(new)] == ["update", "update", "add_members", "add_subgroups"]
    patches(ada, cooks, name="cooks", deactivated=False, can_join_group={"new": NOBODY})
    back = {**group(ada, cooks), "can_join_group": MEMBERS}
    assert announced(old) == [
        {"op": "add", "group": back},
        {"op": "update", "group_id": cooks, "data": {"can_join_group": NOBODY}},
    ]
    assert announced(new) == [
        {"op": "update", "group_id": cooks, "data": {"name": "cooks"}},
        {"op": "update", "group_id": cooks, "data": {"deactivated": False}},
        {"op": "update", "group_id": cooks, "data": {"can_join_group": NOBODY}},
    ]


@pytest.mark.shows("register.groups", "register.without-deactivated-groups")
def test_the_state_has_deactivated_groups_only_for_clients_that_know_of_them(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    deactivates(ada, cooks)
    asked = {"event_types": ["user_group"], "fetch_event_types": ["realm_user_groups"]}
    assert [one["id"] for one in ada.registers(**asked).state["realm_user_groups"]] == list(range(1, 9))
    state = ada.registers(**asked, **KNOWS).state["realm_user_groups"]
    assert state == ada.get("/user_groups", include_deactivated_groups=True)["user_groups"]


def test_spectators_see_no_groups(world: World) -> None:
    world.open_to_the_web()
    makes(world["ada"], "cooks")
    assert world.nobody.post("/register")["realm_user_groups"] == []


def test_a_waiting_poll_is_answered(world: World, ada: Someone, gus: Someone) -> None:
    poll = gus.opens_queue("user_group").waits()
    cooks = makes(ada, "cooks")
    (event,) = poll.answer()
    assert event["group"]["id"] == cooks


# -- accounts ---------------------------------------------------------------------------------------


def account_changes(world: World, name: str, change: Callable[..., None], **fields: Any) -> None:
    """Change an account and write the event, as the use cases for accounts do."""

    def write(tx: Transaction) -> None:
        before = tx.users.get(world.users[name].id)
        tx.users.update(before.id, **fields)
        after = tx.users.get(before.id)
        now = world.svc.now
        change(tx, before, after, now) if change is system_members.announce_changed_role else change(
            tx, after, now
        )

    world.storage.write(write)


def test_a_new_account_is_in_the_groups_of_its_role(world: World, ada: Someone) -> None:
    line = ada.opens_queue("user_group")
    new = create_user(world.svc, NewUser(email="new@example.org", full_name="New"))
    assert announced(line) == [
        {"op": "add_members", "group_id": FULL_MEMBERS, "user_ids": [new.user_id]},
        {"op": "add_members", "group_id": MEMBERS, "user_ids": [new.user_id]},
    ]


def test_another_role_means_other_groups(world: World, ada: Someone, bea: Someone) -> None:
    line = ada.opens_queue("user_group")
    account_changes(world, "bea", system_members.announce_changed_role, role=int(Role.ADMINISTRATOR))
    assert announced(line) == [
        {"op": "remove_members", "group_id": FULL_MEMBERS, "user_ids": [bea.id]},
        {"op": "remove_members", "group_id": MEMBERS, "user_ids": [bea.id]},
        {"op": "add_members", "group_id": ADMINISTRATORS, "user_ids": [bea.id]},
    ]


def test_a_deactivated_account_leaves_all_groups_and_values(world: World, ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea, can_join_group=just(ada, bea))
    gone = makes(ada, "gone", bea, can_leave_group=just(bea))
    deactivates(ada, gone)
    line = ada.opens_queue("user_group")
    account_changes(world, "bea", system_members.announce_deactivated_account, is_active=False)
    assert announced(line) == [
        *({"op": "remove_members", "group_id": g, "user_ids": [bea.id]} for g in (5, MEMBERS, cooks)),
        {"op": "update", "group_id": cooks, "data": {"can_join_group": just(ada)}},
    ]
    account_changes(world, "bea", system_members.announce_reactivated_account, is_active=True)
    assert announced(line) == [
        *({"op": "add_members", "group_id": g, "user_ids": [bea.id]} for g in (5, MEMBERS, cooks)),
        {"op": "update", "group_id": cooks, "data": {"can_join_group": just(ada, bea)}},
    ]


def test_a_user_after_the_waiting_period_is_announced_as_a_full_member_once(
    world: World, ada: Someone
) -> None:
    world.svc.hub.maintain()
    world.change_organization(waiting_period_threshold=3)
    new = world.add_user("new", date_joined=NOW)
    line = ada.opens_queue("user_group", queue_lifespan_secs=7 * DAY)
    received = []
    for days in (1, 1.5, 1, 1):
        world.clock.advance(days * DAY)
        world.svc.hub.maintain()
        received.append(announced(line))
    assert received == [[], [], [{"op": "add_members", "group_id": FULL_MEMBERS, "user_ids": [new.id]}], []]
    assert new.id in ada.get(f"/user_groups/{FULL_MEMBERS}/members", direct_member_only=True)["members"]


@pytest.mark.parametrize(("old", "new", "op"), [(0, 5, "remove_members"), (5, 0, "add_members")])
def test_another_waiting_period_makes_or_unmakes_full_members(
    world: World, ada: Someone, old: int, new: int, op: str
) -> None:
    world.change_organization(waiting_period_threshold=old)
    young = world.add_user("young", date_joined=NOW - 2 * DAY)
    line = ada.opens_queue("user_group")
    world["olga"].patch("/realm", waiting_period_threshold=new)
    assert announced(line) == [{"op": op, "group_id": FULL_MEMBERS, "user_ids": [young.id]}]


def test_a_store_without_an_organization_has_nothing_to_announce(world: World) -> None:
    world.sql("DELETE FROM organization")
    world.storage.write(lambda tx: system_members.announce_new_full_members(tx, NOW))
    assert world.storage.read(lambda s: s.groups.full_members_announced()) is None


# -- channels that groups open ----------------------------------------------------------------------


def test_users_are_notified_of_channels_that_a_group_opens_and_closes(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    inner, cooks = makes(ada, "inner", bea, gus), makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_add_subscribers_group=cooks)
    den = world.id("den")
    types = ("stream", "subscription")
    lines = {who: who.opens_queue(*types) for who in (ada, bea, world["cem"], gus)}

    def received(who: Someone) -> list[tuple[str, str, object]]:
        found = []
        for event in lines[who].events():
            what = event.get("streams", event.get("user_ids"))
            ids = [one["stream_id"] if isinstance(one, dict) else one for one in what]
            found.append((event["type"], event["op"], ids))
        return found

    opened = [("stream", "create", [den]), ("subscription", "peer_add", [ada.id])]
    closed = [("stream", "delete", [den])]
    fills(ada, cooks, add_subgroups=[inner])
    assert received(bea) == opened
    fills(ada, cooks, add=[bea.id])
    fills(ada, cooks, delete_subgroups=[inner])
    assert received(bea) == []
    fills(ada, cooks, delete=[bea.id])
    assert received(bea) == closed
    fills(ada, cooks, add=[gus.id, ada.id])
    for who in (ada, world["cem"], gus):
        assert received(who) == []


def test_an_archived_channel_is_opened_only_for_clients_that_know_of_them(
    world: World, ada: Someone, bea: Someone
) -> None:
    cooks = makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_administer_channel_group=cooks)
    ada.leaves("den")
    world.archive("den")
    knows = {"client_capabilities": {"notification_settings_null": True, "archived_channels": True}}
    old, new = bea.opens_queue("stream"), bea.opens_queue("stream", **knows)
    fills(ada, cooks, add=[bea.id])
    fills(ada, cooks, delete=[bea.id])
    assert old.events() == []
    assert [event["op"] for event in new.events()] == ["create", "delete"]


# -- limited guests, and forms that are shared --------------------------------------------------------


def test_events_for_a_limited_guest_name_only_visible_users(world: World, ada: Someone, gus: Someone) -> None:
    value = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": value})
    cem = world["cem"]
    line = gus.opens_queue("user_group")
    cooks = makes(ada, "cooks", ada, cem, gus, can_join_group=just(ada, cem))
    fills(ada, cooks, delete=[cem.id])
    (event,) = announced(line)
    assert event["group"]["members"] == sorted([ada.id, gus.id])
    assert event["group"]["can_join_group"] == just(ada)
    poll = line.waits()
    patches(ada, cooks, can_leave_group={"new": just(cem)})
    (event,) = poll.answer()
    assert event["data"] == {"can_leave_group": just()}


def test_events_of_groups_are_made_once_for_all_who_know_everybody(world: World, ada: Someone) -> None:
    lines = [who.opens_queue("user_group") for who in (ada, world["bea"])]
    waiting = [line.waits() for line in lines]
    makes(ada, "cooks")
    first, second = [poll.answer() for poll in waiting]
    assert first == second
    until(lambda: world.svc.hub.waiting == 0)
    assert world.storage.read(lambda s: s.groups.find(GroupId(9))) is not None
