"""User groups, their members and subgroups."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from chatcore.domain.groups import (
    FIRST_NAMED_GROUP,
    Group,
    GroupSetting,
    closure,
    direct_system_groups_of,
    is_system_group,
)
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role, is_full_member
from chatcore.storage.groups import Edges
from storage_backends.sql.session import Row, Session

GROUP_COLUMNS = ("id", "name", "description", "creator_id", "date_created", "deactivated", "settings")
_SELECT = f"SELECT {', '.join(GROUP_COLUMNS)} FROM user_group"
_decode_settings = msgspec.json.Decoder(dict[str, GroupSetting]).decode


class Groups:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, group_id: int) -> Group | None:
        return next(iter(self._groups("WHERE id = ?", group_id)), None)

    def by_ids(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Group]:
        return {group.id: group for group in self._groups_in("id", group_ids)}

    def by_names(self, names: Collection[str]) -> Sequence[Group]:
        return self._groups_in("name", names)

    def all(self) -> Sequence[Group]:
        return self._groups("ORDER BY id")

    def count(self) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM user_group")
        return int(count)

    def add(self, fields: Mapping[str, Any]) -> Group:
        # Groups are never deleted, and nobody else writes meanwhile.
        ((group_id,),) = self._session.rows("SELECT max(id) + 1 FROM user_group")
        group = Group(id=group_id, **fields)
        values = {name: getattr(group, name) for name in GROUP_COLUMNS}
        values["settings"] = _encode_settings(group.settings)
        self._session.run(
            f"INSERT INTO user_group ({', '.join(values)}) VALUES ({', '.join('?' for _ in values)})",
            *values.values(),
        )
        return group

    def update(self, group_id: GroupId, **fields: Any) -> None:
        if "settings" in fields:
            fields["settings"] = _encode_settings(fields["settings"])
        changes = ", ".join(f"{name} = ?" for name in fields)
        self._session.run(f"UPDATE user_group SET {changes} WHERE id = ?", *fields.values(), group_id)

    def _groups_in(self, column: str, values: Collection[Any]) -> list[Group]:
        backend = self._session.backend
        return self._groups(f"WHERE {column} {backend.in_list} ORDER BY id", backend.listed(values))

    def _groups(self, rest: str, *parameters: object) -> list[Group]:
        return [_group(row) for row in self._session.rows(f"{_SELECT} {rest}", *parameters)]

    # -- members ------------------------------------------------------------------------------------

    def direct_members(self, group_ids: Collection[GroupId], now: int) -> Mapping[GroupId, Sequence[UserId]]:
        backend = self._session.backend
        found: dict[GroupId, list[UserId]] = {group_id: [] for group_id in group_ids}
        rows = self._session.rows(
            f"""
            SELECT m.group_id, m.user_id FROM user_group_member AS m JOIN account AS a ON a.id = m.user_id
            WHERE a.is_active AND m.group_id {backend.in_list} ORDER BY m.group_id, m.user_id
            """,
            backend.listed(_named(group_ids)),
        )
        for group_id, user_id in rows:
            found[group_id].append(user_id)
        for group_id, user_id in self._system_members(group_ids, now):
            found[group_id].append(user_id)
        return found

    def direct_members_among(self, group_id: GroupId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT user_id FROM user_group_member WHERE group_id = ? AND user_id {backend.in_list}",
            group_id,
            backend.listed(user_ids),
        )
        return frozenset(user_id for (user_id,) in rows)

    def members(self, group_ids: Collection[GroupId], now: int) -> frozenset[UserId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT DISTINCT m.user_id FROM user_group_member AS m JOIN account AS a ON a.id = m.user_id
            WHERE a.is_active AND m.group_id {backend.in_list}
            """,
            backend.listed(_named(group_ids)),
        )
        named = {user_id for (user_id,) in rows}
        return frozenset(named.union(user_id for _, user_id in self._system_members(group_ids, now)))

    def _system_members(self, group_ids: Collection[GroupId], now: int) -> list[tuple[GroupId, UserId]]:
        """Direct membership in those of the groups that follow from roles, by ascending user id.

        The organization's own bot is nobody's equal and in none of them.
        """
        wanted = {group_id for group_id in group_ids if is_system_group(group_id)}
        roles = [role for role in Role if not wanted.isdisjoint(_direct_groups(role))]
        if not roles:
            return []
        by_number = {int(role): role for role in roles}  # looked up for thousands of people
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT id, role, date_joined FROM account WHERE is_active AND role {backend.in_list} ORDER BY id
            """,
            backend.listed(list(by_number)),
        )
        organization = _organization(self._session)

        @cache
        def groups_of(role: Role, full: bool) -> list[GroupId]:
            direct = (group.group_id for group in direct_system_groups_of(role, full_member=full))
            return [group_id for group_id in direct if group_id in wanted]

        found: list[tuple[GroupId, UserId]] = []
        for user_id, number, date_joined in rows:
            if user_id == organization.notification_bot_id:
                continue
            role = by_number[number]
            full = is_full_member(role, date_joined, organization.waiting_period_threshold, now)
            found += [(group_id, user_id) for group_id in groups_of(role, full)]
        return found

    def of_user(self, user_id: UserId) -> Sequence[GroupId]:
        rows = self._session.rows(
            "SELECT group_id FROM user_group_member WHERE user_id = ? ORDER BY group_id", user_id
        )
        return [group_id for (group_id,) in rows]

    def add_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None:
        self._session.run_many(
            "INSERT INTO user_group_member (user_id, group_id) VALUES (?, ?)",
            [(user_id, group_id) for user_id in sorted(user_ids)],
        )

    def remove_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None:
        backend = self._session.backend
        self._session.run(
            f"DELETE FROM user_group_member WHERE group_id = ? AND user_id {backend.in_list}",
            group_id,
            backend.listed(user_ids),
        )

    def joined_between(self, after: int, up_to: int) -> Sequence[UserId]:
        rows = self._session.rows(
            f"""
            SELECT id FROM account
            WHERE role = {int(Role.MEMBER)} AND is_active AND date_joined > ? AND date_joined <= ? ORDER BY id
            """,
            after,
            up_to,
        )
        return [user_id for (user_id,) in rows]

    def full_members_announced(self) -> int | None:
        rows = self._session.rows("SELECT up_to FROM full_members_announced")
        return rows[0][0] if rows else None

    def note_full_members_announced(self, up_to: int) -> None:
        self._session.run(
            """
            INSERT INTO full_members_announced (id, up_to) VALUES (1, ?)
            ON CONFLICT (id) DO UPDATE SET up_to = excluded.up_to
            """,
            up_to,
        )

    # -- subgroups ----------------------------------------------------------------------------------

    def direct_subgroups(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Sequence[GroupId]]:
        backend = self._session.backend
        found: dict[GroupId, list[GroupId]] = {group_id: [] for group_id in group_ids}
        for group_id, subgroup_id in self._session.rows(
            f"""
            SELECT group_id, subgroup_id FROM user_group_subgroup
            WHERE group_id {backend.in_list} ORDER BY group_id, subgroup_id
            """,
            backend.listed(group_ids),
        ):
            found[group_id].append(subgroup_id)
        return found

    def direct_supergroups(self, group_id: GroupId) -> Sequence[GroupId]:
        rows = self._session.rows(
            "SELECT group_id FROM user_group_subgroup WHERE subgroup_id = ? ORDER BY group_id", group_id
        )
        return [supergroup_id for (supergroup_id,) in rows]

    def below(self, group_ids: Collection[GroupId]) -> Edges:
        return self._reachable("group_id", "subgroup_id", group_ids)

    def above(self, group_ids: Collection[GroupId]) -> Edges:
        return self._reachable("subgroup_id", "group_id", group_ids)

    def _reachable(self, here: str, there: str, group_ids: Collection[GroupId]) -> Edges:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            WITH RECURSIVE edge (here, there) AS (
                SELECT {here}, {there} FROM user_group_subgroup WHERE {here} {backend.in_list}
                UNION
                SELECT s.{here}, s.{there}
                FROM edge {backend.lookup("user_group_subgroup", "s", f"s.{here} = edge.there")}
            )
            SELECT here, there FROM edge
            """,
            backend.listed(group_ids),
        )
        return _edges(rows)

    def add_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None:
        self._session.run_many(
            "INSERT INTO user_group_subgroup (subgroup_id, group_id) VALUES (?, ?)",
            [(subgroup_id, group_id) for subgroup_id in sorted(subgroup_ids)],
        )

    def remove_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None:
        backend = self._session.backend
        self._session.run(
            f"DELETE FROM user_group_subgroup WHERE group_id = ? AND subgroup_id {backend.in_list}",
            group_id,
            backend.listed(subgroup_ids),
        )


class _Organization(msgspec.Struct):
    """What of the organization's settings decides about groups."""

    waiting_period_threshold: int = 0
    notification_bot_id: UserId | None = None


def _organization(session: Session) -> _Organization:
    rows = session.rows("SELECT data FROM organization")
    return msgspec.json.decode(rows[0][0], type=_Organization) if rows else _Organization()


def _direct_groups(role: Role) -> frozenset[GroupId]:
    return frozenset(group.group_id for group in direct_system_groups_of(role, full_member=True))


def _named(group_ids: Iterable[GroupId]) -> list[GroupId]:
    return [group_id for group_id in group_ids if not is_system_group(group_id)]


def _edges(rows: Iterable[Row]) -> Edges:
    found: defaultdict[GroupId, set[GroupId]] = defaultdict(set)
    for here, there in rows:
        found[here].add(there)
    return {group_id: frozenset(others) for group_id, others in found.items()}


def _encode_settings(settings: Mapping[str, GroupSetting]) -> str:
    return msgspec.json.encode(settings).decode()


def _group(row: Row) -> Group:
    fields: dict[str, Any] = dict(zip(GROUP_COLUMNS, row, strict=True))
    fields["deactivated"] = bool(fields["deactivated"])
    fields["settings"] = _decode_settings(fields["settings"])
    return Group(**fields)


HAS_NAMED_GROUPS = f"(SELECT max(id) >= {FIRST_NAMED_GROUP} FROM user_group)"
"""Where nobody has made a group, nobody is in one: that is worth a look before looking for them."""


class Memberships:
    """Through which groups some users hold rights; a deactivated group gives none, nor does what it is in.

    Two statements for any number of users and groups.
    """

    def __init__(self, session: Session, user_ids: Collection[UserId]) -> None:
        backend = session.backend
        rows = session.rows(
            f"""
            WITH RECURSIVE
            direct (user_id, group_id) AS (
                SELECT m.user_id, m.group_id FROM user_group_member AS m
                JOIN user_group AS g ON g.id = m.group_id
                WHERE NOT g.deactivated AND m.user_id {backend.in_list}
            ),
            held (id) AS (
                SELECT group_id FROM direct
                UNION
                SELECT id FROM user_group WHERE id < {FIRST_NAMED_GROUP}
                UNION
                SELECT s.group_id
                FROM held {backend.lookup("user_group_subgroup", "s", "s.subgroup_id = held.id")}
                {backend.lookup("user_group", "g", "g.id = s.group_id")} WHERE NOT g.deactivated
            )
            SELECT 0, user_id, group_id FROM direct
            UNION ALL
            SELECT 1, s.subgroup_id, s.group_id FROM held
            JOIN user_group_subgroup AS s ON s.subgroup_id = held.id
            JOIN user_group AS g ON g.id = s.group_id WHERE NOT g.deactivated
            """,
            backend.listed(user_ids),
        )
        self._direct: defaultdict[UserId, set[GroupId]] = defaultdict(set)
        for kind, user_id, group_id in rows:
            if kind == 0:
                self._direct[user_id].add(group_id)
        self._above = _edges(row[1:] for row in rows if row[0] == 1)
        self._known: dict[frozenset[GroupId], frozenset[GroupId]] = {}

    def of(self, user_id: UserId, system_groups: frozenset[GroupId]) -> frozenset[GroupId]:
        """All groups of a user, subgroups resolved; *system_groups* are those that follow from the role."""
        start = system_groups.union(self._direct.get(user_id, ()))
        if (found := self._known.get(start)) is None:
            found = self._known[start] = closure(start, self._above)
        return found
