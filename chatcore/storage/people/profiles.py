"""Profiles of users: custom profile fields with their values, and statuses."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization.profile_fields import ProfileField, ProfileValue
from chatcore.domain.people.statuses import Status


class ProfileFields(Protocol):
    def all(self) -> Sequence[ProfileField]:
        """Return every field, by order."""

    def add(self, definition: ProfileField) -> FieldId:
        """Add a field under an id that was never used before, and return this id; the id in *definition* is
        ignored.
        """

    def update(self, definition: ProfileField) -> None: ...

    def remove(self, field_id: FieldId) -> None:
        """Remove a field and all users' values of it."""


class ProfileValues(Protocol):
    def of_users(
        self, user_ids: Collection[UserId] | None = None
    ) -> Mapping[UserId, Mapping[FieldId, ProfileValue]]:
        """Return the values of those users (None: all), by ascending field id; users
        without any are omitted.
        """

    def users_with(self, field_id: FieldId, values: Collection[str]) -> Sequence[UserId]:
        """Return the users with one of these values in the field, ascending."""

    def put(self, user_id: UserId, field_id: FieldId, value: ProfileValue) -> None: ...

    def remove(self, user_ids: Collection[UserId], field_id: FieldId) -> None: ...


class Statuses(Protocol):
    def find(self, user_id: UserId) -> Status:
        """Return the user's status, an empty one if nothing is set."""

    def all(self) -> Mapping[UserId, Status]:
        """Return every status in which something is set."""

    def put(self, user_id: UserId, status: Status) -> None: ...
