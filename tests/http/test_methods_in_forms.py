"""Forms sent by POST that name another method, for every endpoint that can be reached so."""

import pytest
from werkzeug.test import Client

from chatcore.http.pipeline.methods import METHODS_IN_FORMS
from chatcore.http.pipeline.routing import AnyRoute, RawRoute, path_placeholders
from chatcore.http.routes import ROUTES
from tests.worlds.files import files_world
from tests.worlds.organization import World

__all__ = ["files_world"]

RAW = {route.path for route in ROUTES if route.method == "POST" and isinstance(route, RawRoute)}
"""Paths at which the body of a POST is no form for us to read."""
NAMED = [
    route
    for route in ROUTES
    if route.method in METHODS_IN_FORMS and not isinstance(route, RawRoute) and route.path not in RAW
]


@pytest.mark.parametrize("route", NAMED, ids=str)
def test_the_endpoint_of_the_named_method_answers(files_world: World, route: AnyRoute) -> None:
    path = route.path
    for name, kind in path_placeholders(path):
        path = path.replace(f"{{{name}:{kind}}}", "999999").replace(f"{{{name}}}", "nothing")
    client = Client(files_world.application)  # the description has no POST for these paths
    path, headers = route.prefix + path, files_world["ada"].headers
    plain = client.open(path, method=route.method, headers=headers)
    named = client.post(path, data={"method": route.method}, headers=headers)
    if plain.status_code == 200:  # it has changed something, so that the same again may be refused
        assert named.status_code in (200, 400, 401), named.text
    else:
        assert (named.status_code, named.get_json()) == (plain.status_code, plain.get_json())
