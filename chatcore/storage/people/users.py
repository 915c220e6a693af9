"""Accounts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypedDict, Unpack

from chatcore.domain.choices import Value
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import EmailVisibility, User
from chatcore.domain.roles import Role


class OptionalUserFields(TypedDict, total=False):
    """The fields of `User` with defaults."""

    role: Role
    is_bot: bool
    bot_type: int | None
    bot_owner_id: UserId | None
    is_active: bool
    timezone: str
    avatar_source: str
    avatar_version: int
    avatar_key: str
    email_visibility: EmailVisibility
    key_version: int
    password_hash: str | None
    settings: Mapping[str, Value]
    can_change_user_emails: bool
    can_create_users: bool
    key_holder_id: UserId | None


class NewUser(OptionalUserFields):
    """A user without an id."""

    email: str
    full_name: str
    date_joined: int


class UserFields(OptionalUserFields, total=False):
    """The fields of a user that can change."""

    email: str
    full_name: str
    date_joined: int


class Users(Protocol):
    def get(self, user_id: UserId) -> User:
        """Return the user. Raises LookupError for an unknown id."""

    def find(self, user_id: int) -> User | None: ...

    def find_by_email(self, email: str) -> User | None:
        """Return the user with this real address, ignoring case, and how the domain is spelled if there is
        none with that spelling.
        """

    def by_emails(self, emails: Collection[str]) -> Mapping[str, User]:
        """Return the users with one of these real addresses, by the `email_key` of the address that was asked
        for, even if the account spells the domain in another way; see `find_by_email`.
        """

    def by_ids(self, user_ids: Collection[UserId]) -> Mapping[UserId, User]:
        """Return those of the users that exist."""

    def by_names(self, full_names: Collection[str]) -> Sequence[User]:
        """Return users whose full name is one of these, ignoring case, by ascending id."""

    def all(self) -> Sequence[User]:
        """Return every user, by ascending id."""

    def active_with_roles(self, roles: Collection[Role]) -> Sequence[User]:
        """Return the users (including bots) with active accounts and one of these roles, by ascending id."""

    def count(self) -> int:
        """Return the number of accounts, including bots and deactivated ones."""

    def count_active_people(self) -> int:
        """Return the number of active accounts without bots."""

    def actors(self, user_ids: Collection[UserId], now: int) -> Mapping[UserId, Actor]:
        """Return those of the users that exist and are active, as actors, with their groups as of *now*."""

    def add(self, new: NewUser) -> User:
        """Add a user.

        The key version is random unless it is specified: two organizations with the same secret have users
        with the same ids, but must not have keys in common.
        """

    def add_many(self, rows: Iterable[NewUser]) -> Sequence[UserId]:
        """Add users; return their ids in the order of the rows."""

    def update(self, user_id: UserId, **fields: Unpack[UserFields]) -> None: ...
