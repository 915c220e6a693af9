"""The whole document."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from chatcore.http.bodies.reading import MULTIPART
from chatcore.http.openapi.examples import NO_EXAMPLE, Example
from chatcore.http.openapi.parameters import ONE_FILE, Described, form_body, form_content, header
from chatcore.http.openapi.responses import BINARY, ERROR, REF, RESPONSES, SUCCESS, Schema, response
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import AnyRoute, RawRoute, path_template
from chatcore.http.pipeline.sessions import COOKIE, HOST_ONLY
from chatcore.settings import SERVICE_VERSION
from chatcore.storage.slices import in_slices

ABOUT: Final = """\
Parameters are form fields or, on every method, part of the query string; the form wins, and of a name given
twice the first value counts. In a POST, secrets are form fields only. Text is sent as it is, numbers
and booleans as JSON literals, lists and objects as JSON text in one field. Parameters that an endpoint does
not know are ignored and reported.

Requests are counted, by account or by address; every answer to a counted one has the headers
`X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` of the limit of which least is left.
"""

SECURITY: Final[Mapping[Auth, list[Schema]]] = {
    Auth.REQUIRED: [{"key": []}],
    Auth.SENDING: [{"key": []}],
    Auth.KEY_IN_QUERY: [{"bot_key": []}],
    Auth.OPTIONAL: [{}, {"key": []}],
    Auth.NONE: [],
    Auth.OWN_PAGE: [],
}
BY_COOKIE: Final[Schema] = {"session": []}
SCHEMES: Final[Schema] = {
    "key": {"type": "http", "scheme": "basic", "description": "The API address and the API key."},
    "bot_key": {
        "type": "apiKey",
        "in": "query",
        "name": "api_key",
        "description": "The API key of a bot.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": HOST_ONLY + COOKIE,
        "description": f"Set by `POST /accounts/login`; without TLS it is `{COOKIE}`. Port and path of the"
        " organization's address follow, such as `%3A8443%2Fteam` for `:8443/team`. It counts where no"
        " Authorization header is, and for what changes something only from the organization's own pages.",
    },
}


def describe(routes: Sequence[AnyRoute], examples: Mapping[str, Example] | None = None) -> Schema:
    """Return the whole document; *examples* are by method and path template, such as `GET /api/v1/users`."""
    ordered = sorted(routes, key=lambda route: (route.full_path, route.method))
    declared = [route.declaration.params for route in in_slices(ordered)]
    refs, components = msgspec.json.schema_components(
        [*declared, *(route.answer_content for route in ordered)], ref_template=REF
    )
    # Parameter classes are inlined where they are used: their texts are encoded in several ways.
    component_names = {params: _component_name(ref) for params, ref in zip(declared, refs, strict=False)}
    inlined = {params: components.pop(name) for params, name in component_names.items()}
    paths: dict[str, Schema] = {}
    for route, answer in in_slices(zip(ordered, refs[len(ordered) :], strict=True)):
        template = path_template(route.full_path)
        example = (examples or {}).get(f"{route.method} {template}", NO_EXAMPLE)
        schemas = inlined[route.declaration.params]["properties"]
        paths.setdefault(template, {})[route.method.lower()] = _operation(route, schemas, answer, example)
    document: Schema = {
        "openapi": "3.1.0",
        "info": {"title": "Chat API", "version": SERVICE_VERSION, "description": ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": chapter} for chapter in sorted({_chapter(route) for route in ordered})],
        "paths": paths,
        "components": {
            "schemas": dict(sorted({**components, "Success": SUCCESS, "Error": ERROR}.items())),
            "responses": RESPONSES,
            "securitySchemes": SCHEMES,
        },
    }
    _add_types(document)
    return document


def _component_name(ref: Schema) -> str:
    """Return the name of the component to which a schema of the form `{"$ref": …}` refers."""
    name: str = ref["$ref"].rpartition("/")[2]
    return name


def _chapter(route: AnyRoute) -> str:
    """Return the title of a route's chapter: the first words of the room of its handler."""
    room = sys.modules[route.handler.__module__.rpartition(".")[0]]
    return (room.__doc__ or room.__name__).partition(":")[0].strip().rstrip(".")


def _operation(route: AnyRoute, schemas: Mapping[str, Schema], answer: Schema, example: Example) -> Schema:
    """Return one method of one path; *schemas* are those of the parameters' values, by name."""
    in_path: list[Described] = []
    sent: list[Described] = []
    for parameter in route.declaration.parameters:
        described = Described(parameter, schemas[parameter.name], example.parameters)
        (in_path if parameter.attribute in route.path_names else sent).append(described)
    operation: Schema = {"operationId": _operation_id(route), "summary": route.summary}
    if route.description:
        operation["description"] = route.description
    operation["tags"] = [_chapter(route)]
    parameters = [parameter.in_path() for parameter in in_path]
    if route.method == "GET":
        parameters += [parameter.in_query() for parameter in sent]
    elif sent:
        operation["requestBody"] = form_body(sent)
    if isinstance(route, RawRoute):
        parameters += [header(declared, example.parameters) for declared in route.headers]
        if route.body:
            operation["requestBody"] = _body(route, sent)
    if parameters:
        operation["parameters"] = parameters
    operation["responses"] = _describe_responses(route, answer, example)
    operation["security"] = [*SECURITY[route.auth], *([BY_COOKIE] if route.by_cookie else ())]
    return operation


def _body(route: RawRoute[Any], sent: Sequence[Described]) -> Schema:
    """Return the body that an endpoint reads itself."""
    if route.body == MULTIPART:
        return {"content": {MULTIPART: form_content(sent, ONE_FILE)}, "required": True}
    return {"content": {route.body: {"schema": BINARY}}}


def _describe_responses(route: AnyRoute, answer: Schema, example: Example) -> Schema:
    """Return the responses by status; *answer* is the schema of the fields of a success."""
    if isinstance(route, RawRoute) and route.answers:  # a refusal may have another form than the envelope
        return {
            "2XX": {"description": "Done.", "content": {route.answers: {"schema": BINARY}}},
            "3XX": {"description": "It is elsewhere, or the client has it."},
            "4XX": {"description": "Refused."},
        }
    success = {"allOf": [{"$ref": REF.format(name="Success")}, answer]}
    given = None if example.answer is msgspec.UNSET else example.answer
    return {
        "200": response("Done.", success, given),
        "429": {"$ref": "#/components/responses/RateLimited"},
        "4XX": {"$ref": "#/components/responses/Error"},
    }


def _operation_id(route: AnyRoute) -> str:
    """Return a readable, unique id: the method and the pieces of the path."""
    pieces = [piece.strip("{}").partition(":")[0] for piece in route.path.split("/") if piece]
    return "_".join((route.method.lower(), *pieces))


TYPES: Final = {str: "string", int: "integer", bool: "boolean", float: "number"}


def _add_types(part: Any) -> None:
    """Add the type of its values to each schema in *part* that lists them; msgspec leaves it out."""
    if isinstance(part, list):
        for inner in part:
            _add_types(inner)
    elif isinstance(part, dict):
        for inner in part.values():
            _add_types(inner)
        values = part.get("enum")
        if isinstance(values, list) and not part.keys() & {"type", "anyOf"}:
            types = {TYPES[type(value)] for value in values if type(value) in TYPES}
            if len(types) == 1:
                part["type"] = types.pop()
