"""Secrets are in forms: addresses stand in the logs of all programs that pass them on."""

import re
from collections.abc import Mapping
from typing import Any, Final

import pytest
from werkzeug.test import Client

from chatcore.application.people import passwords
from chatcore.http.pipeline.routing import AnyRoute
from chatcore.http.routes import ROUTES
from tests.http.sign_on.login_services import browser, logout_claims, logs_out, signed, toy_provider
from tests.security.attacking import nothing_changes
from tests.worlds.joining import ORIGIN, PASSWORD, fills_in, makes_link
from tests.worlds.organization import MakeWorld, World

NAMED_LIKE_ONE: Final = re.compile(r"password|token|secret|(^|_)auth$|api_key|otp$|^code$")
NO_SECRETS: Final[Mapping[str, str]] = {
    "api_key": "of links that programs post to, which have no other place for it",
    "code": "the protocol of login services has it there; it counts once, and in one browser",
    "mobile_flow_otp": "apps open a page by it",
    "token_kind": "the name of a service",
    "/api/v1/mobile_push/test_notification token": "it names a phone",
    "/api/v1/users/me/android_gcm_reg_id token": "it names a phone",
    "/api/v1/users/me/apns_device_token token": "it names a phone",
}


def secrets() -> dict[str, tuple[AnyRoute, str]]:
    return {
        f"{route.method} {route.full_path} {name}": (route, name)
        for route in ROUTES
        if route.method == "POST"
        for name in sorted(route.declaration.secrets)
    }


def test_each_parameter_that_is_named_like_a_secret_is_one() -> None:
    for route in ROUTES:
        known = {*route.declaration.secrets, *route.path_names}
        for name in route.declaration.names - known:
            is_no_secret = name in NO_SECRETS or f"{route.full_path} {name}" in NO_SECRETS
            assert is_no_secret or not NAMED_LIKE_ONE.search(name) or name.endswith("_enabled"), (route, name)


@pytest.mark.parametrize("case", secrets())
def test_a_secret_in_an_address_is_refused(case: str, world: World) -> None:
    route, name = secrets()[case]
    who = world["olga"]
    path = re.sub(r"\{\w+(:int)?\}", f"{world['ada'].id}", route.full_path)
    with nothing_changes(world):
        answer = who.client.open(
            path,
            method=route.method,
            query_string={name: "hush hush"},
            base_url=ORIGIN,
            headers={**who.headers, "Origin": ORIGIN},
        )
    refused: dict[str, Any] = answer.get_json()
    assert (answer.status_code, refused["code"], refused["var_name"]) == (400, "BAD_REQUEST", name)
    assert "hush" not in answer.text


def test_programs_that_have_no_other_place_change_a_password(world: World) -> None:
    """They send the parameters of all methods but POST in the address."""
    new = "a quite long new one"
    changed = {"old_password": PASSWORD, "new_password": new}
    ada = world["ada"]
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    answer = ada.client.patch("/api/v1/settings", query_string=changed, headers=ada.headers)
    assert answer.status_code == 200, answer.text
    assert ada.post("/fetch_api_key", username=ada.email, password=new)["result"] == "success"


def test_the_pages_read_forms_alone(world: World) -> None:
    form = {"full_name": "Ned", "email": "ned@example.org", "password": PASSWORD}
    link = makes_link(world["olga"])
    answer = Client(world.answers).post(
        link,
        query_string=form,
        base_url=ORIGIN,
        headers={"Origin": ORIGIN},
    )
    assert answer.status_code == 400, answer.text
    assert world.count("account") == len(world.users)
    assert fills_in(world, link, **form).status_code == 200


def test_a_login_service_sends_its_token_in_a_form(make_world: MakeWorld) -> None:
    with toy_provider() as toy:
        world = make_world(oidc=(toy.settings(),))
        token = {"logout_token": signed(logout_claims(toy.issuer))}
        for given, status in (({"query_string": token}, 400), ({"data": token}, 200)):
            assert logs_out(browser(world), "", **{"data": {}, **given}).status_code == status
