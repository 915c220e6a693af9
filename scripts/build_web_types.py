"""Builds chatcore/web/api_types.d.ts, the web client's types of answers and events.

python -m scripts.build_web_types

Answers are those of docs/openapi.json, events those of `chatcore.Event`. What neither describes has no types
here: the answer of `register`, whose parts are tables of settings, and the values of settings.
"""

import json
import re
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from textwrap import indent
from typing import Any, get_args, get_type_hints

import msgspec

from chatcore import Event

PROJECT = Path(__file__).parent.parent
TARGET = PROJECT / "chatcore" / "web" / "api_types.d.ts"
DESCRIPTION = PROJECT / "docs" / "openapi.json"

LONGEST = 110
BASE = "/api/v1/"
NAMED = re.compile(r"\{\w+\}")
HEAD = """/** What the API answers and tells. Made by scripts/build_web_types.py, not by hand. */
declare namespace Api {
"""
PLAIN = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}

Schema = Mapping[str, Any]


def build() -> str:
    description = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    answers = list(_answers(description["paths"]))
    events, components = _events()
    known = {**components, **description["components"]["schemas"]}
    named = [*(name for _, _, name in answers), *(name for names in events.values() for name in names)]
    types = [_declared(name, known[name]) for name in _reached(named, known)]
    return HEAD + "\n".join([_answers_type(answers), _events_type(events), *types]) + "}\n"


def _answers(paths: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the method, the path as a type, and the name of the answer of each operation that has a name.

    A path with a text in it, such as the name of an emoji, would fit those of other operations, too.
    """
    for path, operations in paths.items():
        for method, operation in operations.items():
            kinds = {
                one["name"]: one["schema"]["type"]
                for one in operation.get("parameters", ())
                if one["in"] == "path"
            }
            content = operation["responses"].get("200", {}).get("content", {})
            parts = content.get("application/json", {}).get("schema", {}).get("allOf", ())
            for name in (part["$ref"].rpartition("/")[2] for part in parts if "$ref" in part):
                if name not in {"Success", "Done"} and set(kinds.values()) <= {"integer"}:
                    yield method.upper(), _path_type(path), name


def _path_type(path: str) -> str:
    """Return the type of the paths of an endpoint below `api/v1/`."""
    below = path.removeprefix(BASE)
    return f"`{re.sub(NAMED, '${number}', below)}`" if "{" in below else f'"{below}"'


def _events() -> tuple[dict[str, list[str]], dict[str, Schema]]:
    """Return the names of the types of events by `type`, and by `type op`, and all types that they need."""
    forms = get_args(Event)
    _, components = msgspec.json.schema_components(forms)
    events: dict[str, list[str]] = {}
    for form in forms:
        hints = get_type_hints(form)
        for kind in get_args(hints["type"]):
            events.setdefault(kind, []).append(form.__name__)
            for operation in get_args(hints.get("op")):
                events.setdefault(f"{kind} {operation}", []).append(form.__name__)
    return events, components


def _reached(names: list[str], known: Mapping[str, Schema]) -> list[str]:
    """Return the names of these types and of all that they need, in the order of the alphabet."""
    reached = set(names)
    waiting = list(reached)
    for name in waiting:
        needed = {
            found.rpartition("/")[2] for found in re.findall(r'"\$ref": "([^"]+)"', json.dumps(known[name]))
        }
        waiting += needed - reached
        reached |= needed
    return sorted(reached)


def _answers_type(answers: list[tuple[str, str, str]]) -> str:
    """Return the type that has the answers by methods and paths."""
    lines = ["  /** Answers by methods and paths. */", "  interface Answers {"]
    for method in sorted({method for method, _, _ in answers}):
        lines.append(f"    {method}: {{")
        for path, name in sorted((path, name) for one, path, name in answers if one == method):
            key = path if path.startswith('"') else f"[path: {path}]"
            lines.append(f"      {key}: {name};")
        lines.append("    };")
    return "\n".join([*lines, "  }", ""])


def _events_type(events: Mapping[str, list[str]]) -> str:
    """Return the type that has the events by their types, and by types and operations."""
    lines = [f'    "{name}": {" | ".join(forms)};' for name, forms in sorted(events.items())]
    return "\n".join(
        ["  /** Events by types, and by types and operations. */", "  interface Events {", *lines, "  }", ""]
    )


def _declared(name: str, schema: Schema) -> str:
    about = cleandoc(schema.get("description", ""))  # msgspec 0.22 leaves the docstring as it is
    comment = indent(f"/** {about} */\n", "    ")[2:] if about else ""
    return f"{comment}  type {name} = {_type(schema)};\n"


def _type(schema: Schema) -> str:
    """Return the type of what fits a schema, on one line."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
    match schema.get("type"):
        case "array":
            item = _type(schema.get("items", {}))
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object":
            return _object(schema)
        case str(kind):
            return PLAIN[kind]
    return "any"


def _object(schema: Schema) -> str:
    if "properties" not in schema:
        return f"Record<string, {_type(schema.get('additionalProperties') or {})}>"
    required = set(schema.get("required", ()))
    fields = (
        _field(name if name in required else f"{name}?", _type(field))
        for name, field in schema["properties"].items()
    )
    return "{\n" + "".join(fields) + "  }"


def _field(name: str, kind: str) -> str:
    line = f"    {name}: {kind};\n"
    return line if len(line) <= LONGEST else f"    {name}:\n      {kind};\n"


if __name__ == "__main__":
    TARGET.write_text(build(), encoding="utf-8")
