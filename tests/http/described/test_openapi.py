"""The description of the endpoints follows from their declarations."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from openapi_spec_validator import validate
from werkzeug.test import Client

from chatcore.application.arguments import Id, about
from chatcore.http.bodies.incoming import Header
from chatcore.http.openapi import Example, describe
from chatcore.http.parameters.declaring import REQUIRED, Json, NoParams, Params, Text, also
from chatcore.http.pipeline.auth import Auth, Caller
from chatcore.http.pipeline.routing import Answer, AnyRoute, Done, RawRoute, Route
from chatcore.http.routes import ROUTES as PROJECT_ROUTES
from tests.worlds.toys import ROUTES, application


class Operation(StrEnum):
    ADD = "add"
    REMOVE = "remove"


class FetchParams(Params, frozen=True, kw_only=True):
    message_id: Id
    narrow: Json = ()
    num_before: Annotated[int, msgspec.Meta(ge=0, le=5000, description="How many messages before it.")] = 0
    anchor: int | Literal["newest"] = "newest"


class Topic(msgspec.Struct, frozen=True):
    name: str
    max_id: int


class Topics(Answer, frozen=True):
    topics: list[Topic]


class FlagParams(Params, frozen=True, kw_only=True):
    messages: list[int]
    op: Operation
    topic: Annotated[Text | None, also("subject")] = None
    to: int | str | list[int] = ""


class PollParams(Params, frozen=True, kw_only=True):
    queue_id: Annotated[Text | None, about("Which queue."), REQUIRED] = None
    narrow: Annotated[Json, about("A filter.", schema={"type": "array", "default": []})] = None


def fetch(svc: Any, caller: Caller, p: FetchParams) -> Topics:
    """Topics around
    a message.

    Newest first.
    """
    return Topics([])


def flag(svc: Any, caller: Caller, p: FlagParams) -> Done:
    """Add or remove a flag."""
    return Done()


def poll(svc: Any, caller: Caller, p: PollParams) -> Done:
    """Poll."""
    return Done()


def receive(svc: Any, caller: Caller, request: Any, p: NoParams) -> Done:
    """Receive a file."""
    return Done()


def settings(svc: Any, caller: Caller, p: NoParams) -> Done:
    """Say what this server is."""
    return Done()


TOY_ROUTES: list[AnyRoute] = [
    Route("GET", "/messages/{message_id:int}/topics", FetchParams, fetch),
    Route("POST", "/messages/flags", FlagParams, flag, auth=Auth.OPTIONAL),
    Route("GET", "/server_settings", NoParams, settings, auth=Auth.NONE),
    Route("GET", "/events", PollParams, poll),
    RawRoute(
        "POST",
        "/files",
        NoParams,
        receive,
        body="image/png",
        headers=[Header("Upload-Length", "Bytes of it.", "integer", required=True)],
    ),
]


def operation(path: str, method: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(json.dumps(describe(TOY_ROUTES)))["paths"][path][method]
    return found


FETCH = operation("/api/v1/messages/{message_id}/topics", "get")
FLAG = operation("/api/v1/messages/flags", "post")


@pytest.mark.parametrize("routes", [TOY_ROUTES, ROUTES], ids=["these", "toys"])
def test_the_description_is_valid_openapi(routes: list[AnyRoute]) -> None:
    validate(describe(routes))


def test_the_description_does_not_depend_on_the_order_of_the_routes() -> None:
    assert json.dumps(describe(TOY_ROUTES)) == json.dumps(describe(TOY_ROUTES[::-1]))


def test_the_server_serves_it_without_a_login() -> None:
    response = Client(application()).get("/api/v1/openapi.json")
    assert response.get_json() == json.loads(json.dumps(describe(ROUTES)))


def test_the_docstring_is_summary_and_description() -> None:
    assert FETCH["summary"] == "Topics around a message"
    assert FETCH["description"] == "Newest first."


def test_a_get_has_its_parameters_in_path_and_query() -> None:
    by_name = {parameter["name"]: parameter for parameter in FETCH["parameters"]}
    assert {name: p["in"] for name, p in by_name.items()} == {
        "message_id": "path",
        "narrow": "query",
        "num_before": "query",
        "anchor": "query",
    }
    assert [name for name, p in by_name.items() if p["required"]] == ["message_id"]
    assert by_name["narrow"]["content"] == {"application/json": {"schema": {"default": []}}}
    assert by_name["num_before"]["description"] == "How many messages before it."
    assert by_name["num_before"]["schema"] == {"type": "integer", "minimum": 0, "maximum": 5000, "default": 0}
    assert by_name["anchor"]["schema"]["default"] == "newest"


def test_other_methods_have_their_parameters_in_a_form_of_either_kind() -> None:
    contents = FLAG["requestBody"]["content"]
    assert list(contents) == ["application/x-www-form-urlencoded", "multipart/form-data"]
    schema = contents["multipart/form-data"]["schema"]
    assert schema["required"] == ["messages", "op"]
    assert schema["properties"]["messages"] == {"type": "array", "items": {"type": "integer"}}
    assert schema["properties"]["topic"]["x-aliases"] == ["subject"]
    assert {"type": "string"} in schema["properties"]["to"]["anyOf"]
    as_json = {"contentType": "application/json"}
    assert contents["multipart/form-data"]["encoding"] == {"messages": as_json, "to": as_json}
    assert "parameters" not in FLAG


def test_null_is_no_value_of_a_parameter_that_may_be_left_out() -> None:
    """A form would send null as a text. Parameters for which null is a value of its own keep it."""
    assert FLAG["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]["topic"] == {
        "type": "string",
        "x-aliases": ["subject"],
    }
    folder = describe(PROJECT_ROUTES)["paths"]["/api/v1/streams/{stream_id}"]["patch"]["requestBody"]
    schema = folder["content"]["multipart/form-data"]["schema"]["properties"]["folder_id"]
    assert {"type": "null"} in schema["anyOf"]


def test_chapters_are_the_rooms_of_the_handlers() -> None:
    document = describe(PROJECT_ROUTES)
    assert document["paths"]["/api/v1/messages"]["post"]["tags"] == ["Messages"]
    used = {tag for path in document["paths"].values() for op in path.values() for tag in op["tags"]}
    assert [tag["name"] for tag in document["tags"]] == sorted(used)
    assert len(used) < 16


def parts(document: Any) -> Iterator[Mapping[str, Any]]:
    """Each object in a document but for its examples."""
    if isinstance(document, list):
        for one in document:
            yield from parts(one)
    elif isinstance(document, dict):
        yield document
        for name, one in document.items():
            if name != "example":
                yield from parts(one)


def test_lists_of_values_have_a_type_and_no_text_is_a_file() -> None:
    for part in parts(describe(PROJECT_ROUTES)):
        assert not isinstance(part.get("enum"), list) or part.keys() & {"type", "anyOf"}, part
        assert "contentMediaType" not in part


def test_an_example_is_a_request_with_its_answer() -> None:
    answer = {"result": "success", "msg": "", "topics": []}
    shown = {
        "GET /api/v1/messages/{message_id}/topics": Example({"message_id": "7", "narrow": "[]"}, answer),
        "POST /api/v1/messages/flags": Example({"messages": "[1, 2]", "op": "add", "to": "7th"}),
    }
    paths = describe(TOY_ROUTES, shown)["paths"]
    fetched = paths["/api/v1/messages/{message_id}/topics"]["get"]
    assert fetched["responses"]["200"]["content"]["application/json"]["example"] == answer
    assert fetched["parameters"][0]["example"] == 7
    assert fetched["parameters"][1]["content"]["application/json"]["example"] == []
    form = paths["/api/v1/messages/flags"]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    examples = {name: field.get("example") for name, field in form["properties"].items()}
    assert examples == {"messages": [1, 2], "op": "add", "topic": None, "to": "7th"}


def test_the_schema_of_a_parameter_besides_its_type() -> None:
    queue_id, narrow = operation("/api/v1/events", "get")["parameters"]
    assert (queue_id["required"], queue_id["description"]) == (True, "Which queue.")
    assert (narrow["required"], narrow["description"]) == (False, "A filter.")
    assert narrow["content"] == {"application/json": {"schema": {"type": "array", "default": []}}}


def test_headers_that_an_endpoint_reads_are_parameters() -> None:
    assert operation("/api/v1/files", "post")["parameters"] == [
        {
            "name": "Upload-Length",
            "in": "header",
            "required": True,
            "description": "Bytes of it.",
            "schema": {"type": "integer"},
        }
    ]


def test_enumerations_and_answers_are_components() -> None:
    schemas = describe(TOY_ROUTES)["components"]["schemas"]
    assert schemas["Operation"]["enum"] == ["add", "remove"]
    assert schemas["Topics"]["properties"]["topics"]["items"] == {"$ref": "#/components/schemas/Topic"}
    answer = FETCH["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {
        "allOf": [{"$ref": "#/components/schemas/Success"}, {"$ref": "#/components/schemas/Topics"}]
    }
    assert "FlagParams" not in schemas


def test_no_component_is_named_after_its_module() -> None:
    """Classes of one name would be told apart by their modules, and a move would change the document."""
    names = describe(PROJECT_ROUTES)["components"]["schemas"]
    assert [name for name in names if not name.isidentifier()] == []


def test_security_follows_from_what_the_route_asks() -> None:
    assert FETCH["security"] == [{"key": []}]
    assert FLAG["security"] == [{}, {"key": []}]
    assert operation("/api/v1/server_settings", "get")["security"] == []


def test_operation_ids_are_unique() -> None:
    ids = [op["operationId"] for path in describe(ROUTES)["paths"].values() for op in path.values()]
    assert len(ids) == len(set(ids))


def test_a_path_piece_needs_its_field() -> None:
    with pytest.raises(TypeError, match="NoParams has no field message_id"):
        Route("GET", "/messages/{message_id:int}", NoParams, settings)


def test_a_handler_must_say_what_it_returns() -> None:
    def silent(svc: Any, caller: Caller, p: NoParams):  # type: ignore[no-untyped-def]
        return Done()

    with pytest.raises(TypeError, match="must declare a subclass of Answer"):
        Route("GET", "/x", NoParams, silent)


def test_the_command_prints_the_description_of_the_project() -> None:
    pytest.importorskip("chatcore.http.routes")
    command = [sys.executable, "-m", "chatcore.http.openapi"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed)["openapi"] == "3.1.0"
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == printed
