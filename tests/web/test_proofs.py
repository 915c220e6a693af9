"""Some minutes after the login, another address needs the password."""

from collections.abc import Callable
from contextlib import closing

from chatcore.domain.people.sessions import PROOF_SECONDS
from storage_backends import open_storage
from tests.web.conftest import PASSWORD, Person, Server


def test_another_address_needs_the_password(server: Server, opens: Callable[..., Person]) -> None:
    person = opens(server.url, "bea")
    with closing(open_storage(server.database)) as storage, storage.backend.connection():
        storage.backend.database.execute_sql(
            f"UPDATE browser_session SET began_at = began_at - {PROOF_SECONDS + 1}"
        )
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
