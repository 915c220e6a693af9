"""A minute at an unlocked browser does not make an account somebody else's: a cookie alone gives no key and
changes no address, unless the person has just logged in.
"""

from pathlib import Path
from typing import Any

import pytest

from chatcore.application.bots.managing import BotOptions, NewBot, create_bot
from chatcore.application.people.deactivation import deactivate_user
from chatcore.domain.people.sessions import PROOF_SECONDS
from chatcore.domain.people.users import BotType
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
    """Ada's, some minutes after she has logged in; she has two bots, and "lost" has an owner who has left."""
    browser = logs_in(world, "ada")
    browser.headers |= {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin"}
    create_bot(world.svc, world["ada"].actor, NewBot(full_name="Echo", short_name="echo"))
    hook = BotOptions(payload_url="https://hook.example.org/")
    create_bot(
        world.svc,
        world["ada"].actor,
        NewBot(full_name="Hook", short_name="hook", bot_type=BotType.OUTGOING_WEBHOOK, options=hook),
    )
    create_bot(world.svc, world["mona"].actor, NewBot(full_name="Lost", short_name="lost"))
    world.storage.read(world.know)
    deactivate_user(world.svc, None, world["mona"].id)
    world.clock.advance(PROOF_SECONDS)
    return browser


def deeds(world: World) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Requests that make the account somebody else's, with the parameter that has the password. Its name is
    the same for all but settings, where clients of the API send another one.
    """
    return [
        ("PATCH", "/settings", "old_password", {"email": "eve@example.org"}),
        ("PATCH", "/settings/display", "old_password", {"email": "eve@example.org", "full_name": "Eve"}),
        ("POST", "/bots", "own_password", {"full_name": "Other", "short_name": "other"}),
        ("POST", f"/bots/{world['robo'].id}/api_key/regenerate", "own_password", {}),
        ("PATCH", f"/users/{world['ada'].id}", "own_password", {"new_email": "eve@example.org"}),
        ("PATCH", "/users/bea@example.org", "own_password", {"new_email": "eve@example.org"}),
        (
            "POST",
            "/users",
            "own_password",
            {"email": "eve@example.net", "full_name": "Eve", "password": "of eve for ever 7"},
        ),
        *(
            ("PATCH", f"/bots/{world.users['hook-bot'].id}", "own_password", change)
            for change in changes_of_bots(world)
        ),
        ("POST", f"/users/{world.users['lost-bot'].id}/reactivate", "own_password", {}),
        ("POST", "/users/me/android_gcm_reg_id", "own_password", {"token": "abcd"}),
        ("POST", "/users/me/apns_device_token", "own_password", {"token": "abcd"}),
        ("DELETE", "/users/me", "own_password", {}),
    ]


def changes_of_bots(world: World) -> list[dict[str, Any]]:
    """Requests that give somebody the key of a bot, or the token of its service."""
    return [
        {"service_payload_url": "https://eve.example.org/"},
        {"service_interface": 2},
        {"bot_owner_id": world["bea"].id},
        {"bot_owner_id": world["ada"].id, "full_name": "Mine"},
    ]


def test_sec_29_by_cookie_alone_nothing_lasts(world: World, browser: Someone) -> None:
    world.change_user("ada", role=Role.OWNER, can_change_user_emails=True, can_create_users=True)
    with nothing_changes(world):
        for method, path, password, parameters in deeds(world):
            refused = browser.refused(method, path, **parameters, **REQUIRED)
            assert refused["var_name"] == password
        browser.refused("DELETE", "/users/me", own_password="wrong", **REQUIRED)
    browser.get("/users/me")
    browser.patch("/settings", full_name="Ada Fox", enter_sends=True)


def test_sec_29_the_password_is_a_proof(world: World, browser: Someone) -> None:
    world.change_user("ada", role=Role.OWNER, can_change_user_emails=True, can_create_users=True)
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
    assert [bot["api_key"] for bot in browser.get("/bots")["bots"]] == ["", "", ""]
    assert keys[0] == ["", "", ""]
    assert all(keys[1])


def test_sec_29_a_queue_of_a_session_has_no_keys(world: World, browser: Someone, ada: Someone) -> None:
    """The key stays out of the events, whoever changes the bot."""
    world.change_user("ada", role=Role.OWNER)
    lines = [who.opens_queue("realm_bot") for who in (browser, ada)]
    path = f"/bots/{world.users['hook-bot'].id}"
    ada.patch(path, service_payload_url="https://else.example.org/")
    ada.post(f"{path}/api_key/regenerate")
    ada.patch(f"/bots/{world['robo'].id}", bot_owner_id=world["bea"].id)
    ada.patch(f"/bots/{world['robo'].id}", bot_owner_id=ada.id)
    ada.post("/bots", full_name="Other", short_name="other")
    ada.post(f"/users/{world.users['lost-bot'].id}/reactivate")
    secrets = [sorted(filter(None, secrets_in(line.events()))) for line in lines]
    assert secrets[0] == []
    assert len(secrets[1]) == 6


def secrets_in(events: list[dict[str, Any]]) -> list[str]:
    """Return the keys in events about bots, and the tokens of their services."""
    bots = [event["bot"] for event in events]
    services = [service for bot in bots for service in bot.get("services", [])]
    return [bot.get("api_key", "") for bot in bots] + [service.get("token", "") for service in services]


def test_sec_29_only_a_bot_that_changes_hands_needs_a_proof_to_come_back(
    world: World, browser: Someone, ada: Someone
) -> None:
    world.change_user("ada", role=Role.OWNER)
    browser.patch(f"/bots/{world.users['hook-bot'].id}", full_name="Hook 2", default_sending_stream="lunch")
    browser.post(f"/users/{world['mona'].id}/reactivate")
    browser.post(f"/users/{world.users['lost-bot'].id}/reactivate")


def test_sec_29_a_clock_that_was_set_back_makes_no_old_login_recent(world: World, browser: Someone) -> None:
    world.clock.advance(-10 * PROOF_SECONDS)
    browser.refused("POST", "/bots", full_name="Other", short_name="other", **REQUIRED)
