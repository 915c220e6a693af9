"""What people tell of themselves: custom profile fields with their values, and statuses."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.profile_fields import ProfileField, ProfileValue
from chatcore.domain.statuses import Status


class ProfileFields(Protocol):
    def all(self) -> Sequence[ProfileField]:
        """Every field, by order."""

    def add(self, fields: Mapping[str, Any]) -> FieldId:
        """A new one from the fields of `ProfileField` without `id`. Its id was never used before."""

    def update(self, definition: ProfileField) -> None: ...

    def remove(self, field_id: FieldId) -> None:
        """Remove a field and everybody's values of it."""


class ProfileValues(Protocol):
    def of_users(
        self, user_ids: Collection[UserId] | None = None
    ) -> Mapping[UserId, Mapping[FieldId, ProfileValue]]:
        """The values of those users (None: of all), by ascending field id; users without any are left out."""

    def users_with(self, field_id: FieldId, values: Collection[str]) -> Sequence[UserId]:
        """Who has one of these values in the field, ascending."""

    def put(self, user_id: UserId, field_id: FieldId, value: ProfileValue) -> None: ...

    def remove(self, user_ids: Collection[UserId], field_id: FieldId) -> None: ...


class Statuses(Protocol):
    def find(self, user_id: UserId) -> Status:
        """The user's status, an empty one where nothing is set."""

    def all(self) -> Mapping[UserId, Status]:
        """Every status in which something is set."""

    def put(self, user_id: UserId, status: Status) -> None: ...
