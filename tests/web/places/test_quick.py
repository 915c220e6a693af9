"""Short ways: reactions, mentions, what a link leads to, and what waits where."""

from collections.abc import Callable

from tests.web.conftest import Person
from tests.web.screens import furnish
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


def test_a_conversation_with_a_draft_has_a_sign_at_the_side(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    side = ada.page.get_by_role("navigation", name="Navigation")
    ada.goes_to(f"narrow/channel/{ids['channel']}/topic/soup.20of.20the.20day")
    box(ada).press_sequentially("half a")
    ada.page.locator(".place.here", has_text="soup of the day").wait_for()
    assert side.get_by_label("Draft", exact=True).count() == 0  # it is seen in the box
    ada.goes_to(f"narrow/dm/{ids['bea']}-dm")
    side.locator(".place", has_text="kitchen").get_by_label("Draft", exact=True).wait_for()
    box(ada).press_sequentially("half b")
    ada.goes_to(f"narrow/channel/{ids['channel']}")
    for name in ("Bea Lynn", "soup of the day"):
        side.locator(".place", has_text=name).get_by_label("Draft", exact=True).wait_for()
    ada.goes_to(f"narrow/dm/{ids['bea']}-dm")
    box(ada).press("Enter")
    ada.goes_to("inbox")
    side.locator(".place", has_text="Bea Lynn").get_by_label("Draft", exact=True).wait_for(state="detached")
    side.locator(".place", has_text="kitchen").get_by_label("Draft", exact=True).wait_for()
