"""Parse the form of a narrow: from a decoded JSON value to operators with operands.

`chatcore.domain.narrow.parse` interprets them. All input is bounded here, so that later code can rely on its
size and characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, InconvertibleParameter
from chatcore.domain.limits import Limits

Operand = str | int | tuple[int, ...]

EXAMPLE_OBJECT = '{"operator": "channel", "operand": 10}'
NOT_A_TERM = 'A term of a narrow is an object or a list of two strings, as in [["channel", "lunch"]]'
NOT_A_PAIR = f"A term of a narrow as a list is two strings; ids need the form of an object: {EXAMPLE_OBJECT}"
NOT_A_PAIR_OF_A_QUEUE = "A term of a queue's narrow is a list of two strings"


@dataclass(frozen=True, slots=True)
class RawTerm:
    operator: str
    operand: Operand
    negated: bool = False


def read_terms(raw: object, limits: Limits) -> list[RawTerm]:
    """Read the terms of a narrow, each an object `{operator, operand, negated?}` or a pair of strings.

    :raises InconvertibleParameter: not a list
    :raises BadRequest: too many terms, or one that has neither form
    """
    return [
        _read_pair(term, limits) if isinstance(term, list | tuple) else _read_object(term, limits)
        for term in _checked_list(raw, limits)
    ]


def read_pairs(raw: object, limits: Limits) -> list[RawTerm]:
    """Read the terms of a narrow in which only pairs of strings are allowed."""
    return [_read_pair(term, limits, NOT_A_PAIR_OF_A_QUEUE) for term in _checked_list(raw, limits)]


def _checked_list(raw: object, limits: Limits) -> Sequence[object]:
    """Return the terms, not read yet; a narrow that is None has none."""
    if raw is None:
        return []
    if not isinstance(raw, list | tuple):
        raise InconvertibleParameter("narrow", "not a list")
    if len(raw) > limits.max_narrow_terms:
        raise BadRequest(f"A narrow has at most {limits.max_narrow_terms} terms")
    return raw


def _read_pair(term: object, limits: Limits, complaint: str = NOT_A_PAIR) -> RawTerm:
    if isinstance(term, list | tuple) and len(term) == 2:
        operator, operand = term
        if isinstance(operator, str) and isinstance(operand, str):
            return RawTerm(_read_text(operator, limits), _read_text(operand, limits))
    raise BadRequest(complaint)


def _read_object(term: object, limits: Limits) -> RawTerm:
    """Read a term in the form of an object. Unknown keys are ignored for compatibility with newer clients."""
    if not isinstance(term, dict):
        raise BadRequest(NOT_A_TERM)
    operator, operand, negated = term.get("operator"), term.get("operand"), term.get("negated", False)
    if not isinstance(operator, str):
        raise BadRequest("A term of a narrow needs an 'operator', which is a string")
    if operand is None:
        raise BadRequest("A term of a narrow needs an 'operand'")
    if not isinstance(negated, bool):
        raise BadRequest("'negated' of a term of a narrow is a boolean")
    return RawTerm(_read_text(operator, limits), _read_operand(operand, limits), negated)


def _read_operand(value: object, limits: Limits) -> Operand:
    if isinstance(value, str):
        return _read_text(value, limits)
    if _is_integer(value):
        return int(value)
    if (
        isinstance(value, list | tuple)
        and len(value) <= limits.max_ids_per_request
        and all(map(_is_integer, value))
    ):
        return tuple(value)
    raise BadRequest(
        f"An operand of a narrow is a string, an id or a list of at most {limits.max_ids_per_request} ids;"
        " ids are whole numbers"
    )


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_text(value: str, limits: Limits) -> str:
    """Refuse text that no store can hold, or that is longer than a message and so cannot match anything."""
    if len(value) > limits.max_message_length or not is_storable(value):
        raise BadRequest("An operator or operand of a narrow is too long or is not text")
    return value
