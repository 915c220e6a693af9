"""Parsing the text of a parameter: the result is a value, or a refusal with a reason."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
import msgspec.inspect as shapes

from chatcore.domain.errors import InconvertibleParameter, InvalidParameter, shorten
from chatcore.domain.ids import MAX_INTEGER
from chatcore.http.parameters.types import ParameterKind, alternatives, is_number, marks_of

MAX_NESTING: Final = 20
MAX_VALUES: Final = 50_000
"""The maximal number of lists and objects in a parameter; and of all values of one with objects, each of
which is checked closely.
"""
MAX_REASON: Final = 200
"""Characters of a refusal's reason, which may quote the sent text."""
NULL: Final = "\0"

_WORDS: Final[Mapping[str, str]] = {
    "int": "an integer",
    "float": "a number",
    "bool": "a boolean",
    "str": "a string",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""Msgspec's names for types of values, in the words of JSON."""


_NOT_A_CHOICE = re.compile(r"Invalid enum value (?P<got>.*?)(?: - at `(?P<path>\$[^`]*)`)?", re.DOTALL)


def _explain_error(error: Exception, shape: shapes.Type) -> str:
    """Say what is wrong with a value, in the words of JSON."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if refused := _NOT_A_CHOICE.fullmatch(str(error)):
        choices = ", ".join(map(repr, _choices_at(shape, refused["path"] or "")))
        return f"expected one of {choices}, got {refused['got']}"[:MAX_REASON]
    reason = re.sub(r"`([^`]*)`", _in_words, str(error)).replace("`", "'")
    if reason.startswith("Expected "):
        reason = "expected " + reason.removeprefix("Expected ")
        reason = reason.replace("expected a boolean", "expected true or false", 1)
    return reason[:MAX_REASON]


def _choices_at(shape: shapes.Type, path: str) -> list[object]:
    """Return the values that a type allows at *path*, which has msgspec's notation: `$[0].type`."""
    here = alternatives(shape)
    for field in re.findall(r"\.(\w+)|\[", path):
        here = [inner for outer in here for inner in alternatives(_inside(outer, field))]
    choices: list[object] = []
    for alternative in here:
        if isinstance(alternative, shapes.LiteralType):
            choices += alternative.values
        elif isinstance(alternative, shapes.EnumType):
            choices += [member.value for member in alternative.cls]
    return choices


def _inside(shape: shapes.Type, field: str) -> shapes.Type:
    """Return the type of a field, or of the values of a list or an object without that field."""
    match shape:
        case shapes.StructType(fields=fields):
            return next((member.type for member in fields if member.encode_name == field), shapes.AnyType())
        case shapes.ListType(item_type=item) | shapes.VarTupleType(item_type=item):
            return item
        case shapes.DictType(value_type=value):
            return value
        case _:
            return shapes.AnyType()


def _in_words(quoted: re.Match[str]) -> str:
    """Return types that msgspec names, such as `int | null`, in words; anything else stays quoted."""
    names = quoted[1].split(" | ")
    if not _WORDS.keys() >= set(names):
        return f"'{quoted[1]}'"
    return " or ".join(_WORDS[name] for name in names if name != "null" or len(names) == 1)


def _not_json(shape: shapes.Type, text: str) -> str:
    """Return the reason why a text that is not JSON is refused."""
    words = dict.fromkeys(
        _describe_shape(a) for a in alternatives(shape) if not isinstance(a, shapes.NoneType)
    )
    return f"expected {' or '.join(words)}, got '{shorten(text)}'"


def _describe_shape(shape: shapes.Type) -> str:
    match shape:
        case shapes.IntType():
            return "an integer"
        case shapes.FloatType():
            return "a number"
        case shapes.BoolType():
            return "true or false"
        case shapes.ListType() | shapes.VarTupleType() | shapes.TupleType():
            return "a JSON list"
        case shapes.DictType() | shapes.StructType():
            return "a JSON object"
        case _:
            return "JSON"


def reader(name: str, shape: shapes.Type, kind: ParameterKind, hint: Any) -> Callable[[str], object]:
    """Return the function that parses the texts of one parameter.

    :raises InvalidParameter: by the returned function; for a number, InconvertibleParameter
    """
    refusal = InconvertibleParameter if is_number(shape) else InvalidParameter
    integer = int if marks_of(shape).get("any_integers") else _make_integer
    decode = msgspec.json.Decoder(hint).decode
    is_plain = all(alternative == shapes.StrType() for alternative in alternatives(shape))

    def bare(text: str) -> object:
        if NULL in text:
            raise refusal(name, _null_character(text))
        if is_plain:
            return text
        try:
            return msgspec.convert(text, hint)
        except msgspec.ValidationError as error:
            raise refusal(name, _explain_error(error, shape)) from error

    def strict(text: str) -> object:
        try:
            if text.count("[") + text.count("{") > MAX_VALUES:
                raise ValueError(_TOO_MANY)
            value = decode(text)
            if _NEEDS_A_CLOSER_LOOK.search(text) or text.count("[") > MAX_NESTING:
                _look_closer(text, integer)
        except (ValueError, RecursionError) as error:
            if isinstance(error, msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
                raise refusal(name, _not_json(shape, text)) from error
            raise refusal(name, _explain_error(error, shape)) from error
        return value

    def either(text: str) -> object:
        try:
            return strict(text)
        except InvalidParameter:
            # A list that does not fit is an error; a name that happens to begin with a bracket is a name.
            if text.lstrip()[:1] in ("[", "{") and _is_json(text):
                raise
            return bare(text)

    return {ParameterKind.BARE: bare, ParameterKind.JSON: strict, ParameterKind.EITHER: either}[kind]


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


_TOO_MANY: Final = "too many values"
_NEEDS_A_CLOSER_LOOK = re.compile(r"\{|[0-9]{19}|\\u0000")


def _look_closer(text: str, integer: Callable[[str], int]) -> None:
    """Refuse JSON that is ambiguous or cannot be stored.

    That is: duplicate keys, huge integers, null characters, deep nesting. msgspec accepts them. Each value is
    checked, so their number is limited; it is estimated by counting commas, which takes no time.

    :raises ValueError: with the reason
    """
    if text.count(",") > MAX_VALUES:
        raise ValueError(_TOO_MANY)
    _check_value(json.loads(text, object_pairs_hook=_make_object, parse_int=integer), depth=0)


def _make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has the same key twice")
    return value


def _make_integer(digits: str) -> int:
    if len(digits) > 20 or abs(value := int(digits)) > MAX_INTEGER:
        raise ValueError("integer value out of range")
    return value


def _null_character(text: str) -> str:
    return f"holds a null character, at position {text.index(NULL) + 1}"


def _check_value(value: object, depth: int) -> None:
    """Refuse null characters, and values that are nested too deeply."""
    if depth > MAX_NESTING:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        if NULL in value:
            raise ValueError(_null_character(value))
    elif isinstance(value, dict):
        for key, member in value.items():
            _check_value(key, depth)
            _check_value(member, depth + 1)
    elif isinstance(value, list):
        for member in value:
            _check_value(member, depth + 1)
