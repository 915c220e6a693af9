"""Lists of payloads that many answers share."""

from collections.abc import Iterable
from typing import Self, TypeVar

import msgspec

T = TypeVar("T")


class Prepared(tuple[T, ...]):
    """Payloads that are remembered for several readers, with the JSON of each. Nobody changes them."""

    json: tuple[msgspec.Raw, ...]

    def __new__(cls, payloads: Iterable[T], json: tuple[msgspec.Raw, ...]) -> Self:
        prepared = super().__new__(cls, payloads)
        prepared.json = json
        return prepared

    def replace(self, index: int, payload: T, json: msgspec.Raw) -> Self:
        """Return the same list with another payload at one place."""
        before, after = slice(index), slice(index + 1, None)
        return type(self)(
            (*self[before], payload, *self[after]), (*self.json[before], json, *self.json[after])
        )
