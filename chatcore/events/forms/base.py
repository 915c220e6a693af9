"""The base of all events as clients receive them."""

from typing import TypeAlias, TypedDict

from chatcore.domain.choices import Value

SettingObject: TypeAlias = int | dict[str, list[int]]
"""The holders of a permission: the id of a group, or `direct_members` and `direct_subgroups`."""
Values: TypeAlias = dict[str, Value]
"""New values by the names of properties."""


class Placed(TypedDict):
    """An event with its position in the log."""

    id: int
