"""The reference at `/api/docs`, in a real browser."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.web.conftest import PASSWORD, Person

Opens = Callable[..., Person]

TRIED = {"/api/v1/users/me", "/api/v1/messages", "/api/v1/messages/flags"}


@pytest.fixture
def reader(somebody: Opens) -> Person:
    """Somebody who has the reference open; other hosts are not reached."""
    return opens_reference(somebody())


def opens_reference(bea: Person) -> Person:
    bea.page.on("request", lambda sent: sent.url.startswith(bea.url) or bea.errors.append(sent.url))
    bea.page.goto(f"{bea.url}api/docs")
    bea.page.locator(".opblock-tag-section").first.wait_for()
    return bea


def shorten_description(page: Page) -> None:
    """Let the page show only the endpoints that are tried: all of them keep a browser busy for seconds."""

    def shorten(route: Route) -> None:
        answer = route.fetch()
        description = answer.json()
        paths = {path: found for path, found in description["paths"].items() if path in TRIED}
        assert paths.keys() == TRIED
        route.fulfill(response=answer, json={**description, "paths": paths})

    page.route("**/api/v1/openapi.json", shorten)


def key_of(bea: Person) -> str:
    login = {"username": "bea@example.com", "password": PASSWORD}
    answer = bea.page.request.post(f"{bea.url}api/v1/fetch_api_key", form=login)
    key: str = answer.json()["api_key"]
    return key


def opened(bea: Person, chapter: str, operation: str) -> Any:
    """Return the block of an endpoint, ready to be sent."""
    block = bea.page.locator(f"#operations-{chapter}-{operation}")
    if not block.is_visible():
        bea.page.locator(f"#operations-tag-{chapter}").click()
    block.locator(".opblock-summary-control").click()
    block.locator(".try-out__btn").click()
    return block


def answer_to(block: Any) -> Any:
    block.locator(".execute").click()
    return json.loads(block.locator(".live-responses-table code").first.inner_text())


def written(block: Any) -> Any:
    """Write a message into the form of its endpoint."""
    for name, text in (("to", "general"), ("topic", "reference"), ("content", "from the page")):
        block.locator(f'[data-property-name="{name}"] input').first.fill(text)
    return block


def test_requests_are_sent_from_the_page(somebody: Opens) -> None:
    reader = somebody()
    page = reader.page
    shorten_description(page)
    opens_reference(reader)
    page.locator(".btn.authorize").click()
    basic = page.locator(".auth-container", has=page.locator("input[type=password]"))
    basic.locator("input[type=text]").fill("bea@example.com")
    basic.locator("input[type=password]").fill(key_of(reader))
    basic.locator("button.authorize").click()
    page.locator(".btn-done").first.click()
    own = answer_to(opened(reader, "People_and_bots", "get_users_me"))
    assert own["delivery_email"] == "bea@example.com"
    block = opened(reader, "Messages", "post_messages")
    sent = answer_to(written(block))
    assert sent["result"] == "success"
    assert "ignored_parameters_unsupported" not in sent
    form = block.locator(".curl-command").inner_text()
    assert "queue_id" not in form
    assert "null" not in form
    flags = opened(reader, "Messages", "post_messages_flags")
    flags.locator('[data-property-name="messages"] textarea').fill(f"[{sent['id']}]")
    assert answer_to(flags)["result"] == "success"


def test_requests_go_by_the_session_of_the_client(somebody: Opens) -> None:
    bea = somebody("bea")
    shorten_description(bea.page)
    opens_reference(bea)
    assert answer_to(opened(bea, "People_and_bots", "get_users_me"))["delivery_email"] == "bea@example.com"
    assert answer_to(written(opened(bea, "Messages", "post_messages")))["result"] == "success"


def test_the_page_has_examples_and_fits_a_small_screen_in_either_scheme(reader: Person) -> None:
    page = reader.page
    page.set_viewport_size({"width": 360, "height": 640})
    block = opened(reader, "User_groups", "get_user_groups")
    example = json.loads(block.locator(".responses-table .example code").first.inner_text())
    assert example["user_groups"]
    opened(reader, "Messages", "post_messages")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "is_dark => document.documentElement.classList.contains('dark-mode') === is_dark",
            arg=scheme == "dark",
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
