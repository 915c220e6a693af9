"""Questions about the types of parameters, as msgspec inspects them."""

from collections.abc import Mapping
from enum import Enum, StrEnum
from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import inspect


class ParameterKind(StrEnum):
    """The way in which the text of a parameter becomes its value."""

    BARE = "bare"
    JSON = "json"
    EITHER = "either"


def alternatives(type_: inspect.Type) -> list[inspect.Type]:
    """Return the members of a union, or the one type; without metadata."""
    if isinstance(type_, inspect.Metadata):
        return alternatives(type_.type)
    if isinstance(type_, inspect.UnionType):
        return [alternative for member in type_.types for alternative in alternatives(member)]
    return [type_]


def marks_of(type_: inspect.Type) -> Mapping[str, Any]:
    """Return what marks such as `also` and `REQUIRED` declare about a parameter besides its type, by name."""
    if isinstance(type_, inspect.Metadata):
        return {**(type_.extra or {}), **marks_of(type_.type)}
    if isinstance(type_, inspect.UnionType):
        return {name: value for member in type_.types for name, value in marks_of(member).items()}
    return {}


def _is_text(type_: inspect.Type) -> bool:
    """Whether every value of the type is a text, so that it is sent bare."""
    match type_:
        case inspect.StrType():
            return True
        case inspect.LiteralType(values=values):
            return all(isinstance(value, str) for value in values)
        case inspect.EnumType(cls=cls):
            return issubclass(cls, Enum) and all(isinstance(member.value, str) for member in cls)
        case _:
            return False


def is_scalar(type_: inspect.Type) -> bool:
    """Whether every value of the type is one number, truth value or text."""
    scalars = (inspect.IntType, inspect.FloatType, inspect.BoolType, inspect.NoneType, inspect.LiteralType)
    return all(
        isinstance(alternative, scalars) or _is_text(alternative) for alternative in alternatives(type_)
    )


def is_number(type_: inspect.Type) -> bool:
    """Whether every value of the type is a number or null."""
    return all(
        isinstance(alternative, inspect.IntType | inspect.FloatType | inspect.NoneType)
        for alternative in alternatives(type_)
    )


def parameter_kind(type_: inspect.Type) -> ParameterKind:
    """Return how a parameter of this type is sent: `str` bare, `int` as JSON, `int | str` in either way."""
    takes_text = {_is_text(a) for a in alternatives(type_) if not isinstance(a, inspect.NoneType)}
    if takes_text == {True}:
        return ParameterKind.BARE
    return ParameterKind.EITHER if True in takes_text else ParameterKind.JSON


def without_unset(hint: Any) -> Any:
    """Return a type without `UNSET`: it marks absent parameters, so no text can mean it."""
    members = getattr(hint, "__args__", ())
    if msgspec.UnsetType not in members or getattr(hint, "__metadata__", None):
        return hint
    return reduce(or_, [member for member in members if member is not msgspec.UnsetType])
