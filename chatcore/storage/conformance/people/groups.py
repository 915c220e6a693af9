"""`chatcore.storage.people.groups`, and the groups of actors."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Unpack

from chatcore.domain.groups.groups import SETTINGS_OF_SYSTEM_GROUPS, Group, default_settings
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import FIRST_NAMED_GROUP, SystemGroup, system_groups_of
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.storage.conformance.makers import NOW, a_town, add_user, error_of
from chatcore.storage.people.groups import NewGroup, OptionalGroupFields
from chatcore.storage.transaction import Snapshot, Storage, Transaction

UNKNOWN = GroupId(10**9)


def add_group(
    tx: Transaction,
    name: str,
    *members: UserId,
    holding: Iterable[GroupId] = (),
    **more: Unpack[OptionalGroupFields],
) -> GroupId:
    settings = default_settings(UserId(1))
    group = tx.groups.add({"name": name, "date_created": NOW, "settings": settings, **more})
    tx.groups.add_members(group.id, members)
    tx.groups.add_subgroups(group.id, list(holding))
    return group.id


def find_group(group_id: int, snapshot: Snapshot) -> Group | None:
    return snapshot.groups.find(group_id)


def note_announced(at: int, tx: Transaction) -> None:
    tx.groups.note_full_members_announced(at)


def groups_of(storage: Storage, user_id: UserId) -> frozenset[GroupId]:
    """Return the groups of a user as an actor, without those that follow from the role."""
    actor = storage.read(lambda snapshot: snapshot.users.actors([user_id], NOW)[user_id])
    of_role = system_groups_of(actor.role, full_member=True)
    assert actor.group_ids >= of_role
    return actor.group_ids - of_role


# -- groups -----------------------------------------------------------------------------------------


def test_a_store_begins_with_the_system_groups(storage: Storage) -> None:
    groups = storage.read(lambda snapshot: snapshot.groups.all())
    assert [(group.id, group.name) for group in groups] == [(g.group_id, g.group_name) for g in SystemGroup]
    for group in groups:
        assert group.is_system_group
        assert (group.creator_id, group.deactivated) == (None, False)
        assert group.setting("can_manage_group") == SETTINGS_OF_SYSTEM_GROUPS["can_manage_group"]
    held = storage.read(lambda snapshot: snapshot.groups.direct_subgroups([g.group_id for g in SystemGroup]))
    assert held == {
        g.group_id: [] if g.direct_subgroup is None else [g.direct_subgroup.group_id] for g in SystemGroup
    }
    assert storage.read(lambda snapshot: snapshot.groups.count()) == len(SystemGroup)


def test_a_group_comes_back_as_it_was_added(storage: Storage) -> None:
    town = a_town(storage)
    fields: NewGroup = {
        "name": "Nachtschicht €",
        "description": "any\ntext",
        "creator_id": town.ada,
        "date_created": NOW,
        "settings": {**default_settings(town.ada), "can_join_group": GroupSetting.of(6, members=[town.ben])},
    }
    group = storage.write(lambda tx: tx.groups.add(fields))
    assert group == Group(id=group.id, **fields)
    assert group.id == FIRST_NAMED_GROUP
    assert storage.read(lambda snapshot: snapshot.groups.find(group.id)) == group
    assert storage.read(lambda snapshot: snapshot.groups.by_ids([group.id, UNKNOWN])) == {group.id: group}
    assert storage.read(lambda snapshot: list(snapshot.groups.all())[-1]) == group


def test_groups_that_are_not_there_are_not_found(storage: Storage) -> None:
    for group_id in (0, -1, UNKNOWN, 2**63 - 1):
        assert storage.read(partial(find_group, group_id)) is None
    assert storage.read(lambda snapshot: snapshot.groups.by_ids([])) == {}
    assert storage.read(lambda snapshot: snapshot.groups.by_names(["night shift"])) == []


def test_groups_are_found_by_their_exact_names(storage: Storage) -> None:
    def write(tx: Transaction) -> list[GroupId]:
        return [add_group(tx, name) for name in ("cooks", "Cooks", "night shift")]

    cooks, capital, _ = storage.write(write)
    groups = storage.read(lambda snapshot: snapshot.groups.by_names(["Cooks", "cooks", "COOKS"]))
    assert [group.id for group in groups] == [cooks, capital]
    assert [g.id for g in storage.read(lambda snapshot: snapshot.groups.by_names(["role:owners"]))] == [2]


def test_no_two_groups_have_one_name(storage: Storage) -> None:
    storage.write(lambda tx: add_group(tx, "cooks", deactivated=True))
    error_of(Exception, lambda: storage.write(lambda tx: add_group(tx, "cooks")))
    assert storage.read(lambda snapshot: snapshot.groups.count()) == len(SystemGroup) + 1


def test_a_group_is_updated(storage: Storage) -> None:
    cooks = storage.write(lambda tx: add_group(tx, "cooks"))
    values = {**default_settings(UserId(1)), "can_join_group": GroupSetting.of(SystemGroup.MEMBERS)}

    def write(tx: Transaction) -> None:
        tx.groups.update(cooks, name="chefs", description="They cook.", deactivated=True, settings=values)

    storage.write(write)
    group = storage.read(lambda snapshot: snapshot.groups.find(cooks))
    assert group is not None
    assert (group.name, group.description, group.deactivated) == ("chefs", "They cook.", True)
    assert group.settings == values
    assert storage.read(lambda snapshot: snapshot.groups.by_names(["cooks"])) == []


def test_ids_of_groups_only_grow(storage: Storage) -> None:
    added = [storage.write(partial(add_group, name=f"group {n}")) for n in range(5)]
    assert added == list(range(FIRST_NAMED_GROUP, FIRST_NAMED_GROUP + 5))


# -- members ----------------------------------------------------------------------------------------


def test_people_come_into_groups_and_go(storage: Storage) -> None:
    town = a_town(storage)
    cooks = storage.write(lambda tx: add_group(tx, "cooks", town.cem, town.ada))
    waiters = storage.write(lambda tx: add_group(tx, "waiters", town.ada))
    storage.write(lambda tx: tx.groups.add_members(cooks, [town.ben]))
    storage.write(lambda tx: tx.groups.remove_members(cooks, [town.cem, UserId(10**9)]))

    def read(snapshot: Snapshot) -> tuple[Any, ...]:
        return (
            snapshot.groups.direct_members([waiters, cooks, UNKNOWN], NOW),
            snapshot.groups.members([waiters, cooks], NOW),
            snapshot.groups.members([], NOW),
            snapshot.groups.direct_members_among(cooks, [town.ada, town.cem]),
            snapshot.groups.of_user(town.ada),
        )

    direct, together, nobody, among, of_ada = storage.read(read)
    assert direct == {cooks: sorted([town.ada, town.ben]), waiters: [town.ada], UNKNOWN: []}
    assert together == {town.ada, town.ben}
    assert nobody == frozenset()
    assert among == {town.ada}
    assert of_ada == [cooks, waiters]


def test_a_deactivated_account_keeps_its_place_but_is_not_seen(storage: Storage) -> None:
    town = a_town(storage)
    cooks = storage.write(lambda tx: add_group(tx, "cooks", town.ada, town.ben))
    storage.write(lambda tx: tx.users.update(town.ada, is_active=False))

    def read(snapshot: Snapshot) -> tuple[Any, ...]:
        groups = snapshot.groups
        return (
            groups.direct_members([cooks], NOW)[cooks],
            groups.members([cooks, SystemGroup.MEMBERS.group_id], NOW),
            groups.direct_members_among(cooks, [town.ada]),
            groups.of_user(town.ada),
        )

    assert storage.read(read) == ([town.ben], {town.ben, town.cem}, {town.ada}, [cooks])


def test_members_of_system_groups_follow_from_roles(storage: Storage) -> None:
    def write(tx: Transaction) -> dict[str, UserId]:
        bell = add_user(tx, "bell", is_bot=True).id
        fields = {"name": "Teahouse", "date_created": NOW}
        tx.organization.put(
            Organization(**fields, waiting_period_threshold=3, notification_bot_id=bell)  # type: ignore[arg-type]
        )
        old = NOW - 3 * SECONDS_PER_DAY
        people: dict[str, dict[str, Any]] = {
            "olga": {"role": Role.OWNER},
            "adi": {"role": Role.ADMINISTRATOR},
            "mona": {"role": Role.MODERATOR},
            "old": {"date_joined": old},
            "new": {"date_joined": old + 1},
            "gus": {"role": Role.GUEST, "date_joined": old},
        }
        return {name: add_user(tx, name, **fields).id for name, fields in people.items()}

    people = storage.write(write)
    every = [group.group_id for group in SystemGroup]
    direct = storage.read(lambda snapshot: snapshot.groups.direct_members(every, NOW))
    by_id = {user_id: name for name, user_id in people.items()}
    assert {SystemGroup(g).group_name: [by_id[u] for u in user_ids] for g, user_ids in direct.items()} == {
        "role:nobody": [],
        "role:owners": ["olga"],
        "role:administrators": ["adi"],
        "role:moderators": ["mona"],
        "role:fullmembers": ["old"],
        "role:members": ["old", "new"],
        "role:everyone": ["gus"],
        "role:internet": [],
    }
    later = storage.read(lambda snapshot: snapshot.groups.direct_members([GroupId(5)], NOW + 1))
    assert later == {5: [people["old"], people["new"]]}
    assert storage.read(lambda snapshot: snapshot.groups.members([GroupId(2), GroupId(7)], NOW)) == {
        people["olga"],
        people["gus"],
    }


def test_users_who_joined_in_a_period(storage: Storage) -> None:
    def write(tx: Transaction) -> list[UserId]:
        joined = [add_user(tx, f"p{at}", date_joined=at).id for at in (9, 10, 11, 12)]
        add_user(tx, "gus", date_joined=11, role=Role.GUEST)
        add_user(tx, "ida", date_joined=11, is_active=False)
        return joined

    _, _, eleven, twelve = storage.write(write)
    assert storage.read(lambda snapshot: snapshot.groups.joined_between(10, 12)) == [eleven, twelve]
    assert storage.read(lambda snapshot: snapshot.groups.joined_between(12, 10)) == []


def test_it_is_noted_who_was_announced_as_a_full_member(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.groups.full_members_announced()) is None
    for at in (5, 7):
        storage.write(partial(note_announced, at))
        assert storage.read(lambda snapshot: snapshot.groups.full_members_announced()) == at


# -- subgroups --------------------------------------------------------------------------------------


def test_groups_come_into_groups_and_go(storage: Storage) -> None:
    def write(tx: Transaction) -> tuple[GroupId, ...]:
        a, b, c = (add_group(tx, name) for name in "abc")
        tx.groups.add_subgroups(a, [c, b, SystemGroup.OWNERS.group_id])
        tx.groups.add_subgroups(b, [c])
        tx.groups.remove_subgroups(a, [c, UNKNOWN])
        return a, b, c

    a, b, c = storage.write(write)

    def read(snapshot: Snapshot) -> tuple[Any, ...]:
        groups = snapshot.groups
        return (
            groups.direct_subgroups([a, b, c]),
            groups.direct_supergroups(c),
            groups.direct_supergroups(SystemGroup.OWNERS.group_id),
            groups.edges_below([a]),
            groups.edges_above([c]),
            groups.edges_below([]),
            groups.edges_below([c]),
        )

    held, holding_c, holding_owners, below_a, above_c, nothing, below_c = storage.read(read)
    assert held == {a: [2, b], b: [c], c: []}
    assert holding_c == [b]
    assert holding_owners == [3, a]
    assert below_a == {a: {2, b}, b: {c}}
    assert above_c == {c: {b}, b: {a}}
    assert nothing == {}
    assert below_c == {}


def test_even_a_circle_is_followed_only_once(storage: Storage) -> None:
    """No rule allows a cycle to be created; if there is one, reading must still terminate."""

    def write(tx: Transaction) -> tuple[GroupId, GroupId]:
        a, b = add_group(tx, "a"), add_group(tx, "b")
        tx.groups.add_subgroups(a, [b])
        tx.groups.add_subgroups(b, [a])
        return a, b

    a, b = storage.write(write)
    assert storage.read(lambda snapshot: snapshot.groups.edges_below([a])) == {a: {b}, b: {a}}
    town = a_town(storage)
    storage.write(lambda tx: tx.groups.add_members(b, [town.ada]))
    assert groups_of(storage, town.ada) == {a, b}


# -- the groups of actors ---------------------------------------------------------------------------


def test_an_actor_carries_its_groups_and_those_that_hold_them(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[GroupId, ...]:
        inner = add_group(tx, "inner", town.ada)
        middle = add_group(tx, "middle", town.ben, holding=[inner])
        outer = add_group(tx, "outer", holding=[middle])
        return inner, middle, outer

    inner, middle, outer = storage.write(write)
    assert groups_of(storage, town.ada) == {inner, middle, outer}
    assert groups_of(storage, town.ben) == {middle, outer}
    assert groups_of(storage, town.cem) == frozenset()


def test_an_actor_is_in_groups_that_hold_those_of_its_role(storage: Storage) -> None:
    town = a_town(storage)
    gus = storage.write(lambda tx: add_user(tx, "gus", role=Role.GUEST)).id
    crew = storage.write(lambda tx: add_group(tx, "crew", holding=[SystemGroup.MEMBERS.group_id]))
    ship = storage.write(lambda tx: add_group(tx, "ship", holding=[crew]))
    assert groups_of(storage, town.ada) == {crew, ship}
    actor = storage.read(lambda snapshot: snapshot.users.actors([gus], NOW)[gus])
    assert actor.group_ids == system_groups_of(Role.GUEST, full_member=False)


def test_a_deactivated_group_gives_nothing(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[GroupId, GroupId]:
        inner = add_group(tx, "inner", town.ada)
        return inner, add_group(tx, "outer", holding=[inner])

    inner, outer = storage.write(write)
    storage.write(lambda tx: tx.groups.update(outer, deactivated=True))
    assert groups_of(storage, town.ada) == {inner}
    storage.write(lambda tx: tx.groups.update(outer, deactivated=False))
    storage.write(lambda tx: tx.groups.update(inner, deactivated=True))
    assert groups_of(storage, town.ada) == frozenset()


def test_a_bot_and_its_owner_have_their_own_groups(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[UserId, GroupId, GroupId]:
        bot = add_user(tx, "bot", is_bot=True, bot_type=1, bot_owner_id=town.ada).id
        return bot, add_group(tx, "people", town.ada), add_group(tx, "bots", bot)

    bot, people, bots = storage.write(write)
    actor = storage.read(lambda snapshot: snapshot.users.actors([bot], NOW)[bot])
    assert {people, bots} & actor.group_ids == {bots}
    assert actor.owner is not None
    assert {people, bots} & actor.owner.group_ids == {people}


def test_membership_counts_in_the_unit_of_work_that_changes_it(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> bool:
        cooks = add_group(tx, "cooks", town.ada)
        return cooks in tx.users.actors([town.ada], NOW)[town.ada].group_ids

    assert storage.write(write)
