"""A minute at an unlocked browser does not make an account somebody else's: a cookie alone gives no key and
changes no address, unless the person has just logged in.
"""

from pathlib import Path
from typing import Any

import pytest

from chatcore.application.bots.managing import NewBot, create_bot
from chatcore.domain.people.sessions import PROOF_SECONDS
from chatcore.domain.roles import Role
from tests.security.attacking import nothing_changes
from tests.worlds.browsers import PASSWORD, logs_in
from tests.worlds.organization import MakeWorld, Someone, World

REQUIRED: dict[str, Any] = {"status": 403, "code": "PROOF_REQUIRED"}


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(mail_folder=tmp_path / "mail")


@pytest.fixture
def browser(world: World) -> Someone:
    """Ada's, some minutes after she has logged in; she has a bot."""
    browser = logs_in(world, "ada")
    browser.headers |= {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin"}
    create_bot(world.svc, world["ada"].actor, NewBot(full_name="Echo", short_name="echo"))
    world.storage.read(world.know)
    world.clock.advance(PROOF_SECONDS)
    return browser


def deeds(world: World) -> list[tuple[str, str, str, dict[str, Any]]]:
    """What makes the account somebody else's, with the parameter that has the password."""
    return [
        ("PATCH", "/settings", "old_password", {"email": "eve@example.org"}),
        ("PATCH", "/settings/display", "old_password", {"email": "eve@example.org", "full_name": "Eve"}),
        ("POST", "/bots", "password", {"full_name": "Other", "short_name": "other"}),
        ("POST", f"/bots/{world['robo'].id}/api_key/regenerate", "password", {}),
        ("PATCH", f"/users/{world['ada'].id}", "password", {"new_email": "eve@example.org"}),
        ("PATCH", "/users/bea@example.org", "password", {"new_email": "eve@example.org"}),
        ("DELETE", "/users/me", "password", {}),
    ]


def test_sec_29_by_cookie_alone_nothing_lasts(world: World, browser: Someone) -> None:
    world.change_user("ada", role=Role.OWNER, can_change_user_emails=True)
    with nothing_changes(world):
        for method, path, _, parameters in deeds(world):
            browser.refused(method, path, **parameters, **REQUIRED)
        browser.refused("DELETE", "/users/me", password="wrong", **REQUIRED)
    browser.get("/users/me")
    browser.patch("/settings", full_name="Ada Fox", enter_sends=True)


def test_sec_29_the_password_is_a_proof(world: World, browser: Someone) -> None:
    world.change_user("ada", role=Role.OWNER, can_change_user_emails=True)
    for method, path, password, parameters in deeds(world):
        answer = browser.request(method, path, **parameters, **{password: PASSWORD})
        assert answer.get_json().get("code") != "PROOF_REQUIRED", (path, answer.text)


def test_sec_29_a_login_of_the_last_minutes_is_a_proof(world: World, browser: Someone) -> None:
    again = logs_in(world, "ada")
    again.headers |= {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin"}
    again.post("/bots", full_name="Other", short_name="other")
    world.clock.advance(PROOF_SECONDS - 1)
    again.patch("/settings", email="ada.fox@example.org")
    world.clock.advance(1)
    again.refused("PATCH", "/settings", email="ada.fox2@example.org", **REQUIRED)


def test_a_key_is_a_proof(world: World, ada: Someone) -> None:
    assert all(bot["api_key"] for bot in ada.get("/bots")["bots"])
    ada.post("/bots", full_name="Other", short_name="other")
    ada.delete("/users/me")


def test_sec_29_the_state_of_a_session_has_no_keys(world: World, browser: Someone, ada: Someone) -> None:
    keys = [
        [bot["api_key"] for bot in who.post("/register", event_types=["realm_bot"])["realm_bots"]]
        for who in (browser, ada)
    ]
    assert [bot["api_key"] for bot in browser.get("/bots")["bots"]] == ["", ""]
    assert keys[0] == ["", ""]
    assert all(keys[1])
