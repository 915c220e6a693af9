"""Messages that are sent later, and reminders."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.waiting import until
from tests.web.conftest import Person
from tests.web.screens import furnish
from tests.web.test_messages import choose

Opens = Callable[..., Person]


def field(person: Person) -> Any:
    return person.page.get_by_label("Message", exact=True)


def row(person: Person, text: str) -> Any:
    return person.page.locator(".rows li", has_text=text)


def schedule(person: Person, text: str, time: str = "Tomorrow, 9:00 AM") -> Any:
    """Write a text and choose its time; return the dialog."""
    person.page.get_by_role("dialog").wait_for(state="detached")
    field(person).fill(text)
    person.page.get_by_role("button", name="Send later").click()
    dialog = person.page.get_by_role("dialog", name="Send later")
    dialog.get_by_label("When").select_option(time)
    return dialog


def confirm(dialog: Any) -> None:
    """Agree to what a dialog is for."""
    dialog.locator("button.primary").click()


@pytest.mark.parametrize("address", ["channel/{channel}/topic/soup.20of.20the.20day", "dm/{bea}-dm"])
def test_a_message_waits_and_is_sent_at_its_time(somebody: Opens, address: str) -> None:
    ada = somebody("ada")
    ada.goes_to(f"narrow/{address.format(**furnish(ada))}")
    later = ada.page.locator(".sidebar").get_by_role("link", name="Scheduled")
    assert later.count() == 0
    confirm(schedule(ada, "Good morning"))
    ada.page.locator(".notice", has_text="Scheduled: Tomorrow, 9:00 AM").wait_for()
    assert field(ada).input_value() == ""
    later.wait_for()
    [waiting] = ada.calls("GET", "scheduled_messages")["scheduled_messages"]
    time = "new Date(new Date().setHours(24 + 9, 0, 0, 0)).getTime() / 1000"
    assert waiting["scheduled_delivery_timestamp"] == ada.page.evaluate(time)
    soon = ada.page.evaluate("Math.floor(Date.now() / 1000) + 2")
    name = f"scheduled_messages/{waiting['scheduled_message_id']}"
    ada.calls("PATCH", name, scheduled_delivery_timestamp=soon)
    ada.sees("Good morning")
    later.wait_for(state="detached")
    assert ada.calls("GET", "drafts")["drafts"] == []


def test_what_is_scheduled_can_be_written_on_deleted_and_undone(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("mornings")
    confirm(schedule(ada, "Good evening"))
    undone = ada.page.locator(".notice", has_text="Scheduled").get_by_role("button", name="Undo")
    undone.click()
    ada.page.wait_for_function("() => document.querySelector('.compose textarea').value === 'Good evening'")
    ada.page.locator(".sidebar").get_by_role("link", name="Scheduled").wait_for(state="detached")

    confirm(schedule(ada, "Good night"))
    confirm(schedule(ada, "Sleep well"))
    ada.page.locator(".sidebar").get_by_role("link", name="Scheduled").click()
    row(ada, "Sleep well").wait_for()
    row(ada, "Good night").get_by_role("button", name="Delete").click()
    row(ada, "Good night").wait_for(state="detached")
    assert "mornings" in row(ada, "Sleep well").get_by_role("link").inner_text()


def edit(person: Person, text: str) -> Any:
    """Open the dialog that changes what is scheduled; return it."""
    row(person, text).get_by_role("button", name=f"Edit: {text}").click()
    return person.page.get_by_role("dialog", name="Edit")


def test_text_and_time_of_what_is_scheduled_can_be_changed_but_not_over_a_change_elsewhere(
    somebody: Opens,
) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("mornings")
    confirm(schedule(ada, "Sleep well"))
    ada.page.locator(".notice", has_text="Scheduled").wait_for()
    [before] = ada.calls("GET", "scheduled_messages")["scheduled_messages"]
    field(ada).fill("another text")
    ada.page.locator(".sidebar").get_by_role("link", name="Scheduled").click()
    dialog = edit(ada, "Sleep well")
    assert dialog.get_by_label("When").locator("option").first.inner_text() == "Tomorrow, 9:00 AM"
    assert dialog.locator("textarea").input_value() == "Sleep well"
    dialog.locator("textarea").fill("Sleep tight")
    confirm(dialog)
    dialog.wait_for(state="detached")
    row(ada, "Sleep tight").wait_for()
    [after] = ada.calls("GET", "scheduled_messages")["scheduled_messages"]
    changed = {"content": "Sleep tight", "rendered_content": "<p>Sleep tight</p>"}
    assert after == before | changed
    dialog = edit(ada, "Sleep tight")
    dialog.get_by_label("When").select_option("Another time")
    dialog.get_by_label("Another time").last.fill("2420-02-20T20:20")
    ada.calls("PATCH", f"scheduled_messages/{before['scheduled_message_id']}", content="Sleep")
    confirm(dialog)
    dialog.get_by_role("alert").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    [last] = ada.calls("GET", "scheduled_messages")["scheduled_messages"]
    times = {one["scheduled_delivery_timestamp"] for one in (before, last)}
    assert (last["content"], len(times)) == ("Sleep", 1)
    dialog = edit(ada, "Sleep")
    dialog.get_by_label("When").select_option("Another time")
    dialog.get_by_label("Another time").last.fill("2420-02-20T20:20")
    confirm(dialog)
    row(ada, "Sleep").get_by_text("2420").wait_for()
    assert [one["content"] for one in ada.calls("GET", "drafts")["drafts"]] == ["another text"]


def test_files_of_what_is_scheduled_are_named_and_the_focus_stays_in_the_list(somebody: Opens) -> None:
    ada = somebody("ada")
    channel = furnish(ada)["channel"]
    file = "[plan.pdf](/user_uploads/1/ab/plan.pdf)"
    place = {
        "type": "channel",
        "to": channel,
        "topic": "bread",
        "scheduled_delivery_timestamp": 4_000_000_000,
    }
    for text in (f"The plan\n{file}", file, "Last"):
        ada.calls("POST", "scheduled_messages", content=text, **place)
    ada.goes_to("later")
    rows = ada.page.locator(".rows li")
    rows.nth(2).wait_for()
    for number in range(2):
        assert "plan.pdf" in rows.nth(number).inner_text()
        assert "user_uploads" not in rows.nth(number).inner_text()
    rows.nth(1).get_by_role("button", name="Delete: plan.pdf").click()
    ada.page.wait_for_function("() => document.querySelectorAll('.rows li').length === 2")
    focused = "document.activeElement.closest('.rows li')?.innerText"
    assert "Last" in ada.page.evaluate(focused)
    rows.nth(1).get_by_role("button", name="Delete").click()
    ada.page.wait_for_function("() => document.querySelectorAll('.rows li').length === 1")
    assert "The plan" in ada.page.evaluate(focused)
    rows.nth(0).get_by_role("button", name="Delete").click()
    ada.page.get_by_text("Nothing is scheduled").wait_for()
    assert ada.page.evaluate("document.activeElement.className") == "rows"


def test_a_time_that_is_over_is_refused_and_the_text_stays(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("mornings")
    dialog = schedule(ada, "Good morning", "Another time")
    offered = dialog.get_by_role("textbox").input_value()
    in_ms = ada.page.evaluate("(time) => new Date(time) - Date.now()", offered)
    assert (offered.endswith(":00"), 0 <= in_ms + 60_000 <= 3_660_000) == (True, True), offered
    dialog.get_by_role("textbox").fill("2020-02-20T20:20")
    confirm(dialog)
    assert dialog.get_by_role("textbox").evaluate("(one) => one.validity.rangeUnderflow")
    dialog.get_by_role("textbox").evaluate("(one) => one.removeAttribute('min')")  # the clock of the server
    confirm(dialog)
    dialog.get_by_role("alert").get_by_text("must be in the future").wait_for()
    dialog.get_by_role("textbox").fill("2420-02-20T20:20")
    dialog.get_by_role("button", name="Cancel").click()
    assert field(ada).input_value() == "Good morning"
    dialog = schedule(ada, "Good morning", "Another time")
    dialog.get_by_role("textbox").evaluate("(one) => (one.value = '12420-02-20T20:20')")
    confirm(dialog)
    assert dialog.get_by_role("textbox").evaluate("(one) => one.validity.rangeOverflow")
    dialog.get_by_role("textbox").fill("2420-02-20T20:20")
    confirm(dialog)
    ada.page.locator(".notice", has_text="February 20, 2420, 8:20 PM").wait_for()


def test_people_are_reminded_of_messages_with_a_note(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("bills")
    ada.says("Pay the baker")
    choose(ada, ada.sees("Pay the baker"), "Remind me")
    dialog = ada.page.get_by_role("dialog", name="Remind me")
    dialog.get_by_label("Note (optional)").fill("before the weekend")
    before = ada.page.evaluate("Date.now() / 1000")
    confirm(dialog)
    undone = ada.page.locator(".notice", has_text="Reminder: ").get_by_role("button", name="Undo")
    undone.wait_for()
    [waiting] = ada.calls("GET", "reminders")["reminders"]
    within = waiting["scheduled_delivery_timestamp"] - before
    assert 3600 - 600 < within <= 3600, "in an hour from when the dialog was opened"
    undone.click()
    ada.goes_to("later")
    ada.page.get_by_text("Nothing is scheduled").wait_for()
    ada.calls(
        "POST",
        "reminders",
        message_id=waiting["reminder_target_message_id"],
        note="before the weekend",
        scheduled_delivery_timestamp=waiting["scheduled_delivery_timestamp"],
    )
    reminder = row(ada, "Reminder")
    reminder.get_by_text("before the weekend").wait_for()
    assert "bills" in reminder.get_by_role("link").inner_text()
    reminder.get_by_text("Pay the baker").wait_for()
    reminder.get_by_role("button", name="Delete").click()
    ada.page.get_by_text("Nothing is scheduled").wait_for()
    assert ada.calls("GET", "reminders")["reminders"] == []


def test_a_preview_that_comes_after_its_text_was_sent_is_not_shown(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("mornings")
    held: list[Any] = []
    ada.page.route("**/api/v1/messages/render", lambda route: held.append(route))
    field(ada).fill("Good *morning*")
    with ada.page.expect_request("**/api/v1/messages/render"):
        ada.page.get_by_role("button", name="Preview").click()
    field(ada).press("Enter")
    ada.sees("Good morning")
    with ada.page.expect_response("**/api/v1/messages/render"):
        held[0].continue_()
    field(ada).fill("Good evening")
    ada.page.get_by_role("button", name="Send", exact=True).click()
    ada.sees("Good evening")


def test_the_box_is_ready_again_after_a_text_that_was_scheduled_from_its_preview(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("mornings")
    field(ada).fill("Good *morning*")
    ada.page.get_by_role("button", name="Preview").click()
    ada.page.locator(".compose .preview em").wait_for()
    ada.page.get_by_role("button", name="Send later").click()
    confirm(ada.page.get_by_role("dialog", name="Send later"))
    ada.page.locator(".compose textarea:focus").wait_for()
    assert field(ada).input_value() == ""
    ada.says("Now")
    ada.sees("Now")


def test_what_is_written_while_a_text_is_scheduled_stays_and_two_clicks_schedule_it_once(
    somebody: Opens,
) -> None:
    ada = somebody("ada")
    ada.goes_to_topic("mornings")
    held: list[Any] = []
    ada.page.route("**/api/v1/scheduled_messages", lambda route: held.append(route))
    dialog = schedule(ada, "Good")
    with ada.page.expect_request("**/api/v1/scheduled_messages"):
        dialog.locator("button.primary").dblclick()
    ada.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    field(ada).fill("Good morning")
    with ada.page.expect_response("**/api/v1/scheduled_messages"):
        held[0].continue_()
    ada.page.locator(".notice", has_text="Scheduled").wait_for()
    ada.page.unroute("**/api/v1/scheduled_messages")
    assert field(ada).input_value() == "Good morning"
    [waiting] = ada.calls("GET", "scheduled_messages")["scheduled_messages"]
    assert (len(held), waiting["content"]) == (1, "Good")
    assert "read_by_sender=true" in str(held[0].request.post_data)


def test_undo_in_a_new_topic_brings_the_text_back_to_its_place(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to(f"narrow/channel/{furnish(ada)['channel']}")
    ada.page.get_by_label("Topic", exact=True).fill("mornings")
    confirm(schedule(ada, "Good morning"))
    ada.page.locator(".notice", has_text="Scheduled").get_by_role("button", name="Undo").click()
    ada.page.wait_for_function("() => document.querySelector('.compose textarea').value === 'Good morning'")
    assert ada.page.get_by_label("Topic", exact=True).input_value() == "mornings"
    until(lambda: [one["topic"] for one in ada.calls("GET", "drafts")["drafts"]] == ["mornings"])


def test_what_is_due_first_is_listed_first_and_what_could_not_be_sent_is_counted(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    ada.goes_to(f"narrow/channel/{ids['channel']}/topic/bread")
    confirm(schedule(ada, "For later"))
    ada.page.locator(".notice", has_text="Scheduled").wait_for()
    ada.calls("POST", "reminders", message_id=ids["message"], scheduled_delivery_timestamp=4_000_000_000)
    soon = ada.page.evaluate("Math.floor(Date.now() / 1000) + 3600")
    place = {"type": "channel", "to": ids["channel"], "topic": "bread"}
    first = {**place, "content": "For now", "scheduled_delivery_timestamp": soon}
    message = ada.calls("POST", "scheduled_messages", **first)["scheduled_message_id"]
    later = ada.page.locator(".sidebar").get_by_role("link", name="Scheduled")
    later.click()
    rows = ada.page.locator(".rows li")
    rows.nth(2).get_by_text("Reminder").wait_for()
    assert ["For now" in rows.nth(0).inner_text(), "For later" in rows.nth(1).inner_text()] == [True, True]
    assert later.locator(".count").count() == 0
    ada.calls("DELETE", f"streams/{ids['channel']}")
    soon = ada.page.evaluate("Math.floor(Date.now() / 1000) + 2")
    ada.calls("PATCH", f"scheduled_messages/{message}", scheduled_delivery_timestamp=soon)
    row(ada, "For now").get_by_text("Not sent").wait_for()
    later.locator(".count", has_text="1").wait_for()
