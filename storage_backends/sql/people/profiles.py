"""Custom profile fields, their values for each user, and statuses."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization.profile_fields import ProfileField, ProfileValue
from chatcore.domain.people.statuses import Status
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import UserStatus
from storage_backends.sql.statement import Statement, change, in_list, insert, param, upsert
from storage_backends.sql.values import columns_of, new_columns_of

FIELDS, VALUES = schema.ProfileField, schema.ProfileValue
OF_FIELD = VALUES.field_id == param("field_id")
OF_USERS = in_list(VALUES.user_id, "user_ids")
IN_ORDER = VALUES.select().order_by(VALUES.field_id)

FIND_FIELDS = Statement(FIELDS.select().order_by(FIELDS.order, FIELDS.id)).of(ProfileField)
ADD_FIELD = Statement(insert(FIELDS).returning(FIELDS.id))
CHANGE_FIELD = change(FIELDS, of=ProfileField)
REMOVE_FIELD = Statement(FIELDS.delete().where(FIELDS.id == param("field_id")))

FIND_ALL_VALUES = Statement(IN_ORDER)
FIND_VALUES = Statement(IN_ORDER.where(OF_USERS))
FIND_USERS = Statement(
    VALUES.select(VALUES.user_id).where(OF_FIELD, in_list(VALUES.value, "values")).order_by(VALUES.user_id)
)
PUT_VALUE = upsert(VALUES)
REMOVE_VALUES = Statement(VALUES.delete().where(OF_FIELD))
REMOVE_VALUES_OF = Statement(VALUES.delete().where(OF_FIELD, OF_USERS))

FIND_STATUS = Statement(UserStatus.select().where(UserStatus.user_id == param("user_id"))).of(Status)
FIND_STATUSES = Statement(UserStatus.select().order_by(UserStatus.user_id)).of(Status).by("user_id")
ADD_STATUS = Statement(insert(UserStatus))
REMOVE_STATUS = Statement(UserStatus.delete().where(UserStatus.user_id == param("user_id")))


class ProfileFields(SqlRepository):
    def all(self) -> Sequence[ProfileField]:
        return self._recall_all(RememberedKind.CONFIGURATION, "profile fields", FIND_FIELDS)

    def add(self, definition: ProfileField) -> FieldId:
        return FieldId(self._session.value(ADD_FIELD, **new_columns_of(FIELDS, definition)))

    def update(self, definition: ProfileField) -> None:
        self._session.run(CHANGE_FIELD, **columns_of(FIELDS, definition))

    def remove(self, field_id: FieldId) -> None:
        self._session.run(REMOVE_VALUES, field_id=field_id)
        self._session.run(REMOVE_FIELD, field_id=field_id)


class ProfileValues(SqlRepository):
    def of_users(
        self, user_ids: Collection[UserId] | None = None
    ) -> Mapping[UserId, Mapping[FieldId, ProfileValue]]:
        if user_ids is None:
            rows = self._session.rows(FIND_ALL_VALUES)
        else:
            rows = self._session.rows(FIND_VALUES, user_ids=user_ids)
        values: defaultdict[UserId, dict[FieldId, ProfileValue]] = defaultdict(dict)
        for row in rows:  # by hand: a register reads those of everybody
            values[row.user_id][row.field_id] = ProfileValue(row.value, row.rendered_value)
        return dict(values)

    def users_with(self, field_id: FieldId, values: Collection[str]) -> Sequence[UserId]:
        return self._session.column(FIND_USERS, field_id=field_id, values=values)

    def put(self, user_id: UserId, field_id: FieldId, value: ProfileValue) -> None:
        self._session.run(PUT_VALUE, user_id=user_id, field_id=field_id, **columns_of(VALUES, value))

    def remove(self, user_ids: Collection[UserId], field_id: FieldId) -> None:
        self._session.run(REMOVE_VALUES_OF, field_id=field_id, user_ids=user_ids)


class Statuses(SqlRepository):
    def find(self, user_id: UserId) -> Status:
        return self._session.row(FIND_STATUS, user_id=user_id) or Status()

    def all(self) -> Mapping[UserId, Status]:
        return dict(self._session.rows(FIND_STATUSES))

    def put(self, user_id: UserId, status: Status) -> None:
        self._session.run(REMOVE_STATUS, user_id=user_id)
        if status.is_set:
            self._session.run(ADD_STATUS, user_id=user_id, **columns_of(UserStatus, status))
