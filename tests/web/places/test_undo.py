"""Notices that undo what they say."""

from collections.abc import Callable
from typing import Any

from tests.web.conftest import Person
from tests.web.screens import furnish
from tests.web.test_messages import choose, of_topic

Opens = Callable[..., Person]


def undo(ada: Person, text: str) -> None:
    """Undo what a notice says."""
    notice = ada.page.locator(".notice", has_text=text)
    notice.get_by_role("button", name="Undo").click()
    notice.wait_for(state="detached")


def moves(
    ada: Person, text: str, topic: str, which: str, *, with_note: bool = False, channel: str = ""
) -> Any:
    """Move a message to a topic, and perhaps others with it; return the notice that says so."""
    choose(ada, ada.sees(text), "Move")
    moving = ada.page.get_by_role("dialog", name="Move")
    if channel:
        moving.get_by_role("combobox", name="Channel").select_option(channel)
    moving.get_by_role("combobox", name="Topic").fill(topic)
    moving.get_by_role("combobox", name="Messages").select_option(which)
    moving.get_by_label("Notify the new topic").set_checked(with_note)
    moving.get_by_role("button", name="Move").click()
    ada.page.get_by_role("heading", name=topic).wait_for()
    notice = ada.page.locator(".notice", has_text="Moved").last
    notice.wait_for()
    return notice


def test_a_star_is_undone(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("stars")
    ada.says("the brightest")
    article = ada.sees("the brightest")
    starred = article.locator("[aria-label=Star][aria-pressed=true]")
    article.hover()
    article.get_by_role("button", name="Star").click()
    starred.wait_for()
    ada.page.locator("article[aria-label$=starred]").wait_for()
    undo(ada, "Starred")
    starred.wait_for(state="detached")
    article.hover()
    article.get_by_role("button", name="Star").click()
    starred.wait_for()
    article.get_by_role("button", name="Star").click()
    undo(ada, "Star removed")
    starred.wait_for(state="attached")


def test_moves_are_undone_unless_others_would_move_too(somebody: Opens) -> None:
    ada = somebody("ada")
    for topic in ("there", "here"):
        ada.goes_to_topic(topic)
        for number in (1, 2):
            ada.says(f"{number} of {topic}")
            ada.sees(f"{number} of {topic}")
    moves(ada, "2 of here", "elsewhere", "The whole topic")
    undo(ada, "Moved")
    ada.page.get_by_role("heading", name="› here").wait_for()
    ada.sees("1 of here")
    moves(ada, "1 of here", "there", "Only this message")
    undo(ada, "Moved")
    ada.page.get_by_role("heading", name="› here").wait_for()
    ada.sees("1 of here")
    kitchen = furnish(ada)["channel"]
    moves(ada, "1 of here", "here", "Only this message", channel="kitchen")
    ada.page.wait_for_url(f"**/channel/{kitchen}-kitchen/topic/here**")
    undo(ada, "Moved")
    ada.page.wait_for_url("**-general/topic/here**")
    ada.sees("1 of here")
    notice = moves(ada, "1 of here", "there", "The whole topic")
    ada.sees("1 of there")
    assert notice.get_by_role("button", name="Undo").count() == 0


def test_a_move_that_a_note_tells_of_or_that_somebody_has_moved_on_is_not_undone(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("before")
    for text in ("noted", "moved on"):
        ada.says(text)
        ada.sees(text)
    notice = moves(ada, "noted", "after", "Only this message", with_note=True)
    assert notice.get_by_role("button", name="Undo").count() == 0
    ada.goes_to_topic("before")
    notice = moves(ada, "moved on", "between", "Only this message")
    moved = ada.sees("moved on").get_attribute("data-id")
    ada.calls("PATCH", f"messages/{moved}", topic="in the end", send_notification_to_new_thread=False)
    ada.page.locator("article", has_text="moved on").wait_for(state="detached")
    notice.get_by_role("button", name="Undo").click()
    ada.page.get_by_text("The message is now in “in the end”").wait_for()
    ada.goes_to_topic("in the end")
    ada.sees("moved on")


def test_a_resolved_topic_is_open_again(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("plan")
    ada.says("first thing")
    ada.sees("first thing")
    of_topic(ada, "Resolve")
    ada.page.get_by_role("heading", name="› ✔ plan").wait_for()
    undo(ada, "“plan” is resolved")
    ada.page.get_by_role("heading", name="› plan").wait_for()
    ada.sees("first thing")
