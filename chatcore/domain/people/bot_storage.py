"""Storage for bots and other programs between their runs: texts by key, separate for each account."""

from collections.abc import Mapping, Sequence

from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.limits import Limits

MAX_KEY_LENGTH = 255


def no_such_key() -> BadRequest:
    return BadRequest("Key does not exist.")


def require_storable(values: Mapping[str, str]) -> None:
    """Check keys and values to be stored.

    :raises BadRequest: a key that is too long, or a text that cannot be stored
    """
    for key, value in values.items():
        if len(key) > MAX_KEY_LENGTH:
            raise too_long("Key", MAX_KEY_LENGTH)
        if not (is_storable(key) and is_storable(value)):
            raise BadRequest("Keys and values must be text without null bytes")


def require_within_limits(keys: int, characters: int, limits: Limits) -> None:
    """Check the number of keys of an account, and of the characters of keys and values together.

    :raises BadRequest: too many keys, or too many characters in total
    """
    if keys > limits.max_bot_storage_keys:
        raise BadRequest(f"Storage is limited to {limits.max_bot_storage_keys} keys.")
    if characters > limits.max_bot_storage_length:
        over = characters - limits.max_bot_storage_length
        raise BadRequest(
            f"Request exceeds storage limit by {over} characters."
            f" The limit is {limits.max_bot_storage_length} characters."
        )


def keys_asked_for(keys: Sequence[str], limits: Limits) -> list[str]:
    """Return the requested keys without duplicates.

    :raises BadRequest: a key that cannot exist
    """
    unique = list(dict.fromkeys(keys))
    if len(unique) > limits.max_bot_storage_keys or not all(map(_can_be_key, unique)):
        raise no_such_key()
    return unique


def _can_be_key(key: str) -> bool:
    return len(key) <= MAX_KEY_LENGTH and is_storable(key)
