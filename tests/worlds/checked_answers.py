"""The application of the tests: every answer is validated against our own OpenAPI document."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_origin

import jsonschema_rs
from msgspec.json import decode

from chatcore.domain.errors import ChatError
from chatcore.http.openapi import BINARY, ERROR, describe
from chatcore.http.pipeline.methods import effective_method
from chatcore.http.pipeline.routing import AnyRoute, path_template, plain_path, router
from chatcore.http.routes import FORMS, ROUTES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

JSON: Final = "application/json"
OUR_FAILURE: Final = 500


class Described:
    """A wrapper that fails if an answer contradicts the document.

    No document describes a server with another spelling of some names (*is_described* false).
    """

    def __init__(self, application: "WSGIApplication", *, is_described: bool = True) -> None:
        self._application = application
        self._is_described = is_described
        self.succeeded: dict[AnyRoute, bytes] = {}
        """The last successful answer of each endpoint."""

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        announced: list[str] = []

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Callable[[bytes], object]:
            announced.append(status)
            return start_response(status, headers, *more)

        body = self._application(environ, start)
        self._look(environ, int(announced[0].partition(" ")[0]), body)
        return body

    @contextmanager
    def unread(self) -> Iterator[None]:
        """Skip the validation, for so many similar answers that it would take too long."""
        was, self._is_described = self._is_described, False
        try:
            yield
        finally:
            self._is_described = was

    def _look(self, environ: "WSGIEnvironment", status: int, body: Iterable[bytes]) -> None:
        route = route_of(environ)
        text = b"".join(body) if isinstance(body, list) else b""
        if route is None:
            if status in (404, 405) and not environ["PATH_INFO"].startswith(tuple(FORMS)):
                _envelope().validate(decode(text or b"null") or EMPTY)
            return
        if self._is_described:
            require_described(route, status, text)
        if status < 400:
            self.note(environ, route, text)

    def note(self, environ: "WSGIEnvironment", route: AnyRoute, answer: bytes) -> None:
        """Note a successful answer."""
        self.succeeded[route] = answer


EMPTY: Final = {"result": "error", "msg": "", "code": ""}
"""The envelope that stands for the missing body of an answer to HEAD."""


def require_described(route: AnyRoute, status: int, body: bytes) -> None:
    """Fail if the document describes another answer."""
    assert status < OUR_FAILURE, body
    if body and (validator := _validator(route, status)) is not None:
        errors = validator.iter_errors(decode(body))
        wrong = [f"{error.instance_path}: {error.message}" for error in errors]
        assert wrong == [], route


def route_of(environ: "WSGIEnvironment") -> AnyRoute | None:
    try:
        return found_for(environ)[0]
    except ChatError:
        return None


def found_for(environ: "WSGIEnvironment") -> tuple[AnyRoute, Mapping[str, Any]]:
    """Return the route of a request, and the values in its path."""
    path = plain_path(environ.get("PATH_INFO", ""))
    return router(ROUTES).find(path, effective_method(path, environ))


@cache
def _envelope() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(ERROR)


@cache
def _document() -> Mapping[str, Any]:
    return describe(ROUTES)


@cache
def _validator(route: AnyRoute, status: int) -> jsonschema_rs.Draft202012Validator | None:
    """Return the validator of an answer in the API's envelope; a success may have only the named fields."""
    document = _document()
    responses = document["paths"][path_template(route.full_path)][route.method.lower()]["responses"]
    response = responses.get(str(status)) or responses[f"{status // 100}XX"]
    if "$ref" in response:
        response = document["components"]["responses"][response["$ref"].rpartition("/")[2]]
    schema = response.get("content", {}).get(JSON, {}).get("schema", BINARY)
    if schema == BINARY:
        return None
    names_its_fields = status == 200 and get_origin(route.answer_content) is not dict
    plain = _inlined(schema)
    return jsonschema_rs.Draft202012Validator(_closed(plain["allOf"]) if names_its_fields else plain)


# Most of the time would go into looking up references, and fields that no part of `allOf` names.


def _inlined(schema: Any) -> Any:
    """Return a schema with each reference replaced by the schema to which it points."""
    match schema:
        case {"$ref": str(name)}:
            return _inlined(_document()["components"]["schemas"][name.rpartition("/")[2]])
        case dict():
            return {name: _inlined(value) for name, value in schema.items()}
        case list():
            return [_inlined(one) for one in schema]
    return schema


def _closed(parts: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The schema of an object that has to fit all *parts*, and has no other fields."""
    fields: dict[str, Any] = {}
    for part in parts:
        assert part.keys() <= {"type", "title", "description", "properties", "required"}, part.keys()
        added = part.get("properties", {})
        assert fields.keys().isdisjoint(added), added.keys()
        fields.update(added)
    required = [name for part in parts for name in part.get("required", ())]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
