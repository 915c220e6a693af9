"""The OpenAPI 3.1 description, made from the declarations that also parse requests.

`python -m chatcore.http.openapi` prints it for the project's own endpoints. The output is deterministic.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from chatcore.domain.errors import RateLimited
from chatcore.http.auth import Auth
from chatcore.http.bodies.incoming import Header
from chatcore.http.parameters.declaring import Parameter
from chatcore.http.parameters.types import Kind, is_scalar
from chatcore.http.routing import AnyRoute, RawRoute, path_template
from chatcore.http.sessions import COOKIE, HOST_ONLY
from chatcore.settings import SERVICE_VERSION

Schema: TypeAlias = dict[str, Any]

REF: Final = "#/components/schemas/{name}"
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
JSON: Final = "application/json"

ABOUT: Final = """\
Parameters are form fields or, on every method, part of the query string; the form wins, and of a name given
twice the first value counts. Text is sent as it is, numbers and booleans as JSON literals, lists and objects
as JSON text in one field. Parameters that an endpoint does not know are ignored and reported.

Requests are counted, by account or by address; every answer to a counted one has the headers
`X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` of the limit of which least is left.
"""

SUCCESS: Final[Schema] = {
    "type": "object",
    "properties": {
        "result": {"const": "success"},
        "msg": {"const": ""},
        "ignored_parameters_unsupported": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Names that were sent and mean nothing here.",
        },
    },
    "required": ["result", "msg"],
}
ERROR: Final[Schema] = {
    "type": "object",
    "properties": {
        "result": {"const": "error"},
        "msg": {"type": "string", "description": "For people; may change."},
        "code": {"type": "string", "description": "For programs; does not change."},
    },
    "required": ["result", "msg", "code"],
}
RATE_LIMITED: Final[Schema] = {
    "type": "object",
    "properties": {
        "code": {"const": RateLimited.code},
        "retry-after": {"type": "number", "description": "Seconds after which to send the request again."},
        "limit": {"type": "string", "description": "The name of the limit that was reached."},
    },
    "required": ["code", "retry-after"],
}
HEADERS: Final[Mapping[str, Schema]] = {
    name: {"description": about, "schema": {"type": "integer"}}
    for name, about in {
        "Retry-After": "Seconds after which to send the request again.",
        "X-RateLimit-Limit": "Requests within one window of the limit of which least is left.",
        "X-RateLimit-Remaining": "Requests that are left of it.",
        "X-RateLimit-Reset": "End of its window, in seconds since 1970.",
    }.items()
}
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
        "description": f"Set by `POST /accounts/login`; without TLS it is `{COOKIE}`. It counts where no"
        " Authorization header is, and for what changes something only from the organization's own pages.",
    },
}


def describe(routes: Sequence[AnyRoute]) -> Schema:
    """Return the whole document."""
    ordered = sorted(routes, key=lambda route: (route.full_path, route.method))
    declared = [route.declaration.params for route in ordered]
    refs, components = msgspec.json.schema_components(
        [*declared, *(route.answer_content for route in ordered)], ref_template=REF
    )
    # Parameter classes are inlined where they are used: their texts are encoded in several ways.
    taken = {params: components[_name(ref)] for params, ref in zip(declared, refs, strict=False)}
    for params in taken:
        components.pop(_name(refs[declared.index(params)]))
    paths: dict[str, Schema] = {}
    for route, answer in zip(ordered, refs[len(ordered) :], strict=True):
        operation = _operation(route, taken[route.declaration.params]["properties"], answer)
        paths.setdefault(path_template(route.full_path), {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chat API", "version": SERVICE_VERSION, "description": ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted({**components, "Success": SUCCESS, "Error": ERROR}.items())),
            "responses": {
                "Error": _response("Refused.", {"$ref": REF.format(name="Error")}),
                "RateLimited": {
                    **_response(
                        "Too many requests.", {"allOf": [{"$ref": REF.format(name="Error")}, RATE_LIMITED]}
                    ),
                    "headers": HEADERS,
                },
            },
            "securitySchemes": SCHEMES,
        },
    }


def _name(ref: Schema) -> str:
    name: str = ref["$ref"].rpartition("/")[2]
    return name


def _operation(route: AnyRoute, schemas: Mapping[str, Schema], answer: Schema) -> Schema:
    """Return one method of one path; *schemas* are those of the parameters' values, by name."""
    sent = [p for p in route.declaration.parameters if p.attribute not in route.path_names]
    in_path = [p for p in route.declaration.parameters if p.attribute in route.path_names]
    parameters = [_path_parameter(p, schemas[p.name]) for p in in_path]
    operation: Schema = {"operationId": _operation_id(route), "summary": route.summary}
    if route.description:
        operation["description"] = route.description
    operation["tags"] = [route.path.split("/")[1]]
    if route.method == "GET":
        parameters += [_query_parameter(p, schemas[p.name]) for p in sent]
    if parameters:
        operation["parameters"] = parameters
    if route.method != "GET" and sent:
        operation["requestBody"] = _form(sent, schemas)
    success = {"allOf": [{"$ref": REF.format(name="Success")}, answer]}
    operation["responses"] = {
        "200": _response("Done.", success),
        "429": {"$ref": "#/components/responses/RateLimited"},
        "4XX": {"$ref": "#/components/responses/Error"},
    }
    if isinstance(route, RawRoute):
        operation.update(_raw(route, operation))
    operation["security"] = [*SECURITY[route.auth], *([BY_COOKIE] if route.by_cookie else ())]
    return operation


BINARY: Final[Schema] = {"type": "string", "format": "binary"}


def _raw(route: RawRoute[Any], operation: Schema) -> Schema:
    """Adapt the description of an endpoint that reads the body itself or answers without the envelope."""
    changed: Schema = {}
    if route.headers:
        changed["parameters"] = [*operation.get("parameters", ()), *map(_header, route.headers)]
    if route.body:
        fields = operation.get("requestBody", {}).get("content", {}).get(FORMS[1], {}).get("schema", {})
        one_file = {**BINARY, "description": "The one file, under any name."}
        file = {
            "type": "object",
            "properties": {"filename": one_file, **fields.get("properties", {})},
            "required": ["filename", *fields.get("required", ())],
        }
        schema = file if route.body == FORMS[1] else BINARY
        changed["requestBody"] = {"content": {route.body: {"schema": schema}}}
        if schema is file:
            changed["requestBody"]["required"] = True
    if route.answers:
        done = {"description": "Done.", "content": {route.answers: {"schema": BINARY}}}
        changed["responses"] = {
            **operation["responses"],
            "2XX": done,
            "3XX": {"description": "It is elsewhere, or the client has it."},
            "4XX": {"description": "Refused."},
        }
        del changed["responses"]["200"], changed["responses"]["429"]  # a refusal may have another form
    return changed


def _header(header: Header) -> Schema:
    """Return a header that the endpoint reads; OpenAPI has headers among the parameters."""
    return {
        "name": header.name,
        "in": "header",
        "required": header.required,
        "description": header.description,
        "schema": {"type": header.type},
    }


def _operation_id(route: AnyRoute) -> str:
    """Return a readable, unique id: the method and the pieces of the path."""
    pieces = [piece.strip("{}").partition(":")[0] for piece in route.path.split("/") if piece]
    return "_".join((route.method.lower(), *pieces))


def _response(description: str, schema: Schema) -> Schema:
    return {"description": description, "content": {JSON: {"schema": schema}}}


def _path_parameter(parameter: Parameter, schema: Schema) -> Schema:
    plain, about = _split(parameter, schema)
    return {"name": parameter.name, "in": "path", "required": True, **about, "schema": plain}


def _query_parameter(parameter: Parameter, schema: Schema) -> Schema:
    plain, about = _split(parameter, schema)
    described: Schema = {"name": parameter.name, "in": "query", "required": _is_required(parameter), **about}
    if parameter.kind is Kind.JSON and not is_scalar(parameter.shape):
        return {**described, "content": {JSON: {"schema": plain}}}
    return {**described, "schema": _text_schema(parameter, plain)}


def _form(sent: Sequence[Parameter], schemas: Mapping[str, Schema]) -> Schema:
    schema: Schema = {"type": "object", "properties": {}}
    for parameter in sent:
        plain, about = _split(parameter, schemas[parameter.name])
        schema["properties"][parameter.name] = {**_text_schema(parameter, plain), **about}
    required = [parameter.name for parameter in sent if _is_required(parameter)]
    if required:
        schema["required"] = required
    return {"required": bool(required), "content": {form: {"schema": schema} for form in FORMS}}


def _is_required(parameter: Parameter) -> bool:
    return parameter.required or "required" in parameter.stated


def _split(parameter: Parameter, schema: Schema) -> tuple[Schema, Schema]:
    """Split a parameter into the schema of its value and its description."""
    stated = parameter.stated.get("schema", schema)
    plain = {key: value for key, value in stated.items() if key != "description"}
    about: Schema = {}
    if description := schema.get("description"):
        about["description"] = description
    if parameter.also:
        about["x-aliases"] = list(parameter.also)
    return plain, about


def _text_schema(parameter: Parameter, plain: Schema) -> Schema:
    """Return the schema of the sent text: the value's own if a form can express it, else JSON text."""
    if is_scalar(parameter.shape):
        return plain
    as_json = {"type": "string", "contentMediaType": JSON, "contentSchema": plain}
    return as_json if parameter.kind is Kind.JSON else {"anyOf": [{"type": "string"}, as_json]}


def main() -> None:
    """Print the description of the project's own endpoints."""
    from chatcore.http.routes import ROUTES

    sys.stdout.write(json.dumps(describe(ROUTES), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
