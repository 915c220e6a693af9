"""Parsing the text of a parameter: the result is a value, or a refusal with a reason."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

from chatcore.domain.errors import InconvertibleParameter, InvalidParameter, shorten
from chatcore.domain.ids import MAX_INTEGER
from chatcore.http.parameters.types import ParameterKind, alternatives, is_number, marks_of

MAX_NESTING: Final = 20
MAX_VALUES: Final = 50_000
"""The maximal number of lists and objects in a parameter; `_check_json` counts all other values too."""
MAX_REASON: Final = 200
"""Characters of a refusal's reason, which may quote the sent text."""
NULL: Final = "\0"

_WORDS_FOR_TYPES: Final[Mapping[str, str]] = {
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


def _explain_error(error: Exception, type_: inspect.Type) -> str:
    """Return the reason for a refusal, in the words of JSON, from msgspec's error or one of `_check_json`."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if refused := _NOT_A_CHOICE.fullmatch(str(error)):
        choices = ", ".join(map(repr, _choices_at(type_, refused["path"] or "")))
        return f"expected one of {choices}, got {refused['got']}"[:MAX_REASON]
    reason = re.sub(r"`([^`]*)`", _in_words, str(error)).replace("`", "'")
    if reason.startswith("Expected "):
        reason = "expected " + reason.removeprefix("Expected ")
        reason = reason.replace("expected a boolean", "expected true or false", 1)
    return reason[:MAX_REASON]


def _choices_at(type_: inspect.Type, path: str) -> list[object]:
    """Return the values that a type allows at *path*, which has msgspec's notation: `$[0].type`."""
    types = alternatives(type_)
    for field in re.findall(r"\.(\w+)|\[", path):  # an index has no field: the empty text
        types = [inner for outer in types for inner in alternatives(_type_inside(outer, field))]
    choices: list[object] = []
    for alternative in types:
        if isinstance(alternative, inspect.LiteralType):
            choices += alternative.values
        elif isinstance(alternative, inspect.EnumType):
            choices += [member.value for member in alternative.cls]
    return choices


def _type_inside(type_: inspect.Type, field: str) -> inspect.Type:
    """Return the type of a Struct's *field*, or that of the values in a list or dictionary."""
    match type_:
        case inspect.StructType(fields=fields):
            return next((member.type for member in fields if member.encode_name == field), inspect.AnyType())
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return item
        case inspect.DictType(value_type=value):
            return value
        case _:
            return inspect.AnyType()


def _in_words(quoted: re.Match[str]) -> str:
    """Return types that msgspec names, such as `int | null`, in words; anything else stays quoted. Null is
    not named beside others: a client leaves out the parameter instead.
    """
    names = quoted[1].split(" | ")
    if not _WORDS_FOR_TYPES.keys() >= set(names):
        return f"'{quoted[1]}'"
    return " or ".join(_WORDS_FOR_TYPES[name] for name in names if name != "null" or len(names) == 1)


def _explain_not_json(type_: inspect.Type, text: str) -> str:
    """Return the reason why a text that is not JSON is refused."""
    types = [member for member in alternatives(type_) if not isinstance(member, inspect.NoneType)]
    words = dict.fromkeys(map(_describe_type, types))  # each of them once
    return f"expected {' or '.join(words)}, got '{shorten(text)}'"


def _describe_type(type_: inspect.Type) -> str:
    match type_:
        case inspect.IntType():
            return "an integer"
        case inspect.FloatType():
            return "a number"
        case inspect.BoolType():
            return "true or false"
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return "a JSON list"
        case inspect.DictType() | inspect.StructType():
            return "a JSON object"
        case _:
            return "JSON"


def make_reader(name: str, type_: inspect.Type, kind: ParameterKind, hint: Any) -> Callable[[str], object]:
    """Return the function that parses the texts of one parameter.

    :raises InvalidParameter: by the returned function; for a number, InconvertibleParameter
    """
    refusal = InconvertibleParameter if is_number(type_) else InvalidParameter
    integer = int if marks_of(type_).get("any_integers") else _make_integer
    decode = msgspec.json.Decoder(hint).decode
    is_plain = all(alternative == inspect.StrType() for alternative in alternatives(type_))

    def read_bare(text: str) -> object:
        if NULL in text:
            raise refusal(name, _null_character(text))
        if is_plain:
            return text
        try:
            return msgspec.convert(text, hint)
        except msgspec.ValidationError as error:
            raise refusal(name, _explain_error(error, type_)) from error

    def read_json(text: str) -> object:
        try:
            if text.count("[") + text.count("{") > MAX_VALUES:
                raise ValueError(_TOO_MANY)
            value = decode(text)
            if _MAY_BE_UNSAFE.search(text) or text.count("[") > MAX_NESTING:
                _check_json(text, integer)
        except msgspec.ValidationError as error:  # a DecodeError, too: the text is JSON of another type
            raise refusal(name, _explain_error(error, type_)) from error
        except msgspec.DecodeError as error:
            raise refusal(name, _explain_not_json(type_, text)) from error
        except (ValueError, RecursionError) as error:
            raise refusal(name, _explain_error(error, type_)) from error
        return value

    def read_either(text: str) -> object:
        try:
            return read_json(text)
        except InvalidParameter:
            # A list that does not fit is an error; a name that happens to begin with a bracket is a name.
            if text.lstrip()[:1] in ("[", "{") and _is_json(text):
                raise
            return read_bare(text)

    return {
        ParameterKind.BARE: read_bare,
        ParameterKind.JSON: read_json,
        ParameterKind.EITHER: read_either,
    }[kind]


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except RecursionError:  # hundreds of brackets are no name
        return True
    except ValueError:
        return False
    return True


_TOO_MANY: Final = "too many values"
_MAY_BE_UNSAFE = re.compile(r"\{|[0-9]{19}|\\u0000")
"""Signs of JSON that `_check_json` may refuse: objects, huge integers, null characters. Without them, and
without many brackets, no check is needed.
"""


def _check_json(text: str, integer: Callable[[str], int]) -> None:
    """Refuse JSON that is ambiguous or cannot be stored, although msgspec accepts it: duplicate keys, huge
    integers, null characters, deep nesting.

    Each value is checked, so their number is limited. It is estimated by counting commas, which takes no
    time.

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
    """:raises ValueError: the value has null characters, or is nested too deeply"""
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
