"""Mails about logins from devices that are new to an account."""

from email.message import EmailMessage
from pathlib import Path

import pytest
from werkzeug.test import Client

from chatcore.application.mail.login_notices import MAX_WAITING
from chatcore.application.people import passwords
from tests.worlds.browsers import PASSWORD, opens_browser, tries
from tests.worlds.mail import sent
from tests.worlds.organization import API_PREFIX, HOST, MakeWorld, World

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:{}) Gecko/20100101 Firefox/{}"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1"


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    world = make_world(mail_folder=tmp_path / "mail")
    world.change_user("bea", password_hash=passwords.hash_password(PASSWORD))
    return world


def logs_in(world: World, user_agent: str, password: str = PASSWORD) -> int:
    """Log in with a browser; return the status."""
    browser = opens_browser(world)
    browser.headers["User-Agent"] = user_agent
    return tries(browser, "bea", password).status_code


def gets_key(world: World, user_agent: str) -> int:
    """Log in with a program; return the status."""
    data = {"username": world["bea"].email, "password": PASSWORD}
    headers = {"User-Agent": user_agent, "Host": HOST}
    client = Client(world.answers)
    return client.post(f"{API_PREFIX}/fetch_api_key", data=data, headers=headers).status_code


def mails(world: World) -> list[EmailMessage]:
    world.clock.advance(1)
    return sent(world)


def test_a_login_from_a_new_kind_of_device_is_mailed(world: World) -> None:
    assert logs_in(world, FIREFOX.format(146, 146)) == 200
    assert mails(world) == []  # nothing was known before
    assert logs_in(world, FIREFOX.format(147, 147)) == 200
    assert logs_in(world, PHONE, "wrong") == 401
    assert mails(world) == []
    assert logs_in(world, PHONE) == 200
    (mail,) = mails(world)
    assert (mail["To"], mail["Subject"]) == ("bea@example.org", "New login to Analytical Society")
    assert "Safari on iPhone" in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert logs_in(world, PHONE) == 200
    assert gets_key(world, "curl/8") == 200
    assert len(mails(world)) == 2
    path = mail["List-Unsubscribe"].strip("<>").removeprefix(f"https://{HOST}")
    assert world.nobody.client.post(path, headers={"Host": HOST}).status_code == 200
    assert gets_key(world, "wget/1") == 200
    assert len(mails(world)) == 2


def test_a_login_of_a_program_that_names_nothing_is_mailed(world: World) -> None:
    assert logs_in(world, FIREFOX.format(146, 146)) == 200
    for user_agent in ("", "?", "(;)"):
        assert gets_key(world, user_agent) == 200
    (mail,) = mails(world)
    assert "an unknown program" in mail.get_content()


def test_few_mails_about_logins_wait_for_a_person(world: World) -> None:
    for number in range(MAX_WAITING + 3):
        assert gets_key(world, f"program{number}/1") == 200
    assert world.count("mail") == MAX_WAITING
    assert len(mails(world)) == MAX_WAITING
    assert gets_key(world, "curl/8") == 200
    assert len(mails(world)) == MAX_WAITING + 1


def test_without_mail_no_device_is_noted(make_world: MakeWorld) -> None:
    world = make_world()
    world.change_user("bea", password_hash=passwords.hash_password(PASSWORD))
    assert gets_key(world, "curl/8") == 200
    assert world.count("known_device") == 0
