"""User groups, their members and subgroups."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Unpack

from peewee import fn

from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.nesting import closure
from chatcore.domain.groups.system import SystemGroup, direct_system_groups_of, is_system_group
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role, full_members_joined_until
from chatcore.storage.people.groups import Edges, GroupFields, NewGroup
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.organization.organization import Organizations
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import (
    Account,
    FullMembersAnnounced,
    UserGroup,
    UserGroupMember,
    UserGroupSubgroup,
)
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, in_list, insert, param, upsert
from storage_backends.sql.values import columns_of, values_to_write

FIND = Statement(UserGroup.select().where(UserGroup.id == param("group_id"))).of(Group)
FIND_BY_IDS = Statement(
    UserGroup.select().where(in_list(UserGroup.id, "group_ids")).order_by(UserGroup.id)
).of(Group)
FIND_BY_NAMES = Statement(
    UserGroup.select().where(in_list(UserGroup.name, "names")).order_by(UserGroup.id)
).of(Group)
FIND_ALL = Statement(UserGroup.select().order_by(UserGroup.id)).of(Group)
COUNT = Statement(UserGroup.select(ROW_COUNT))
NEWEST = Statement(UserGroup.select(fn.max(UserGroup.id).alias("newest")))
ADD = Statement(insert(UserGroup))

SYSTEM_GROUPS = frozenset(group.group_id for group in SystemGroup)

_OF_GROUP = UserGroupMember.group_id == param("group_id")
_OF_GROUPS = in_list(UserGroupMember.group_id, "group_ids")
_OF_USERS = in_list(UserGroupMember.user_id, "user_ids")
FIND_MEMBERS = Statement(
    UserGroupMember.select(UserGroupMember.group_id, UserGroupMember.user_id)
    .where(_OF_GROUPS)
    .order_by(UserGroupMember.group_id, UserGroupMember.user_id)
)
FIND_INACTIVE = Statement(Account.select(Account.id).where(~Account.is_active))
FIND_MEMBERS_OF_ANY = Statement(
    UserGroupMember.select(UserGroupMember.user_id)
    .distinct()
    .join(Account, on=UserGroupMember.user_id == Account.id)
    .where(Account.is_active, _OF_GROUPS)
)
FIND_MEMBERS_AMONG = Statement(UserGroupMember.select(UserGroupMember.user_id).where(_OF_GROUP, _OF_USERS))
FIND_WITH_ROLES = Statement(
    Account.select(Account.id, Account.role, Account.date_joined)
    .where(Account.is_active, in_list(Account.role, "roles"))
    .order_by(Account.id)
)
FIND_DIRECT_GROUPS = Statement(
    UserGroupMember.select(UserGroupMember.group_id)
    .where(UserGroupMember.user_id == param("user_id"))
    .order_by(UserGroupMember.group_id)
)
ADD_MEMBER = Statement(insert(UserGroupMember))
REMOVE_MEMBERS = Statement(UserGroupMember.delete().where(_OF_GROUP, _OF_USERS))
FIND_JOINED = Statement(
    Account.select(Account.id)
    .where(
        Account.role == int(Role.MEMBER),
        Account.is_active,
        Account.date_joined > param("after"),
        Account.date_joined <= param("up_to"),
    )
    .order_by(Account.id)
)
FIND_ANNOUNCED = Statement(FullMembersAnnounced.select(FullMembersAnnounced.up_to))
PUT_ANNOUNCED = upsert(FullMembersAnnounced)

FIND_SUBGROUPS = Statement(
    UserGroupSubgroup.select(UserGroupSubgroup.group_id, UserGroupSubgroup.subgroup_id)
    .where(in_list(UserGroupSubgroup.group_id, "group_ids"))
    .order_by(UserGroupSubgroup.group_id, UserGroupSubgroup.subgroup_id)
)
FIND_SUPERGROUPS = Statement(
    UserGroupSubgroup.select(UserGroupSubgroup.group_id)
    .where(UserGroupSubgroup.subgroup_id == param("subgroup_id"))
    .order_by(UserGroupSubgroup.group_id)
)
ADD_SUBGROUP = Statement(insert(UserGroupSubgroup))
REMOVE_SUBGROUPS = Statement(
    UserGroupSubgroup.delete().where(
        UserGroupSubgroup.group_id == param("group_id"),
        in_list(UserGroupSubgroup.subgroup_id, "subgroup_ids"),
    )
)


def _reachable(here: str, there: str) -> Statement:
    """Return a query for the edges between groups that can be reached from some groups in one direction: from
    the group in the column *here* to that in the column *there*.
    """

    def text(dialect: Dialect) -> str:
        return f"""
            WITH RECURSIVE edge (here, there) AS (
                SELECT {here}, {there} FROM user_group_subgroup WHERE {here} {dialect.in_list("group_ids")}
                UNION
                SELECT s.{here}, s.{there}
                FROM edge {dialect.lookup("user_group_subgroup", "s", f"s.{here} = edge.there")}
            )
            SELECT here, there FROM edge
        """

    return Statement(text)


FIND_BELOW = _reachable("group_id", "subgroup_id")
FIND_ABOVE = _reachable("subgroup_id", "group_id")
FIND_DIRECT_ACTIVE = Statement(
    UserGroupMember.select(UserGroupMember.user_id, UserGroupMember.group_id)
    .join(UserGroup, on=UserGroup.id == UserGroupMember.group_id)
    .where(~UserGroup.deactivated, _OF_USERS)
)
FIND_ACTIVE_ABOVE = Statement(
    lambda dialect: (
        f"""
        WITH RECURSIVE held (id) AS (
            SELECT id FROM user_group WHERE id {dialect.in_list("group_ids")}
            UNION
            SELECT s.group_id
            FROM held {dialect.lookup("user_group_subgroup", "s", "s.subgroup_id = held.id")}
            {dialect.lookup("user_group", "g", "g.id = s.group_id")} WHERE NOT g.deactivated
        )
        SELECT s.subgroup_id AS here, s.group_id AS there FROM held
        JOIN user_group_subgroup AS s ON s.subgroup_id = held.id
        JOIN user_group AS g ON g.id = s.group_id WHERE NOT g.deactivated
        """
    )
)
"""The edges from some groups upwards, without deactivated groups, which pass on no permission."""


class Groups(SqlRepository):
    def find(self, group_id: int) -> Group | None:
        return self._session.row(FIND, group_id=group_id)

    def by_ids(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Group]:
        return {group.id: group for group in self._session.rows(FIND_BY_IDS, group_ids=group_ids)}

    def by_names(self, names: Collection[str]) -> Sequence[Group]:
        return self._session.rows(FIND_BY_NAMES, names=names)

    def all(self) -> Sequence[Group]:
        return self._session.recall.one(
            RememberedKind.GROUPS, "all groups", lambda: self._session.rows(FIND_ALL)
        )

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def add(self, new: NewGroup) -> Group:
        # The next id is free: groups are never deleted, and nobody else writes meanwhile.
        group = Group(id=GroupId(self._session.value(NEWEST) + 1), **new)
        self._session.run(ADD, **columns_of(UserGroup, group))
        return group

    def update(self, group_id: GroupId, **fields: Unpack[GroupFields]) -> None:
        values = values_to_write(UserGroup, fields)
        self._session.run(change(UserGroup, *values), id=group_id, **values)

    # -- members ------------------------------------------------------------------------------------

    def direct_members(self, group_ids: Collection[GroupId], now: int) -> Mapping[GroupId, Sequence[UserId]]:
        def read(missing: list[GroupId]) -> Mapping[GroupId, Sequence[UserId]]:
            members: dict[GroupId, list[UserId]] = {group_id: [] for group_id in missing}
            for row in self._session.rows(FIND_MEMBERS, group_ids=missing):
                members[row.group_id].append(row.user_id)
            return members

        recall = self._session.recall
        members = recall.many(RememberedKind.GROUPS, "members", _without_system_groups(group_ids), read)
        inactive = recall.one(
            RememberedKind.PEOPLE, "inactive", lambda: frozenset(self._session.column(FIND_INACTIVE))
        )
        active = {
            group_id: [user_id for user_id in user_ids if user_id not in inactive]
            for group_id, user_ids in members.items()
        }
        return {**dict.fromkeys(group_ids, ()), **active, **self._system_members(group_ids, now)}

    def direct_members_among(self, group_id: GroupId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_MEMBERS_AMONG, group_id=group_id, user_ids=user_ids))

    def members(self, group_ids: Collection[GroupId], now: int) -> frozenset[UserId]:
        own_groups = _without_system_groups(group_ids)
        members = self._session.column(FIND_MEMBERS_OF_ANY, group_ids=own_groups)
        return frozenset(members).union(*self._system_members(group_ids, now).values())

    def _system_members(self, group_ids: Collection[GroupId], now: int) -> Mapping[GroupId, list[UserId]]:
        """Return the direct members, by ascending id, of those of the groups that follow from roles.

        The organization's own bot is in none of them.
        """
        by_group: dict[GroupId, list[UserId]] = {
            group_id: [] for group_id in group_ids if is_system_group(group_id)
        }
        roles = [role for role in Role if by_group.keys() & _system_groups_of(role, full_member=True)]
        if not roles:
            return by_group
        organization = Organizations(self._session).find()
        bot_id = None if organization is None else organization.notification_bot_id
        days = 0 if organization is None else organization.waiting_period_threshold
        for role, people in self._joined_by_role(roles).items():
            latest = full_members_joined_until(role, days, now)
            joined_at = {user_id: joined for user_id, joined in people if user_id != bot_id}
            for is_full in (True, False):
                user_ids = [user_id for user_id, joined in joined_at.items() if (joined <= latest) == is_full]
                for group_id in by_group.keys() & _system_groups_of(role, full_member=is_full):
                    by_group[group_id] += user_ids
        for members in by_group.values():
            members.sort()
        return by_group

    def _joined_by_role(self, roles: Sequence[Role]) -> Mapping[Role, Sequence[tuple[UserId, int]]]:
        """Return the active accounts of each role with the times at which they joined."""

        def read(missing: Sequence[Role]) -> Mapping[Role, Sequence[tuple[UserId, int]]]:
            by_number: dict[int, list[tuple[UserId, int]]] = {int(role): [] for role in missing}
            for row in self._session.rows(FIND_WITH_ROLES, roles=list(by_number)):
                by_number[row.role].append((row.id, row.date_joined))
            return {role: by_number[int(role)] for role in missing}

        return self._session.recall.many(RememberedKind.PEOPLE, "joined by role", roles, read)

    def of_user(self, user_id: UserId) -> Sequence[GroupId]:
        return self._session.column(FIND_DIRECT_GROUPS, user_id=user_id)

    def add_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None:
        self._session.run_many(
            ADD_MEMBER, [{"user_id": user_id, "group_id": group_id} for user_id in sorted(user_ids)]
        )

    def remove_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None:
        self._session.run(REMOVE_MEMBERS, group_id=group_id, user_ids=user_ids)

    def joined_between(self, after: int, up_to: int) -> Sequence[UserId]:
        return self._session.column(FIND_JOINED, after=after, up_to=up_to)

    def full_members_announced(self) -> int | None:
        announced: int | None = self._session.value(FIND_ANNOUNCED)
        return announced

    def note_full_members_announced(self, up_to: int) -> None:
        self._session.run(PUT_ANNOUNCED, id=1, up_to=up_to)

    # -- subgroups ----------------------------------------------------------------------------------

    def direct_subgroups(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Sequence[GroupId]]:
        def read(missing: list[GroupId]) -> Mapping[GroupId, Sequence[GroupId]]:
            subgroups: dict[GroupId, list[GroupId]] = {group_id: [] for group_id in missing}
            for row in self._session.rows(FIND_SUBGROUPS, group_ids=missing):
                subgroups[row.group_id].append(row.subgroup_id)
            return subgroups

        return self._session.recall.many(RememberedKind.GROUPS, "subgroups", group_ids, read)

    def direct_supergroups(self, group_id: GroupId) -> Sequence[GroupId]:
        return self._session.column(FIND_SUPERGROUPS, subgroup_id=group_id)

    def edges_below(self, group_ids: Collection[GroupId]) -> Edges:
        return self._session.sets(FIND_BELOW, group_ids=group_ids)

    def edges_above(self, group_ids: Collection[GroupId]) -> Edges:
        return self._session.sets(FIND_ABOVE, group_ids=group_ids)

    def add_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None:
        self._session.run_many(
            ADD_SUBGROUP,
            [{"subgroup_id": subgroup_id, "group_id": group_id} for subgroup_id in sorted(subgroup_ids)],
        )

    def remove_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None:
        self._session.run(REMOVE_SUBGROUPS, group_id=group_id, subgroup_ids=subgroup_ids)


def _system_groups_of(role: Role, *, full_member: bool) -> frozenset[GroupId]:
    return frozenset(group.group_id for group in direct_system_groups_of(role, full_member=full_member))


def _without_system_groups(group_ids: Iterable[GroupId]) -> list[GroupId]:
    return [group_id for group_id in group_ids if not is_system_group(group_id)]


class GroupMemberships:
    """The groups through which some users hold permissions. Deactivated groups give none, nor do the groups
    that contain them.

    Two statements serve any number of users and groups.
    """

    def __init__(self, session: Session, user_ids: Collection[UserId]) -> None:
        self._session = session
        self._direct = session.recall.many(RememberedKind.GROUPS, "direct", user_ids, self._read_direct)
        self._above: Edges | None = None

    def of(self, user_id: UserId, system_groups: frozenset[GroupId]) -> frozenset[GroupId]:
        """Return all groups of a user, subgroups resolved; *system_groups* are those that follow from the
        role.
        """
        start = system_groups.union(self._direct[user_id])

        def read() -> frozenset[GroupId]:
            return closure(start, self._edges_upwards())

        return self._session.recall.one(RememberedKind.GROUPS, "closures", read, key=start)

    def _read_direct(self, user_ids: Collection[UserId]) -> Mapping[UserId, frozenset[GroupId]]:
        by_user = self._session.sets(FIND_DIRECT_ACTIVE, user_ids=user_ids)
        return {user_id: by_user.get(user_id, frozenset()) for user_id in user_ids}

    def _edges_upwards(self) -> Edges:
        """Return the edges from all groups of all of the users; one statement finds them."""
        if self._above is None:
            held = SYSTEM_GROUPS.union(*self._direct.values())
            self._above = self._session.sets(FIND_ACTIVE_ABOVE, group_ids=held)
        return self._above
