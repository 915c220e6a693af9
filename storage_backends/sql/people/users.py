"""Accounts."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Unpack

import msgspec

from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.mail_addresses import spellings
from chatcore.domain.people.users import EmailVisibility, User, actors_of
from chatcore.domain.roles import Role
from chatcore.storage.people.users import NewUser, UserFields
from chatcore.storage.slices import in_slices
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.organization.organization import Organizations
from storage_backends.sql.people.groups import GroupMemberships
from storage_backends.sql.recipients import new_recipients
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Account
from storage_backends.sql.schema.accounts import KEY_VERSION_BITS, email_key, name_key
from storage_backends.sql.statement import ROW_COUNT, Statement, change, in_list, insert

_KEYS = ("email_key", "name_key")
COLUMNS = [field for field in Account._meta.sorted_fields if field.name not in _KEYS]
ACCOUNTS = Account.select(*COLUMNS)

FIND_BY_EMAILS = Statement(ACCOUNTS.where(in_list(Account.email_key, "email_keys")).order_by(Account.id))
FIND_BY_IDS = Statement(ACCOUNTS.where(in_list(Account.id, "user_ids")).order_by(Account.id))
FIND_BY_NAMES = Statement(ACCOUNTS.where(in_list(Account.name_key, "name_keys")).order_by(Account.id))
FIND_ALL = Statement(ACCOUNTS.order_by(Account.id))
FIND_ACTIVE_WITH_ROLES = Statement(
    ACCOUNTS.where(Account.is_active, in_list(Account.role, "roles")).order_by(Account.id)
)
COUNT = Statement(Account.select(ROW_COUNT))
COUNT_ACTIVE_PEOPLE = Statement(Account.select(ROW_COUNT).where(Account.is_active, ~Account.is_bot))
ADD = Statement(insert(Account))


class Users(SqlRepository):
    def get(self, user_id: UserId) -> User:
        user = self.find(user_id)
        if user is None:
            raise LookupError(f"the store has no user {user_id}")
        return user

    def find(self, user_id: int) -> User | None:
        return self.by_ids([UserId(user_id)]).get(UserId(user_id))

    def find_by_email(self, email: str) -> User | None:
        return self.by_emails([email]).get(email_key(email))

    def by_emails(self, emails: Collection[str]) -> Mapping[str, User]:
        """Find users by address. Of the spellings of an address, the first with an account counts."""

        def read(asked: Collection[str]) -> Mapping[str, User]:
            spelled = {email: spellings(email) for email in asked}
            email_keys = list(dict.fromkeys(chain.from_iterable(spelled.values())))
            users = self._users(FIND_BY_EMAILS, email_keys=email_keys)
            by_key = {email_key(user.email): user for user in users}
            found: dict[str, User] = {}
            for email, keys in spelled.items():
                for key in keys:
                    if key in by_key:
                        found.setdefault(email, by_key[key])
            return found

        return self._session.recall.many(RememberedKind.PEOPLE, "by email", map(email_key, emails), read)

    def by_ids(self, user_ids: Collection[UserId]) -> Mapping[UserId, User]:
        def read(user_ids: Collection[UserId]) -> Mapping[UserId, User]:
            return {user.id: user for user in self._users(FIND_BY_IDS, user_ids=user_ids)}

        return self._session.recall.many(RememberedKind.PEOPLE, "by id", sorted(user_ids), read)

    def by_names(self, full_names: Collection[str]) -> Sequence[User]:
        return self._users(FIND_BY_NAMES, name_keys=[name_key(name) for name in full_names])

    def all(self) -> Sequence[User]:
        return self._session.recall.one(RememberedKind.PEOPLE, "all", lambda: tuple(self._users(FIND_ALL)))

    def active_with_roles(self, roles: Collection[Role]) -> Sequence[User]:
        return self._users(FIND_ACTIVE_WITH_ROLES, roles=[int(role) for role in roles])

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def count_active_people(self) -> int:
        return int(self._session.value(COUNT_ACTIVE_PEOPLE))

    def actors(self, user_ids: Collection[UserId], now: int) -> Mapping[UserId, Actor]:
        """Combine active users with their groups, and bots with their owners."""
        users = [user for user in self.by_ids(user_ids).values() if user.is_active]
        if not users:
            return {}
        organization = Organizations(self._session).find()
        owner_ids = {user.bot_owner_id for user in users if user.bot_owner_id is not None} - set(user_ids)
        actors = actors_of(
            users,
            GroupMemberships(self._session, user_ids).of,
            owners=self.actors(owner_ids, now) if owner_ids else {},
            waiting_period_days=0 if organization is None else organization.waiting_period_threshold,
            now=now,
        )
        return {user_id: actors[user_id] for user_id in user_ids if user_id in actors}

    def add(self, new: NewUser) -> User:
        (user_id,) = self.add_many([new])
        return self.get(user_id)

    def add_many(self, rows: Iterable[NewUser]) -> Sequence[UserId]:
        """Add users as new recipients, each with a random version of its key."""
        given = list(rows)
        user_ids = [UserId(number) for number in new_recipients(self._session, "user", len(given))]
        records = []
        for user_id, new in zip(user_ids, given, strict=True):
            with_key: NewUser = {"key_version": secrets.randbits(KEY_VERSION_BITS), **new}
            user = User(id=user_id, **with_key)
            records.append(_values({column.name: getattr(user, column.name) for column in COLUMNS}))
        self._session.run_many(ADD, records)
        return user_ids

    def update(self, user_id: UserId, **fields: Unpack[UserFields]) -> None:
        values = _values(fields)
        self._session.run(change(Account, *values), id=user_id, **values)

    def _users(self, statement: Statement, **values: object) -> list[User]:
        return [_user(row) for row in in_slices(self._session.rows(statement, **values))]


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
        key_holder_id=row.key_holder_id,
    )
