"""Checks of values from a fixed set or range. The HTTP API's declarations already refuse most bad values;
these checks also cover programs that call the core directly.
"""

from collections.abc import Collection, Mapping
from typing import Any

from chatcore.domain.errors import BadRequest, InvalidParameter

Value = bool | int | str | None
MAX_INT = 2**31 - 1  # the largest value of a setting that is a number

_KIND_NAMES = {bool: "a boolean", int: "an integer", str: "text"}


def given_values(**values: Any) -> dict[str, Any]:
    """Return the values that are not None, where None stands for a value that is not given."""
    return {name: value for name, value in values.items() if value is not None}


def require_one_of(name: str, word: object, known: Collection[object]) -> None:
    """Check that a value is one of the known ones.

    :raises InvalidParameter: another value
    """
    if word not in known:
        raise InvalidParameter(name, f"Expected one of {', '.join(map(str, known))}")


def read_value(
    name: str,
    raw: object,
    kind: type,
    *,
    allowed: Collection[int | str] = (),
    bounds: tuple[int, int] = (0, MAX_INT),
    otherwise: str = "",
) -> bool | int | str:
    """Check the value of a setting. *bounds* limit a number, or the length of a text in characters.
    *otherwise* is appended to the expectation in the error message.

    :raises InvalidParameter: of another type, out of bounds, or not among the allowed ones
    """
    if type(raw) is not kind or not isinstance(raw, bool | int | str):
        raise InvalidParameter(name, f"Expected {_KIND_NAMES[kind]}{otherwise}")
    least, most = bounds
    if allowed:
        require_one_of(name, raw, allowed)
    elif kind is int and not least <= int(raw) <= most:
        raise InvalidParameter(name, f"Expected {least} to {most}{otherwise}")
    elif kind is str and not least <= len(str(raw)) <= most:
        lengths = f"{least} to {most}" if least else f"at most {most}"
        raise InvalidParameter(name, f"Expected {lengths} characters")
    return raw


def explain_setting(about: str, kind: type, allowed: Collection[int | str], bounds: tuple[int, int]) -> str:
    """Describe a setting: its subject, and the meanings of its values or their bounds."""
    if isinstance(allowed, Mapping):
        return f"{about} {', '.join(f'{value} {meaning}' for value, meaning in allowed.items())}."
    return f"{about} {bounds[0]} to {bounds[1]}." if kind is int else about


def require_room(what: str, *, before: int, now: int, limit: int) -> None:
    """Refuse a change after which the texts of an account are too large together, unless they become smaller.
    *before* it and *now*, after it, they have these sizes in bytes.

    :raises BadRequest: they are larger than *limit*
    """
    if now > limit and now > before:
        raise BadRequest(f"Your {what} are too large together.")
