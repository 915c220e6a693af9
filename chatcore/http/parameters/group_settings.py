"""Group-setting values as parameters: one group's id, or users and groups together."""

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.visibility.group_settings import SettingChange
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import UserId


class SettingObject(msgspec.Struct, frozen=True, kw_only=True):
    """A group-setting value other than one group."""

    direct_members: list[int]
    direct_subgroups: list[int]


SettingParam = int | SettingObject | None


class SettingUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """A new value, and the value that the client expects to replace; without `old`, any value is replaced."""

    new: SettingParam | UnsetType = UNSET
    old: SettingParam = None


UPDATE_SCHEMA = {"$ref": "#/components/schemas/SettingUpdate", "required": ["new"]}
"""The schema for the documentation: `read_update` refuses an update without a new value."""


def read_setting(value: int | SettingObject) -> GroupSetting:
    """Convert a group's id, or an object of members and subgroups, from its JSON form to a setting."""
    if isinstance(value, int):
        return GroupSetting.of(value)
    return GroupSetting.of(*value.direct_subgroups, members=map(UserId, value.direct_members))


def read_update(name: str, update: SettingUpdate) -> SettingChange:
    """Convert an update from its JSON form to a change of a setting.

    :raises BadRequest: there is no new value
    """
    if update.new is UNSET or update.new is None:
        raise BadRequest(f"'{name}' has no 'new' value")
    return SettingChange(read_setting(update.new), None if update.old is None else read_setting(update.old))
