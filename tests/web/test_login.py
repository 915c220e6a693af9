"""The page before a login, and the password that is asked for some minutes later, before what lasts."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.people.passwords import MAX_PASSWORD_LENGTH
from chatcore.domain.people.sessions import PROOF_SECONDS
from chatcore.settings import Settings
from storage_backends import open_storage
from tests.waiting import until
from tests.web.conftest import PASSWORD, SECRET, Person, Server, served

SETTINGS = {
    "CHATCORE_DEVELOPMENT": "off",
    "CHATCORE_REMOTE_USER_HEADER": "Remote-User",
    "CHATCORE_REMOTE_USER_PROXIES": "127.0.0.1",
}
NAMED = {"extra_http_headers": {"Remote-User": "bea@example.com"}}
"""As if there were a proxy between the browser and the server, where somebody has logged in."""


@pytest.fixture
def behind_proxy(founded: Path, tmp_path: Path) -> Iterator[Server]:
    database = f"sqlite:///{shutil.copy(founded, tmp_path / 'chat.db')}"
    with served(database, tmp_path, SETTINGS) as server:
        yield server


def disables_passwords(server: Server) -> None:
    with open_chat(server.database, settings=Settings(secret_key=SECRET.encode())) as chat:
        chat.organization.change({"password_auth_enabled": False})


def own_address(person: Person) -> Any:
    return person.calls("GET", "users/me")["delivery_email"]


def test_whom_the_proxy_names_is_there_at_once(behind_proxy: Server, opens: Callable[..., Person]) -> None:
    bea = opens(behind_proxy.url, **NAMED)
    bea.page.goto(f"{behind_proxy.url}#drafts")
    bea.page.locator(".topbar").wait_for()
    assert bea.page.url == f"{behind_proxy.url}#drafts"
    assert own_address(bea) == "bea@example.com"


def test_who_has_logged_out_logs_in_by_a_button(behind_proxy: Server, opens: Callable[..., Person]) -> None:
    bea = opens(behind_proxy.url, **NAMED)
    bea.page.goto(bea.url)
    bea.page.locator("details.own summary").click()
    bea.page.get_by_role("button", name="Log out").click()
    bea.page.get_by_role("link", name="Log in with Single sign-on").click()
    bea.page.locator(".topbar").wait_for()


def test_a_session_that_began_without_the_page_is_one(
    behind_proxy: Server, opens: Callable[..., Person]
) -> None:
    bea = opens(behind_proxy.url, **NAMED)
    bea.page.goto(bea.url)
    bea.page.locator("details.own summary").click()
    with bea.page.expect_response("**/api/v1/users/me"):  # by which the login would find a session
        bea.page.get_by_role("button", name="Log out").click()
    bea.page.goto(f"{bea.url}accounts/login/sso")
    bea.page.locator(".topbar").wait_for()


def test_whom_no_proxy_names_learns_it_and_may_use_a_password(
    behind_proxy: Server, opens: Callable[..., Person]
) -> None:
    ada = opens(behind_proxy.url)
    ada.page.goto(ada.url)
    ada.page.get_by_text("The login service does not say who you are.").wait_for()
    ada.page.get_by_role("link", name="Back").click()
    ada.page.get_by_role("link", name="Log in with Single sign-on").wait_for()
    ada.page.get_by_label("Password").wait_for()
    disables_passwords(behind_proxy)
    ada.page.reload()
    ada.page.get_by_label("Password").wait_for(state="detached")
    ada.page.get_by_role("link", name="Log in with Single sign-on").wait_for()


def test_without_passwords_and_services_there_is_no_form(
    server: Server, opens: Callable[..., Person]
) -> None:
    disables_passwords(server)
    person = opens(server.url)
    person.page.goto(person.url)
    person.page.get_by_text("Password login is turned off.").wait_for()
    assert person.page.get_by_label("Password").count() == 0


def test_a_chat_that_cannot_be_loaded_is_loaded_again(server: Server, opens: Callable[..., Person]) -> None:
    """As after a release, whose files have other addresses, or without a connection."""
    person = opens(server.url)
    person.page.goto(person.url)
    person.page.route("**/view/app.js", lambda route: route.abort())
    person.page.get_by_role("button", name="Ada Fox").click()
    person.page.get_by_role("alert").get_by_text("Something went wrong").wait_for()
    person.page.unroute_all(behavior="wait")
    person.page.get_by_role("button", name="Reload").click()
    person.page.locator(".topbar").wait_for()


def test_who_was_logged_out_elsewhere_gets_the_login(server: Server, opens: Callable[..., Person]) -> None:
    """And what was on the page is gone, also from its memory."""
    person = opens(server.url, "ada")
    person.page.evaluate("window.isOld = true")
    person.calls("POST", "accounts/logout")
    person.page.get_by_label("Password").wait_for()
    assert person.page.evaluate("window.isOld") is None


# -- some minutes later ------------------------------------------------------------------------------


def let_sessions_grow_old(server: Server) -> None:
    statement = f"UPDATE browser_session SET began_at = began_at - {PROOF_SECONDS + 1}"
    with closing(open_storage(server.database)) as storage:
        # Only a transaction of the store waits while the server writes.
        storage.write(lambda tx: storage.backend.database.execute_sql(statement))


def test_another_address_needs_the_password(server: Server, opens: Callable[..., Person]) -> None:
    person = opens(server.url, "bea")
    let_sessions_grow_old(server)
    person.goes_to("settings/account")
    page = person.page
    page.locator("input[name=email]").fill("bea.hill@example.com")
    form = page.locator("form", has=page.locator("input[name=email]"))
    form.get_by_role("button", name="Save").click()
    form.get_by_role("alert").filter(has_text="Give your password for this").wait_for()
    form.get_by_label("Current password").fill(PASSWORD)
    form.get_by_role("button", name="Save").click()
    page.get_by_text("follow its link").wait_for()
    assert form.get_by_role("alert").count() == 0


def test_a_bot_that_becomes_ones_own_needs_the_password(server: Server, opens: Callable[..., Person]) -> None:
    with open_chat(server.database, settings=Settings(secret_key=SECRET.encode())) as chat:
        chat.users.set_role("bea@example.com", "administrator")
        gus = chat.users.create("gus@example.com", "Gus Ray")
        bot = chat.bots.create(gus, "Weather", "weather")
        chat.users.deactivate(None, gus)
    bea = opens(server.url, "bea")
    let_sessions_grow_old(server)
    bea.goes_to(f"people/{bot['user_id']}")
    bea.page.get_by_role("button", name="Reactivate").click()
    dialog = bea.page.get_by_role("dialog")
    dialog.get_by_label("Password").fill("wrong")
    dialog.get_by_role("button", name="Reactivate").click()
    dialog.get_by_role("alert").wait_for()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Reactivate").click()
    dialog.wait_for(state="detached")
    bea.page.get_by_role("button", name="Deactivate").wait_for()


def test_data_is_exported_and_a_person_is_erased(server: Server, opens: Callable[..., Person]) -> None:
    with open_chat(server.database, settings=Settings(secret_key=SECRET.encode())) as chat:
        chat.users.set_role("bea@example.com", "owner")
        gus_id = chat.users.create("gus@example.com", "Gus Ray").user_id
    bea = opens(server.url, "bea")
    bea.goes_to("settings/account")
    bea.page.get_by_role("button", name="Export my data").click()
    bea.page.get_by_text("Your data is being exported.").wait_for()
    let_sessions_grow_old(server)
    bea.goes_to(f"people/{gus_id}")
    bea.page.get_by_role("button", name="Erase, keep messages").click()
    bea.agrees("Erase, keep messages")
    dialog = bea.page.get_by_role("dialog")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Erase, keep messages").click()
    dialog.wait_for(state="detached")
    bea.page.get_by_text(f"Deleted person {gus_id}").first.wait_for()


@pytest.fixture
def invited(server: Server, somebody: Callable[..., Person]) -> Person:
    """Somebody who has followed the link of an invitation."""
    ada, new = somebody("ada"), somebody()
    ada.calls("POST", "invites", invitee_emails="ned@example.com", stream_ids=[])
    (mail,) = until(lambda: list((server.folder / "mail").glob("*.eml")))
    body = message_from_bytes(mail.read_bytes(), policy=default).get_body(("plain",))
    assert body is not None
    (path,) = re.findall(r"/(join/\S+)", body.get_content())
    new.page.goto(new.url + path)
    return new


def test_who_joins_is_in_the_chat_at_once(invited: Person) -> None:
    invited.page.get_by_label("Your name").fill("Ned")
    invited.page.locator("input[type=password]").fill("a password of a new person")
    invited.page.get_by_role("button", name="Join").click()
    invited.page.locator(".topbar").wait_for()
    assert "session" not in invited.page.url
    assert own_address(invited) == "ned@example.com"
    invited.page.reload()
    invited.page.locator(".topbar").wait_for()


def test_a_password_is_not_cut_by_the_page_of_an_invitation(invited: Person) -> None:
    password = invited.page.locator("input[type=password]")
    for count, is_valid in ((MAX_PASSWORD_LENGTH, True), (MAX_PASSWORD_LENGTH + 1, False)):
        password.fill("🍲" * count)
        assert len(password.input_value()) == count
        assert password.evaluate("one => one.validity.valid") == is_valid
