"""The declaration of an endpoint's parameters, from which parsing, refusals and documentation follow.

A declaration is a class of fields, in the order in which they are checked:

    class SendParams(Params, kw_only=True):
        type: Literal["direct", "channel"]
        to: int | str | list[int | str]
        content: Text
        topic: Annotated[Text | None, also("subject")] = None
        read_by_sender: bool | None = None

The type of a field decides how the text of the parameter is read:

- *bare*: `str`, literals and enumerations of strings are read as they are, never as JSON;
- *JSON*: everything else is JSON text, read strictly (`true` is no number, `1.0` is no id); `Json`
  accepts any value;
- *either*: a union of strings and other types is read as JSON if that fits one of its types, else as
  bare text.

`chatcore.http.bodies.reading` collects the texts from the form and the query.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast, get_type_hints

import msgspec
from msgspec import inspect

from chatcore.domain.errors import ConfusingParameters, MissingParameter
from chatcore.http.parameters.reading import make_reader
from chatcore.http.parameters.types import marks_of, parameter_kind, without_unset

Text: TypeAlias = str
"""A text accepted as sent; the endpoint limits its length."""
Json: TypeAlias = Any
"""Any JSON value, decoded."""
JsonOfAnyIntegers: TypeAlias = Annotated[Any, msgspec.Meta(extra={"any_integers": True})]
"""Any JSON value whose integers are unlimited: the rules refuse integers that no store can hold."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]

REQUIRED: Final = msgspec.Meta(extra={"required": True})
"""The mark of a parameter that has a default in its declaration, but that the endpoint requires."""

SECRET: Final = msgspec.Meta(extra={"secret": True})
"""The mark of a parameter that a query must not have: addresses stand in logs."""

ALWAYS_ACCEPTED: Final = frozenset({"dont_block"})
"""Parameters that a client library adds to repeated requests; they are never reported as unused."""


def also(*names: str) -> msgspec.Meta:
    """Declare other names of a parameter, in an annotation; sending two of them is an error."""
    return msgspec.Meta(extra={"also": names})


class _IgnoredWhere(NamedTuple):
    """A mark: the parameter is ignored if the earlier *field* has one of the values."""

    field: str
    values: frozenset[str]


def ignored_where(field: str, *values: str) -> msgspec.Meta:
    """Declare that a parameter is ignored if an earlier field has one of these values."""
    return msgspec.Meta(extra={"ignored_where": _IgnoredWhere(field, frozenset(values))})


class Params(msgspec.Struct, frozen=True):
    """Parameters of an endpoint.

    As in any Struct, a required field may follow an optional one only with `kw_only=True` on the class.
    """


class NoParams(Params, frozen=True):
    """Parameters of an endpoint without any."""


P = TypeVar("P", bound=Params)


def with_options(
    base: type[P], name: str, hints: Mapping[str, object], *, absent: object = msgspec.UNSET
) -> type[P]:
    """Return *base* with further optional parameters, whose types *hints* has by their names, as a table of
    settings does; *absent* is the value of those that are not sent.

    No two of these classes may have the same *name*.
    """
    fields = [(field, hint, absent) for field, hint in hints.items()]
    return cast(type[P], msgspec.defstruct(name, fields, bases=(base,), kw_only=True, frozen=True))


def sent_values(p: Params, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of those optional parameters that the client has sent."""
    return {name: value for name in names if (value := getattr(p, name)) is not msgspec.UNSET}


class Parameter:
    """One declared parameter: *name* is the one that clients send, *attribute* that of the class."""

    __slots__ = ("also", "attribute", "ignored_where", "kind", "marks", "name", "read", "required", "type_")

    def __init__(self, field: inspect.Field, hint: object) -> None:
        self.attribute = field.name
        self.name = field.encode_name
        self.required = field.required
        self.type_ = field.type
        self.marks = marks_of(field.type)
        self.also: tuple[str, ...] = self.marks.get("also", ())
        self.ignored_where: _IgnoredWhere | None = self.marks.get("ignored_where")
        self.kind = parameter_kind(field.type)
        self.read = make_reader(self.name, self.type_, self.kind, without_unset(hint))

    def text_in(self, texts: Mapping[str, str]) -> str | None:
        """Return the text sent under any of the parameter's names; None if it was not sent.

        :raises ConfusingParameters: it was sent under two names
        """
        text = texts.get(self.name)
        if not self.also:
            return text
        names = [name for name in (self.name, *self.also) if name in texts]
        if len(names) > 1:
            raise ConfusingParameters(names[0], names[1])
        return texts[names[0]] if names else None


class Declaration(Generic[P]):
    """A parameter class, analyzed once."""

    def __init__(self, params: type[P]) -> None:
        info = inspect.type_info(params)
        assert isinstance(info, inspect.StructType)
        hints = get_type_hints(params, include_extras=True)
        self.params = params
        self.parameters: Sequence[Parameter] = [Parameter(field, hints[field.name]) for field in info.fields]
        self.names = frozenset(name for p in self.parameters for name in (p.name, *p.also))
        self.secrets = frozenset(p.name for p in self.parameters if "secret" in p.marks)

    def parse(
        self,
        texts: Mapping[str, str],
        path_values: Mapping[str, object] | None = None,
        repeated: frozenset[str] = frozenset(),
    ) -> tuple[P, list[str]]:
        """Return the values, and the sorted names of parameters that the endpoint does not use.

        *path_values* are already decoded and win over a parameter of the same name. *repeated* are names that
        clients send again although they occur in the path: they are neither used nor reported.

        :raises MissingParameter, InvalidParameter, ConfusingParameters: first failure in field order
        """
        values: dict[str, object] = dict(path_values) if path_values else {}
        for parameter in self.parameters:
            if path_values and parameter.attribute in path_values:
                continue
            ignored = parameter.ignored_where
            if ignored is not None and values.get(ignored.field) in ignored.values:
                continue
            text = parameter.text_in(texts)
            if text is not None:
                values[parameter.attribute] = parameter.read(text)
            elif parameter.required:
                raise MissingParameter(parameter.name)
        unused = texts.keys() - self.names
        if unused:
            unused -= repeated | ALWAYS_ACCEPTED
        return self.params(**values), sorted(unused)


@cache
def declaration_of(params: type[P]) -> Declaration[P]:
    return Declaration(params)
