"""Lists of payloads that many answers share."""

from collections.abc import Iterable
from typing import Final, Self, TypeVar

import msgspec

from chatcore.storage.slices import in_slices

T = TypeVar("T")

encode: Final = msgspec.json.Encoder().encode


class Prepared(tuple[T, ...]):
    """Payloads that are remembered for several readers, with the JSON of each. Nobody changes them."""

    json: list[msgspec.Raw]

    @classmethod
    def of(cls, payloads: Iterable[T]) -> Self:
        made = cls(payloads)
        made.json = [msgspec.Raw(encode(payload)) for payload in in_slices(made)]
        return made

    def replace(self, index: int, payload: T) -> Self:
        """Return the same list with another payload at one place."""
        made = type(self)((*self[:index], payload, *self[index + 1 :]))
        made.json = [*self.json[:index], msgspec.Raw(encode(payload)), *self.json[index + 1 :]]
        return made
