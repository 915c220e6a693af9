"""Parameters in the description: each has the schema of its value, wherever it is sent.

Lists and objects are sent as JSON text; in a form, its `encoding` says so. A parameter that may be left out
has no `null` for that: in forms it would be a text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chatcore.http.bodies.incoming import Header
from chatcore.http.bodies.reading import MULTIPART, URLENCODED
from chatcore.http.openapi.examples import value_of
from chatcore.http.openapi.responses import BINARY, JSON, Schema
from chatcore.http.parameters.declaring import Parameter
from chatcore.http.parameters.types import ParameterKind, is_scalar

NULL: Final = {"type": "null"}


class Described:
    """A parameter with the schema of its value, its description and other names, and an example."""

    def __init__(self, parameter: Parameter, schema: Schema, examples: Mapping[str, str]) -> None:
        """*schema* is that of the parameter's type; the declaration of the parameter may replace it, but not
        its description.
        """
        value_schema = parameter.marks.get("schema", schema)
        self.name = parameter.name
        self.schema = _without_null(
            {key: value for key, value in value_schema.items() if key != "description"}
        )
        self.about: Schema = {}
        if description := schema.get("description"):
            self.about["description"] = description
        if parameter.also:
            self.about["x-aliases"] = list(parameter.also)
        self.example: Schema = {}
        if parameter.name in examples:
            self.example["example"] = value_of(examples[parameter.name], self.schema)
        self.required = parameter.required or "required" in parameter.marks
        self.is_json = not is_scalar(parameter.type_)
        self.may_be_text = parameter.kind is not ParameterKind.JSON

    def in_path(self) -> Schema:
        described = {"name": self.name, "in": "path", "required": True}
        return {**described, **self.about, "schema": self.schema, **self.example}

    def in_query(self) -> Schema:
        described: Schema = {"name": self.name, "in": "query", "required": self.required, **self.about}
        if self.is_json and not self.may_be_text:
            return {**described, "content": {JSON: {"schema": self.schema, **self.example}}}
        return {**described, "schema": self.schema, **self.example}

    def in_form(self) -> Schema:
        return {**self.schema, **self.about, **self.example}


def form_body(parameters: Sequence[Described]) -> Schema:
    """Return the body of a request whose parameters are fields of a form of either kind."""
    content = form_content(parameters)
    required = "required" in content["schema"]
    return {"required": required, "content": {URLENCODED: content, MULTIPART: content}}


def form_content(parameters: Sequence[Described], files: Mapping[str, Schema] | None = None) -> Schema:
    """Return the content of a form of one kind: its schema and encoding; *files* are required."""
    files = files or {}
    schema: Schema = {
        "type": "object",
        "properties": {**files, **{parameter.name: parameter.in_form() for parameter in parameters}},
    }
    if required := [*files, *(parameter.name for parameter in parameters if parameter.required)]:
        schema["required"] = required
    as_json = {parameter.name: {"contentType": JSON} for parameter in parameters if parameter.is_json}
    return {"schema": schema, **({"encoding": as_json} if as_json else {})}


ONE_FILE: Final = {"filename": {**BINARY, "description": "The one file, under any name."}}


def header(declared: Header, examples: Mapping[str, str]) -> Schema:
    """Return a header that the endpoint reads; OpenAPI has headers among the parameters."""
    schema = {"type": declared.type}
    example = {"example": value_of(examples[declared.name], schema)} if declared.name in examples else {}
    return {
        "name": declared.name,
        "in": "header",
        "required": declared.required,
        "description": declared.description,
        "schema": schema,
        **example,
    }


def _without_null(schema: Schema) -> Schema:
    """Return the schema without null if null is the default: null then means that the parameter is absent."""
    if "default" not in schema or schema["default"] is not None:
        return schema
    rest: dict[str, Any] = {key: value for key, value in schema.items() if key != "default"}
    members = [member for member in rest.pop("anyOf", ()) if member != NULL]
    if len(members) == 1:
        return {**members[0], **rest}
    return {**rest, "anyOf": members} if members else rest
