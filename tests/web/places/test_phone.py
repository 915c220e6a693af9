"""The bar at the lower edge of a phone, and the pages to which it leads."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Person
from tests.web.screens import furnish

Opens = Callable[..., Person]


@pytest.fixture
def phone(somebody: Opens) -> Person:
    return somebody("ada", viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)


def bar(phone: Person) -> Any:
    return phone.page.get_by_role("navigation", name="Most used places")


def low(buttons: Any) -> list[str]:
    """Return the texts of those that are too low for fingers."""
    return [one.inner_text() for one in buttons.all() if one.bounding_box()["height"] < 44]


def test_you_has_the_name_the_status_the_settings_and_the_way_out(phone: Person) -> None:
    bar(phone).get_by_role("link", name="You").tap()
    main = phone.page.get_by_role("main")
    main.get_by_text("Ada Fox", exact=True).wait_for()
    main.get_by_text("ada@example.com").wait_for()
    main.get_by_role("button", name="Status: What are you up to?").tap()
    dialog = phone.page.get_by_role("dialog", name="Status")
    dialog.get_by_label("What are you up to?").fill("On a train")
    dialog.get_by_role("button", name="Save").tap()
    main.get_by_role("button", name="Status: On a train").wait_for()
    assert low(main.locator("button:visible, a:visible")) == []
    main.get_by_role("button", name="Clear: Status").tap()
    main.get_by_role("button", name="Status: What are you up to?").wait_for()
    main.get_by_role("link", name="Appearance").tap()
    main.get_by_label("Colors").wait_for()
    assert main.get_by_role("button", name="Log out").count() == 0
    main.get_by_role("link", name="Settings").tap()
    main.get_by_role("button", name="Log out").tap()
    phone.page.get_by_role("heading", name=re.compile("Log in")).wait_for()


def test_direct_lists_conversations_with_their_newest_messages_and_begins_one(
    phone: Person, somebody: Opens
) -> None:
    bar(phone).get_by_role("link", name="Direct").tap()
    main = phone.page.get_by_role("main")
    row = main.get_by_role("listitem").filter(has_text="Bea Lynn")
    main.get_by_role("button", name="New direct message").wait_for()
    assert row.count() == 0
    bea, me = somebody("bea"), phone.calls("GET", "users/me")["user_id"]
    for text in ("Is there soup?", "And **bread**?"):
        bea.calls("POST", "messages", type="direct", to=[me], content=text)
    row.get_by_text("Bea Lynn: And bread?").wait_for()
    assert row.count() == 1
    assert row.locator(".count").inner_text() == "2"
    main.get_by_role("button", name="New direct message").tap()
    phone.page.get_by_role("dialog", name="New direct message").wait_for()
    phone.page.keyboard.press("Escape")
    row.get_by_role("link").tap()
    phone.sees("And bread?")
    bar(phone).locator("[aria-current]", has_text="Direct").wait_for()


def test_search_of_the_bar_is_everywhere_and_that_of_a_menu_is_here(phone: Person) -> None:
    phone.goes_to(f"narrow/channel/{furnish(phone)['channel']}/topic/soup.20of.20the.20day")
    bar(phone).get_by_role("button", name="Search").tap()
    palette = phone.page.get_by_role("dialog", name="Search")
    palette.get_by_role("combobox").wait_for()
    pills = palette.get_by_role("button", name="Remove")
    assert pills.count() == 0
    phone.page.keyboard.press("Escape")
    phone.page.get_by_role("button", name="Topic actions").tap()
    phone.page.get_by_role("menuitem", name="Search here").tap()
    pills.first.wait_for()
    assert pills.count() == 2
