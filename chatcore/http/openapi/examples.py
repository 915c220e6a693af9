"""Examples of requests and answers, as the tests have recorded them (`make openapi`)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

FILE: Final = Path(__file__).with_name("examples.json")


class Example(msgspec.Struct, frozen=True):
    """The texts of a request's parameters, and the answer."""

    parameters: Mapping[str, str] = {}
    answer: Any = msgspec.UNSET
    """The JSON of the answer; unset if it has none."""


NO_EXAMPLE: Final = Example()


def recorded_examples() -> Mapping[str, Example]:
    """Return the examples by method and path template."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Example])


def value_of(text: str, schema: Mapping[str, Any]) -> Any:
    """Return a parameter's text as a value of its schema; a text that is not JSON stays a text."""
    if schema.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
