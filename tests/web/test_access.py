"""The client without a mouse, with a screen reader, and on screens of every size."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import RENDERED, Person
from tests.web.screens import TOPIC, addresses, furnish, goes, opened

Opens = Callable[..., Person]
AXE = Path(".venv/web-tools/node_modules/axe-core/axe.min.js")
RUN = """
async (more) => {
  const { violations } = await axe.run({ preload: false, resultTypes: ["violations"], ...more });
  return violations.map(({ id, nodes }) => [id, nodes[0].html]);
}
"""
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 320, "height": 640}
FOCUS = "document.activeElement.outerHTML.slice(0, 200)"
HAS_FOCUS = f"(pattern) => new RegExp(pattern).test({FOCUS})"


@pytest.fixture
def axe() -> str:
    if not AXE.exists():
        pytest.skip("no axe-core: make .venv/web-tools/installed")
    return AXE.read_text()


def has_focus(person: Person, pattern: str) -> None:
    """Wait until the focus is on an element that begins like this."""
    person.page.wait_for_function(HAS_FOCUS, arg=pattern)


def topic(ids: dict[str, int]) -> str:
    return f"narrow/channel/{ids['channel']}/topic/{TOPIC.replace(' ', '.20')}"


def test_nothing_is_wrong_on_any_screen(somebody: Opens, axe: str) -> None:
    """No rule of axe is broken, colours can be read in the dark too, and nothing is wider than a phone."""
    ada = somebody("ada", viewport=WIDE, bypass_csp=True)
    ids = furnish(ada)
    wrong = []

    def look(name: str) -> None:
        if ada.page.evaluate("!window.axe"):  # it stays until the page is loaded again
            ada.page.evaluate(axe)
        wrong.extend((name, *one) for one in ada.page.evaluate(RUN, {}))
        ada.page.emulate_media(color_scheme="dark")
        wrong.extend((name, *one) for one in ada.page.evaluate(RUN, {"runOnly": ["color-contrast"]}))
        ada.page.emulate_media(color_scheme="light")
        ada.page.set_viewport_size(PHONE)
        if ada.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append((name, "wider than the screen"))
        ada.page.set_viewport_size(WIDE)

    for address in addresses(ada, ids):
        look(address)
    for name in opened(ada):
        ada.page.reload()
        goes(ada, topic(ids))
        opened(ada)[name]()
        look(name)
    ada.calls("POST", "accounts/logout")  # the page begins anew by itself
    ada.page.get_by_label("Password").wait_for()
    look("login")
    assert wrong == []


def test_the_keyboard_goes_through_the_page(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    ada.goes_to(topic(ids))
    ada.page.locator("article").first.wait_for()
    has_focus(ada, 'role="log"')
    frame = "getComputedStyle(document.activeElement).outlineStyle"
    assert ada.page.evaluate(frame) == "none", "a script moved it there"
    ada.page.keyboard.press("Shift+Tab")
    ada.page.keyboard.press("Tab")
    has_focus(ada, 'role="log"')
    assert ada.page.evaluate(frame) != "none"
    ada.goes_to("narrow/in/all")
    ada.page.get_by_role("heading", name="All messages").wait_for()
    has_focus(ada, 'role="log"')
    ada.page.locator(".place a", has_text="kitchen").first.focus()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("heading", name="#kitchen").first.wait_for()
    has_focus(ada, 'role="log"')
    assert ada.page.evaluate(frame) == "none", "a key that follows a link is none that moves the focus"
    ada.goes_to(topic(ids))
    ada.page.get_by_role("heading", name=TOPIC).wait_for()
    has_focus(ada, 'role="log"')
    ada.page.locator("article").first.wait_for()  # a key does nothing without a message
    ada.page.keyboard.press("k")
    ada.page.locator("article.marked").wait_for()
    ada.page.keyboard.press("k")
    has_focus(ada, "<article")
    stops = 0
    while "Star" not in (focus := ada.page.evaluate(FOCUS)):  # of the marked message alone
        ada.page.keyboard.press("Tab")
        stops += 1
        assert stops < 12, focus
    ada.page.locator("details.own summary").focus()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("button", name="Log out").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.get_by_role("button", name="Log out").wait_for(state="hidden")
    has_focus(ada, "<summary")
    ada.page.keyboard.press("?")
    ada.page.locator("dialog kbd").last.wait_for()
    keys = " ".join(ada.page.locator("dialog kbd").all_inner_texts())
    assert set("njkrc/is+?") <= set(keys)
    ada.page.keyboard.press("Escape")
    ada.page.locator("dialog").wait_for(state="detached")
    ada.page.keyboard.press("i")
    ada.page.locator(".inbox").wait_for()
    has_focus(ada, "<h1|inbox")
    ada.page.reload()
    ada.page.locator(".inbox").wait_for()
    has_focus(ada, "<h1|inbox")
    ada.page.locator(".skip").focus()
    ada.page.keyboard.press("Enter")
    has_focus(ada, "inbox")


def test_a_search_that_is_begun_at_once_keeps_the_focus(somebody: Opens) -> None:
    ada = somebody("ada")
    for address, content in (("narrow/in/all", "article"), ("people", ".rows li"), ("groups", ".none")):
        ada.page.evaluate("(address) => { location.hash = address; }", address)
        ada.page.keyboard.press("Control+k")
        ada.page.locator("main").locator(content).first.wait_for(state="attached")
        ada.page.evaluate(RENDERED)
        assert ada.page.evaluate("document.activeElement.name") == "words", address
        ada.page.keyboard.press("Escape")
        ada.page.get_by_role("dialog").wait_for(state="detached")


CLOSE_AND_FIND = """() => {
  document.querySelector("dialog").close();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
}"""


def test_the_palette_opens_before_the_page_has_noticed_that_another_dialog_is_closed(somebody: Opens) -> None:
    ada = somebody("ada")
    for keys in ("?", "Control+k"):
        ada.page.keyboard.press(keys)
        ada.page.get_by_role("dialog").wait_for()
        ada.page.evaluate(CLOSE_AND_FIND)
        has_focus(ada, 'name="words"')
        ada.page.evaluate(RENDERED)  # the late event closes nothing
        has_focus(ada, 'name="words"')
        ada.page.keyboard.press("Escape")
        ada.page.locator("dialog").wait_for(state="detached")


def test_places_open_over_a_phone(somebody: Opens) -> None:
    ada = somebody("ada", viewport=PHONE)
    menu = ada.page.get_by_role("button", name="Show channels")
    has_focus(ada, "<h1|inbox")
    menu.focus()
    ada.page.keyboard.press("Enter")
    ada.page.locator(".sidebar a:focus").wait_for()
    assert menu.get_attribute("aria-expanded") == "true"
    ada.page.keyboard.press("Escape")
    ada.page.locator(".sidebar").wait_for(state="hidden")
    assert menu.evaluate("one => one === document.activeElement")


def test_a_phone_has_a_bar_that_makes_room_for_writing_and_menus_as_sheets(somebody: Opens) -> None:
    ada = somebody("ada", viewport=PHONE, is_mobile=True, has_touch=True)
    bar, box = ada.page.locator(".bottom"), ada.page.get_by_label("Message", exact=True)
    bar.get_by_role("link", name="Direct").tap()
    bar.locator("a[aria-current]", has_text="Direct").wait_for()
    ada.goes_to_topic("phones")
    assert all(height >= 44 for height in bar.locator("> *").evaluate_all(HEIGHTS))
    box.fill("one")
    bar.wait_for(state="detached")
    ada.page.get_by_role("button", name="Send", exact=True).tap()
    ada.sees("one")
    box.blur()
    bar.wait_for()
    ada.page.get_by_role("button", name="Topic actions").tap()
    assert (
        ada.page.get_by_role("menu").evaluate("one => one.getBoundingClientRect().bottom") == PHONE["height"]
    )
    ada.page.keyboard.press("Escape")
    bar.get_by_role("button", name="Search").tap()
    ada.page.get_by_role("dialog").wait_for()


HEIGHTS = "those => those.map((one) => one.getBoundingClientRect().height)"


def test_new_messages_are_read_out(somebody: Opens) -> None:
    """A few with their texts; of many only their number; neither old nor own ones."""
    ada, bea = somebody("ada"), somebody("bea")
    ids = furnish(ada)
    bea.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "kitchen"}])
    for person in (ada, bea):
        person.goes_to(topic(ids))
        person.page.locator("article").first.wait_for()
    news = ada.page.locator("[data-news]")
    ada.says("from myself")
    bea.sees("from myself")
    bea.says("**Peas** are out")
    ada.page.get_by_text("Bea Lynn: Peas are out").wait_for(state="attached")
    assert "myself" not in news.inner_text()
    held: list[Any] = []
    # The others come together, however slowly they are sent: the next poll waits for them.
    ada.page.route("**/api/v1/events*", lambda poll: held.append(poll))
    with ada.page.expect_request("**/api/v1/events*"):
        ada.page.evaluate("dispatchEvent(new Event('online'))")
    place = {"type": "channel", "to": ids["channel"], "topic": TOPIC}
    for number in range(5):
        bea.calls("POST", "messages", **place, content=f"flood {number}")
    for poll in held:
        poll.continue_()
    ada.page.unroute("**/api/v1/events*")
    ada.page.locator("[data-news]", has_text="new messages").wait_for(state="attached")
    assert "flood" not in news.inner_text()
