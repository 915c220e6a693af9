"""Endpoints, fields and events are shown by tests; what the API has besides is listed."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
from msgspec import UNSET

from chatcore.events.payloads.event import PAYLOADS
from chatcore.http.openapi import recorded_examples
from chatcore.http.openapi.examples import FILE
from chatcore.http.pipeline.routing import path_template
from chatcore.http.routes import ROUTES
from tests.http.described import missing
from tests.http.described.examples import text_of
from tests.http.described.page import text
from tests.http.described.shown import recorded
from tests.http.described.taking import document, operations, our_parameters, their_parameters
from tests.http.described.test_every_endpoint import name_of
from tests.reference import described


def test_the_page_has_all_endpoints_fields_and_events() -> None:
    rows = [line for line in text().splitlines() if line.startswith("| `")]
    assert len(rows) == len(ROUTES) + len(recorded().fields) + len(PAYLOADS)
    assert all(row.count("](../tests/") or "always refused" in row for row in rows)


def test_the_examples_are_up_to_date() -> None:
    assert FILE.read_text() == text_of(recorded().exchanges), "run: make openapi"


def test_each_endpoint_with_json_has_an_example() -> None:
    examples = recorded_examples()
    for endpoint, operation in operations():
        if "200" in operation["responses"] and endpoint not in missing.REFUSED:
            assert examples[endpoint].answer is not UNSET, endpoint


def test_examples_fit_the_description() -> None:
    """Shortened as they are."""
    components = document()["components"]
    for _, operation in operations():
        done = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
        if "example" in done:
            jsonschema_rs.validate({"components": components, **done["schema"]}, done["example"])


def test_each_endpoint_is_shown_by_a_story() -> None:
    silent = set(ROUTES) - recorded().endpoints.keys()
    assert {name_of(route) for route in silent} == missing.REFUSED.keys()


def endpoints_described() -> Iterator[tuple[str, set[str]]]:
    """Each endpoint of the description with its parameters, also those of excluded areas."""
    description = described("endpoints.json")
    for endpoint in description["endpoints"]:
        yield (
            f"{endpoint['method']} {endpoint['path']}",
            {*their_parameters(endpoint, description["types"])},
        )
    for endpoint in description["routes_without_description"]["routes"]:
        given = endpoint["params"]
        names = {one if isinstance(one, str) else one["name"] for one in given}
        yield f"{endpoint['method']} {endpoint['path']}", names
    for endpoint in description["left_out"]:
        yield f"{endpoint['method']} {endpoint['path']}", set()


def test_endpoints_that_are_missing_are_listed() -> None:
    theirs = {endpoint for endpoint, _ in endpoints_described()}
    ours = {one for route in ROUTES for one in (name_of(route), f"* {path_template(route.full_path)}")}
    assert theirs - ours == missing.ENDPOINTS.keys()


def test_parameters_that_are_missing_are_listed() -> None:
    ours: Mapping[str, Mapping[str, Any]] = {
        endpoint: our_parameters(operation) for endpoint, operation in operations()
    }
    absent = {
        (endpoint, name)
        for endpoint, names in endpoints_described()
        if endpoint in ours
        for name in names - ours[endpoint].keys()
    }
    assert absent == missing.PARAMETERS.keys()


def test_fields_that_are_missing_are_listed() -> None:
    queue = {"queue_id", "last_event_id"}
    theirs = described("register_state.json")["fields"].keys()
    assert theirs - recorded().fields.keys() - queue == missing.FIELDS.keys()


def test_events_that_are_missing_are_listed() -> None:
    description = described("events.json")
    theirs = {(event["type"], event["op"]) for event in (*description["events"], *description["left_out"])}
    assert theirs - recorded().events.keys() == missing.EVENTS.keys()
