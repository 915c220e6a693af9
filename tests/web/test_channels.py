"""The pages of channels in the web client."""

from collections.abc import Callable
from typing import Any

from tests.web.conftest import Person

Opens = Callable[..., Person]


def row(person: Person, text: str) -> Any:
    return person.page.locator(".rows li", has_text=text)


def test_a_channel_is_created_changed_and_archived_while_another_person_watches(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    bea.goes_to("channels")
    bea.page.get_by_role("searchbox", name="Search: Channels").fill("pond")
    ada.goes_to("channels")
    ada.page.get_by_role("link", name="New channel").click()
    ada.page.get_by_label("Name", exact=True).fill("pond")
    ada.page.get_by_label("Description").fill("Frogs and *fish*")
    ada.page.get_by_role("button", name="Create channel").click()
    ada.page.locator(".topbar").get_by_role("heading", name="pond").wait_for()
    ada.page.get_by_role("link", name="Subscribers: 1").click()
    ada.page.get_by_role("heading", name="Administration").wait_for()
    assert ada.page.locator(".content em").text_content() == "fish"

    row(bea, "pond").get_by_role("button", name="Subscribe: pond").click()
    bea.page.locator(".sidebar .place", has_text="pond").wait_for()
    row(ada, "Bea Lynn").wait_for()
    row(bea, "pond").get_by_text("Subscribers: 2").wait_for()

    row(bea, "pond").get_by_role("link", name="pond").click()
    bea.page.get_by_label("Mute", exact=True).check()
    bea.page.locator(".sidebar .place.muted", has_text="pond").wait_for()
    assert bea.page.get_by_role("heading", name="Administration").count() == 0
    bea.page.get_by_text("Permissions").click()
    assert bea.page.get_by_label("Write messages").is_disabled()

    ada.page.get_by_text("Permissions").click()
    ada.page.get_by_label("Write messages").select_option(label="Administrators")
    writers = bea.page.locator(".permission", has_text="Write messages")
    writers.locator("option:checked", has_text="Administrators").wait_for(state="attached")
    ada.page.get_by_label("Name", exact=True).fill("lake")
    ada.page.get_by_role("button", name="Save").click()
    bea.page.get_by_role("heading", name="lake").wait_for()
    for days in ("30 days", "Never", "Organization default"):
        ada.page.get_by_label("Delete messages permanently").select_option(label=days)
    row(ada, "Bea Lynn").get_by_role("button", name="Remove: Bea Lynn").click()
    bea.page.locator(".sidebar .place", has_text="lake").wait_for(state="detached")
    row(ada, "Bea Lynn").wait_for(state="detached")

    ada.page.get_by_role("button", name="Archive channel").click()
    ada.agrees("Archive channel")
    bea.page.locator(".tag", has_text="archived").wait_for()
    bea.page.get_by_role("link", name="Messages", exact=True).click()
    bea.sees("archived this channel")
    for kept in ("30 days", "forever", "as long as in the whole organization"):
        bea.sees(kept)
    assert bea.page.get_by_label("Message", exact=True).count() == 0
    bea.page.go_back()
    ada.page.get_by_role("button", name="Restore channel").click()
    bea.page.locator(".tag", has_text="archived").wait_for(state="detached")


def test_a_private_channel_is_for_those_who_are_chosen(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    bea.goes_to("channels")
    row(bea, "general").wait_for()
    ada.goes_to("channels/new")
    ada.page.get_by_label("Name", exact=True).fill("secret plans")
    ada.page.get_by_label("Privacy").select_option(label="Private, new subscribers see older messages")
    ada.page.get_by_role("button", name="Create channel").click()
    ada.page.locator(".topbar").get_by_role("heading", name="secret plans").wait_for()
    ada.page.get_by_role("link", name="Subscribers: 1").click()
    assert row(bea, "secret plans").count() == 0

    ada.page.get_by_text("Permissions").click()
    who_joins = ada.page.get_by_label("Subscribe to the private channel")
    who_joins.select_option(label="Specific people and groups…")
    ada.page.get_by_label("Add people or groups").fill("bea")
    ada.page.keyboard.press("Enter")
    ada.page.locator(".chosen li", has_text="Bea Lynn").wait_for()
    ada.page.locator("fieldset fieldset").get_by_role("button", name="Save").click()
    row(bea, "secret plans").get_by_role("button", name="Subscribe: secret plans").click()
    row(ada, "Bea Lynn").wait_for()
    ada.page.get_by_label("Privacy").select_option(label="Private, new subscribers see only new messages")
    row(bea, "secret plans").get_by_role("link").click()
    bea.page.get_by_text("Private, new subscribers see only new messages").wait_for()


def test_a_conversation_leads_to_the_settings_of_its_channel(somebody: Opens) -> None:
    bea = somebody("bea")
    bea.goes_to_topic("anything")
    bea.page.get_by_role("link", name="Subscribers:").click()
    bea.page.get_by_role("heading", name="Personal settings").wait_for()


def test_folded_channels_show_what_is_unread_and_how_often_it_calls(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    bea.goes_to("inbox")
    bea.calls("POST", "mark_all_as_read")
    fold = bea.page.get_by_role("button", name="Channels", exact=True)
    general = bea.page.locator(".sidebar .place", has_text="general")
    fold.click()
    general.wait_for(state="detached")
    ada.goes_to_topic("calls")
    ada.says("anything")
    general.get_by_label("1 unread").wait_for()
    ada.says("@**Bea Lynn**, look")
    general.locator(".count", has_text="1").wait_for()
    bea.page.reload()
    general.wait_for()
    assert fold.get_attribute("aria-expanded") == "false", "this browser keeps it"
    bea.calls("POST", "mark_all_as_read")
    general.wait_for(state="detached")
    bea.goes_to(ada.page.url.partition("#")[2])
    bea.page.locator(".sidebar .place.here", has_text="calls").wait_for()
    assert general.count() == 1, "the current place stays"
    bea.goes_to("inbox")
    general.wait_for(state="detached")
    fold.click()
    general.wait_for()
