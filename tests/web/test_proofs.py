"""Some minutes after the login, the client asks for the password before what lasts."""

from collections.abc import Callable
from contextlib import closing

from chatcore import open_chat
from chatcore.domain.people.sessions import PROOF_SECONDS
from chatcore.settings import Settings
from storage_backends import open_storage
from tests.web.conftest import PASSWORD, SECRET, Person, Server


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
