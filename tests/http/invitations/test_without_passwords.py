"""An organization that uses no passwords: no page asks for one, and no link leads to one."""

from collections.abc import Callable

import pytest

from chatcore.application.people.passwords import PasswordsDisabled
from chatcore.chat import Chat
from chatcore.http.app import Application
from tests.worlds.joining import PASSWORD, Tags, fills_in, invites, makes_link, member, opens
from tests.worlds.mail import link_in, sent
from tests.worlds.organization import World


@pytest.fixture
def links(world: World) -> dict[str, str]:
    """Links from before the organization stopped using passwords."""
    invites(world["ada"], "ned@example.org")
    by_address = link_in(sent(world)[-1])
    fills_in(world, "/reset", email="bea@example.org")
    reset = link_in(sent(world)[-1])
    for_many = makes_link(world["olga"])
    world.change_organization(password_auth_enabled=False, invite_required=False)
    return {"by_address": by_address, "for_many": for_many, "reset": reset}


def test_sec_no_page_asks_for_a_password(world: World, links: dict[str, str]) -> None:
    mails = len(sent(world))
    answers = [
        fills_in(world, path, full_name="Ned", password=PASSWORD, email="ned@example.org")
        for path in ("/join", "/reset", *links.values())
    ]
    answers += [opens(world, path) for path in ("/join", "/reset", links["for_many"], links["reset"])]
    for answer in answers:
        assert answer.status_code == 401
        assert "Password authentication is disabled" in answer.text
        assert "WWW-Authenticate" not in answer.headers
        assert Tags(answer.text).inputs == []
    assert member(world, "ned@example.org") is None
    assert len(sent(world)) == mails
    assert opens(world, "/join/unknown").status_code == opens(world, "/reset/unknown").status_code == 404


def test_an_invited_person_is_led_to_the_login(world: World, links: dict[str, str]) -> None:
    page = opens(world, links["by_address"])
    assert page.status_code == 200
    assert "ned@example.org" in page.text
    assert '<a href="https://chat.example.org">' in page.text
    assert Tags(page.text).inputs == []


def test_sec_programs_are_refused_as_clients_are(world: World, links: dict[str, str]) -> None:
    def no_application(*_: object) -> Application:
        raise AssertionError

    chat = Chat(world.svc, no_application)
    joining, reset = (links[name].rpartition("/")[2] for name in ("for_many", "reset"))
    refused: list[Callable[[], object]] = [
        lambda: chat.users.log_in("ada@example.org", PASSWORD),
        lambda: chat.invitations.look(joining),
        lambda: chat.invitations.join(joining, "Ned", PASSWORD, email="ned@example.org"),
        lambda: chat.invitations.ask_to_join("ned@example.org"),
        lambda: chat.mail.ask_for_new_password("bea@example.org"),
        lambda: chat.mail.look_at_account(reset),
        lambda: chat.mail.choose_password(reset, PASSWORD),
        lambda: chat.settings.change(
            chat.users.actor("ada@example.org"), old_password=PASSWORD, new_password="staple battery"
        ),
    ]
    for road in refused:
        with pytest.raises(PasswordsDisabled):
            road()


def test_the_pages_are_back_with_the_passwords(world: World, links: dict[str, str]) -> None:
    world.change_organization(password_auth_enabled=True)
    for path in ("/join", "/reset", *links.values()):
        assert Tags(opens(world, path).text).inputs, path
