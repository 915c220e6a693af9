"""What people tell of themselves: custom profile fields with their values, and statuses."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import msgspec

from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.profile_fields import FieldType, ProfileField, ProfileValue
from chatcore.domain.statuses import Status
from storage_backends.sql.session import Session

_FIELD_COLUMNS = (
    "field_type, name, hint, place, field_data, display_in_profile_summary, required, editable_by_user"
)


class ProfileFields:
    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> Sequence[ProfileField]:
        rows = self._session.rows(f"SELECT id, {_FIELD_COLUMNS} FROM profile_field ORDER BY place, id")
        return [
            ProfileField(
                id=row[0],
                type=FieldType(row[1]),
                name=row[2],
                hint=row[3],
                order=row[4],
                field_data=msgspec.json.decode(row[5]),
                display_in_profile_summary=bool(row[6]),
                required=bool(row[7]),
                editable_by_user=bool(row[8]),
            )
            for row in rows
        ]

    def add(self, fields: Mapping[str, Any]) -> FieldId:
        ((field_id,),) = self._session.rows(
            f"""
            INSERT INTO profile_field ({_FIELD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            *_field_row(ProfileField(id=FieldId(0), **fields)),
        )
        return FieldId(field_id)

    def update(self, definition: ProfileField) -> None:
        changes = ", ".join(f"{name} = ?" for name in _FIELD_COLUMNS.split(", "))
        self._session.run(
            f"UPDATE profile_field SET {changes} WHERE id = ?", *_field_row(definition), definition.id
        )

    def remove(self, field_id: FieldId) -> None:
        self._session.run("DELETE FROM profile_value WHERE field_id = ?", field_id)
        self._session.run("DELETE FROM profile_field WHERE id = ?", field_id)


def _field_row(definition: ProfileField) -> tuple[object, ...]:
    return (
        int(definition.type),
        definition.name,
        definition.hint,
        definition.order,
        msgspec.json.encode(definition.field_data).decode(),
        definition.display_in_profile_summary,
        definition.required,
        definition.editable_by_user,
    )


class ProfileValues:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_users(
        self, user_ids: Collection[UserId] | None = None
    ) -> Mapping[UserId, Mapping[FieldId, ProfileValue]]:
        statement = "SELECT user_id, field_id, value, rendered_value FROM profile_value"
        backend = self._session.backend
        if user_ids is None:
            rows = self._session.rows(f"{statement} ORDER BY field_id")
        else:
            where = f"WHERE user_id {backend.in_list}"
            rows = self._session.rows(f"{statement} {where} ORDER BY field_id", backend.listed(user_ids))
        values: defaultdict[UserId, dict[FieldId, ProfileValue]] = defaultdict(dict)
        for user_id, field_id, value, rendered_value in rows:
            values[user_id][field_id] = ProfileValue(value, rendered_value)
        return dict(values)

    def users_with(self, field_id: FieldId, values: Collection[str]) -> Sequence[UserId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT user_id FROM profile_value WHERE field_id = ? AND value {backend.in_list} ORDER BY user_id
            """,
            field_id,
            backend.listed(values),
        )
        return [row[0] for row in rows]

    def put(self, user_id: UserId, field_id: FieldId, value: ProfileValue) -> None:
        self._session.run(
            """
            INSERT INTO profile_value (user_id, field_id, value, rendered_value) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id, field_id)
            DO UPDATE SET value = excluded.value, rendered_value = excluded.rendered_value
            """,
            user_id,
            field_id,
            value.value,
            value.rendered_value,
        )

    def remove(self, user_ids: Collection[UserId], field_id: FieldId) -> None:
        backend = self._session.backend
        self._session.run(
            f"DELETE FROM profile_value WHERE field_id = ? AND user_id {backend.in_list}",
            field_id,
            backend.listed(user_ids),
        )


class Statuses:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_id: UserId) -> Status:
        return self._statuses("WHERE user_id = ?", user_id).get(user_id, Status())

    def all(self) -> Mapping[UserId, Status]:
        return self._statuses("ORDER BY user_id")

    def _statuses(self, rest: str, *parameters: object) -> dict[UserId, Status]:
        rows = self._session.rows(
            f"SELECT user_id, status_text, emoji_name, emoji_code, reaction_type FROM user_status {rest}",
            *parameters,
        )
        return {
            row[0]: Status(status_text=row[1], emoji_name=row[2], emoji_code=row[3], reaction_type=row[4])
            for row in rows
        }

    def put(self, user_id: UserId, status: Status) -> None:
        self._session.run("DELETE FROM user_status WHERE user_id = ?", user_id)
        if status.is_set:
            self._session.run(
                """
                INSERT INTO user_status (user_id, status_text, emoji_name, emoji_code, reaction_type)
                VALUES (?, ?, ?, ?, ?)
                """,
                user_id,
                *astuple(status),
            )
