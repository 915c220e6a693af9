"""What clients are told of user groups: the state they begin with, and every change after it."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from chatcore.application import memberships
from chatcore.application.accounts import NewUser, create_user
from chatcore.domain.groups import GroupSetting, SystemGroup
from chatcore.domain.ids import GroupId
from chatcore.domain.roles import Role
from chatcore.storage import Transaction
from tests.http.grouping import (
    ADMINISTRATORS,
    EVERYONE,
    FULL_MEMBERS,
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
    told,
)
from tests.http.world import DAY, NOW, Line, Someone, World, until

KNOWS = {"client_capabilities": {"notification_settings_null": True, "include_deactivated_groups": True}}


# -- one change after another -----------------------------------------------------------------------


def test_a_new_group_is_told_to_everybody(world: World, ada: Someone, gus: Someone) -> None:
    lines = [who.hears_of("user_group") for who in (ada, gus, world["olga"])]
    cooks = makes(ada, "cooks", ada, holding=(MODERATORS,), description="They cook.")
    for line in lines:
        assert told(line) == [{"op": "add", "group": group(ada, cooks)}]


def test_each_changed_property_is_an_event(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    line = ada.hears_of("user_group")
    patches(ada, cooks, name="cooks", description="new", can_join_group={"new": NOBODY})
    patches(ada, cooks, name="chefs", can_join_group={"new": MEMBERS}, can_mention_group={"new": just(ada)})
    assert told(line) == [
        {"op": "update", "group_id": cooks, "data": {"description": "new"}},
        {"op": "update", "group_id": cooks, "data": {"name": "chefs"}},
        {"op": "update", "group_id": cooks, "data": {"can_join_group": MEMBERS}},
        {"op": "update", "group_id": cooks, "data": {"can_mention_group": just(ada)}},
    ]


def test_members_and_subgroups_come_and_go(ada: Someone, bea: Someone, cem: Someone) -> None:
    cooks = makes(ada, "cooks", cem)
    line = bea.hears_of("user_group")
    fills(
        ada,
        cooks,
        add=[bea.id, ada.id],
        delete=[cem.id],
        add_subgroups=[MEMBERS, OWNERS],
        delete_subgroups=[OWNERS],
    )
    assert told(line) == [
        {"op": "add_members", "group_id": cooks, "user_ids": sorted([ada.id, bea.id])},
        {"op": "remove_members", "group_id": cooks, "user_ids": [cem.id]},
        {"op": "add_subgroups", "group_id": cooks, "direct_subgroup_ids": [OWNERS, MEMBERS]},
        {"op": "remove_subgroups", "group_id": cooks, "direct_subgroup_ids": [OWNERS]},
    ]


def test_nothing_is_told_of_what_was_refused(ada: Someone) -> None:
    cooks = makes(ada, "cooks")
    line = ada.hears_of("user_group")
    ada.refused("POST", f"/user_groups/{cooks}/members", add=[ada.id], delete_subgroups=[OWNERS])
    ada.refused("PATCH", f"/user_groups/{cooks}", name="chefs", can_manage_group={"new": EVERYONE})
    assert line.events() == []


@pytest.mark.shows("register.without-deactivated-groups-event", "cause.group-deactivated")
def test_a_deactivated_group_is_gone_for_clients_that_know_of_none(ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea)
    old, new = bea.hears_of("user_group"), bea.hears_of("user_group", **KNOWS)
    deactivates(ada, cooks)
    assert told(old) == [{"op": "remove", "group_id": cooks}]
    assert told(new) == [{"op": "update", "group_id": cooks, "data": {"deactivated": True}}]
    patches(ada, cooks, name="chefs", can_join_group={"new": MEMBERS})
    fills(ada, cooks, add=[ada.id], add_subgroups=[OWNERS])
    assert told(old) == []
    assert [event["op"] for event in told(new)] == ["update", "update", "add_members", "add_subgroups"]
    patches(ada, cooks, name="cooks", deactivated=False, can_join_group={"new": NOBODY})
    back = {**group(ada, cooks), "can_join_group": MEMBERS}
    assert told(old) == [
        {"op": "add", "group": back},
        {"op": "update", "group_id": cooks, "data": {"can_join_group": NOBODY}},
    ]
    assert told(new) == [
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


def test_who_is_not_logged_in_sees_no_groups(world: World) -> None:
    world.open_to_the_web()
    makes(world["ada"], "cooks")
    assert world.nobody.post("/register")["realm_user_groups"] == []


def test_a_waiting_poll_is_answered(world: World, ada: Someone, gus: Someone) -> None:
    poll = gus.hears_of("user_group").waits()
    cooks = makes(ada, "cooks")
    (event,) = poll.answer()
    assert event["group"]["id"] == cooks


# -- accounts ---------------------------------------------------------------------------------------


def account_changes(world: World, name: str, change: Callable[..., None], **fields: Any) -> None:
    """Change an account and say so, as the use cases for accounts do."""

    def write(tx: Transaction) -> None:
        before = tx.users.get(world.users[name].id)
        tx.users.update(before.id, **fields)
        after = tx.users.get(before.id)
        now = world.svc.now
        change(tx, before, after, now) if change is memberships.role_changed else change(tx, after, now)

    world.storage.write(write)


def test_a_new_account_is_in_the_groups_of_its_role(world: World, ada: Someone) -> None:
    line = ada.hears_of("user_group")
    new = create_user(world.svc, NewUser(email="new@example.org", full_name="New"))
    assert told(line) == [
        {"op": "add_members", "group_id": FULL_MEMBERS, "user_ids": [new.user_id]},
        {"op": "add_members", "group_id": MEMBERS, "user_ids": [new.user_id]},
    ]


def test_another_role_means_other_groups(world: World, ada: Someone, bea: Someone) -> None:
    line = ada.hears_of("user_group")
    account_changes(world, "bea", memberships.role_changed, role=int(Role.ADMINISTRATOR))
    assert told(line) == [
        {"op": "remove_members", "group_id": FULL_MEMBERS, "user_ids": [bea.id]},
        {"op": "remove_members", "group_id": MEMBERS, "user_ids": [bea.id]},
        {"op": "add_members", "group_id": ADMINISTRATORS, "user_ids": [bea.id]},
    ]


def test_a_deactivated_account_leaves_all_groups_and_values(world: World, ada: Someone, bea: Someone) -> None:
    cooks = makes(ada, "cooks", bea, can_join_group=just(ada, bea))
    gone = makes(ada, "gone", bea, can_leave_group=just(bea))
    deactivates(ada, gone)
    line = ada.hears_of("user_group")
    account_changes(world, "bea", memberships.account_deactivated, is_active=False)
    assert told(line) == [
        *({"op": "remove_members", "group_id": g, "user_ids": [bea.id]} for g in (5, MEMBERS, cooks)),
        {"op": "update", "group_id": cooks, "data": {"can_join_group": just(ada)}},
    ]
    account_changes(world, "bea", memberships.account_reactivated, is_active=True)
    assert told(line) == [
        *({"op": "add_members", "group_id": g, "user_ids": [bea.id]} for g in (5, MEMBERS, cooks)),
        {"op": "update", "group_id": cooks, "data": {"can_join_group": just(ada, bea)}},
    ]


def test_who_has_waited_long_enough_is_told_as_a_full_member_once(world: World, ada: Someone) -> None:
    world.svc.hub.maintain()
    world.change_organization(waiting_period_threshold=3)
    new = world.add_user("new", date_joined=NOW)
    line = ada.hears_of("user_group", queue_lifespan_secs=7 * DAY)
    heard = []
    for days in (1, 1.5, 1, 1):
        world.clock.advance(days * DAY)
        world.svc.hub.maintain()
        heard.append(told(line))
    assert heard == [[], [], [{"op": "add_members", "group_id": FULL_MEMBERS, "user_ids": [new.id]}], []]
    assert new.id in ada.get(f"/user_groups/{FULL_MEMBERS}/members", direct_member_only=True)["members"]


@pytest.mark.parametrize(("old", "new", "op"), [(0, 5, "remove_members"), (5, 0, "add_members")])
def test_another_waiting_period_makes_or_unmakes_full_members(
    world: World, ada: Someone, old: int, new: int, op: str
) -> None:
    world.change_organization(waiting_period_threshold=old)
    young = world.add_user("young", date_joined=NOW - 2 * DAY)
    line = ada.hears_of("user_group")

    def write(tx: Transaction) -> None:
        tx.organization.put(replace(tx.organization.get(), waiting_period_threshold=new))
        memberships.waiting_period_changed(tx, old, new, world.svc.now)

    world.storage.write(write)
    assert told(line) == [{"op": op, "group_id": FULL_MEMBERS, "user_ids": [young.id]}]


def test_a_store_without_an_organization_has_nothing_to_tell(world: World) -> None:
    world._sql("DELETE FROM organization")
    world.storage.write(lambda tx: memberships.announce_new_full_members(tx, NOW))
    assert world.storage.read(lambda s: s.groups.full_members_announced()) is None


# -- channels that groups open ----------------------------------------------------------------------


def test_people_are_told_of_channels_that_a_group_opens_and_closes(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    inner, cooks = makes(ada, "inner", bea, gus), makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_add_subscribers_group=cooks)
    den = world.id("den")
    types = ("stream", "subscription")
    lines = {who: who.hears_of(*types) for who in (ada, bea, world["cem"], gus)}

    def heard(who: Someone) -> list[tuple[str, str, object]]:
        found = []
        for event in lines[who].events():
            what = event.get("streams", event.get("user_ids"))
            ids = [one["stream_id"] if isinstance(one, dict) else one for one in what]
            found.append((event["type"], event["op"], ids))
        return found

    opened = [("stream", "create", [den]), ("subscription", "peer_add", [ada.id])]
    closed = [("stream", "delete", [den])]
    fills(ada, cooks, add_subgroups=[inner])
    assert heard(bea) == opened
    fills(ada, cooks, add=[bea.id])
    fills(ada, cooks, delete_subgroups=[inner])
    assert heard(bea) == []
    fills(ada, cooks, delete=[bea.id])
    assert heard(bea) == closed
    fills(ada, cooks, add=[gus.id, ada.id])
    for who in (ada, world["cem"], gus):
        assert heard(who) == []


def test_an_archived_channel_is_opened_only_for_clients_that_know_of_them(
    world: World, ada: Someone, bea: Someone
) -> None:
    cooks = makes(ada, "cooks")
    ada.joins("den", invite_only=True, can_administer_channel_group=cooks)
    ada.leaves("den")
    world.archive("den")
    knows = {"client_capabilities": {"notification_settings_null": True, "archived_channels": True}}
    old, new = bea.hears_of("stream"), bea.hears_of("stream", **knows)
    fills(ada, cooks, add=[bea.id])
    fills(ada, cooks, delete=[bea.id])
    assert old.events() == []
    assert [event["op"] for event in new.events()] == ["create", "delete"]


# -- the state and the events are the same thing ----------------------------------------------------

Groups = dict[int, dict[str, Any]]


def begin(line: Line) -> Groups:
    return {one["id"]: one for one in line.state["realm_user_groups"]}


def follow(groups: Groups, events: Sequence[dict[str, Any]]) -> None:
    """What a client does with the events."""
    for event in events:
        if event["op"] == "add":
            groups[event["group"]["id"]] = event["group"]
            continue
        one = groups[event["group_id"]]
        match event["op"]:
            case "remove":
                del groups[event["group_id"]]
            case "update":
                one.update(event["data"])
            case "add_members":
                one["members"] = sorted({*one["members"], *event["user_ids"]})
            case "remove_members":
                one["members"] = sorted({*one["members"]} - {*event["user_ids"]})
            case "add_subgroups":
                held = {*one["direct_subgroup_ids"], *event["direct_subgroup_ids"]}
                one["direct_subgroup_ids"] = sorted(held)
            case "remove_subgroups":
                held = {*one["direct_subgroup_ids"]} - {*event["direct_subgroup_ids"]}
                one["direct_subgroup_ids"] = sorted(held)
            case other:
                raise AssertionError(other)


class Chance:
    """Actions of people and of the organization's own tools, picked at random; many are refused."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.dice = random.Random(seed)
        self.names = 0
        self.done = 0

    def act(self) -> None:
        self.dice.choice(
            [
                self.make,
                self.patch,
                self.patch,
                self.fill,
                self.fill,
                self.fill,
                self.deactivate,
                self.account,
            ]
        )()

    def ask(self, method: str, path: str, **parameters: Any) -> None:
        who = self.world[self.dice.choice(["olga", "olga", "ada", "bea"])]
        response = who.request(method, f"/user_groups{path}", **parameters)
        assert response.status_code in (200, 400), response.text
        self.done += response.status_code == 200

    def some_group(self) -> int:
        last = self.world.storage.read(lambda s: s.groups.count())
        return self.dice.randint(MODERATORS, last)

    def some_groups(self) -> list[int]:
        return [self.some_group() for _ in range(self.dice.randint(0, 2))]

    def some_users(self) -> list[int]:
        everybody = [user.id for name, user in self.world.users.items() if name != "system"]
        return self.dice.sample(everybody, self.dice.randint(0, 2))

    def some_value(self) -> object:
        if self.dice.random() < 0.3:
            return self.some_group()
        return {"direct_members": self.some_users(), "direct_subgroups": self.some_groups()}

    def new_name(self) -> str:
        self.names += 1
        return f"group {self.names}"

    def make(self) -> None:
        self.ask(
            "POST",
            "/create",
            name=self.new_name(),
            description="",
            members=self.some_users(),
            subgroups=self.some_groups(),
            can_join_group=self.some_value(),
        )

    def patch(self) -> None:
        changes: dict[str, Any] = {self.dice.choice(SETTINGS): {"new": self.some_value()}}
        if self.dice.random() < 0.3:
            changes["name"] = self.new_name()
        if self.dice.random() < 0.4:
            changes["deactivated"] = False
        self.ask("PATCH", f"/{self.some_group()}", **changes)

    def fill(self) -> None:
        names = ["add", "delete", "add_subgroups", "delete_subgroups"]
        name = self.dice.choice(names)
        what = self.some_users() if name in names[:2] else self.some_groups()
        self.ask("POST", f"/{self.some_group()}/members", **{name: what})

    def deactivate(self) -> None:
        self.ask("POST", f"/{self.some_group()}/deactivate")

    def account(self) -> None:
        name = self.dice.choice(["cem", "mona", "robo"])
        user = self.world.storage.read(lambda s: s.users.get(self.world.users[name].id))
        if self.dice.random() < 0.5 and user.is_active:
            role = self.dice.choice(list(Role))
            account_changes(self.world, name, memberships.role_changed, role=int(role))
        elif user.is_active:
            account_changes(self.world, name, memberships.account_deactivated, is_active=False)
        else:
            account_changes(self.world, name, memberships.account_reactivated, is_active=True)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("limited", [False, True])
def test_the_state_before_and_the_events_are_the_state_after(world: World, seed: int, limited: bool) -> None:
    if limited:
        value = GroupSetting.of(SystemGroup.MEMBERS)
        world.change_organization(permissions={"can_access_all_users_group": value})
    asked = {"event_types": ["user_group"], "fetch_event_types": ["realm_user_groups"]}
    viewers = [(who, extra) for who in ("olga", "ada", "gus") for extra in ({}, KNOWS)]
    chance = Chance(world, seed)
    for _ in range(5):
        chance.make()
    lines = [world[who].registers(**asked, **extra) for who, extra in viewers]
    states = [begin(line) for line in lines]
    for _ in range(10):
        for _ in range(5):
            chance.act()
        for (who, extra), line, state in zip(viewers, lines, states, strict=True):
            follow(state, line.events("user_group"))
            after = begin(world[who].registers(**asked, **extra))
            assert state == after, (who, extra)
    assert chance.done > 10


def test_what_a_limited_guest_is_told_has_only_people_it_knows(
    world: World, ada: Someone, gus: Someone
) -> None:
    value = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": value})
    cem = world["cem"]
    line = gus.hears_of("user_group")
    cooks = makes(ada, "cooks", ada, cem, gus, can_join_group=just(ada, cem))
    fills(ada, cooks, delete=[cem.id])
    (event,) = told(line)
    assert event["group"]["members"] == sorted([ada.id, gus.id])
    assert event["group"]["can_join_group"] == just(ada)
    poll = line.waits()
    patches(ada, cooks, can_leave_group={"new": just(cem)})
    (event,) = poll.answer()
    assert event["data"] == {"can_leave_group": just()}


def test_events_of_groups_are_made_once_for_all_who_know_everybody(world: World, ada: Someone) -> None:
    lines = [who.hears_of("user_group") for who in (ada, world["bea"])]
    waiting = [line.waits() for line in lines]
    makes(ada, "cooks")
    first, second = [poll.answer() for poll in waiting]
    assert first == second
    until(lambda: world.svc.hub._waiters == {})
    assert world.storage.read(lambda s: s.groups.find(GroupId(9))) is not None
