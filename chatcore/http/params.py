"""What an endpoint takes, declared once: values, refusals, unused names and the documentation follow from it.

A declaration is a class of fields, in the order in which they are checked:

    class SendParams(Params, kw_only=True):
        type: Literal["direct", "channel"]
        to: int | str | list[int | str]
        content: Text
        topic: Annotated[Text | None, also("subject")] = None
        read_by_sender: bool | None = None

How the text of a parameter is read follows from the type of its field:

- *bare*: `str`, literals and enumerations of strings are taken as they are, never as JSON;
- *JSON*: everything else is JSON text, read strictly (`true` is no number, `1.0` is no id); `Json` takes any
  value;
- *either*: a union of strings and other types takes JSON that fits one of its types, else the bare text.

Where the text comes from (form, query) is in `chatcore.http.body`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, get_type_hints

import msgspec
import msgspec.inspect as shapes

from chatcore.domain.errors import ConfusingParameters, InvalidParameter, MissingParameter

Text: TypeAlias = str
"""Taken as it was sent; how long it may be is the endpoint's business."""
Id: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Json: TypeAlias = Any
"""Any JSON value, handed over decoded."""

ALWAYS_ACCEPTED: Final = frozenset({"dont_block"})
"""Added by a client library to whatever it repeats; nobody is told that it is unused."""

MAX_NESTING: Final = 20
MAX_REASON: Final = 200
"""Characters of a refusal's reason, which may quote what was sent."""
MAX_SHOWN: Final = 40
"""Characters of what was sent that a refusal repeats."""
MAX_INTEGER: Final = 2**63 - 1
"""No store holds a larger one."""


class Params(msgspec.Struct, frozen=True):
    """Parameters of an endpoint.

    As in any Struct, a required field may follow an optional one only with `kw_only=True` on the class.
    """


class NoParams(Params, frozen=True):
    """For an endpoint that takes none."""


P = TypeVar("P", bound=Params)


def also(*names: str) -> msgspec.Meta:
    """Other names of a parameter, for an annotation; sending two of them is an error."""
    return msgspec.Meta(extra={"also": names})


def about(description: str, *values: str) -> msgspec.Meta:
    """What a parameter is, for the documentation; *values* are those that the rules take."""
    return msgspec.Meta(description=description, extra_json_schema={"enum": list(values)} if values else None)


class Kind(StrEnum):
    """How the text of a parameter becomes its value."""

    BARE = "bare"
    JSON = "json"
    EITHER = "either"


class Parameter:
    """One declared parameter."""

    __slots__ = ("also", "attribute", "kind", "name", "read", "required", "shape")

    def __init__(self, field: shapes.Field, hint: object) -> None:
        self.attribute = field.name
        self.name = field.encode_name
        self.required = field.required
        self.shape = field.type
        self.also: tuple[str, ...] = _other_names(field.type)
        self.kind = _kind(field.type)
        self.read: Callable[[str], object] = _reader(self, _without_unset(hint))

    def take(self, texts: Mapping[str, str]) -> str | None:
        """The text sent under any of the parameter's names."""
        text = texts.get(self.name)
        if not self.also:
            return text
        found = [name for name in (self.name, *self.also) if name in texts]
        if len(found) > 1:
            raise ConfusingParameters(found[0], found[1])
        return texts[found[0]] if found else None


class Declaration(Generic[P]):
    """A parameter class, looked through once."""

    def __init__(self, params: type[P]) -> None:
        info = shapes.type_info(params)
        assert isinstance(info, shapes.StructType)
        hints = get_type_hints(params, include_extras=True)
        self.params = params
        self.parameters: Sequence[Parameter] = [Parameter(field, hints[field.name]) for field in info.fields]
        self.names = frozenset(name for p in self.parameters for name in (p.name, *p.also))

    def parse(
        self,
        texts: Mapping[str, str],
        path_values: Mapping[str, object] | None = None,
        repeated: frozenset[str] = frozenset(),
    ) -> tuple[P, list[str]]:
        """The values, and the sorted names that mean nothing here.

        *path_values* are decoded already and win over a parameter of the same name. *repeated* are names that
        clients send again although they stand in the path: they are neither used nor reported.

        :raises MissingParameter, InvalidParameter, ConfusingParameters: first failure in field order
        """
        values: dict[str, object] = dict(path_values) if path_values else {}
        for parameter in self.parameters:
            if path_values and parameter.attribute in path_values:
                continue
            text = parameter.take(texts)
            if text is not None:
                values[parameter.attribute] = parameter.read(text)
            elif parameter.required:
                raise MissingParameter(parameter.name)
        unused = texts.keys() - self.names
        if unused:
            unused -= repeated | ALWAYS_ACCEPTED
        return self.params(**values), sorted(unused)


@cache
def declaration(params: type[P]) -> Declaration[P]:
    return Declaration(params)


def parse(params: type[P], texts: Mapping[str, str]) -> tuple[P, list[str]]:
    """The values, and the sorted names that mean nothing here; see `Declaration.parse`."""
    return declaration(params).parse(texts)


# What a type says about reading


def _alternatives(shape: shapes.Type) -> list[shapes.Type]:
    """The members of a union, or the one type; without metadata."""
    if isinstance(shape, shapes.Metadata):
        return _alternatives(shape.type)
    if isinstance(shape, shapes.UnionType):
        return [alternative for member in shape.types for alternative in _alternatives(member)]
    return [shape]


def _other_names(shape: shapes.Type) -> tuple[str, ...]:
    if isinstance(shape, shapes.Metadata):
        return (*((shape.extra or {}).get("also", ())), *_other_names(shape.type))
    if isinstance(shape, shapes.UnionType):
        return tuple(name for member in shape.types for name in _other_names(member))
    return ()


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
        isinstance(alternative, scalars) or _is_text(alternative) for alternative in _alternatives(shape)
    )


def _kind(shape: shapes.Type) -> Kind:
    told = [a for a in _alternatives(shape) if not isinstance(a, shapes.NoneType)]
    texts = sum(_is_text(alternative) for alternative in told)
    if not texts:
        return Kind.JSON
    return Kind.BARE if texts == len(told) else Kind.EITHER


def _without_unset(hint: Any) -> Any:
    """`UNSET` marks what was not sent, so no text stands for it."""
    members = getattr(hint, "__args__", ())
    if msgspec.UnsetType not in members or getattr(hint, "__metadata__", None):
        return hint
    rest = [member for member in members if member is not msgspec.UnsetType]
    union = rest[0]
    for member in rest[1:]:
        union = union | member
    return union


# Reading


_WORDS: Final[Mapping[str, str]] = {
    "int": "an integer",
    "float": "a number",
    "bool": "a boolean",
    "str": "a string",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""What msgspec calls the types of values, in the words of JSON."""


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    reason = re.sub(r"`([^`]*)`", _in_words, str(error)).replace("`", "'")
    if reason.startswith("Expected "):
        reason = "expected " + reason.removeprefix("Expected ")
        reason = reason.replace("expected a boolean", "expected true or false", 1)
    return reason[:MAX_REASON]


def _in_words(quoted: re.Match[str]) -> str:
    """Types that the validator names, such as `int | null`; anything else stays quoted."""
    names = quoted[1].split(" | ")
    if not _WORDS.keys() >= set(names):
        return f"'{quoted[1]}'"
    return " or ".join(_WORDS[name] for name in names if name != "null" or len(names) == 1)


def _not_json(shape: shapes.Type, text: str) -> str:
    """Why a text that is no JSON at all is refused."""
    words = dict.fromkeys(_expected(a) for a in _alternatives(shape) if not isinstance(a, shapes.NoneType))
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return f"expected {' or '.join(words)}, got '{shown}'"


def _expected(shape: shapes.Type) -> str:
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


def _reader(parameter: Parameter, hint: Any) -> Callable[[str], object]:
    name = parameter.name
    decode = msgspec.json.Decoder(hint).decode
    is_plain = all(shape == shapes.StrType() for shape in _alternatives(parameter.shape))

    def bare(text: str) -> object:
        if "\0" in text:
            raise InvalidParameter(name, "holds a null character")
        if is_plain:
            return text
        try:
            return msgspec.convert(text, hint)
        except msgspec.ValidationError as error:
            raise InvalidParameter(name, _reason(error)) from error

    def strict(text: str) -> object:
        try:
            value = decode(text)
            if _NEEDS_A_CLOSER_LOOK.search(text) or text.count("[") > MAX_NESTING:
                _look_closer(text)
        except (ValueError, RecursionError) as error:
            if isinstance(error, msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
                raise InvalidParameter(name, _not_json(parameter.shape, text)) from error
            raise InvalidParameter(name, _reason(error)) from error
        return value

    def either(text: str) -> object:
        try:
            return strict(text)
        except InvalidParameter:
            # A list that does not fit is a mistake; a name that happens to begin with a bracket is a name.
            if text.lstrip()[:1] in ("[", "{") and _is_json(text):
                raise
            return bare(text)

    return {Kind.BARE: bare, Kind.JSON: strict, Kind.EITHER: either}[parameter.kind]


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


_NEEDS_A_CLOSER_LOOK = re.compile(r"\{|[0-9]{19}|\\u0000")


def _look_closer(text: str) -> None:
    """Refuse what is JSON but has no one meaning, or none that can be stored.

    That is: duplicate keys, huge integers, null characters, deep nesting. msgspec lets them pass.

    :raises ValueError: with the reason
    """
    _walk(json.loads(text, object_pairs_hook=_object, parse_int=_integer), depth=0)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has the same key twice")
    return value


def _integer(digits: str) -> int:
    if len(digits) > 20 or abs(value := int(digits)) > MAX_INTEGER:
        raise ValueError("integer value out of range")
    return value


def _walk(value: object, depth: int) -> None:
    if depth > MAX_NESTING:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("holds a null character")
    elif isinstance(value, dict):
        for key, member in value.items():
            _walk(key, depth)
            _walk(member, depth + 1)
    elif isinstance(value, list):
        for member in value:
            _walk(member, depth + 1)
