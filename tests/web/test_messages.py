"""Actions on messages and topics that exist."""

import re
from collections.abc import Callable

from tests.waiting import until
from tests.web.conftest import Person

Opens = Callable[..., Person]


def choose(person: Person, article: object, name: str) -> None:
    """Choose an action from the menu of a message."""
    article.hover()
    article.get_by_role("button", name="More", exact=True).click()
    person.page.get_by_role("menuitem", name=name, exact=True).click()


def of_topic(person: Person, name: str) -> None:
    """Choose an action from the menu of the topic."""
    person.page.get_by_role("button", name="Topic actions").click()
    person.page.get_by_role("menuitem", name=name, exact=True).click()


def test_a_message_has_a_history_readers_and_a_place_in_time(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        person.goes_to_topic("actions")
    ada.says("the soup is cold")
    ada.sees("the soup is cold")
    article = ada.page.locator("article").last
    article.hover()
    article.get_by_role("button", name="Edit").click()
    article.get_by_role("textbox", name="Edit").fill("the soup is hot")
    article.get_by_role("button", name="Preview").click()
    article.locator(".preview", has_text="the soup is hot").wait_for()
    article.get_by_role("button", name="Save").click()
    hot = bea.sees("the soup is hot")
    hot.hover()
    assert hot.get_by_role("button", name="Edit", exact=True).count() == 0
    hot.get_by_role("button", name="edited").click()
    history = bea.page.get_by_role("dialog", name="Edit history")
    assert history.locator(".highlight_text_deleted").inner_text().strip() == "cold"
    assert history.locator(".highlight_text_inserted").inner_text().strip() == "hot"
    bea.page.keyboard.press("Escape")
    hot.locator("button.edited:focus").wait_for()
    choose(bea, hot, "Mark as unread")
    hot.and_(bea.page.locator(".unread")).wait_for()
    bea.goes_to("inbox")
    bea.page.locator(".inbox li", has_text="actions").locator(".count").wait_for()


def test_who_read_is_offered_as_the_organization_wants(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        person.goes_to_topic("offers")
    ada.says("for all to read")
    article = bea.sees("for all to read")
    article.and_(bea.page.locator(":not(.unread)")).wait_for()
    article.hover()
    article.get_by_role("button", name="More", exact=True).click()
    bea.page.get_by_role("menuitem", name="Move").wait_for()
    offered = bea.page.get_by_role("menuitem").all_inner_texts()
    assert offered == ["Copy link", "Mark as unread", "Remind me", "Move"]
    bea.page.keyboard.press("Escape")
    ada.calls("PATCH", "realm", enable_read_receipts=True)
    choose(ada, ada.sees("for all to read"), "Read by")
    ada.page.get_by_role("dialog").get_by_role("link", name="Bea Lynn").wait_for()
    ada.page.keyboard.press("Escape")


def test_the_menu_of_a_message_is_used_by_keyboard(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("keyboard")
    ada.says("here is the keyboard")
    ada.sees("here is the keyboard")
    ada.page.keyboard.press("ArrowUp")
    editor = ada.page.get_by_role("textbox", name="Edit")
    editor.wait_for()
    ada.page.locator("article").last.hover()
    assert ada.page.get_by_role("toolbar").count() == 0
    editor.press("End")
    editor.press("Shift+Enter")
    editor.press_sequentially("with two lines")
    editor.press("Enter")
    editor.wait_for(state="detached")
    ada.sees("here is the keyboard\nwith two lines")
    ada.page.locator(".compose textarea:focus").wait_for()  # where the edit began
    ada.page.locator(".scroller").focus()
    ada.page.keyboard.press("k")
    ada.page.locator("article:focus").wait_for()
    ada.page.keyboard.press("+")
    ada.page.get_by_label("Search emoji").fill("octopus")
    ada.page.get_by_label("octopus", exact=True).wait_for()
    ada.page.keyboard.press("Enter")
    ada.page.locator(".reactions button", has_text="1").wait_for()
    ada.page.keyboard.press(".")
    ada.page.locator("[role=menuitem]:focus").wait_for()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        ada.page.keyboard.press(key)
    dialog = ada.page.get_by_role("dialog", name="Reactions")
    dialog.get_by_role("link", name="Ada Fox").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.locator("button[aria-label=More]:focus").wait_for()


def test_keys_do_nothing_to_messages_that_are_not_shown(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("shown")
    ada.says("shown a moment ago")
    ada.sees("shown a moment ago")
    ada.goes_to("inbox")
    ada.page.locator(".inbox").wait_for()
    ada.page.keyboard.press("r")
    assert ada.page.evaluate("location.hash") == "#inbox"


def test_a_topic_is_resolved_renamed_and_deleted_for_all(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.goes_to_topic("plan")
    bea.goes_to_topic("another")
    for text in ("first thing", "second thing", "third thing"):
        ada.says(text)
        ada.sees(text)
    unread = bea.page.locator(".topics .place", has_text="plan")
    unread.get_by_label("3 unread").wait_for()
    of_topic(ada, "Resolve")
    ada.page.get_by_role("heading", name="✔ plan").wait_for()
    resolved = bea.page.locator(".topics .place", has_text="✔ plan")
    resolved.locator(".dot").wait_for()
    choose(ada, ada.sees("second thing"), "Move")
    moving = ada.page.get_by_role("dialog", name="Move")
    moving.get_by_role("combobox", name="Topic").fill("another")
    moving.get_by_role("combobox", name="Messages").select_option("This message and all after it")
    moving.get_by_role("button", name="Move").click()
    ada.sees("third thing")
    ada.page.get_by_role("button", name="moved").first.wait_for()
    bea.sees("third thing")
    assert bea.page.locator("article", has_text="first thing").count() == 0
    of_topic(ada, "Delete topic")
    ada.page.get_by_role("dialog").get_by_role("button", name="Delete topic").click()
    bea.page.get_by_text("No messages yet. Say hello!").wait_for()
    bea.page.get_by_role("button", name="Topic actions").click()
    bea.page.get_by_role("menuitem", name="Mute").wait_for()
    assert bea.page.get_by_role("menuitem", name="Delete topic").count() == 0


def test_polls_and_lists_of_tasks_are_answered_by_all(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        person.goes_to_topic("widgets")
    ada.page.get_by_label("Message", exact=True).fill("/poll When?\nMonday\nTuesday")
    ada.page.keyboard.press("Enter")
    bea.page.get_by_role("button", name="0 Tuesday").click()
    ada.page.get_by_role("button", name="1 Tuesday").wait_for()
    bea.page.get_by_role("textbox", name="Add option").fill("Friday")
    bea.page.keyboard.press("Enter")
    ada.page.get_by_role("button", name="1 Friday").click()
    bea.page.get_by_role("button", name="2 Friday").wait_for()
    bars = "all => all.map(one => getComputedStyle(one).backgroundSize.split(' ')[0])"
    assert bea.page.locator(".option button").evaluate_all(bars) == ["0%", "50%", "100%"]
    ada.page.get_by_label("Message", exact=True).fill("/todo Garden\nweed: all of it\nwater")
    ada.page.keyboard.press("Enter")
    bea.page.get_by_role("textbox", name="Add task").fill("sow: in rows")
    bea.page.keyboard.press("Enter")
    ada.page.get_by_label("sow").click()
    done = bea.page.get_by_label("sow")
    done.and_(bea.page.locator(":checked")).wait_for()
    done.click()
    ada.page.get_by_label("sow").and_(ada.page.locator(":not(:checked)")).wait_for()
    assert bea.page.locator("article", has_text="/poll").count() == 0
    bea.page.reload()
    bea.page.get_by_role("button", name="2 Friday").wait_for()


def test_search_marks_what_it_finds_also_in_new_messages(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.goes_to_topic("search")
    ada.says("two kettles of pumpkin")
    ada.sees("two kettles")
    bea.searches("kettle")
    found = bea.sees("two kettles")
    assert found.locator(".highlight").text_content() == "kettles"
    ada.says("another kettle is on the fire")
    assert bea.sees("another kettle").locator(".highlight").text_content() == "kettle"
    ada.says("no such thing")
    ada.sees("no such thing")
    assert bea.page.locator("article", has_text="no such thing").count() == 0


def test_a_mention_that_an_edit_adds_is_counted(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    mentions = bea.page.locator(".views .place", has_text="Mentions")
    bea.calls("POST", "mark_all_as_read")
    bea.goes_to("inbox")
    ada.goes_to_topic("added")
    ada.says("soon")
    article = ada.sees("soon")
    bea.page.locator(".inbox a", has_text="added").wait_for()
    mentions.locator(".count").wait_for(state="detached")
    message = article.get_attribute("id").removeprefix("message-")
    ada.calls("PATCH", f"messages/{message}", content="soon, @**Bea Lynn**")
    mentions.locator(".count").wait_for()


def test_a_poll_is_made_by_a_dialog(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("dinner")
    ada.page.get_by_label("Message", exact=True).fill("half a thought")
    ada.page.get_by_role("button", name="New poll").click()
    dialog = ada.page.get_by_role("dialog", name="New poll")
    dialog.get_by_label("Question").fill("What to eat?")
    dialog.get_by_label("Options").fill("peas\n\n lentils ")
    dialog.get_by_role("button", name="Create poll").click()
    ada.sees("What to eat?").get_by_role("button", name="0 lentils").click()
    ada.page.get_by_role("button", name="1 lentils").wait_for()
    assert ada.page.get_by_label("Message", exact=True).input_value() == "half a thought"


def test_the_search_field_understands_operators(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.goes_to_topic("operators")
    for text in ("radish soup", "[radish](https://radish.example)"):
        ada.says(text)
    ada.sees("radish soup")
    bea.goes_to_topic("operators")
    bea.sees("radish soup")  # so that the server has it before the next
    bea.says("radish cake")
    bea.sees("radish cake")
    bea.goes_to("inbox")
    bea.page.locator(".inbox").wait_for()
    for text, expected in (  # each finds other messages than the one before it, so that its end can be seen
        ('from:"ada fox" radish', ["radish soup", "radish"]),
        ("channel:general topic:operators sender:me", ["radish cake"]),
        ("sender:ada@ex radish", ["radish soup", "radish"]),
        ("sender:be radish", ["radish cake"]),
        ("channel:general topic:operators -has:link", ["radish soup", "radish cake"]),
    ):
        bea.goes_to("inbox")
        bea.searches(text)
        bea.page.wait_for_function(SHOWN, arg=expected)
    bea.page.get_by_role("button", name="− has: link", exact=True).click()
    bea.page.get_by_role("button", name="Remove › operators").wait_for()


def test_a_search_in_a_topic_says_so_and_is_widened(somebody: Opens) -> None:
    ada = somebody("ada")
    for name in ("cellar", "attic"):
        ada.goes_to_topic(name)
        ada.says(f"a turnip in the {name}")
        ada.sees(f"a turnip in the {name}")
    wider = ada.page.get_by_role("link", name="Search everywhere")
    assert wider.count() == 0
    ada.page.get_by_role("button", name="Search in #general › attic").wait_for()
    ada.searches("turnip")
    ada.page.wait_for_function(SHOWN, arg=["a turnip in the attic"])
    assert ada.page.get_by_label("Message", exact=True).count() == 0  # it would be sent to another place
    wider.click()
    both = ["a turnip in the cellar", "a turnip in the attic"]
    ada.page.wait_for_function(SHOWN, arg=both)
    assert wider.count() == 0
    assert ada.page.locator("article header").count() == 2  # others may be between them
    ada.goes_to_topic("attic")
    ada.page.keyboard.press("/")
    ada.page.keyboard.type("turnip")
    ada.page.get_by_role("option", name="Search everywhere").click()
    ada.page.wait_for_function(SHOWN, arg=both)
    ada.goes_to_topic("attic")
    ada.page.keyboard.press("/")
    for name in ("› attic", "#general"):  # from the last to the first
        pill = ada.page.get_by_role("button", name=f"Remove {name}")
        pill.wait_for()
        ada.page.keyboard.press("Backspace")
        pill.wait_for(state="detached")
    ada.page.keyboard.type("turnip")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_function(SHOWN, arg=both)
    ada.goes_to("narrow/in/all")
    ada.page.get_by_role("heading", name="All messages").wait_for()
    ada.searches("turnip cellar")
    ada.page.wait_for_function(SHOWN, arg=both[:1])


SHOWN = """expected => JSON.stringify(expected) === JSON.stringify(
    [...document.querySelectorAll("article .content")].map(one => one.innerText.trim()))"""
"""Whether the messages have these texts."""


def test_each_message_of_a_group_has_its_time(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("times")
    for text in ("the first", "the second"):
        ada.says(text)
        ada.sees(text)
    time = ada.sees("the second").locator("time")
    assert not time.is_visible()
    ada.sees("the second").hover()
    time.wait_for()
    assert re.fullmatch(r"\d+:\d\d", time.inner_text()), "the half of the day is in the title"


def test_notices_stay_while_they_have_the_focus_and_undo_what_they_say(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("notes")
    ada.says("a message")
    ada.sees("a message")
    ada.page.clock.install()
    of_topic(ada, "Mute")
    notice = ada.page.locator(".notice", has_text="“notes” is muted")
    notice.get_by_role("button", name="Undo").focus()
    ada.page.clock.run_for(20_000)
    notice.get_by_role("button", name="Undo").press("Enter")
    notice.wait_for(state="detached")
    of_topic(ada, "Mute")
    notice.wait_for()
    ada.page.locator(".scroller").focus()
    ada.page.keyboard.press("z")
    ada.page.locator(".topics .place:not(.muted)", has_text="notes").wait_for()
    of_topic(ada, "Mark all as read")
    ada.page.locator(".notice", has_text="Marked as read").wait_for()
    ada.page.mouse.move(640, 300)
    until(lambda: ada.page.clock.run_for(2_000) or not ada.page.locator(".notice").count())


ON_TOP = """(selector) => {
  const element = document.querySelector(selector);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""


def test_nothing_covers_the_way_to_the_end_or_the_first_line_of_an_editor(somebody: Opens) -> None:
    ada = somebody("ada", viewport={"width": 390, "height": 700}, is_mobile=True, has_touch=True)
    ada.goes_to_topic("long")
    channel = int(ada.page.url.split("/channel/")[1].split("/")[0])
    for number in range(12):
        there = {"type": "channel", "to": channel, "topic": f"long {number // 4}"}
        ada.calls("POST", "messages", content=f"number {number}\n\nof many\n\nwith lines", **there)
    ada.goes_to(f"narrow/channel/{channel}")
    ada.sees("number 11")
    ada.page.locator(".scroller").evaluate("(one) => (one.scrollTop = one.scrollHeight / 3)")
    ada.page.locator(".to-end").wait_for()
    for _ in range(4):  # also where a heading that stays at the top passes
        assert ada.page.evaluate(ON_TOP, ".to-end")
        ada.page.locator(".scroller").evaluate("(one) => (one.scrollTop += 37)")
    ada.page.locator(".to-end").tap()
    ada.page.locator(".to-end").wait_for(state="detached")
    last = ada.page.locator("article").last
    last.tap()
    last.get_by_role("button", name="Edit").tap()
    last.locator(".editor textarea").wait_for()
    assert last.get_by_role("toolbar").count() == 0
    assert ada.page.evaluate(ON_TOP, ".editor textarea")


COVERS = """([cover, selector]) => {
  const { left, right, top, bottom } = document.querySelector(cover).getBoundingClientRect();
  return [...document.querySelectorAll(selector)].some((element) => {
    const box = element.getBoundingClientRect();
    return box.left < right && left < box.right && box.top < bottom && top < box.bottom;
  });
}"""
"""Whether something covers a part of one of the elements that a selector names."""


def test_notices_cover_nothing_that_is_used_and_stand_over_dialogs(somebody: Opens) -> None:
    ada = somebody("ada", viewport={"width": 1280, "height": 700})
    ada.goes_to_topic("notes")
    ada.says("a message")
    ada.sees("a message")
    of_topic(ada, "Copy link to topic")
    notice = ada.page.locator(".notice")
    notice.wait_for()
    assert not ada.page.evaluate(COVERS, [".notice", "main"])
    ada.page.keyboard.press("?")
    ada.page.get_by_role("dialog").wait_for()
    assert ada.page.evaluate(ON_TOP, ".notice")
    notice.get_by_role("button", name="Close").click()
    notice.wait_for(state="detached")
    ada.page.keyboard.press("Escape")
    ada.page.get_by_role("dialog").wait_for(state="detached")

    ada.page.set_viewport_size({"width": 390, "height": 700})
    ada.goes_to("settings/notifications")
    sounds = ada.page.get_by_role("region", name="Sounds")
    sounds.get_by_label("All messages in channels", exact=True).click()
    notice.wait_for()
    assert not ada.page.evaluate(COVERS, [".notice", "[role=switch], .bottom"])
