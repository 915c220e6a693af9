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
    """Return the value of an answer's field in a form that is good for encoding alone. The items of a long
    list are encoded here, in slices; those of a prepared one have been before.
    """
    if isinstance(value, Prepared):
        return cast("T", value.json)
    if isinstance(value, list) and len(value) > MANY:
        return cast("T", [msgspec.Raw(encode(item)) for item in in_slices(value)])
    return value
