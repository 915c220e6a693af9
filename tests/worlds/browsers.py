"""Users in a browser: identified by the cookie of a session, on the organization's own pages.

browser = logs_in(world, "ada")
url = uploads(browser)["url"]
"""

from typing import Any

from werkzeug.test import Client, TestResponse

from chatcore.application.people import passwords
from tests.worlds.organization import Someone, World

PASSWORD = "correct horse 🐎"


def opens_browser(world: World) -> Someone:
    """Open a browser without a session, on one of the organization's pages. Tests state its cookies."""
    browser = world.nobody
    browser.client = Client(world.answers, use_cookies=False)
    browser.headers["Origin"] = world.svc.settings.origin
    return browser


def tries(browser: Someone, name: str, password: str = PASSWORD, **more: Any) -> TestResponse:
    given = {"username": f"{name}@example.org", "password": password, **more}
    return browser.request("POST", "/accounts/login", **given)


def cookie_in(response: TestResponse) -> str:
    """Return the name and the value of the cookie that an answer sets."""
    return response.headers["Set-Cookie"].partition(";")[0]


def logs_in(world: World, name: str) -> Someone:
    world.change_user(name, password_hash=passwords.hash_password(PASSWORD))
    browser = opens_browser(world)
    response = tries(browser, name)
    assert response.status_code == 200, response.text
    browser.headers["Cookie"] = cookie_in(response)
    browser.name = name
    return browser


def is_known(browser: Someone) -> bool:
    """Whether the server identifies a user by the browser's cookie."""
    headers = {**browser.headers, "Tus-Resumable": "1.0.0"}
    response = browser.client.head("/api/v1/tus/1/ab/none", headers=headers)
    assert response.status_code in (401, 404)
    return response.status_code == 404
