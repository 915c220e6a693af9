"""A deactivated organization, over HTTP and for programs."""

import pytest

from chatcore import OrganizationDeactivated, open_chat
from chatcore.application.organization.deactivation import reactivate_organization
from chatcore.application.people.passwords import hash_password
from tests.worlds.browsers import opens_browser, tries
from tests.worlds.organization import Someone, World

REFUSED = {"status": 401, "code": "REALM_DEACTIVATED"}
PASSWORD = "correct horse"


def test_an_owner_deactivates_the_organization(world: World, olga: Someone, ada: Someone) -> None:
    line, kept = ada.opens_queue("realm"), ada.says("soup")
    waiting = line.waits()
    olga.post("/realm/deactivate")
    (event,) = waiting.answer()
    assert {key: event[key] for key in ("type", "op", "realm_id")} == {
        "type": "realm",
        "op": "deactivated",
        "realm_id": 1,
    }
    for who in (olga, ada, world["robo"], world["gus"]):
        who.refused("GET", "/users/me", **REFUSED)
        who.refused("POST", "/messages", type="channel", to='"lunch"', topic="a", content="b", **REFUSED)
    ada.refused("GET", "/events", queue_id=line.id, last_event_id=-1, **REFUSED)
    reactivate_organization(world.svc)
    assert ada.finds("channel:lunch") == [kept]
    assert [one["type"] for one in line.events()] == ["realm"]


@pytest.mark.parametrize("name", ["adi", "mona", "ada", "gus", "robo"])
def test_nobody_else_does(world: World, name: str) -> None:
    world[name].refused("POST", "/realm/deactivate", code="UNAUTHORIZED_PRINCIPAL")
    world["ada"].get("/users/me")


def test_sec_nobody_comes_in_without_an_account_or_by_a_login(world: World, olga: Someone) -> None:
    world.open_to_the_web()
    world.change_user("ada", password_hash=hash_password(PASSWORD))
    browser = opens_browser(world)
    assert tries(browser, "ada", PASSWORD).status_code == 200
    olga.post("/realm/deactivate")
    world.nobody.refused("POST", "/register", **REFUSED)
    world.nobody.refused("GET", "/messages", anchor="newest", num_before=1, num_after=0, **REFUSED)
    world.nobody.refused("POST", "/fetch_api_key", username=world["ada"].email, password=PASSWORD, **REFUSED)
    assert tries(opens_browser(world), "ada", PASSWORD).status_code == 401
    wrong = Someone(world, "ada")
    wrong.headers["Authorization"] = Someone(world, "bea").headers["Authorization"][:-4] + "AAAA"
    wrong.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")
    world.nobody.get("/server_settings")


def test_programs_are_refused_too() -> None:
    with open_chat(owner_email="ada@example.com") as chat:
        ada = chat.users.actor("ada@example.com")
        chat.organization.deactivate(ada)
        with pytest.raises(OrganizationDeactivated):
            chat.channels.list(ada)
        chat.organization.reactivate()
        assert chat.channels.list(ada)
