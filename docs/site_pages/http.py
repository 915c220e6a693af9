"""The endpoints, from the description of the API."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from chatcore.http.openapi import describe, recorded_examples
from chatcore.http.routes import ROUTES

from .table import code, table


def text() -> str:
    chapters: defaultdict[str, list[str]] = defaultdict(list)
    document = describe(ROUTES, recorded_examples())
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            chapters[operation["tags"][0]] += _endpoint(f"{method.upper()} {path}", operation)
    return "".join(f"## {name}\n\n{''.join(parts)}" for name, parts in sorted(chapters.items()))


def _endpoint(name: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {name}\n\n{operation['summary']}.\n\n"
    if "description" in operation:
        yield f"{operation['description']}\n\n"
    if rows := list(_parameters(operation)):
        yield table(("parameter", "type", "meaning"), rows)
    done = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    if "example" in done:
        yield f"```json\n{json.dumps(done['example'], indent=2, ensure_ascii=False)}\n```\n\n"


def _parameters(operation: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for one in operation.get("parameters", ()):
        schema = one["schema"] if "schema" in one else one["content"]["application/json"]["schema"]
        yield _row(one["name"], schema, one.get("description", ""), is_required=one["required"])
    contents = list(operation.get("requestBody", {}).get("content", {}).values())
    if contents:
        form = contents[0]["schema"]
        for name, schema in form.get("properties", {}).items():
            is_required = name in form.get("required", ())
            yield _row(name, schema, schema.get("description", ""), is_required=is_required)


def _row(name: str, schema: Mapping[str, Any], about: str, *, is_required: bool) -> tuple[str, str, str]:
    return f"{code(name)}{' (required)' if is_required else ''}", _type(schema), about


def _type(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"enum": values}:
            return " or ".join(code(json.dumps(value)) for value in values)
        case {"anyOf": members}:
            return " or ".join(dict.fromkeys(map(_type, members)))
        case {"type": "array", "items": items}:
            return f"list of {_type(items)}"
        case {"type": kind}:
            return str(kind)
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2]
        case _:
            return "JSON"
