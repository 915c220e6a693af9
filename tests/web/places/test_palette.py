"""The palette: one field for places, people, commands and messages."""

from collections.abc import Callable

from tests.web.conftest import Person
from tests.web.screens import furnish

Opens = Callable[..., Person]


def test_the_palette_goes_to_places_and_people_and_does_things(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    page = ada.page
    chosen = page.locator("[role=option][aria-selected=true] .name")

    def asks(text: str, first: str) -> None:
        page.keyboard.press("Control+k")
        page.keyboard.type(text)
        chosen.get_by_text(first, exact=True).wait_for()

    asks("kit", "kitchen")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="kitchen").first.wait_for()
    page.locator(".topics a", has_text="soup of the day").wait_for()
    asks("day", "soup of the day")  # a word of a topic that is known
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="soup of the day").first.wait_for()
    asks("lyn", "Bea Lynn")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/#narrow/dm/{ids['bea']}-dm")
    page.get_by_label("Message", exact=True).focus()  # it opens while somebody writes, too
    asks("colors: dar", "Colors: Dark")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.documentElement.style.colorScheme === 'dark'")
    page.keyboard.press("Control+k")
    names = page.get_by_role("option").locator(".name")
    names.first.wait_for()
    # The last first, but for the present one.
    assert names.all_inner_texts()[:3] == ["soup of the day", "kitchen", "Bea Lynn"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen.get_by_text("kitchen").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def test_the_palette_finds_topics_of_channels_that_were_not_opened_and_messages(somebody: Opens) -> None:
    ada = somebody("ada")
    there = {"type": "channel", "to": furnish(ada)["channel"], "topic": "bread"}
    ada.calls("POST", "messages", **there, content="Rye and **spelt**")
    ada.calls("POST", "messages", **there, content="It is warm")
    ada.goes_to("inbox")
    ada.page.reload()
    ada.page.locator(".topbar").wait_for()
    ada.page.keyboard.press("Control+k")
    ada.page.keyboard.type("brea")
    ada.page.get_by_role("option", name="bread #kitchen").click()
    ada.sees("It is warm")
    ada.goes_to("inbox")
    ada.page.keyboard.press("Control+k")
    ada.page.keyboard.type("spelt")
    found = ada.page.get_by_role("option", name="#kitchen › bread Ada Fox: Rye and spelt")
    found.click()
    ada.page.wait_for_url("**/topic/bread/near/*")
    ada.sees("Rye and spelt")
    ada.sees("It is warm")


def test_letters_that_stand_apart_find_only_what_nothing_else_is_found_for(somebody: Opens) -> None:
    ada = somebody("ada")
    furnish(ada)
    ada.calls("POST", "messages", type="channel", to="kitchen", topic="a token", content="For the oven")
    names = ada.page.get_by_role("option").locator(".name")
    ada.page.keyboard.press("Control+k")
    ada.page.keyboard.type("kchn")
    names.get_by_text("kitchen", exact=True).wait_for()
    ada.page.keyboard.press("Control+a")
    ada.page.keyboard.type("ken")
    names.get_by_text("a token", exact=True).wait_for()
    assert "kitchen" not in names.all_inner_texts()


SHOWN = """
(small) => {
  const at = small.textContent.indexOf("nutmeg");
  const range = new Range();
  range.setStart(small.firstChild, at);
  range.setEnd(small.firstChild, at + "nutmeg".length);
  return range.getBoundingClientRect().right <= small.getBoundingClientRect().right;
}
"""
"""Whether a word stands before the place where its line is cut."""


def test_the_palette_shows_the_part_of_a_message_that_was_found(somebody: Opens) -> None:
    ada = somebody("ada", viewport={"width": 390, "height": 800})
    there = {"type": "channel", "to": furnish(ada)["channel"], "topic": "bread"}
    ada.calls(
        "POST", "messages", **there, content=f"{'flour and water, ' * 20} a pinch of **nutmeg** at last"
    )
    ada.page.keyboard.press("Control+k")
    ada.page.keyboard.type("nutmeg")
    part = ada.page.get_by_role("option", name="#kitchen › bread Ada Fox: … a pinch of nutmeg at last")
    assert part.locator("small").evaluate(SHOWN)


def test_the_palette_asks_for_messages_once_nobody_types(somebody: Opens) -> None:
    ada = somebody("ada")
    there = {"type": "channel", "to": furnish(ada)["channel"], "topic": "bread"}
    ada.calls("POST", "messages", **there, content="Rye and spelt")
    asked: list[str] = []
    ada.page.on("request", lambda one: asked.append(one.url) if "%22search%22" in one.url else None)
    ada.page.keyboard.press("Control+k")
    ada.page.get_by_role("combobox").wait_for()
    ada.page.clock.install(time="2026-01-01T12:00:00Z")
    ada.page.clock.pause_at("2026-01-01T12:01:00Z")  # only the calls below let time pass
    for letter in "spelt":
        ada.page.keyboard.type(letter)
        ada.page.clock.run_for(150)
    assert not asked
    ada.page.clock.run_for(150)
    ada.page.clock.resume()
    ada.page.get_by_role("option", name="Ada Fox: Rye and spelt").wait_for()
    assert len(asked) == 1


def test_operators_are_completed_and_become_pills(somebody: Opens) -> None:
    ada = somebody("ada")
    furnish(ada)
    ada.page.keyboard.press("/")
    ada.page.keyboard.type("fr")
    ada.page.get_by_role("option", name="from:").wait_for()
    ada.page.keyboard.press("ArrowDown")
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.type("ada")
    ada.page.get_by_role("option", name="Ada Fox", exact=True).wait_for()
    ada.page.keyboard.press("Tab")
    ada.page.get_by_role("button", name="Remove from: Ada Fox").wait_for()
    ada.page.keyboard.type("has:li")
    ada.page.get_by_role("option", name="link").wait_for()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("button", name="Remove has: link").wait_for()
    ada.page.keyboard.press("Enter")
    ada.sees("see the list")
    assert ada.page.locator("article").count() == 1
