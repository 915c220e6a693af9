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
    shape = "(one) => getComputedStyle(one).clipPath"
    assert article.locator(".quick").evaluate(shape) == "inset(50%)"  # seen by nobody
    article.get_by_role("button", name="React", exact=True).hover()
    heart.click()
    article.locator(".reactions button[aria-pressed=true]", has_text="1").wait_for()
    heart.click()
    article.locator(".reactions").wait_for(state="detached")
    ada.page.mouse.move(0, 0)
    ada.page.keyboard.press("k")
    ada.page.locator("article:focus").wait_for()
    ada.page.keyboard.press("Tab")
    article.locator(".sender:focus").wait_for()
    for key, name in (("Tab", "thumbs up"), ("Tab", "heart"), ("Shift+Tab", "thumbs up")):
        ada.page.keyboard.press(key)
        article.locator(f"button[aria-label='{name}']:focus").wait_for()


def test_a_reaction_of_others_is_joined_and_only_ones_own_is_taken_back(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.goes_to_topic("joined")
    ada.says("there is cake")
    article = ada.sees("there is cake")
    bea.calls("POST", f"messages/{article.get_attribute('data-id')}/reactions", emoji_name="tada")
    reaction = article.locator(".reactions button")
    reaction.filter(has_text="1").wait_for()
    assert reaction.get_attribute("aria-pressed") == "false"
    article.hover()
    article.get_by_role("button", name="React", exact=True).hover()
    quick = article.get_by_role("toolbar").get_by_role("button", name="tada")
    assert quick.get_attribute("aria-pressed") == "false"
    quick.click()
    reaction.filter(has_text="2").wait_for()
    article.locator(".quick button[aria-label=tada][aria-pressed=true]").wait_for(state="attached")
    quick.click()
    reaction.filter(has_text="1").wait_for()


def test_a_reply_goes_to_the_conversation_of_a_message_where_that_is_another_place(somebody: Opens) -> None:
    ada = somebody("ada")
    furnish(ada)
    ada.goes_to("narrow/channel/general")
    ada.calls("POST", "messages", type="channel", to="general", topic="quick", content="there is soup")
    article = ada.sees("there is soup")
    article.hover()
    assert ada.page.get_by_text("This is the beginning.").count() == 0, "as it is no conversation"
    article.get_by_role("button", name="Reply").click()
    ada.page.wait_for_url("**/topic/quick")
    ada.page.get_by_text("This is the beginning.").wait_for()
    ada.page.locator("textarea:focus").wait_for()
    ada.says("for everybody")
    there = ada.sees("for everybody")
    there.hover()
    there.get_by_role("button", name="Quote").wait_for()
    assert there.get_by_role("button", name="Reply").count() == 0


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
    touches("touchStart")
    ada.page.locator("article.held").wait_for()
    touches("touchStart", points=(touch, {**touch, "x": touch["x"] + 30}))  # with two fingers
    ada.page.locator("article.held").wait_for(state="detached")
    touches("touchEnd")
    assert ada.page.get_by_role("menu").count() == 0
    touches("touchStart")
    ada.page.locator("article.held").wait_for()
    touches("touchEnd")
    menu = ada.page.get_by_role("menu")
    menu.get_by_role("menuitem", name="Quote").wait_for()
    menu.get_by_role("menuitemcheckbox", name="thumbs up").click()
    article.locator(".reactions button", has_text="1").wait_for()
    menu.wait_for(state="hidden")


def test_a_button_mentions_those_first_who_spoke_here_and_who_are_in_the_channel(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    channel = furnish(ada)["channel"]
    new = [
        ada.calls("POST", "bots", full_name=f"Be {name}", short_name=name)["user_id"]
        for name in ("Absent", "In")
    ]
    ada.calls(
        "POST",
        "users/me/subscriptions",
        subscriptions=[{"name": "kitchen"}],
        principals=[new[1]],
    )
    bea.calls("POST", "messages", type="channel", to=channel, topic="soup of the day", content="So it is")
    ada.goes_to(f"narrow/channel/{channel}/topic/soup.20of.20the.20day")
    ada.sees("So it is")
    box(ada).fill("who:")
    ada.page.locator(".compose").get_by_role("button", name="Mention").click()
    options = ada.page.get_by_role("listbox", name="Completions").get_by_role("option")
    options.first.wait_for()
    ada.page.keyboard.type("be")
    options.filter(has_text="Be Absent").wait_for()
    assert options.all_inner_texts() == ["Bea Lynn", "Be In", "Be Absent"]
    ada.page.keyboard.press("Enter")
    assert box(ada).input_value() == "who: @**Bea Lynn** "
    for written, mentioned in (("", "@"), ("who: ", "who: @"), ("who", "who @")):
        box(ada).fill(written)
        ada.page.locator(".compose").get_by_role("button", name="Mention").click()
        assert box(ada).input_value() == mentioned


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
    ada.page.get_by_role("button", name="Create channel").click()
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


DAY = """() => {
  const { left, width, top } = document.querySelector(".scroller").getBoundingClientRect();
  return !!document.elementFromPoint(left + width / 2, top + 12)?.closest(".day");
}"""


def test_the_day_stays_at_the_top_of_a_conversation(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("days")
    for number in range(12):
        ada.calls(
            "POST", "messages", type="channel", to="general", topic="days", content=f"{number}\n\nof\n\nmany"
        )
    ada.sees("11")
    ada.page.locator(".scroller").evaluate("(one) => (one.scrollTop = one.scrollHeight / 2)")
    ada.page.wait_for_function(DAY)


def test_a_lost_connection_is_shown_below_and_covers_nothing(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("tunnel")
    ada.says("before")
    ada.sees("before")
    ada.page.context.set_offline(True)
    lost = ada.page.get_by_text("No connection.")
    lost.wait_for()
    pill, text = lost.bounding_box(), box(ada).bounding_box()
    last = ada.page.locator("article").last.bounding_box()
    assert last["y"] + last["height"] <= pill["y"] < pill["y"] + pill["height"] <= text["y"]
    assert pill["width"] < text["width"] / 2
