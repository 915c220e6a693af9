"""How a use case becomes a method: the organization's services are filled in, all else is the use case's own.

Its parameters, answer, refusals and docstring are not written a second time, and so cannot differ.
"""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, getdoc, isfunction, signature
from typing import Any, Concatenate, ParamSpec, TypeVar, get_type_hints, overload

from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.chat.given import reader_of
from chatcore.domain.groups import Actor

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


class Noun:
    """What of an organization can be asked and changed under one name.

    The arguments of all methods are read as `chatcore.chat.given` says. Who acts is looked up at each call,
    as HTTP does at each request: a program may have got its actor long ago, and rights change.
    """

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if isfunction(method) and not name.startswith("_"):
                setattr(cls, name, _reading(f"{cls.__name__}.{name}", method))

    def __init__(self, services: Services) -> None:
        self._svc = services

    def _as_of_now(self, actor: Actor) -> Actor:
        """:raises UserDeactivated, Unauthorized: as `current` does"""
        return self._svc.storage.read(lambda snapshot: current(snapshot, actor, self._svc.now))


def _reading(called: str, method: Callable[..., R]) -> Callable[..., R]:
    declared, hints = signature(method), get_type_hints(method)
    found = {name: reader_of(name, hints.get(name)) for name in [*declared.parameters][1:]}
    readers = {name: read for name, read in found.items() if read is not None}
    acting = [name for name, hint in hints.items() if hint in (Actor, Actor | None) and name != "return"]

    @wraps(method)
    def read_and_call(noun: Noun, /, *args: Any, **kwargs: Any) -> R:
        try:
            bound = declared.bind(noun, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{called}(): {error}") from None
        for name in bound.arguments.keys() & readers.keys():
            bound.arguments[name] = readers[name](name, bound.arguments[name])
        for name in bound.arguments.keys() & acting:
            if (actor := bound.arguments[name]) is not None:
                bound.arguments[name] = noun._as_of_now(actor)
        return method(*bound.args, **bound.kwargs)

    return read_and_call


def use_case(call: Callable[Concatenate[Services, P], R]) -> Callable[Concatenate[Noun, P], R]:
    """The use case as a method."""

    @wraps(call)
    def method(noun: Noun, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return call(noun._svc, *args, **kwargs)

    return method


@overload
def use_case_with(
    call: Callable[[Services, A, C], R], command: Callable[P, C]
) -> Callable[Concatenate[Noun, A, P], R]: ...
@overload
def use_case_with(
    call: Callable[[Services, A, B, C], R], command: Callable[P, C]
) -> Callable[Concatenate[Noun, A, B, P], R]: ...
def use_case_with(call: Callable[..., R], command: Callable[..., C]) -> Callable[..., R]:
    """A use case whose last parameter is a *command*, as a method whose keywords are the command's fields."""

    @wraps(call)
    def method(noun: Noun, /, *args: Any, **fields: Any) -> R:
        return call(noun._svc, *args, command(**fields))

    *before, _ = signature(call).parameters.values()
    keywords = [
        field.replace(kind=Parameter.KEYWORD_ONLY) for field in signature(command).parameters.values()
    ]
    method.__signature__ = signature(call).replace(parameters=[*before, *keywords])  # type: ignore[attr-defined]
    method.__annotations__ = {**get_type_hints(call), **get_type_hints(command)}
    method.__doc__ = f"{getdoc(call)}\n\n{getdoc(command)}"
    return method
