"""Short ways: reactions, mentions, what a link leads to, and what waits where."""

from collections.abc import Callable

from tests.web.conftest import Person
from tests.web.test_writing import box

Opens = Callable[..., Person]


def test_a_link_to_a_channel_and_its_head_say_what_it_is_about(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.calls(
        "POST",
        "users/me/subscriptions",
        subscriptions=[{"name": "soups", "description": "All **hot** ones, see [there](https://a.example)"}],
    )
    ada.goes_to_topic("links")
    ada.says("see #**soups** for more")
    link = ada.sees("for more").locator(".content a")
    link.hover()
    titled = ada.page.locator(".content a[title='All hot ones, see there']")
    titled.wait_for()
    ada.page.reload()
    ada.sees("for more")
    assert titled.count() == 0
    link.focus()
    titled.wait_for()
    link.click()
    ada.page.locator(".topbar .about", has_text="All hot ones, see there").wait_for()


def test_a_new_channel_leads_into_it(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to("channels/new")
    ada.page.get_by_label("Name", exact=True).fill("cakes")
    ada.page.get_by_role("button", name="Create the channel").click()
    ada.page.locator(".topbar").get_by_role("heading", name="cakes").wait_for()
    box(ada).wait_for()
