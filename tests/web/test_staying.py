"""What is open, and what is being written, stays while events come; and it follows them."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.waiting import until
from tests.web.conftest import RENDERED, Person
from tests.web.test_messages import choose
from tests.web.test_organization import PICTURE
from tests.web.test_writing import drafts

Opens = Callable[..., Person]
Here = tuple[Person, Person, int]


def opens_menu(person: Person, article: Any) -> Any:
    """Open the menu of a message; return its items."""
    article.hover()
    article.get_by_role("button", name="More", exact=True).click()
    person.page.locator("[role=menuitem]:focus").wait_for()
    return person.page.get_by_role("menuitem")


def loses_queue(person: Person) -> None:
    """Let the page begin anew, as after a long sleep: its event queue has expired."""
    queue = person.page.evaluate(QUEUE)
    with person.page.expect_response("**/api/v1/register"):
        person.calls("DELETE", "events", queue_id=queue)


QUEUE = """() => new URL(performance.getEntriesByType("resource").findLast(
    one => one.name.includes("/register") || one.name.includes("queue_id=")
).name).searchParams.get("queue_id")"""


@pytest.fixture
def people(somebody: Opens) -> Here:
    """The same person with two browsers, and a message in the first one."""
    here, there = somebody("ada"), somebody("ada")
    here.goes_to_topic("open")
    here.says("the roof is open")
    message = here.sees("the roof is open").get_attribute("id").removeprefix("message-")
    return here, there, int(message)


def test_a_menu_has_what_may_be_done_now(people: Here) -> None:
    here, there, _ = people
    items = opens_menu(here, here.sees("the roof is open"))
    readers = items.filter(has_text="Read by")
    for is_on, state in ((True, "visible"), (False, "detached")):
        there.calls("PATCH", "realm", enable_read_receipts=is_on)
        readers.wait_for(state=state)
    assert here.page.locator("[role=menuitem]:focus").inner_text() == "Copy link"
    there.calls("PATCH", "realm", allow_message_editing=False)
    here.page.get_by_role("button", name="Edit", exact=True).wait_for(state="detached")
    here.page.keyboard.press("ArrowDown")
    assert here.page.locator("[role=menuitem]:focus").inner_text() == "Mark as unread"


def test_keys_stay_in_a_menu_whose_item_goes(people: Here) -> None:
    here, there, _ = people
    here.page.get_by_role("button", name="Topic actions").click()
    here.page.locator("[role=menuitem]:focus", has_text="Unfollow").wait_for()
    channel = there.calls("GET", "get_stream_id", stream="general")["stream_id"]
    there.calls("POST", "user_topics", stream_id=channel, topic="open", visibility_policy=0)
    here.page.locator("[role=menuitem]:focus").get_by_text("Follow", exact=True).wait_for()
    here.page.keyboard.press("ArrowDown")
    here.page.locator("[role=menuitem]:focus", has_text="Mute").wait_for()


def test_the_picker_has_emoji_that_are_new(people: Here) -> None:
    here, there, _ = people
    article = here.sees("the roof is open")
    article.hover()
    article.get_by_role("button", name="React").click()
    here.page.get_by_label("Search emoji").fill("shed")
    there.goes_to("organization/emoji")
    there.page.get_by_label("Emoji name").fill("shed")
    there.page.get_by_label("Picture").set_input_files(
        {"name": "shed.png", "mimeType": "image/png", "buffer": PICTURE}
    )
    there.page.get_by_role("button", name="Add", exact=True).click()
    here.page.get_by_role("dialog").get_by_label("shed", exact=True).wait_for()


def test_completions_have_what_is_new_and_keep_the_choice(people: Here) -> None:
    here, there, _ = people
    box = here.page.get_by_label("Message", exact=True)
    box.press_sequentially("#")
    chosen = here.page.locator("[role=option][aria-selected=true]")
    chosen.wait_for()
    box.press("ArrowDown")
    name = chosen.inner_text()
    there.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "attic"}])
    here.page.get_by_role("option", name="#attic").wait_for()
    assert chosen.inner_text() == name
    box.press("Escape")
    there.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "barn"}])
    here.page.locator(".sidebar .place", has_text="barn").wait_for()
    assert here.page.get_by_role("option").count() == 0


def test_the_history_has_what_is_edited_meanwhile(people: Here) -> None:
    here, there, message = people
    for text in ("the roof is closed", "the roof is new"):
        there.calls("PATCH", f"messages/{message}", content=text)
        here.sees(text)
        if text.endswith("closed"):
            choose(here, here.sees(text), "Edit history")
        here.page.get_by_role("dialog").locator(
            ".highlight_text_inserted", has_text=text.split()[-1]
        ).wait_for()


def test_a_menu_and_a_text_outlive_an_event_queue(people: Here) -> None:
    here, there, message = people
    here.says("the door is open")
    door, roof = here.sees("the door is open"), here.page.locator(f"#message-{message}")
    roof.hover()
    roof.get_by_role("button", name="Edit").click()
    editor = roof.get_by_role("textbox", name="Edit")
    editor.fill("the roof was open")
    items = opens_menu(here, door)
    loses_queue(here)
    there.goes_to_topic("open")
    there.says("the wall is open")
    here.sees("the wall is open")
    assert items.first.is_visible()
    assert here.page.locator("[role=menuitem]:focus").count() == 1
    assert editor.input_value() == "the roof was open"


def test_messages_that_went_while_events_were_missing_go(people: Here) -> None:
    here, there, message = people
    here.says("the door is open")
    here.sees("the door is open")
    here.page.route(re.compile("/api/v1/events"), lambda poll: poll.abort())
    with here.page.expect_event("requestfailed"):
        here.page.evaluate("dispatchEvent(new Event('online'))")
    there.calls("DELETE", f"messages/{message}")
    queue = here.page.evaluate(QUEUE)
    there.calls("DELETE", "events", queue_id=queue)
    here.page.unroute_all()
    here.page.locator("article", has_text="the roof is open").wait_for(state="detached")
    here.sees("the door is open")


def test_a_text_is_kept_when_its_message_is_moved(people: Here) -> None:
    here, there, message = people
    roof = here.page.locator("article", has=here.page.locator(".editor"))
    here.sees("the roof is open").hover()
    here.sees("the roof is open").get_by_role("button", name="Edit").click()
    roof.get_by_role("textbox", name="Edit").fill("the roof was open")
    there.calls("PATCH", f"messages/{message}", topic="closed")
    roof.wait_for(state="detached")
    here.goes_to_topic("closed")
    assert roof.get_by_role("textbox", name="Edit").input_value() == "the roof was open"
    roof.get_by_role("button", name="Save").click()
    here.sees("the roof was open")
    here.goes_to_topic("open")
    here.goes_to_topic("closed")
    here.sees("the roof was open")
    assert roof.count() == 0


def test_the_last_message_is_edited_also_if_it_is_marked(people: Here) -> None:
    here, _, _ = people
    here.page.locator(".scroller").focus()
    here.page.keyboard.press("k")
    here.page.locator("article.marked").wait_for()
    here.page.get_by_label("Message", exact=True).press("ArrowUp")
    here.page.get_by_role("textbox", name="Edit").wait_for()


@pytest.mark.parametrize("is_elsewhere", [True, False])
@pytest.mark.parametrize("key", ["r", ">"])
def test_a_reply_is_written_where_the_message_is(people: Here, key: str, is_elsewhere: bool) -> None:
    here, _, _ = people
    topic = here.page.evaluate("location.hash")
    if is_elsewhere:
        here.goes_to("narrow/in/all")  # a list without a box
    else:
        here.page.locator(".place.here a").click()  # the address as the page has it
    here.sees("the roof is open")
    here.page.locator(".scroller").press(key)
    here.page.locator(".compose textarea:focus").wait_for()
    assert here.page.evaluate("location.hash").partition("/topic")[2] == topic.partition("/topic")[2]
    written = here.page.get_by_label("Message", exact=True).input_value()
    assert ("the roof is open" in written) == (key == ">")


def test_a_reply_is_not_written_where_the_reader_has_gone_meanwhile(people: Here) -> None:
    here, _, _ = people
    here.says("the door is open")
    here.goes_to_topic("another")
    here.says("the wall is open")
    article = here.sees("the wall is open")
    here.goes_to("narrow/in/all")
    article.wait_for()
    assert here.page.evaluate(REPLY_AND_GO) == ["", "open"]


REPLY_AND_GO = """async () => {
    const key = new KeyboardEvent("keydown", { key: "r", bubbles: true });
    document.querySelector(".scroller").dispatchEvent(key);
    location.hash = location.hash.replace(/another$/, "open");
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
    return [document.activeElement.closest(".compose")?.className ?? "", location.hash.split("/").at(-1)];
}"""


def test_keys_right_after_a_reply_go_to_no_other_conversation(people: Here) -> None:
    here, _, _ = people
    here.page.locator(".place a", has_text="general").first.click()
    here.page.locator(".compose input.topic").wait_for()  # a new topic is written there
    here.sees("the roof is open")
    assert here.page.evaluate(REPLY_AT_ONCE) is False
    here.page.locator(".compose textarea:focus").wait_for()
    assert here.page.evaluate("location.hash").endswith("/open")


REPLY_AT_ONCE = """() => {
    const key = new KeyboardEvent("keydown", { key: "r", bubbles: true });
    document.querySelector(".scroller").dispatchEvent(key);
    return document.activeElement.closest(".compose") !== null;
}"""


def test_a_quote_that_comes_late_leaves_the_reader_where_he_has_gone(people: Here) -> None:
    here, _, _ = people
    held: list[Any] = []
    here.page.route(re.compile(r"/api/v1/messages/\d+\?"), lambda request: held.append(request), times=1)
    here.page.locator(".scroller").press(">")
    until(lambda: here.page.evaluate("true") and held)
    here.goes_to("inbox")
    held.pop().continue_()
    until(lambda: "the roof is open" in "".join(drafts(here)))
    here.page.evaluate(RENDERED)
    assert here.page.evaluate("location.hash") == "#inbox"
    here.goes_to_topic("open")
    assert "the roof is open" in here.page.get_by_label("Message", exact=True).input_value()


def test_the_end_of_an_edit_leaves_the_focus_where_the_reader_has_gone(people: Here) -> None:
    here, _, message = people
    held: list[Any] = []
    here.page.locator(".compose textarea").press("ArrowUp")
    here.page.route(f"**/api/v1/messages/{message}", lambda request: held.append(request), times=1)
    field = here.page.get_by_role("textbox", name="Edit")
    field.fill("the roof is shut")
    field.press("Enter")
    until(lambda: here.page.evaluate("true") and held)
    here.page.locator(".compose textarea").focus()
    held.pop().continue_()
    field.wait_for(state="detached")
    here.page.evaluate(RENDERED)
    here.page.locator(".compose textarea:focus").wait_for()


def test_a_field_that_is_entered_at_once_after_a_key_keeps_the_focus(people: Here) -> None:
    here, _, _ = people
    here.page.locator(".scroller").focus()
    assert here.page.evaluate(MARK_AND_WRITE) == "Message"
    here.page.locator("article.marked").wait_for()


MARK_AND_WRITE = """async () => {
    const key = new KeyboardEvent("keydown", { key: "k", bubbles: true });
    document.activeElement.dispatchEvent(key);
    document.querySelector(".compose textarea").focus();
    for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame);
    return document.activeElement.ariaLabel;
}"""


def test_actions_are_in_the_language_that_is_chosen_elsewhere(people: Here) -> None:
    here, there, _ = people
    article = here.sees("the roof is open")
    article.hover()
    there.calls("PATCH", "settings", default_language="de")
    article.get_by_role("button", name="Reagieren").wait_for()


def test_a_channel_at_the_side_is_shown_anew_when_something_of_it_changes(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    channel = ada.calls("GET", "get_stream_id", stream="general")["stream_id"]
    ada.goes_to("inbox")
    place = ada.page.locator(".sidebar .place", has_text="general")
    before = int((place.get_by_label("unread").get_attribute("title") or "").split()[0])
    bea.goes_to_topic("soup")
    bea.says("soup of the day")
    place.get_by_label(f"{before + 1} unread", exact=True).wait_for()
    ada.calls("PATCH", "settings", default_language="de")
    place.get_by_label(f"{before + 1} ungelesen", exact=True).wait_for()
    muted = [{"stream_id": channel, "property": "is_muted", "value": True}]
    ada.calls("POST", "users/me/subscriptions/properties", subscription_data=muted)
    ada.page.locator(".sidebar .place.muted", has_text="general").wait_for()
    ada.calls("PATCH", f"streams/{channel}", new_name="everybody")
    ada.page.locator(".sidebar .place.muted", has_text="everybody").wait_for()
    ada.goes_to(f"narrow/channel/{channel}")
    ada.page.locator(".sidebar .place.here", has_text="everybody").wait_for()
    ada.goes_to("inbox")
    ada.page.locator(".sidebar .place.muted:not(.here)", has_text="everybody").wait_for()


def test_a_text_that_is_written_stays_while_others_save_theirs(somebody: Opens) -> None:
    """On each page with texts of the state; a field in which nobody writes shows the new text."""
    here, there = somebody("ada"), somebody("ada")
    channel = here.calls("GET", "get_stream_id", stream="general")["stream_id"]
    bea = next(one for one in here.calls("GET", "users")["members"] if one["full_name"] == "Bea Lynn")[
        "user_id"
    ]
    group = here.calls("POST", "user_groups/create", name="bakers", description="", members=[bea])["group_id"]
    for address, written, changed, path, fields in (
        (f"channels/{channel}", "Name", "Description", f"streams/{channel}", {"description": "All"}),
        (f"groups/{group}", "Name", "Description", f"user_groups/{group}", {"description": "All"}),
        ("organization/profile", "Description", "Name", "realm", {"name": "All"}),
    ):
        here.goes_to(address)
        here.page.get_by_label(written, exact=True).fill("half a text")
        there.calls("PATCH", path, **fields)
        here.page.wait_for_function(HOLDS, arg=[changed, "All"])
        assert here.page.evaluate(HOLDS, ["", "half a text"]), address
    here.goes_to(f"people/{bea}")
    name = here.page.get_by_label("Name", exact=True)
    name.fill("half a text")
    there.calls("PATCH", f"users/{bea}", full_name="Bea Fox")
    here.page.get_by_role("heading", name="Bea Fox").wait_for()
    assert name.input_value() == "half a text"
    here.goes_to("organization/settings")
    size = here.page.get_by_label("Storage for all files")
    for number, shown in ((700, "700"), (800, "9")):
        if number == 800:
            size.press("ControlOrMeta+a")
            size.press_sequentially("9")
        there.calls("PATCH", "realm", upload_quota_mib=number, message_content_edit_limit_seconds=number)
        here.page.locator("option:checked", has_text=f"{number} seconds").wait_for(state="attached")
        assert size.input_value() == shown
    size.press("Tab")
    there.goes_to("organization/settings")
    there.page.wait_for_function(HOLDS, arg=["Storage for all files", "9"])


HOLDS = """([label, text]) => label
    ? [...document.querySelectorAll(".field")].some(one =>
        one.innerText.startsWith(label) && one.querySelector("input, textarea")?.value === text)
    : document.activeElement.value === text"""
"""Whether a field, or that with the focus, holds a text."""
