"""Accounts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.roles import Role
from chatcore.domain.users import User


class Users(Protocol):
    def get(self, user_id: UserId) -> User:
        """The user. Raises LookupError for an unknown id."""

    def find(self, user_id: int) -> User | None: ...

    def find_by_email(self, email: str) -> User | None:
        """The user with this real address, letter case ignored."""

    def by_emails(self, emails: Collection[str]) -> Mapping[str, User]:
        """Those with one of these real addresses, by the address in lower case."""

    def by_ids(self, user_ids: Collection[UserId]) -> Mapping[UserId, User]:
        """Those of the users that exist."""

    def by_names(self, full_names: Collection[str]) -> Sequence[User]:
        """Users whose full name is one of these, letter case ignored, by ascending id."""

    def all(self) -> Sequence[User]:
        """Every user, by ascending id."""

    def active_with_roles(self, roles: Collection[Role]) -> Sequence[User]:
        """The users with active accounts and one of these roles, by ascending id; bots too."""

    def count(self) -> int:
        """How many accounts there are, bots and deactivated ones too."""

    def count_active_people(self) -> int:
        """How many active accounts there are; bots are not counted."""

    def actors(self, user_ids: Collection[UserId], now: int) -> Mapping[UserId, Actor]:
        """Those of the users that exist and are active, as actors, with their groups as of *now*."""

    def add(self, fields: Mapping[str, Any]) -> User:
        """A new user from the fields of `User` without `id`.

        The version of the key is a random one where none is given: two organizations with one secret
        have users of the same ids, and still no key in common.
        """

    def add_many(self, rows: Iterable[Mapping[str, Any]]) -> Sequence[UserId]:
        """New users, their ids in the order of the rows."""

    def update(self, user_id: UserId, **fields: Any) -> None: ...
