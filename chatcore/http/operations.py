"""Endpoints that are made from the signatures of use cases."""

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, cleandoc, signature, unwrap
from typing import Any, Concatenate, cast, get_type_hints

import msgspec

from chatcore.application.services import Services
from chatcore.domain.groups.actors import Actor
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.encoding import encode_items
from chatcore.http.pipeline.routing import Answer, Done, Method, Route

NOTHING: Mapping[str, str] = {}


def operation(
    method: Method,
    path: str,
    work: Callable[Concatenate[Services, Actor, ...], Any],
    answer: type[Answer] = Done,
    *,
    names: Mapping[str, str] = NOTHING,
    room: str = "",
    of_administrators: bool = False,
) -> Route[Params]:
    """Return the endpoint of a use case whose form in HTTP adds nothing to it.

    The arguments of the use case after its actor are the parameters: types, defaults and descriptions are
    those of their annotations (`chatcore.application.arguments`); *names* maps arguments to their names in
    the API, where these differ. What the use case returns is the one field of *answer*; `Done` leaves it out.
    The docstring of the use case, without its fields, documents the endpoint, in the chapter of *room*, or
    else of the room of the use case. *of_administrators* is as for `Route`.
    """
    arguments = list(signature(work).parameters.values())[2:]
    api_names = {argument.name: names.get(argument.name, argument.name) for argument in arguments}
    if unknown := names.keys() - api_names.keys():
        raise TypeError(f"the use case has no argument {', '.join(map(repr, unknown))}")
    fields = [field.encode_name for field in msgspec.structs.fields(answer)]
    if len(fields) > 1:
        raise TypeError(
            f"{answer.__name__} has several fields, which cannot all be what the use case returns"
        )

    def handle(svc: Services, caller: Caller, p: Params) -> Answer:
        result = work(svc, caller.actor, **{name: getattr(p, sent) for name, sent in api_names.items()})
        # There is one field, or none: then the result is left out.
        return answer(**{field: encode_items(result) for field in fields})

    original = unwrap(work)
    handle.__annotations__["return"] = answer
    # The document takes the chapter from the package of this name; the module need not exist.
    handle.__module__ = f"chatcore.http.endpoints.{room or original.__module__.split('.')[2]}.answers"
    handle.__doc__ = cleandoc(original.__doc__ or "").partition("\n\n:")[0]
    parameters = _make_parameters(original, arguments, api_names)
    return Route(method, path, parameters, handle, of_administrators=of_administrators)


def _make_parameters(
    original: Callable[..., Any], arguments: Sequence[Parameter], api_names: Mapping[str, str]
) -> type[Params]:
    """Return the class of the parameters that a request gives to the use case."""
    hints = get_type_hints(original, include_extras=True)
    fields = [
        (
            api_names[argument.name],
            hints[argument.name],
            msgspec.NODEFAULT if argument.default is argument.empty else argument.default,
        )
        for argument in arguments
    ]
    made = msgspec.defstruct(
        f"{original.__name__}_parameters",
        fields,
        bases=(Params,),
        module=original.__module__,  # use cases of several modules may have one name
        frozen=True,
        kw_only=True,
    )
    return cast(type[Params], made)
