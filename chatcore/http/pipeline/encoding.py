"""The JSON of answers."""

from typing import Final, TypeVar, cast

import msgspec

from chatcore.events.prepared import Prepared
from chatcore.storage.slices import in_slices

MANY: Final = 100
"""Items of an answer's list that may take some milliseconds to encode."""

T = TypeVar("T")

encode: Final = msgspec.json.Encoder().encode


def encode_items(value: T) -> T:
    """Return the value of an answer's field for the encoder, which pauses nowhere. Items of a long list are
    JSON already: they are encoded here, in slices, or have been before, if the value is `Prepared`.
    """
    if isinstance(value, Prepared):
        return cast("T", value.json)
    if isinstance(value, list) and len(value) > MANY:
        return cast("T", [msgspec.Raw(encode(item)) for item in in_slices(value)])
    return value
