"""Fields of a state that the client has kept from an earlier registration, and does not need again."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec

from chatcore.http.pipeline.encoding import encode, encode_items

DIGEST_SIZE: Final = 16
"""Bytes; an answer has them in hexadecimal digits."""


def without_known(state: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Return a state for a client that has kept fields of an earlier one: without those that are the same.

    *known* has a digest of each field that the client has kept, by the names of the fields. The field
    `digests` of the answer has their present digests, as far as the state has these fields.
    """
    fields, digests = dict(state), {}
    for name in state.keys() & known.keys():
        value = state[name]
        encoded = encode(encode_items(value))
        digests[name] = blake2b(encoded, digest_size=DIGEST_SIZE).hexdigest()
        if known[name] == digests[name]:
            del fields[name]
        else:
            fields[name] = msgspec.Raw(encoded)  # the answer does not encode it a second time
    return {**fields, "digests": digests}
