"""What people do with messages and topics that are there."""

from collections.abc import Callable

from tests.web.conftest import Person

Opens = Callable[..., Person]


def topic(person: Person, name: str) -> None:
    """Go to a topic of the first channel."""
    person.goes_to(f"narrow/channel/{channel_id(person)}/topic/{name}")


def channel_id(person: Person) -> int:
    """Return the id of the channel that each new organization has."""
    link = person.page.locator(".place a", has_text="general").first.get_attribute("href")
    return int(link.split("/")[2].split("-")[0])


def choose(person: Person, article: object, name: str) -> None:
    """Choose an action from the menu of a message."""
    article.hover()
    article.get_by_role("button", name="More", exact=True).click()
    person.page.get_by_role("menuitem", name=name, exact=True).click()


def of_topic(person: Person, name: str) -> None:
    """Choose an action from the menu of the topic."""
    person.page.get_by_role("button", name="Actions of this topic").click()
    person.page.get_by_role("menuitem", name=name, exact=True).click()


def test_a_message_has_a_history_readers_and_a_place_in_time(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        topic(person, "actions")
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
    choose(bea, hot, "Unread from here")
    hot.and_(bea.page.locator(".unread")).wait_for()
    bea.goes_to("inbox")
    bea.page.locator(".inbox li", has_text="actions").locator(".count").wait_for()


def test_the_menu_of_a_message_is_used_by_keyboard(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "keyboard")
    ada.says("here is the keyboard")
    ada.sees("here is the keyboard")
    ada.page.locator(".scroller").focus()
    for key in ("k", "+"):
        ada.page.keyboard.press(key)
    ada.page.get_by_label(":name:").fill("octopus")
    ada.page.get_by_label("octopus", exact=True).wait_for()
    ada.page.keyboard.press("Enter")
    ada.page.locator(".reactions button", has_text="1").wait_for()
    ada.page.keyboard.press(".")
    ada.page.locator("[role=menuitem]:focus").wait_for()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        ada.page.keyboard.press(key)
    dialog = ada.page.get_by_role("dialog", name="Who reacted")
    dialog.get_by_role("link", name="Ada Fox").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.locator("button[aria-label=More]:focus").wait_for()


def test_a_topic_is_resolved_renamed_and_deleted_for_all(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    topic(ada, "plan")
    topic(bea, "another")
    for text in ("first thing", "second thing", "third thing"):
        ada.says(text)
        ada.sees(text)
    unread = bea.page.locator(".topics .place", has_text="plan")
    unread.locator(".count", has_text="3").wait_for()
    of_topic(ada, "Resolve")
    ada.page.get_by_role("heading", name="✔ plan").wait_for()
    resolved = bea.page.locator(".topics .place", has_text="✔ plan")
    resolved.locator(".count").wait_for()
    choose(ada, ada.sees("second thing"), "Move")
    moving = ada.page.get_by_role("dialog", name="Move")
    moving.get_by_role("combobox", name="Topic").fill("another")
    moving.get_by_role("combobox", name="Messages").select_option("This message and all after it")
    moving.get_by_role("button", name="Move").click()
    ada.sees("third thing")
    ada.page.get_by_role("button", name="moved").first.wait_for()
    bea.sees("third thing")
    assert bea.page.locator("article", has_text="first thing").count() == 0
    of_topic(ada, "Delete the topic")
    ada.page.get_by_role("dialog").get_by_role("button", name="Delete the topic").click()
    bea.page.get_by_text("There are no messages here.").wait_for()
    bea.page.get_by_role("button", name="Actions of this topic").click()
    bea.page.get_by_role("menuitem", name="Mute").wait_for()
    assert bea.page.get_by_role("menuitem", name="Delete the topic").count() == 0


def test_polls_and_lists_of_tasks_are_answered_by_all(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        topic(person, "widgets")
    ada.page.get_by_label("Message", exact=True).fill("/poll When?\nMonday\nTuesday")
    ada.page.keyboard.press("Enter")
    bea.page.get_by_role("button", name="0 Tuesday").click()
    ada.page.get_by_role("button", name="1 Tuesday").wait_for()
    bea.page.get_by_role("textbox", name="Add an option").fill("Friday")
    bea.page.keyboard.press("Enter")
    ada.page.get_by_role("button", name="1 Friday").click()
    bea.page.get_by_role("button", name="2 Friday").wait_for()
    ada.page.get_by_label("Message", exact=True).fill("/todo Garden\nweed: all of it\nwater")
    ada.page.keyboard.press("Enter")
    bea.page.get_by_role("textbox", name="Add a task").fill("sow: in rows")
    bea.page.keyboard.press("Enter")
    ada.page.get_by_label("sow").click()
    done = bea.page.get_by_label("sow")
    done.and_(bea.page.locator(":checked")).wait_for()
    done.click()
    ada.page.get_by_label("sow").and_(ada.page.locator(":not(:checked)")).wait_for()
    assert bea.page.locator("article", has_text="/poll").count() == 0
    bea.page.reload()
    bea.page.get_by_role("button", name="2 Friday").wait_for()
