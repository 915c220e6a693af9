"""The pages of people and groups in the web client."""

from collections.abc import Callable
from typing import Any

from chatcore import Settings, open_chat
from tests.web.conftest import PASSWORD, SECRET, Person, Server

Opens = Callable[..., Person]


def row(person: Person, text: str) -> Any:
    return person.page.locator(".rows li", has_text=text)


def test_people_are_found_and_muted(somebody: Opens) -> None:
    bea = somebody("bea")
    bea.page.locator(".sidebar").get_by_role("link", name="People").click()
    row(bea, "Bea Lynn").wait_for()
    bea.page.get_by_role("searchbox", name="Search: People").fill("ada")
    row(bea, "Bea Lynn").wait_for(state="detached")
    assert row(bea, "Ada Fox").locator(".tag").inner_text() == "Owner"
    row(bea, "Ada Fox").get_by_role("link").click()
    bea.page.get_by_role("heading", name="Ada Fox").wait_for()
    bea.page.get_by_text("ada@example.com").wait_for()
    assert bea.page.get_by_role("heading", name="Administration").count() == 0
    bea.page.get_by_role("button", name="Mute").click()
    bea.page.get_by_role("button", name="Unmute").click()
    bea.page.get_by_role("button", name="Mute", exact=True).wait_for()
    bea.page.get_by_role("link", name="Direct message", exact=True).click()
    bea.page.get_by_label("Message", exact=True).wait_for()


SPELLINGS = {
    "Ada@example.com": "ada@example.com",
    "erin@Bücher.example ": "erin@xn--bcher-kva.example",
    "bücher": "xn--bcher-kva",
    "erin@post.straße.пример": "erin@post.xn--strae-oqa.xn--e1afmkfd",
    "erin@例え.テスト": "erin@xn--r8jz45g.xn--zckzah",
    "zoë fox": "zoë fox",
    "fox zoë": "fox xn--zo-ija",
    "é%": "é%",
    "ü/x?y": "ü/x?y",
    "a?ü": "a?xn--tda",
    "": "",
}
FIND_SPELLINGS = """
async (texts) => {
  const main = document.querySelector("script[type=module]").src;
  return texts.map((await import(new URL("model/search.js", main))).spellings);
}
"""


def test_people_are_found_by_addresses_in_letters(server: Server, somebody: Opens) -> None:
    with open_chat(server.database, settings=Settings(secret_key=SECRET.encode())) as chat:
        chat.users.create("erin@bücher.example", "Erin Bee", password=PASSWORD)
    ada = somebody("ada")
    found = ada.page.evaluate(FIND_SPELLINGS, [*SPELLINGS])
    assert [ascii_form for _, ascii_form in found] == [*SPELLINGS.values()]
    assert found[1][0] == "erin@bücher.example"
    ada.goes_to("people")
    for part in ("bücher", "erin@BÜCHER.example", "erin@xn--bcher", "erin bee"):
        ada.page.get_by_role("searchbox", name="Search: People").fill(part)
        row(ada, "Ada Fox").wait_for(state="detached")
        row(ada, "Erin Bee").wait_for()
    ada.page.keyboard.press("Control+k")
    ada.page.keyboard.type("sender:erin@bücher.example")
    ada.page.get_by_role("option", name="Erin Bee").first.wait_for()


def test_a_group_is_created_and_filled_while_another_person_watches(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.goes_to("groups/new")
    ada.page.get_by_label("Name", exact=True).fill("bakers")
    ada.page.get_by_label("Description").fill("Bread and cake")
    ada.page.get_by_role("button", name="Create group").click()
    ada.page.get_by_role("heading", name="bakers").wait_for()
    bea.goes_to("groups")
    row(bea, "bakers").get_by_role("link").click()
    assert bea.page.get_by_role("button", name="Leave").count() == 0

    ada.page.get_by_label("Add people or groups").fill("bea l")
    ada.page.get_by_role("button", name="Bea Lynn").click()
    bea.page.get_by_role("button", name="Leave").wait_for()
    ada.page.get_by_label("Add people or groups").fill("moder")
    ada.page.get_by_role("button", name="@Moderators").click()
    bea.page.locator(".chosen", has_text="@Moderators").wait_for()
    bea.page.get_by_role("button", name="Leave").click()
    row(ada, "Bea Lynn").wait_for(state="detached")

    ada.page.get_by_role("button", name="Deactivate").click()
    ada.agrees("Deactivate")
    bea.page.locator(".tag", has_text="deactivated").wait_for()


def test_a_direct_conversation_begins_with_its_people(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.page.get_by_role("button", name="New direct message").click()
    dialog = ada.page.get_by_role("dialog")
    assert dialog.get_by_role("button", name="Write").is_disabled()
    dialog.get_by_label("Add people").fill("bea l")
    dialog.get_by_role("button", name="Bea Lynn").click()
    dialog.get_by_role("button", name="Write").click()
    ada.page.get_by_placeholder("Message Bea Lynn").wait_for()
    ada.says("tea under the pear tree?")
    ada.sees("tea under the pear tree?")
    bea.page.locator(".place", has_text="Ada Fox").click()
    bea.sees("tea under the pear tree?")


def test_a_direct_conversation_begins_by_a_key(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.page.keyboard.press("x")
    ada.page.get_by_role("dialog", name="New direct message").wait_for()


def test_what_erases_a_person_stands_apart_from_what_can_be_undone(somebody: Opens) -> None:
    ada = somebody("ada")
    people = ada.calls("GET", "users")["members"]
    bea = next(one["user_id"] for one in people if one["full_name"] == "Bea Lynn")
    ada.goes_to(f"people/{bea}")
    heading = ada.page.get_by_role("heading", name="Permanent deletion")
    apart = ada.page.locator("section").filter(has=heading)
    apart.get_by_role("button", name="Erase with messages: Bea Lynn").wait_for()
    assert apart.get_by_role("button").count() == 2
    deactivate = ada.page.get_by_role("button", name="Deactivate: Bea Lynn").bounding_box()
    erase = apart.get_by_role("button").first.bounding_box()
    assert erase["y"] - deactivate["y"] - deactivate["height"] > 2 * deactivate["height"]
