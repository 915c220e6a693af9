"""Accounts."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chatcore.domain.actors import Account as ActiveAccount
from chatcore.domain.actors import actors_of
from chatcore.domain.groups import Actor
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role
from chatcore.domain.users import EmailVisibility, User
from chatcore.storage.turns import in_slices
from storage_backends.sql.people.groups import HAS_NAMED_GROUPS, Memberships
from storage_backends.sql.recipients import new_recipients
from storage_backends.sql.schema import Account, Organization
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, listed, param

KEY_VERSION_BITS = 53


class _WaitingPeriod(msgspec.Struct):
    """The one setting of the organization that decides about groups."""

    waiting_period_threshold: int = 0


_KEYS = ("email_key", "name_key")
COLUMNS = [field for field in Account._meta.sorted_fields if field.name not in _KEYS]
ACCOUNTS = Account.select(*COLUMNS)

FIND = Statement(ACCOUNTS.where(Account.id == param("user_id")))
FIND_BY_EMAIL = Statement(ACCOUNTS.where(Account.email_key == param("email_key")))
FIND_BY_EMAILS = Statement(ACCOUNTS.where(listed(Account.email_key, "email_keys")).order_by(Account.id))
FIND_BY_IDS = Statement(ACCOUNTS.where(listed(Account.id, "user_ids")).order_by(Account.id))
FIND_BY_NAMES = Statement(ACCOUNTS.where(listed(Account.name_key, "name_keys")).order_by(Account.id))
FIND_ALL = Statement(ACCOUNTS.order_by(Account.id))
FIND_ACTIVE_WITH_ROLES = Statement(
    ACCOUNTS.where(Account.is_active, listed(Account.role, "roles")).order_by(Account.id)
)
COUNT = Statement(Account.select(ROW_COUNT))
COUNT_ACTIVE_PEOPLE = Statement(Account.select(ROW_COUNT).where(Account.is_active, ~Account.is_bot))
FIND_ACTORS = Statement(
    Account.select(
        Account.id,
        Account.role,
        Account.is_bot,
        Account.bot_type,
        Account.bot_owner_id,
        Account.date_joined,
        Organization.select(Organization.data).where(Organization.id == 1).alias("organization"),
        HAS_NAMED_GROUPS.alias("has_named_groups"),
    ).where(Account.is_active, listed(Account.id, "user_ids"))
)
ADD = Statement(insert(Account))


class Users:
    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, user_id: UserId) -> User:
        user = self.find(user_id)
        if user is None:
            raise LookupError(f"no user {user_id}")
        return user

    def find(self, user_id: int) -> User | None:
        row = self._session.row(FIND, user_id=user_id)
        return None if row is None else _user(row)

    def find_by_email(self, email: str) -> User | None:
        row = self._session.row(FIND_BY_EMAIL, email_key=email_key(email))
        return None if row is None else _user(row)

    def by_emails(self, emails: Collection[str]) -> Mapping[str, User]:
        users = self._users(FIND_BY_EMAILS, email_keys=[email_key(email) for email in emails])
        return {email_key(user.email): user for user in users}

    def by_ids(self, user_ids: Collection[UserId]) -> Mapping[UserId, User]:
        return {user.id: user for user in self._users(FIND_BY_IDS, user_ids=user_ids)}

    def by_names(self, full_names: Collection[str]) -> Sequence[User]:
        return self._users(FIND_BY_NAMES, name_keys=[name_key(name) for name in full_names])

    def all(self) -> Sequence[User]:
        return self._users(FIND_ALL)

    def active_with_roles(self, roles: Collection[Role]) -> Sequence[User]:
        return self._users(FIND_ACTIVE_WITH_ROLES, roles=[int(role) for role in roles])

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def count_active_people(self) -> int:
        return int(self._session.value(COUNT_ACTIVE_PEOPLE))

    def actors(self, user_ids: Collection[UserId], now: int) -> Mapping[UserId, Actor]:
        rows = self._session.rows(FIND_ACTORS, user_ids=user_ids)
        if not rows:
            return {}
        setting = msgspec.json.decode(rows[0].organization or "{}", type=_WaitingPeriod)
        owner_ids = {row.bot_owner_id for row in rows if row.bot_owner_id is not None} - set(user_ids)
        found = actors_of(
            map(_account, rows),
            Memberships(self._session, user_ids).of if rows[0].has_named_groups else _only_system_groups,
            owners=self.actors(owner_ids, now) if owner_ids else {},
            waiting_period_days=setting.waiting_period_threshold,
            now=now,
        )
        return {user_id: found[user_id] for user_id in user_ids if user_id in found}

    def add(self, fields: Mapping[str, Any]) -> User:
        (user_id,) = self.add_many([fields])
        return self.get(user_id)

    def add_many(self, rows: Iterable[Mapping[str, Any]]) -> Sequence[UserId]:
        given = list(rows)
        user_ids = [UserId(number) for number in new_recipients(self._session, "user", len(given))]
        records = []
        for user_id, fields in zip(user_ids, given, strict=True):
            user = User(id=user_id, **{"key_version": secrets.randbits(KEY_VERSION_BITS), **fields})
            records.append(_values({column.name: getattr(user, column.name) for column in COLUMNS}))
        self._session.run_many(ADD, records)
        return user_ids

    def update(self, user_id: UserId, **fields: Any) -> None:
        values = _values(fields)
        self._session.run(change(Account, *values), id=user_id, **values)

    def _users(self, statement: Statement, **values: object) -> list[User]:
        return [_user(row) for row in in_slices(self._session.rows(statement, **values))]


def email_key(email: str) -> str:
    """Return the key that all spellings of one address share."""
    return email.strip().lower()


def name_key(full_name: str) -> str:
    return full_name.strip().lower()


_ROLES = {int(role): role for role in Role}
_VISIBILITIES = {int(visibility): visibility for visibility in EmailVisibility}


def _values(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of an account as the values of its columns, with the keys that follow from them."""
    values = dict(fields)
    if "email" in fields:
        values["email_key"] = email_key(fields["email"])
    if "full_name" in fields:
        values["name_key"] = name_key(fields["full_name"])
    if "settings" in fields:
        values["settings"] = msgspec.json.encode(fields["settings"]).decode()
    for name in ("role", "email_visibility"):
        if name in fields:
            values[name] = int(fields[name])
    return values


def _user(row: Any) -> User:
    """Make a user from a row; written for speed, as a register reads thousands of these."""
    return User(
        id=row.id,
        email=row.email,
        full_name=row.full_name,
        role=_ROLES[row.role],
        is_bot=bool(row.is_bot),
        bot_type=row.bot_type,
        bot_owner_id=row.bot_owner_id,
        is_active=bool(row.is_active),
        date_joined=row.date_joined,
        timezone=row.timezone,
        avatar_source=row.avatar_source,
        avatar_version=row.avatar_version,
        email_visibility=_VISIBILITIES[row.email_visibility],
        key_version=row.key_version,
        password_hash=row.password_hash,
        settings={} if row.settings == "{}" else msgspec.json.decode(row.settings),
        can_change_user_emails=bool(row.can_change_user_emails),
        avatar_key=row.avatar_key,
        can_create_users=bool(row.can_create_users),
    )


def _account(row: Any) -> ActiveAccount:
    return ActiveAccount(
        row.id, _ROLES[row.role], bool(row.is_bot), row.bot_type, row.bot_owner_id, row.date_joined
    )


def _only_system_groups(user_id: UserId, system_groups: frozenset[GroupId]) -> frozenset[GroupId]:
    return system_groups
