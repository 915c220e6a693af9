"""Texts and files before they are sent."""

import re
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.conftest import Person

Opens = Callable[..., Person]
PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFUlEQVR42mM8oRHFwMDAwMDAxAADABfeAU7OgQ7+AAAAAElFTkSuQmCC"
)
"""Three pixels by two."""

KEPT_DRAFTS = "(() => Object.keys(localStorage).filter((key) => key.startsWith('draft')).length)"


def topic(person: Person, name: str) -> None:
    """Go to a topic of the first channel."""
    link = person.page.locator(".place a", has_text="general").first.get_attribute("href")
    person.goes_to(f"narrow/channel/{link.split('/')[2].split('-')[0]}/topic/{name}")


def box(person: Person) -> Any:
    return person.page.get_by_label("Message", exact=True)


def holds(person: Person, text: str) -> None:
    """Wait until the box holds a text."""
    person.page.wait_for_function(
        "text => document.querySelector('.compose textarea')?.value === text", arg=text
    )


def has_files(person: Person, count: int) -> None:
    """Wait until the box holds links to uploaded files."""
    person.page.wait_for_function(
        "n => document.querySelector('.compose textarea').value.split('user_uploads').length === n + 1",
        arg=count,
    )


def drafts(person: Person) -> list[str]:
    """Return the drafts that the server has."""
    answer = person.page.evaluate(
        "fetch('api/v1/drafts', {headers: {'X-Chat-Page': '1'}}).then(response => response.json())"
    )
    return [draft["content"] for draft in answer["drafts"]]


def test_a_draft_is_in_all_browsers_of_its_author_until_it_is_sent(somebody: Opens) -> None:
    here, there = somebody("ada"), somebody("ada")
    for browser in (here, there):
        topic(browser, "drafts")
    box(here).press_sequentially("half a")
    holds(there, "half a")
    assert here.page.evaluate(f"{KEPT_DRAFTS}()") == 0
    box(there).press_sequentially(" thought")
    holds(here, "half a thought")
    assert drafts(here) == ["half a thought"]
    here.page.reload()
    holds(here, "half a thought")
    here.goes_to("drafts")
    here.page.get_by_role("link", name="#general › drafts").click()
    holds(here, "half a thought")
    box(here).press("Enter")
    there.sees("half a thought")
    holds(there, "")
    here.goes_to("drafts")
    here.page.get_by_text("There are no drafts.").wait_for()
    assert drafts(here) == []


def test_a_draft_outlives_a_page_that_never_reached_the_server(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "tunnel")
    ada.page.route("**/api/v1/drafts*", lambda route: route.abort())
    with ada.page.expect_request("**/api/v1/drafts"):
        box(ada).fill("written in a tunnel")
    kept = ada.page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('draft'))")
    me = ada.calls("GET", "users/me")["user_id"]
    assert [name.startswith(f"draft {ada.url} {me} ") for name in kept] == [True]
    ada.page.reload()
    holds(ada, "written in a tunnel")
    ada.page.unroute("**/api/v1/drafts*")
    ada.page.wait_for_function(f"() => {KEPT_DRAFTS}() === 0")
    assert drafts(ada) == ["written in a tunnel"]
    ada.goes_to("drafts")
    ada.page.get_by_role("button", name="Delete the draft").click()
    ada.page.get_by_text("There are no drafts.").wait_for()


def test_a_draft_of_a_new_topic_is_one_draft(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "anything")
    ada.page.goto(ada.page.url.rpartition("/topic/")[0])
    ada.page.get_by_label("Topic", exact=True).fill("orchids")
    with ada.page.expect_response("**/api/v1/drafts"):
        box(ada).fill("about orchids")
    ada.page.wait_for_function(f"() => {KEPT_DRAFTS}() === 0")
    ada.page.reload()
    ada.page.wait_for_timeout(1500)  # longer than a copy in the browser waits until it is stored
    stored = [draft for draft in ada.calls("GET", "drafts")["drafts"] if draft["content"] == "about orchids"]
    assert [draft["topic"] for draft in stored] == ["orchids"]
    ada.calls("DELETE", f"drafts/{stored[0]['id']}")


def test_a_message_is_sent_later_at_another_time_or_not_at_all(somebody: Opens) -> None:
    ada, elsewhere = somebody("ada"), somebody("ada")
    elsewhere.goes_to("later")
    elsewhere.page.get_by_text("There are no scheduled messages.").wait_for()
    topic(ada, "afternoons")
    box(ada).fill("tea is ready")
    ada.page.get_by_role("button", name="Later", exact=True).click()
    ada.page.get_by_label("Time", exact=True).fill("2098-01-01T16:00")
    ada.page.get_by_role("button", name="Save").click()
    ada.page.get_by_text("The message will be sent then.").wait_for()
    assert box(ada).input_value() == ""
    row = elsewhere.page.locator(".rows li", has_text="tea is ready")
    row.get_by_role("link", name="#general › afternoons").wait_for()
    assert "2098" in row.inner_text()
    row.get_by_role("button", name="Change the time").click()
    elsewhere.page.get_by_label("Time", exact=True).fill("2099-01-01T16:00")
    elsewhere.page.get_by_role("button", name="Save").click()
    row.get_by_text("2099").wait_for()
    row.get_by_role("button", name="Delete").click()
    elsewhere.page.get_by_text("There are no scheduled messages.").wait_for()
    assert ada.calls("GET", "scheduled_messages")["scheduled_messages"] == []


def test_names_are_completed_by_keyboard(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "completion")
    ada.says("a first message")
    ada.sees("a first message")
    for beginning, option, key in (
        ("@be", "Bea Lynn", "Enter"),
        ("@_be", "Bea Lynn", "Tab"),
        ("#gen", "#general", ">"),
        ("compl", "#general › completion", "Enter"),
        (":octop", "octopus", "Enter"),
    ):
        box(ada).press_sequentially(beginning)
        ada.page.get_by_role("option", name=option).wait_for()
        box(ada).press(key)
    holds(ada, "@**Bea Lynn** @_**Bea Lynn** #**general>completion** :octopus: ")
    ada.page.get_by_role("button", name="Preview").click()
    preview = ada.page.locator(".preview")
    preview.get_by_role("link", name="#general > completion").wait_for()
    assert preview.locator(".user-mention").count() == 2
    ada.page.get_by_role("button", name="Write").click()
    box(ada).press("Enter")
    ada.sees("#general > completion")


def test_an_upload_continues_where_it_was_interrupted(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada")
    topic(ada, "files")
    content = bytes(range(256)) * 8_000
    (tmp_path / "plan (1).bin").write_bytes(content)
    patches: list[str] = []

    def breaks(route: Any) -> None:
        if route.request.method != "PATCH":
            route.continue_()
            return
        patches.append(route.request.headers.get("upload-offset", ""))
        if len(patches) == 2:
            route.fetch()  # its bytes arrive, its answer does not
            route.abort()
        else:
            route.continue_()

    ada.page.route(re.compile("/api/v1/tus/"), breaks)
    ada.page.locator("input[type=file]").set_input_files(tmp_path / "plan (1).bin")
    has_files(ada, 1)
    assert patches == sorted(set(patches), key=int), "nothing is sent twice"
    box(ada).press("Enter")
    link = ada.sees("plan (1).bin").get_by_role("link", name="plan (1).bin")
    assert ada.page.request.get(f"{ada.url}{link.get_attribute('href')}").body() == content


def test_an_upload_is_cancelled(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada")
    topic(ada, "cancelled")
    (tmp_path / "big.bin").write_bytes(b"x" * 2_000_000)
    stuck = re.compile("/api/v1/tus/")
    ada.page.route(stuck, lambda route: None if route.request.method == "PATCH" else route.continue_())
    ada.page.locator("input[type=file]").set_input_files(tmp_path / "big.bin")
    assert ada.page.get_by_role("button", name="Send").is_disabled()
    with ada.page.expect_response(lambda answer: answer.request.method == "DELETE") as deleted:
        ada.page.get_by_role("button", name="Cancel big.bin").click()
    assert deleted.value.status == 204
    ada.page.get_by_role("progressbar").wait_for(state="detached")
    assert box(ada).input_value() == ""


def test_pictures_are_enlarged_one_after_another(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada")
    topic(ada, "pictures")
    for name in ("rose.png", "leaf.png"):
        (tmp_path / name).write_bytes(PICTURE)
    ada.page.locator("input[type=file]").set_input_files([tmp_path / "rose.png", tmp_path / "leaf.png"])
    has_files(ada, 2)
    box(ada).press("Enter")
    thumbnails = ada.page.locator(".message_inline_image a:has(img[src*=thumbnail])")
    thumbnails.nth(1).wait_for()
    thumbnails.first.focus()
    ada.page.keyboard.press("Enter")
    dialog = ada.page.get_by_role("dialog")
    dialog.get_by_text("1 / 2").wait_for()
    ada.page.keyboard.press("ArrowRight")
    dialog.get_by_text("2 / 2").wait_for()
    ada.page.wait_for_function("() => document.querySelector('dialog img').naturalWidth === 3")
    ada.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    ada.page.locator(".message_inline_image a:focus").wait_for()
