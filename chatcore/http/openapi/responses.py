"""The forms of answers that all endpoints have in common."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from chatcore.domain.errors import RateLimited

Schema: TypeAlias = dict[str, Any]

REF: Final = "#/components/schemas/{name}"
JSON: Final = "application/json"
BINARY: Final[Schema] = {"type": "string", "format": "binary"}

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


def response(description: str, schema: Schema, example: Any = None) -> Schema:
    """Return a response with a body in JSON."""
    content = {"schema": schema} if example is None else {"schema": schema, "example": example}
    return {"description": description, "content": {JSON: content}}


RESPONSES: Final[Schema] = {
    "Error": response("Refused.", {"$ref": REF.format(name="Error")}),
    "RateLimited": {
        **response("Too many requests.", {"allOf": [{"$ref": REF.format(name="Error")}, RATE_LIMITED]}),
        "headers": HEADERS,
    },
}
