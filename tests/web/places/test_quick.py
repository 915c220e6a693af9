"""Short ways: reactions, mentions, what a link leads to, and what waits where."""

from collections.abc import Callable
from typing import Any

from tests.web.conftest import Person
from tests.web.screens import furnish
from tests.web.test_writing import box

Opens = Callable[..., Person]
PHONE: Any = {"viewport": {"width": 390, "height": 700}, "is_mobile": True, "has_touch": True}


def test_a_reaction_takes_one_click_from_the_actions_of_a_message(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("quick")
    ada.says("there is soup")
    article = ada.sees("there is soup")
    article.hover()
    heart = article.get_by_role("toolbar").get_by_role("button", name="heart")
    assert not heart.is_visible()
    article.get_by_role("button", name="React", exact=True).hover()
    heart.click()
    article.locator(".reactions button[aria-pressed=true]", has_text="1").wait_for()
    heart.click()
    article.locator(".reactions").wait_for(state="detached")


def test_a_long_touch_opens_all_actions_as_a_sheet(somebody: Opens) -> None:
    ada = somebody("ada", **PHONE)
    ada.goes_to_topic("touched")
    ada.calls("POST", "messages", type="channel", to="general", topic="touched", content="there is soup")
    article = ada.sees("there is soup")
    middle = article.evaluate("(one) => one.getBoundingClientRect()")
    touch = {"x": middle["left"] + middle["width"] / 2, "y": middle["top"] + middle["height"] / 2}
    devtools = ada.page.context.new_cdp_session(ada.page)

    def touches(*kinds: str, points: Any = (touch,)) -> None:
        for kind in kinds:
            devtools.send(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [] if kind == "touchEnd" else list(points)},
            )

    touches("touchStart")
    ada.page.locator("article.held").wait_for()
    touches("touchMove", points=({**touch, "y": touch["y"] - 40},))  # the reader scrolls
    ada.page.locator("article.held").wait_for(state="detached")
    touches("touchEnd")
    assert ada.page.get_by_role("menu").count() == 0
    touches("touchStart")
    ada.page.locator("article.held").wait_for()
    touches("touchEnd")
    menu = ada.page.get_by_role("menu")
    menu.get_by_role("menuitem", name="Quote").wait_for()
    menu.get_by_role("menuitem", name="thumbs_up").click()
    article.locator(".reactions button", has_text="1").wait_for()
    menu.wait_for(state="hidden")


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
