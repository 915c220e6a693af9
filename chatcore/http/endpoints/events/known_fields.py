"""Fields of a state that the client has kept from an earlier registration, and does not need again."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec

from chatcore.http.pipeline.encoding import encode, encode_items

DIGEST_SIZE: Final = 16
"""Bytes; an answer has them in hexadecimal digits."""


def without_known(state: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    """Return a state without the fields whose JSON has the digest that the client knows, and with the digests
    of all fields that it names, in `digests`.
    """
    fields, digests = dict(state), {}
    for name in state.keys() & known.keys():
        value = state[name]
        encoded = encode(encode_items(value))
        digests[name] = blake2b(encoded, digest_size=DIGEST_SIZE).hexdigest()
        if known[name] == digests[name]:
            del fields[name]
        else:
            fields[name] = msgspec.Raw(encoded)
    return {**fields, "digests": digests}
