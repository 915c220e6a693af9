"""Accounts."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chatcore.domain.actors import Account, actors_of
from chatcore.domain.groups import Actor
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role
from chatcore.domain.users import EmailVisibility, User
from chatcore.storage.turns import in_slices
from storage_backends.sql.groups import HAS_NAMED_GROUPS, Memberships
from storage_backends.sql.recipients import new_recipients
from storage_backends.sql.session import Row, Session

ACCOUNT_COLUMNS = (
    "id",
    "email",
    "full_name",
    "role",
    "is_bot",
    "bot_type",
    "bot_owner_id",
    "is_active",
    "date_joined",
    "timezone",
    "avatar_source",
    "avatar_version",
    "email_visibility",
    "key_version",
    "password_hash",
    "settings",
    "can_change_user_emails",
    "avatar_key",
    "can_create_users",
)
_COLUMNS = ", ".join(ACCOUNT_COLUMNS)
KEY_VERSION_BITS = 53


class _WaitingPeriod(msgspec.Struct):
    """The one setting of the organization that decides about groups."""

    waiting_period_threshold: int = 0


class Users:
    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, user_id: UserId) -> User:
        user = self.find(user_id)
        if user is None:
            raise LookupError(f"no user {user_id}")
        return user

    def find(self, user_id: int) -> User | None:
        return next(iter(self._users("WHERE id = ?", user_id)), None)

    def find_by_email(self, email: str) -> User | None:
        return next(iter(self._users("WHERE email_key = ?", email_key(email))), None)

    def by_emails(self, emails: Collection[str]) -> Mapping[str, User]:
        users = self._users_in("email_key", [email_key(email) for email in emails])
        return {email_key(user.email): user for user in users}

    def by_ids(self, user_ids: Collection[UserId]) -> Mapping[UserId, User]:
        return {user.id: user for user in self._users_in("id", user_ids)}

    def by_names(self, full_names: Collection[str]) -> Sequence[User]:
        return self._users_in("name_key", [name_key(name) for name in full_names])

    def all(self) -> Sequence[User]:
        return self._users("ORDER BY id")

    def active_with_roles(self, roles: Collection[Role]) -> Sequence[User]:
        backend = self._session.backend
        listed = backend.listed([int(role) for role in roles])
        return self._users(f"WHERE is_active AND role {backend.in_list} ORDER BY id", listed)

    def count(self) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM account")
        return int(count)

    def count_active_people(self) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM account WHERE is_active AND NOT is_bot")
        return int(count)

    def actors(self, user_ids: Collection[UserId], now: int) -> Mapping[UserId, Actor]:
        rows = self._session.rows(
            f"""
            SELECT id, role, is_bot, bot_type, bot_owner_id, date_joined,
                (SELECT data FROM organization WHERE id = 1), {HAS_NAMED_GROUPS}
            FROM account WHERE is_active AND id {self._session.backend.in_list}
            """,
            self._session.backend.listed(user_ids),
        )
        if not rows:
            return {}
        *_, organization, has_named_groups = rows[0]
        setting = msgspec.json.decode(organization or "{}", type=_WaitingPeriod)
        owner_ids = {row[4] for row in rows if row[4] is not None} - set(user_ids)
        actors = actors_of(
            map(_account, rows),
            Memberships(self._session, user_ids).of if has_named_groups else _only_system_groups,
            owners=self.actors(owner_ids, now) if owner_ids else {},
            waiting_period_days=setting.waiting_period_threshold,
            now=now,
        )
        return {user_id: actors[user_id] for user_id in user_ids if user_id in actors}

    def add(self, fields: Mapping[str, Any]) -> User:
        (user_id,) = self.add_many([fields])
        return self.get(user_id)

    def add_many(self, rows: Iterable[Mapping[str, Any]]) -> Sequence[UserId]:
        given = list(rows)
        user_ids = [UserId(number) for number in new_recipients(self._session, "user", len(given))]
        columns = (*ACCOUNT_COLUMNS, "email_key", "name_key")
        places = ", ".join("?" for _ in columns)
        records = []
        for user_id, fields in zip(user_ids, given, strict=True):
            user = User(id=user_id, **{"key_version": secrets.randbits(KEY_VERSION_BITS), **fields})
            values = {name: getattr(user, name) for name in ACCOUNT_COLUMNS}
            values["settings"] = msgspec.json.encode(user.settings).decode()
            values["role"] = int(user.role)
            values["email_visibility"] = int(user.email_visibility)
            records.append((*values.values(), email_key(user.email), name_key(user.full_name)))
        self._session.run_many(f"INSERT INTO account ({', '.join(columns)}) VALUES ({places})", records)
        return user_ids

    def update(self, user_id: UserId, **fields: Any) -> None:
        if "email" in fields:
            fields["email_key"] = email_key(fields["email"])
        if "full_name" in fields:
            fields["name_key"] = name_key(fields["full_name"])
        if "settings" in fields:
            fields["settings"] = msgspec.json.encode(fields["settings"]).decode()
        changes = ", ".join(f"{name} = ?" for name in fields)
        self._session.run(f"UPDATE account SET {changes} WHERE id = ?", *fields.values(), user_id)

    def _users_in(self, column: str, values: Collection[Any]) -> list[User]:
        backend = self._session.backend
        return self._users(f"WHERE {column} {backend.in_list} ORDER BY id", backend.listed(values))

    def _users(self, rest: str, *parameters: object) -> list[User]:
        rows = self._session.rows(f"SELECT {_COLUMNS} FROM account {rest}", *parameters)
        return [_user(row) for row in in_slices(rows)]


def email_key(email: str) -> str:
    """What two spellings of one address have in common."""
    return email.strip().lower()


def name_key(full_name: str) -> str:
    return full_name.strip().lower()


_ROLES = {int(role): role for role in Role}
_VISIBILITIES = {int(visibility): visibility for visibility in EmailVisibility}


def _user(row: Row) -> User:
    """The columns in order; a register reads thousands of these."""
    return User(
        id=row[0],
        email=row[1],
        full_name=row[2],
        role=_ROLES[row[3]],
        is_bot=bool(row[4]),
        bot_type=row[5],
        bot_owner_id=row[6],
        is_active=bool(row[7]),
        date_joined=row[8],
        timezone=row[9],
        avatar_source=row[10],
        avatar_version=row[11],
        email_visibility=_VISIBILITIES[row[12]],
        key_version=row[13],
        password_hash=row[14],
        settings={} if row[15] == "{}" else msgspec.json.decode(row[15]),
        can_change_user_emails=bool(row[16]),
        avatar_key=row[17],
        can_create_users=bool(row[18]),
    )


def _account(row: Row) -> Account:
    user_id, role, is_bot, bot_type, owner_id, date_joined, _, _ = row
    return Account(user_id, _ROLES[role], bool(is_bot), bot_type, owner_id, date_joined)


def _only_system_groups(user_id: UserId, system_groups: frozenset[GroupId]) -> frozenset[GroupId]:
    return system_groups
