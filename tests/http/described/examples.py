"""The examples in the description of the API: a request with its answer for each endpoint, from the stories.

    python -m tests.http.described.examples > chatcore/http/openapi/examples.json

Times and ids are the same in each run, as the stories have a clock and a store of their own. Random texts
become a fixed one, lists are shortened, and names that are special to the tests are replaced.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from werkzeug.wrappers import Request

from chatcore.http.pipeline.routing import AnyRoute, RawRoute, path_template
from tests.worlds.checked_answers import Described, found_for

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MOST: Final = 2
"""Items that an example has of a list, and of an object whose names are ids."""
SENT: Final = "tests.sent"


@dataclass(frozen=True)
class Exchange:
    """A request that has succeeded, by the texts of its parameters, and its answer."""

    parameters: Mapping[str, str]
    answer: bytes


class Recorder(Described):
    """The application of the tests; it keeps for each endpoint the exchange with the longest answer."""

    def __init__(self, described: Described) -> None:
        super().__init__(described)
        self.exchanges: dict[AnyRoute, Exchange] = {}

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        environ[SENT] = environ["wsgi.input"].read()
        environ["wsgi.input"] = BytesIO(environ[SENT])
        return super().__call__(environ, start_response)

    def note(self, environ: "WSGIEnvironment", route: AnyRoute, answer: bytes) -> None:
        super().note(environ, route, answer)
        before = self.exchanges.get(route)
        if before is None or len(answer) > len(before.answer):
            self.exchanges[route] = Exchange(_parameters(environ, route), answer)


def _parameters(environ: "WSGIEnvironment", route: AnyRoute) -> dict[str, str]:
    """Return the texts in path, query and form, and the headers that the endpoint reads."""
    with Request({**environ, "wsgi.input": BytesIO(environ[SENT])}) as request:
        texts = request.values.to_dict()
        headers = {one.name: request.headers.get(one.name) for one in getattr(route, "headers", ())}
    _, in_path = found_for(environ)
    given = {**texts, **headers, **{name: str(value) for name, value in in_path.items()}}
    return {name: text for name, text in given.items() if text is not None}


# -- what is written ---------------------------------------------------------------------------------

RANDOM: Final = re.compile(r"(?:[0-9a-f]{2}/)?(?<![\w.-])(?=[\w-]*[A-Z0-9])[\w-]{20,}(?![\w-])", re.ASCII)
"""A random name in an address, with the number of its folder, or a key."""
FIXED: Final = "k3yk3yk3yk3yk3yk3yk3yk3y"
SECRETS: Final = frozenset({"api_key", "queue_id", "logout_token"})
NAMES: Final[Mapping[str, str]] = {
    r"\bada\b": "amy",
    r"\bAda\b": "Amy",
    r"\blunch\b": "general",
    r"\bexample\.org\b": "example.com",
    r"\bAnalytical Society\b": "Garden Club",
}


def text_of(exchanges: Mapping[AnyRoute, Exchange]) -> str:
    """Return the content of the file."""
    written = {
        f"{route.method} {path_template(route.full_path)}": _example(route, exchange)
        for route, exchange in exchanges.items()
    }
    return json.dumps(dict(sorted(written.items())), indent=1, ensure_ascii=False) + "\n"


def _example(route: AnyRoute, exchange: Exchange) -> dict[str, Any]:
    example: dict[str, Any] = {}
    if parameters := {name: _plain(name, text) for name, text in sorted(exchange.parameters.items())}:
        example["parameters"] = parameters
    if exchange.answer and not (isinstance(route, RawRoute) and route.answers):
        example["answer"] = _shortened(json.loads(exchange.answer))
    return example


def _shortened(value: Any, name: str = "") -> Any:
    match value:
        case list():
            return [_shortened(one, name) for one in value[:MOST]]
        case dict():
            names = [one for one in value if one.isdecimal()][MOST:]
            return {_named(one): _shortened(value[one], one) for one in value if one not in names}
        case str():
            return _plain(name, value)
        case _:
            return value


def _plain(name: str, text: str) -> str:
    return FIXED if name in SECRETS else RANDOM.sub(FIXED, _named(text))


def _named(text: str) -> str:
    for pattern, replacement in NAMES.items():
        text = re.sub(pattern, replacement, text)
    return text


if __name__ == "__main__":
    from tests.http.described.shown import recorded

    sys.stdout.write(text_of(recorded().exchanges))
