"""Groups, group-setting values, and who may do what to a group."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import groups as rules
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.nesting import closure, depth_with, longest_chain, would_make_a_cycle
from chatcore.domain.groups.permissions import (
    CHANNEL_PERMISSIONS,
    GROUP_PERMISSIONS,
    ORGANIZATION_PERMISSIONS,
    GroupSetting,
    Permission,
    SystemGroupRequired,
)
from chatcore.domain.groups.system import SystemGroup, direct_system_groups_of, system_groups_of
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role

NOBODY, OWNERS, EVERYONE, INTERNET = (
    SystemGroup.NOBODY,
    SystemGroup.OWNERS,
    SystemGroup.EVERYONE,
    SystemGroup.INTERNET,
)
NIGHT_SHIFT = GroupId(17)
COOKS = GroupId(18)
ADA = UserId(31)


def an_actor(role: Role = Role.MEMBER, *groups: int, user_id: int = ADA) -> Actor:
    own = system_groups_of(role, full_member=True)
    return Actor(UserId(user_id), role, own.union(GroupId(group) for group in groups))


# -- system groups ----------------------------------------------------------------------------------


@pytest.mark.shows("setting.system-groups")
def test_system_groups_have_fixed_ids_in_the_order_of_their_creation() -> None:
    assert [(int(group), group.group_name) for group in SystemGroup] == [
        (1, "role:nobody"),
        (2, "role:owners"),
        (3, "role:administrators"),
        (4, "role:moderators"),
        (5, "role:fullmembers"),
        (6, "role:members"),
        (7, "role:everyone"),
        (8, "role:internet"),
    ]
    assert SystemGroup.FULL_MEMBERS.shown_as == "Full members"
    assert [rules.is_system_group(number) for number in (-1, 0, 1, 8, 9)] == [False, False, True, True, False]


def test_each_system_group_holds_the_next_smaller_one() -> None:
    assert NOBODY.direct_subgroup is None
    assert OWNERS.direct_subgroup is None
    assert SystemGroup.ADMINISTRATORS.direct_subgroup == OWNERS
    assert INTERNET.direct_subgroup == EVERYONE


@pytest.mark.parametrize(
    ("role", "full_member", "direct", "smallest"),
    [
        (Role.OWNER, True, {OWNERS}, OWNERS),
        (Role.ADMINISTRATOR, True, {SystemGroup.ADMINISTRATORS}, SystemGroup.ADMINISTRATORS),
        (Role.MODERATOR, True, {SystemGroup.MODERATORS}, SystemGroup.MODERATORS),
        (Role.MEMBER, True, {SystemGroup.MEMBERS, SystemGroup.FULL_MEMBERS}, SystemGroup.FULL_MEMBERS),
        (Role.MEMBER, False, {SystemGroup.MEMBERS}, SystemGroup.MEMBERS),
        (Role.GUEST, False, {EVERYONE}, EVERYONE),
    ],
)
def test_a_role_says_in_which_system_groups_one_is(
    role: Role, full_member: bool, direct: set[SystemGroup], smallest: SystemGroup
) -> None:
    assert direct_system_groups_of(role, full_member=full_member) == direct
    everything = system_groups_of(role, full_member=full_member)
    assert everything == {group.group_id for group in SystemGroup if group >= smallest}
    edges = {g.group_id: [h.group_id] for h in SystemGroup if (g := h.direct_subgroup) is not None}
    assert everything == closure([group.group_id for group in direct], edges)


# -- values -----------------------------------------------------------------------------------------


def test_values_are_normalised() -> None:
    assert GroupSetting.of() == GroupSetting.of(NOBODY)
    assert GroupSetting.of(NIGHT_SHIFT).single_group == NIGHT_SHIFT
    assert GroupSetting.of(NIGHT_SHIFT, members=[ADA]).single_group is None
    assert GroupSetting.of(NIGHT_SHIFT, COOKS).single_group is None
    assert GroupSetting.of(OWNERS).system_group is OWNERS
    assert GroupSetting.of(NIGHT_SHIFT).system_group is None
    assert GroupSetting.of(0).system_group is None
    assert GroupSetting.of(members=[ADA]).system_group is None


@pytest.mark.shows("setting.two-forms")
def test_a_setting_is_a_group_or_lists_its_members_and_subgroups() -> None:
    assert GroupSetting.of(NIGHT_SHIFT).as_sent() == 17
    both = GroupSetting.of(COOKS, NIGHT_SHIFT, members=[33, ADA])
    assert both.as_sent() == {"direct_members": [31, 33], "direct_subgroups": [17, 18]}
    assert both.as_sent(hidden={ADA}) == {"direct_members": [33], "direct_subgroups": [17, 18]}
    assert both.without({ADA}) == GroupSetting.of(NIGHT_SHIFT, COOKS, members=[33])
    assert GroupSetting.of(members=[ADA]).without({ADA}) == GroupSetting.of(NOBODY)


@pytest.mark.shows("setting.who-holds-it")
def test_a_value_includes_its_people_and_those_of_its_groups() -> None:
    value = GroupSetting.of(NIGHT_SHIFT, members=[33])
    assert value.includes(an_actor(Role.MEMBER, NIGHT_SHIFT))
    assert value.includes(an_actor(user_id=33))
    assert not value.includes(an_actor())


# -- accepted values --------------------------------------------------------------------------------

ALL = [
    *(("group", permission) for permission in GROUP_PERMISSIONS.values()),
    *(("channel", permission) for permission in CHANNEL_PERMISSIONS.values()),
    *(("organization", permission) for permission in ORGANIZATION_PERMISSIONS.values()),
]


def accepts(permission: Permission, value: GroupSetting) -> bool:
    try:
        permission.check(value)
    except BadRequest:
        return False
    return True


@pytest.mark.parametrize(("where", "permission"), ALL, ids=lambda value: getattr(value, "name", value))
def test_no_setting_takes_the_internet_and_some_take_everyone(where: str, permission: Permission) -> None:
    assert not accepts(permission, GroupSetting.of(INTERNET))
    assert not accepts(permission, GroupSetting.of(INTERNET, members=[ADA]))
    assert accepts(permission, GroupSetting.of(EVERYONE)) is permission.allow_everyone
    together = GroupSetting.of(EVERYONE, members=[ADA])
    assert accepts(permission, together) is (permission.allow_everyone and not permission.allowed)


@pytest.mark.shows("group.manage-not-everyone", "group.mention-not-owners")
@pytest.mark.parametrize(
    ("name", "everyone", "owners"),
    [
        ("can_add_members_group", False, True),
        ("can_join_group", False, True),
        ("can_leave_group", True, True),
        ("can_manage_group", False, True),
        ("can_mention_group", True, False),
        ("can_remove_members_group", False, True),
    ],
)
def test_each_setting_of_groups_accepts_certain_system_groups(
    name: str, everyone: bool, owners: bool
) -> None:
    permission = GROUP_PERMISSIONS[name]
    assert accepts(permission, GroupSetting.of(NOBODY))
    assert accepts(permission, GroupSetting.of(EVERYONE)) is everyone
    assert accepts(permission, GroupSetting.of(OWNERS)) is owners
    assert accepts(permission, GroupSetting.of(OWNERS, members=[ADA]))


def test_a_setting_that_a_group_does_not_have_is_nobodys() -> None:
    """Such as one of a later version than that of the archive that it comes from."""
    group = Group(id=GroupId(99), name="cooks", settings={})
    assert group.setting("can_join_group") == GroupSetting.of(SystemGroup.NOBODY)
    assert not group.permits("can_join_group", Actor(UserId(1), Role.MEMBER, frozenset()))


def test_an_organization_needs_a_manager_of_all_groups() -> None:
    permission = ORGANIZATION_PERMISSIONS["can_manage_all_groups"]
    assert not accepts(permission, GroupSetting.of(NOBODY))
    assert accepts(permission, GroupSetting.of(NIGHT_SHIFT))


@pytest.mark.parametrize("name", ["can_create_web_public_channel_group", "can_access_all_users_group"])
def test_some_settings_take_system_groups_only(name: str) -> None:
    permission = ORGANIZATION_PERMISSIONS[name]
    for value in (GroupSetting.of(NIGHT_SHIFT), GroupSetting.of(members=[ADA])):
        with pytest.raises(SystemGroupRequired) as refused:
            permission.check(value)
        assert refused.value.code == "SYSTEM_GROUP_REQUIRED"
        assert refused.value.extra == {"setting_name": name}
    with pytest.raises(BadRequest, match="this group"):
        permission.check(GroupSetting.of(SystemGroup.FULL_MEMBERS))
    permission.check(GroupSetting.of(permission.default or NOBODY))


def test_a_guest_holds_no_permission_that_everyone_cannot_have() -> None:
    guest = an_actor(Role.GUEST, NIGHT_SHIFT)
    value = GroupSetting.of(NIGHT_SHIFT, members=[ADA])
    for _, permission in ALL:
        assert permission.held_by(guest, value) is permission.allow_everyone
        assert permission.held_by(an_actor(Role.MEMBER, NIGHT_SHIFT), value)


# -- nesting ----------------------------------------------------------------------------------------

Edges = dict[GroupId, list[GroupId]]


@st.composite
def forests(draw: st.DrawFn) -> Edges:
    """Groups in groups, without a circle: each holds only groups with larger ids."""
    size = draw(st.integers(2, 12))
    edges: Edges = {}
    for group in range(size - 1):
        held = draw(st.sets(st.integers(group + 1, size - 1), max_size=4))
        edges[GroupId(group)] = [GroupId(one) for one in held]
    return edges


def ways(group: GroupId, edges: Edges) -> list[int]:
    """The lengths of all ways from a group, the obvious way."""
    return [0, *(1 + length for held in edges.get(group, []) for length in ways(held, edges))]


@given(forests())
def test_the_closure_is_what_can_be_reached(edges: Edges) -> None:
    def reached(group: GroupId) -> set[GroupId]:
        return {group}.union(*(reached(held) for held in edges.get(group, [])))

    for group in edges:
        assert closure([group], edges) == reached(group)


@given(forests())
def test_the_longest_chain_is_the_longest_way(edges: Edges) -> None:
    for group in edges:
        assert longest_chain([group], edges) == max(ways(group, edges))
    assert longest_chain(list(edges), edges) == max(max(ways(group, edges)) for group in edges)
    assert longest_chain([], edges) == -1


@given(forests(), st.data())
def test_a_new_edge_is_refused_exactly_when_it_closes_a_circle(edges: Edges, data: st.DataObject) -> None:
    everything = sorted({*edges, *(held for all_held in edges.values() for held in all_held)})
    group, subgroup = (data.draw(st.sampled_from(everything)) for _ in range(2))
    is_circle = group in closure([subgroup], edges)
    above: Edges = {}
    for holder, all_held in edges.items():
        for held in all_held:
            above.setdefault(held, []).append(holder)
    assert would_make_a_cycle(group, [subgroup], above=above) is is_circle
    if not is_circle:
        with_it = {**edges, group: [*edges.get(group, []), subgroup]}
        assert depth_with(group, [subgroup], above=above, below=edges) <= max(
            max(ways(one, with_it)) for one in everything
        )


def test_a_very_deep_chain_is_no_matter() -> None:
    deep: Edges = {GroupId(number): [GroupId(number + 1)] for number in range(20_000)}
    assert len(closure([GroupId(0)], deep)) == 20_001
    assert longest_chain([GroupId(0)], deep) == 20_000
    assert would_make_a_cycle(GroupId(0), [GroupId(20_000)], above=deep)


# -- names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", ["night shift", " x ", "x" * 100, "e\u0301" * 100, "roles: x", "a@b", "夜勤"])
def test_names_that_a_group_can_have(raw: str) -> None:
    assert rules.checked_group_name(raw, Limits()) == raw.strip()


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "  ",
        "\u200b",
        "x" * 101,
        "@x",
        "role:x",
        "Role:x",
        "user:x",
        "stream:x",
        "channel:x",
        "Owners",
        "all",
        "a\nb",
        "a\0b",
        "\ud800",
    ],
)
def test_names_that_no_group_can_have(raw: str) -> None:
    with pytest.raises(BadRequest):
        rules.checked_group_name(raw, Limits())


def test_a_description_is_any_text_that_can_be_stored() -> None:
    assert rules.checked_group_description(" a\n\tb ", Limits()) == " a\n\tb "
    for raw in ("x" * 10_001, "a\0b", "\ud800"):
        with pytest.raises(BadRequest):
            rules.checked_group_description(raw, Limits())


# -- permissions ------------------------------------------------------------------------------------

MANAGERS, ADDERS, REMOVERS, JOINERS, LEAVERS, MENTIONERS = range(20, 26)


def a_group(group_id: int = NIGHT_SHIFT) -> Group:
    settings = {
        "can_manage_group": GroupSetting.of(MANAGERS),
        "can_add_members_group": GroupSetting.of(ADDERS),
        "can_remove_members_group": GroupSetting.of(REMOVERS),
        "can_join_group": GroupSetting.of(JOINERS),
        "can_leave_group": GroupSetting.of(LEAVERS),
        "can_mention_group": GroupSetting.of(MENTIONERS),
    }
    return Group(id=GroupId(group_id), name="night shift", settings=settings)


SELF, OTHER, BOTH = [ADA], [UserId(99)], [ADA, UserId(99)]

MAY = {
    # who: manages, adds others, joins, removes others, leaves, adds subgroups, mentions
    None: (0, 0, 0, 0, 0, 0, 0),
    MANAGERS: (1, 1, 1, 1, 1, 1, 0),
    ADDERS: (0, 1, 1, 0, 0, 1, 0),
    REMOVERS: (0, 0, 0, 1, 1, 0, 0),
    JOINERS: (0, 0, 1, 0, 0, 0, 0),
    LEAVERS: (0, 0, 0, 0, 1, 0, 0),
    MENTIONERS: (0, 0, 0, 0, 0, 0, 1),
    "all": (1, 1, 1, 1, 1, 1, 0),
}


def rights(group: Group, actor: Actor, *, manages_all: bool) -> tuple[bool, ...]:
    return (
        rules.is_manager(group, actor, manages_all=manages_all),
        rules.may_add_members(group, actor, OTHER, manages_all=manages_all),
        rules.may_add_members(group, actor, SELF, manages_all=manages_all),
        rules.may_remove_members(group, actor, OTHER, manages_all=manages_all),
        rules.may_remove_members(group, actor, SELF, manages_all=manages_all),
        rules.may_add_subgroups(group, actor, manages_all=manages_all),
        rules.may_mention(group, actor),
    )


@pytest.mark.shows("group.add-members", "group.remove-members")
@pytest.mark.parametrize("who", MAY)
def test_rights_follow_from_the_settings_of_a_group(who: int | str | None) -> None:
    actor = an_actor(Role.MEMBER, *([who] if isinstance(who, int) else []))
    assert rights(a_group(), actor, manages_all=who == "all") == tuple(map(bool, MAY[who]))  # type: ignore[index]


@pytest.mark.shows("group.add-members", "group.remove-members")
@pytest.mark.parametrize("who", MAY)
def test_one_is_not_others(who: int | str | None) -> None:
    """The permissions to join and leave are for the user alone; other users are added and removed by
    permissions of their own.
    """
    actor = an_actor(Role.MEMBER, *([who] if isinstance(who, int) else []))
    manages_all = who == "all"
    adds, removes = bool(MAY[who][1]), bool(MAY[who][3])  # type: ignore[index]
    assert rules.may_add_members(a_group(), actor, BOTH, manages_all=manages_all) is adds
    assert rules.may_remove_members(a_group(), actor, BOTH, manages_all=manages_all) is removes


def test_a_guest_may_nothing_but_mention() -> None:
    guest = an_actor(Role.GUEST, MANAGERS, ADDERS, REMOVERS, JOINERS, LEAVERS, MENTIONERS)
    assert rights(a_group(), guest, manages_all=True) == (False,) * 6 + (True,)


def test_an_administrator_is_no_manager_by_that() -> None:
    assert rights(a_group(), an_actor(Role.ADMINISTRATOR), manages_all=False) == (False,) * 7


def test_nobody_may_do_anything_to_a_system_group() -> None:
    owner = an_actor(Role.OWNER, 1)
    group = Group(id=OWNERS.group_id, name="role:owners")
    assert group.is_system_group
    assert {group.setting(name).as_sent() for name in GROUP_PERMISSIONS} == {int(NOBODY)}
    # Even a member of role:nobody, if there were one, changes nothing.
    assert rights(group, owner, manages_all=True)[:6] == (False,) * 6
    assert not rules.may_mention(group, an_actor(Role.OWNER))


@pytest.mark.shows("group.defaults")
def test_a_new_group_has_default_settings() -> None:
    values = {name: value.as_sent() for name, value in rules.default_settings(ADA).items()}
    creator = {"direct_members": [ADA], "direct_subgroups": []}
    assert values == {
        "can_add_members_group": creator,
        "can_join_group": int(NOBODY),
        "can_leave_group": int(EVERYONE),
        "can_manage_group": creator,
        "can_mention_group": int(EVERYONE),
        "can_remove_members_group": int(NOBODY),
    }
