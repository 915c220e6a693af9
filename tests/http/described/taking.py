"""Parameters of endpoints, read from our OpenAPI document and from the description of the API."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from chatcore.http.openapi import describe, recorded_examples
from chatcore.http.routes import ROUTES

JSON: Final = "application/json"


@dataclass(frozen=True)
class Taken:
    """A parameter: the kinds of its values, whether it is required, and its default."""

    kinds: frozenset[str]
    required: bool = False
    default: str | None = None
    """The default, as JSON."""


# -- our own document -------------------------------------------------------------------------------


@cache
def document() -> Mapping[str, Any]:
    return describe(ROUTES, recorded_examples())


def operations() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each endpoint, by method and path."""
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def our_parameters(operation: Mapping[str, Any]) -> dict[str, Taken]:
    taken = {}
    for parameter in operation.get("parameters", ()):
        schema = parameter["content"][JSON]["schema"] if "content" in parameter else parameter["schema"]
        taken[parameter["name"]] = ours(schema, required=parameter["required"])
    for form in operation.get("requestBody", {}).get("content", {}).values():
        for name, schema in form["schema"].get("properties", {}).items():
            taken[name] = ours(schema, required=name in form["schema"].get("required", ()))
    return taken


def ours(schema: Mapping[str, Any], *, required: bool) -> Taken:
    default = schema.get("default")
    return Taken(
        kinds=frozenset(our_kinds(schema)) - {"null"},
        required=required,
        default=None if required or default is None else json.dumps(default),
    )


def our_kinds(schema: Mapping[str, Any]) -> set[str]:
    if "$ref" in schema:
        named = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        required = [*named.get("required", ()), *schema.get("required", ())]
        return our_kinds({**named, "required": required})
    if "anyOf" in schema:
        return set().union(*map(our_kinds, schema["anyOf"]))
    if "enum" in schema:
        return {json.dumps(value) for value in schema["enum"]}
    match schema.get("type"):
        case "array":
            return {f"[{kind}]" for kind in our_kinds(schema.get("items", {}))}
        case "object" if "properties" in schema:
            required = schema.get("required", ())
            fields = schema["properties"].items()
            return {an_object((name, our_kinds(field), name in required) for name, field in fields)}
        case None:
            return {"anything"}
        case kind:
            return {kind}


def an_object(fields: Iterable[tuple[str, set[str], bool]]) -> str:
    announced = [
        f"{name}{'' if required else '?'}: {' | '.join(sorted(kinds - {'null'}))}"
        for name, kinds, required in sorted(fields)
    ]
    return "{" + ", ".join(announced) + "}"


# -- the description --------------------------------------------------------------------------------


def their_parameters(endpoint: Mapping[str, Any], types: Mapping[str, Any]) -> dict[str, Taken]:
    taken = {
        p["name"]: Taken(frozenset(their_kinds(p, types)), required=True) for p in endpoint["path_params"]
    }
    for parameter in endpoint["params"]:
        required = parameter["required"]
        has_default = not required and "default" in parameter
        default = json.dumps(parameter["default"]) if has_default else None
        taken[parameter["name"]] = Taken(frozenset(their_kinds(parameter, types)), required, default)
    return taken


def their_kinds(described: Mapping[str, Any], types: Mapping[str, Any]) -> set[str]:
    if "ref" in described:
        return their_kinds(types[described["ref"]], types)
    if "one_of" in described:
        return set().union(*(their_kinds(one, types) for one in described["one_of"]))
    if "enum" in described:
        return {json.dumps(value) for value in described["enum"]}
    match described["type"]:
        case "array":
            return {f"[{kind}]" for kind in their_kinds(described["items"], types)}
        case "object" if "fields" in described:
            fields = described["fields"].items()
            return {
                an_object(
                    (name, their_kinds(f, types), f.get("required", not f.get("optional")))
                    for name, f in fields
                )
            }
        case kind:
            return {kind}
