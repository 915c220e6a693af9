"""The order in which a request is checked: method, header, key, role, parameters, the endpoint's rules."""

import re
from typing import Any

import pytest

from chatcore.http.pipeline.routing import API_PREFIX, AnyRoute
from chatcore.http.routes import ROUTES
from tests.reference import described
from tests.worlds.organization import Someone, World

OF_ADMINISTRATORS = [route for route in ROUTES if route.of_administrators]
BY_THEIR_OWN_RULES = {
    "PATCH /api/v1/users/{user_id}": "one refusal for everybody's account, whoever's it is",
    "PATCH /api/v1/users/{email}": "one refusal for everybody's account, whoever's it is",
    "POST /api/v1/users/{user_id}/status": "one refusal for everybody's account, whoever's it is",
}
"""Endpoints of administrators that refuse others by the rules of what is changed, and why."""


def path_of(route: AnyRoute) -> str:
    return re.sub(r"\{\w+:int\}", "99999", route.path)


def nonsense(route: AnyRoute) -> dict[str, Any]:
    """Each parameter, with a text that none of them can be."""
    return {parameter.name: '{"' for parameter in route.declaration.parameters}


@pytest.mark.parametrize("route", OF_ADMINISTRATORS, ids=repr)
def test_the_role_is_checked_before_any_parameter_is_read(world: World, route: AnyRoute) -> None:
    for name in ("ada", "mona", "gus", "robo"):
        for parameters in ({}, nonsense(route)):
            refused = world[name].refused(
                route.method, path_of(route), code="UNAUTHORIZED_PRINCIPAL", **parameters
            )
            assert refused["msg"] == "Must be an organization administrator"
    answer = world["adi"].request(route.method, path_of(route)).get_json()
    if answer["msg"] != "Must be an organization owner":
        assert answer.get("code") in ("REQUEST_VARIABLE_MISSING", "BAD_REQUEST", None)


@pytest.mark.parametrize("route", OF_ADMINISTRATORS, ids=repr)
def test_a_key_is_checked_before_the_role(world: World, ada: Someone, route: AnyRoute) -> None:
    world.nobody.refused(route.method, path_of(route), status=401, code="UNAUTHORIZED")
    ada.headers["Authorization"] = "Basic !"
    ada.refused(route.method, path_of(route), status=401, code="UNAUTHORIZED")


def test_every_endpoint_that_is_described_as_one_of_administrators_is_one() -> None:
    documents = described("endpoints.json")
    rows = [*documents["endpoints"], *documents["routes_without_description"]["routes"]]
    ours = {f"{route.method} {re.sub(':int', '', route.full_path)}": route for route in ROUTES}
    assert ours.keys() >= {f"POST {API_PREFIX}/realm/filters", *BY_THEIR_OWN_RULES}
    missing = [
        name
        for row in rows
        if row.get("who") == "admin"
        and (name := f"{row['method']} {row['path']}") in ours
        and not ours[name].of_administrators
        and name not in BY_THEIR_OWN_RULES
    ]
    assert missing == []
