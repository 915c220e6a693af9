"""The base of all events as clients receive them."""

from typing import TypeAlias, TypedDict

from chatcore.domain.choices import Value

Values: TypeAlias = dict[str, Value]
"""New values by the names of properties."""


class Placed(TypedDict):
    """An event with its position in the log."""

    id: int
