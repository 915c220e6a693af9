"""Texts while they are written: on two devices, too long, with an input method, pasted and dropped."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from tests.waiting import until
from tests.web.conftest import Person
from tests.web.test_writing import PICTURE, box, drafts, has_files, holds, topic

Opens = Callable[..., Person]


def has_drafts(person: Person, *texts: str) -> None:
    """Wait until the server has these drafts of the person, and no others."""
    until(lambda: sorted(drafts(person)) == sorted(texts), lambda: f"{drafts(person)}")


def loses(person: Person, path: str) -> Callable[[], None]:
    """Let requests for a path fail, until the function that is returned is called.

    Interception goes on then: a request that is on its way when it ceases may never end.
    """
    losses = [True]
    for pattern in (f"**/api/v1/{path}*", f"**/api/v1/{path}/*"):
        person.page.context.route(pattern, lambda route: route.abort() if losses else route.continue_())
    return losses.clear


def edits(person: Person, text: str) -> Any:
    """Open the field for a new text of a message."""
    article = person.sees(text)
    number = article.get_attribute("id")
    article.hover()
    article.get_by_role("button", name="Edit", exact=True).click()
    return person.page.locator(f"#{number}").get_by_role("textbox", name="Edit", exact=True)


def test_two_texts_in_one_conversation_are_two_drafts(somebody: Opens) -> None:
    """The one that is stored later does not replace the other, in no box."""
    here, there = somebody("ada"), somebody("ada")
    for browser in (here, there):
        topic(browser, "two")
    finds_drafts = loses(there, "drafts")
    with there.page.expect_event("requestfailed", lambda one: "drafts" in one.url):
        box(there).fill("of the second device")
    box(here).fill("of the first device")
    has_drafts(here, "of the first device")
    finds_drafts()
    has_drafts(here, "of the first device", "of the second device")
    holds(here, "of the first device")
    holds(there, "of the second device")


@pytest.mark.parametrize("reloads", [False, True])
def test_a_draft_that_both_have_changed_becomes_two(somebody: Opens, reloads: bool) -> None:
    here, there = somebody("ada"), somebody("ada")
    for browser in (here, there):
        topic(browser, "both")
    box(here).fill("begun")
    holds(there, "begun")
    has_drafts(here, "begun")
    finds_drafts, finds_events = loses(there, "drafts"), loses(there, "events")
    there.page.evaluate("dispatchEvent(new Event('online'))")
    with there.page.expect_event("requestfailed", lambda one: "drafts" in one.url):
        box(there).fill("begun, there")
    box(here).fill("begun, here")
    has_drafts(here, "begun, here")
    if reloads:
        there.page.reload()
        holds(there, "begun, there")
    finds_drafts()
    finds_events()
    has_drafts(here, "begun, here", "begun, there")
    holds(here, "begun, here")
    holds(there, "begun, there")


def test_a_draft_whose_answers_are_lost_stays_one(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "lost answers")
    box(ada).fill("one")
    has_drafts(ada, "one")

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    ada.page.route("**/api/v1/events*", lambda route: route.abort())
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    ada.page.route("**/api/v1/drafts/*", lose)
    with ada.page.expect_event("requestfailed", lambda one: "drafts" in one.url):
        box(ada).fill("one, two")
    ada.page.unroute("**/api/v1/drafts/*")
    box(ada).fill("one, two, three")
    has_drafts(ada, "one, two, three")
    ada.page.unroute_all(behavior="wait")


def test_an_edit_shows_what_was_changed_meanwhile(somebody: Opens) -> None:
    here, there = somebody("ada"), somebody("ada")
    here.goes_to_topic("edits")
    here.says("the soup is cold")
    number = here.sees("the soup is cold").get_attribute("id").removeprefix("message-")
    field = edits(here, "the soup is cold")
    until(lambda: field.input_value() == "the soup is cold")
    there.calls("PATCH", f"messages/{number}", content="the soup is warm")
    until(lambda: field.input_value() == "the soup is warm")
    field.fill("the soup is mine")
    here.page.route(f"**/api/v1/messages/{number}*", lambda route: route.abort(), times=1)
    with here.page.expect_event("requestfailed"):
        there.calls("PATCH", f"messages/{number}", content="the soup is hot")
    field.press("Enter")
    other = here.page.get_by_role("textbox", name="This message has been edited")
    other.wait_for()
    assert (other.input_value(), field.input_value()) == ("the soup is hot", "the soup is mine")
    assert (
        there.calls("GET", f"messages/{number}", apply_markdown=False)["message"]["content"]
        == "the soup is hot"
    )
    field.press("Enter")
    here.sees("the soup is mine")
    field.wait_for(state="detached")


def test_a_message_that_was_moved_meanwhile_is_not_moved_by_an_old_dialog(somebody: Opens) -> None:
    here, there = somebody("ada"), somebody("ada")
    here.goes_to_topic("soups")
    here.says("lentils")
    article = here.sees("lentils")
    number = article.get_attribute("id").removeprefix("message-")
    article.hover()
    article.get_by_role("button", name="More", exact=True).click()
    here.page.get_by_role("menuitem", name="Move", exact=True).click()
    dialog = here.page.get_by_role("dialog", name="Move")
    dialog.get_by_role("combobox", name="Topic").fill("stews")
    with here.page.expect_response("**/api/v1/events*"):
        there.calls("PATCH", f"messages/{number}", topic="broths")
    here.page.locator(".topics a", has_text="broths").wait_for()
    dialog.get_by_role("button", name="Move").click()
    dialog.get_by_text("The message is now in “broths”.").wait_for()


def test_nothing_that_is_pasted_is_cut(somebody: Opens) -> None:
    """A text that is too long by the code points that the server counts is neither sent nor saved."""
    ada = somebody("ada")
    topic(ada, "long")
    box(ada).fill("x" * 10_500)
    ada.page.get_by_text("500 too many").wait_for()
    assert ada.page.get_by_role("button", name="Send", exact=True).is_disabled()
    box(ada).press("Enter")
    assert len(box(ada).input_value()) == 10_500
    box(ada).fill("🍲" * 10_000)
    ada.page.get_by_text("too many").wait_for(state="detached")
    box(ada).press("Enter")
    field = edits(ada, "🍲🍲")
    field.fill("y" * 10_001)
    ada.page.locator(".editor").get_by_text("1 too many").wait_for()
    assert ada.page.locator(".editor").get_by_role("button", name="Save").is_disabled()
    ada.page.goto(ada.page.url.rpartition("/topic/")[0])
    subject = ada.page.get_by_label("Topic", exact=True)
    box(ada).fill("about it")
    subject.fill("🍲" * 61)
    ada.page.locator(".compose").get_by_text("1 too many").wait_for()
    assert ada.page.get_by_role("button", name="Send", exact=True).is_disabled()
    subject.fill("🍲" * 60)
    ada.page.get_by_role("button", name="Send", exact=True).click()
    ada.page.get_by_role("heading", name="🍲" * 60).wait_for()
    ada.sees("about it")


def test_a_draft_that_is_too_long_stays_whole(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "long draft")
    with ada.page.expect_response("**/api/v1/drafts"):
        box(ada).fill("short")
    box(ada).fill("x" * 10_500)
    ada.page.reload()
    holds(ada, "x" * 10_500)
    box(ada).fill("x" * 10_000)
    has_drafts(ada, "x" * 10_000)


def test_fields_of_forms_hold_back_what_is_too_long(somebody: Opens) -> None:
    ada = somebody("ada")
    for address, label, most in (
        ("channels/new", "Name", 60),
        ("groups/new", "Name", 100),
        ("organization/profile", "Name", 40),
        ("settings/profile", "Name", 100),
        ("settings/notifications", "New alert word", 100),
    ):
        ada.goes_to(address)
        field = ada.page.get_by_label(label).first
        form = ada.page.locator("form", has=field)
        field.fill("🍲" * most)
        assert field.evaluate("one => one.validity.valid"), address
        field.fill("🍲" * (most + 3))
        form.get_by_text("3 too many").wait_for()
        assert len(field.input_value()) == most + 3
        requests: list[str] = []
        ada.page.on("request", lambda one, found=requests: found.append(one.method))
        form.locator("button.primary").click()
        assert set(requests) <= {"GET"}, address
    ada.goes_to("organization/settings")
    setting = ada.page.get_by_label("Default language for code blocks")
    setting.fill("x" * 41)
    setting.press("Tab")
    ada.page.get_by_text("1 too many").wait_for()


COMPOSED = """(key, composing) => new KeyboardEvent('keydown', {
    key, bubbles: true, cancelable: true, isComposing: composing, keyCode: composing ? 0 : 229 })"""


def presses_while_composing(field: Any, key: str, *, as_safari: bool) -> None:
    """Press a key that an input method uses; Safari has ended the composition before."""
    field.evaluate(
        f"(one, [key, composing]) => one.dispatchEvent(({COMPOSED})(key, composing))", [key, not as_safari]
    )


@pytest.mark.parametrize("as_safari", [False, True])
def test_keys_of_an_input_method_do_nothing_else(somebody: Opens, as_safari: bool) -> None:
    ada = somebody("ada")
    topic(ada, "input methods")
    ada.says("a message")
    field = edits(ada, "a message")
    field.fill("かな")
    for key in ("Escape", "Enter"):
        presses_while_composing(field, key, as_safari=as_safari)
    assert field.input_value() == "かな"
    box(ada).fill("half")
    presses_while_composing(box(ada), "Enter", as_safari=as_safari)
    assert box(ada).input_value() == "half"
    ada.page.get_by_role("button", name="New direct message").click()
    search = ada.page.get_by_role("dialog").get_by_role("searchbox")
    search.fill("be")
    presses_while_composing(search, "Enter", as_safari=as_safari)
    assert ada.page.get_by_role("dialog").locator(".chosen li").count() == 0
    search.press("Enter")
    ada.page.get_by_role("dialog").locator(".chosen li", has_text="Bea Lynn").wait_for()
    ada.page.keyboard.press("Escape")
    article = ada.page.locator("article").last
    article.locator(".editor").get_by_role("button", name="Cancel").click()
    article.hover()
    article.get_by_role("button", name="React").click()
    name = ada.page.get_by_label("Search emoji")
    name.fill("octopus")
    ada.page.get_by_label("octopus", exact=True).wait_for()
    for key in ("Enter", "Escape"):
        presses_while_composing(name, key, as_safari=as_safari)
    assert name.input_value() == "octopus"
    assert ada.page.locator(".reactions").count() == 0


def test_escape_asks_before_a_changed_edit_goes(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "escape")
    ada.says("a message")
    field = edits(ada, "a message")
    field.press("Escape")
    field.wait_for(state="detached")
    field = edits(ada, "a message")
    field.fill("another text")
    field.press("Escape")
    ada.page.get_by_role("dialog").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.get_by_role("dialog").wait_for(state="detached")
    assert field.input_value() == "another text"
    field.press("Escape")
    ada.agrees("Discard")
    field.wait_for(state="detached")
    ada.page.locator("article:focus", has_text="a message").wait_for()


BRINGS = """(one, [type, formats, picture]) => {
    const data = new DataTransfer()
    for (const [format, text] of Object.entries(formats)) data.setData(format, text)
    const bytes = Uint8Array.from(atob(picture ?? ""), sign => sign.charCodeAt(0))
    if (picture) data.items.add(new File([bytes], "cells.png", {type: "image/png"}))
    const event = type === "paste"
        ? new ClipboardEvent(type, {clipboardData: data, bubbles: true, cancelable: true})
        : new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true})
    return one.dispatchEvent(event)
}"""
"""Let something be pasted or dropped; return whether the browser does with it what it always does."""


def test_text_that_comes_with_its_picture_is_text(somebody: Opens) -> None:
    picture = b64encode(PICTURE).decode()
    ada = somebody("ada")
    topic(ada, "cells")
    uploads: list[str] = []
    ada.page.on("request", lambda one: uploads.append(one.url) if one.url.endswith("/tus") else None)
    cells = {"text/plain": "1\t2", "text/html": "<table><tr><td>1<td>2</table>"}
    assert box(ada).evaluate(BRINGS, ["paste", cells, picture])
    assert box(ada).evaluate(BRINGS, ["drop", {"text/plain": "a word"}, None])
    assert box(ada).evaluate(BRINGS, ["dragover", {"text/uri-list": "https://example.com"}, None])
    assert uploads == []
    assert box(ada).evaluate(BRINGS, ["paste", {"text/html": "<img src=x>"}, picture])
    has_files(ada, 1)
    assert not box(ada).evaluate(BRINGS, ["drop", {}, picture])
    has_files(ada, 2)
    ada.page.get_by_label("Message", exact=True).press("Enter")
    ada.sees("cells.png")


def test_files_are_dropped_into_an_edit(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "files in edits")
    ada.says("see here")
    field = edits(ada, "see here")
    assert not field.evaluate(BRINGS, ["drop", {}, b64encode(PICTURE).decode()])
    ada.page.wait_for_function("() => /user_uploads/.test(document.querySelector('.editor textarea').value)")
    field.press("Enter")
    ada.sees("see here").get_by_role("link", name="cells.png").first.wait_for()


def test_enter_on_a_phone_is_a_new_line(somebody: Opens) -> None:
    phone = somebody("ada", viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    topic(phone, "phone")
    box(phone).fill("two")
    box(phone).press("Enter")
    box(phone).press_sequentially("lines")
    holds(phone, "two\nlines")
    assert box(phone).evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 16
    phone.page.get_by_role("button", name="Send", exact=True).click()
    phone.sees("two\nlines")
