"""Types of parameters, and the parsing of their texts."""

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any

import msgspec
import msgspec.inspect as shapes


class ParameterKind(StrEnum):
    """The way in which the text of a parameter becomes its value."""

    BARE = "bare"
    JSON = "json"
    EITHER = "either"


def alternatives(shape: shapes.Type) -> list[shapes.Type]:
    """Return the members of a union, or the one type; without metadata."""
    if isinstance(shape, shapes.Metadata):
        return alternatives(shape.type)
    if isinstance(shape, shapes.UnionType):
        return [alternative for member in shape.types for alternative in alternatives(member)]
    return [shape]


def marks_of(shape: shapes.Type) -> Mapping[str, Any]:
    """Return what `also` and `about` declare about a parameter, besides its type."""
    if isinstance(shape, shapes.Metadata):
        return {**(shape.extra or {}), **marks_of(shape.type)}
    if isinstance(shape, shapes.UnionType):
        return {name: value for member in shape.types for name, value in marks_of(member).items()}
    return {}


def _is_text(shape: shapes.Type) -> bool:
    match shape:
        case shapes.StrType():
            return True
        case shapes.LiteralType(values=values):
            return all(isinstance(value, str) for value in values)
        case shapes.EnumType(cls=cls):
            return issubclass(cls, Enum) and all(isinstance(member.value, str) for member in cls)
        case _:
            return False


def is_scalar(shape: shapes.Type) -> bool:
    """Whether every value of the type is one number, truth value or text."""
    scalars = (shapes.IntType, shapes.FloatType, shapes.BoolType, shapes.NoneType, shapes.LiteralType)
    return all(
        isinstance(alternative, scalars) or _is_text(alternative) for alternative in alternatives(shape)
    )


def is_number(shape: shapes.Type) -> bool:
    """Whether every value of the type is a number or null."""
    return all(
        isinstance(alternative, shapes.IntType | shapes.FloatType | shapes.NoneType)
        for alternative in alternatives(shape)
    )


def parameter_kind(shape: shapes.Type) -> ParameterKind:
    """Return how a parameter of this type is sent: `str` bare, `int` as JSON, `int | str` in either way."""
    takes_text = {_is_text(a) for a in alternatives(shape) if not isinstance(a, shapes.NoneType)}
    if takes_text == {True}:
        return ParameterKind.BARE
    return ParameterKind.EITHER if True in takes_text else ParameterKind.JSON


def without_unset(hint: Any) -> Any:
    """Return a type without `UNSET`: it marks absent parameters, so no text can mean it."""
    members = getattr(hint, "__args__", ())
    if msgspec.UnsetType not in members or getattr(hint, "__metadata__", None):
        return hint
    rest = [member for member in members if member is not msgspec.UnsetType]
    union = rest[0]
    for member in rest[1:]:
        union = union | member
    return union
