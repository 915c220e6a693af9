"""Keys and values that bots may store."""

from collections.abc import Mapping, Sequence

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.people.bot_storage import (
    MAX_KEY_LENGTH,
    keys_asked_for,
    require_storable,
    require_within_limits,
)

LIMITS = Limits(max_bot_storage_keys=2, max_bot_storage_length=10)


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({}, None),
        ({"": ""}, None),
        ({"k" * MAX_KEY_LENGTH: "v" * 1000}, None),
        ({"k" * (MAX_KEY_LENGTH + 1): ""}, "too long"),
        ({"k\0": ""}, "null bytes"),
        ({"k": "\0"}, "null bytes"),
        ({"k": "\ud800"}, "must be text"),
    ],
)
def test_values_of_bot_storage_are_checked(values: Mapping[str, str], refusal: str | None) -> None:
    if refusal is None:
        require_storable(values)
    else:
        with pytest.raises(BadRequest, match=refusal):
            require_storable(values)


@pytest.mark.parametrize(
    ("keys", "length", "refusal"),
    [(2, 10, None), (3, 10, "limited to 2 keys"), (2, 13, "by 3 characters. The limit is 10 characters")],
)
def test_bot_storage_has_limits(keys: int, length: int, refusal: str | None) -> None:
    if refusal is None:
        require_within_limits(keys, length, LIMITS)
    else:
        with pytest.raises(BadRequest, match=refusal):
            require_within_limits(keys, length, LIMITS)


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ([], []),
        (["b", "a", "b"], ["b", "a"]),
        (["a", "b", "c"], None),
        (["k" * (MAX_KEY_LENGTH + 1)], None),
        (["\0"], None),
    ],
)
def test_keys_that_are_asked_for(keys: Sequence[str], found: Sequence[str] | None) -> None:
    if found is None:
        with pytest.raises(BadRequest, match="Key does not exist"):
            keys_asked_for(keys, LIMITS)
    else:
        assert keys_asked_for(keys, LIMITS) == found
