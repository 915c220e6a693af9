"""Texts and files before they are sent."""

import re
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error

from tests.waiting import until
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
    """Wait until the box holds uploaded files."""
    person.page.wait_for_function(
        "n => document.querySelectorAll('.compose .tile:not(:has(.ring))').length === n", arg=count
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
    here.page.wait_for_function(f"() => {KEPT_DRAFTS}() === 0")
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
    here.page.get_by_text("No drafts").wait_for()
    assert drafts(here) == []


def test_messages_arrive_in_the_order_in_which_they_were_sent(somebody: Opens) -> None:
    ada = somebody("ada")
    sends_two(ada, "order", milliseconds=500)
    goes_by(ada, 500)
    ada.sees("the second")
    shown = ada.page.locator("article .content").all_inner_texts()
    assert [text.strip() for text in shown] == ["the first", "the second"]


def test_many_messages_on_a_slow_line_stay_in_their_order(somebody: Opens) -> None:
    """Together they take longer than a message waits for the one before it."""
    ada, delays = somebody("ada"), [900, 900, 900, 900, 600, 300]
    topic(ada, "slow line")
    hold_time(ada)
    ada.page.evaluate(SLOW_MESSAGES, delays)
    for number in range(len(delays)):
        ada.says(f"number {number}")
    for number, delay in enumerate(delays, 1):
        begins(ada, number)
        goes_by(ada, delay)
    ada.sees("number 5")
    ada.page.locator(".outgoing p").first.wait_for(state="detached")
    shown = ada.page.locator("article .content").all_inner_texts()
    assert [text.strip() for text in shown] == [f"number {number}" for number in range(len(delays))]


def test_a_request_that_hangs_does_not_keep_the_next_message(somebody: Opens) -> None:
    ada = somebody("ada")
    sends_two(ada, "hanging", milliseconds=60_000)
    goes_by(ada, 3_000)
    ada.sees("the second")
    assert ada.page.locator(".outgoing p").all_inner_texts() == ["the first"]


def test_messages_that_wait_are_not_sent_by_the_next_person_in_the_browser(somebody: Opens) -> None:
    ada = somebody("ada")
    sends_two(ada, "left", milliseconds=2500)
    ada.page.context.clear_cookies()
    # Without loading the page anew: the next poll notices it, unless another request has noticed it already.
    with suppress(Error):
        ada.page.evaluate("dispatchEvent(new Event('online'))")
    ada.page.get_by_label("Password").wait_for()
    ada.page.clock.resume()
    ada.page.get_by_role("button", name="Bea Lynn").click()
    ada.page.locator(".topbar").wait_for()
    topic(ada, "left")
    ada.says("by another person")
    ada.sees("by another person")
    ada.page.reload()
    ada.sees("by another person")
    assert ada.page.locator("article", has_text="the second").count() == 0


def sends_two(person: Person, name: str, *, milliseconds: int) -> None:
    """Send two messages to a topic; the request of the first one takes some time."""
    topic(person, name)
    hold_time(person)
    person.page.evaluate(SLOW_MESSAGES, [milliseconds])
    person.says("the first")
    person.says("the second")
    begins(person, 1)


def begins(person: Person, count: int) -> None:
    """Wait until so many requests of messages have begun: time that goes by before is not theirs."""
    person.page.wait_for_function("count => window.slowMessages >= count", arg=count)


def hold_time(person: Person) -> None:
    """Let time go by in the page only as the test says, not with the speed of the machine."""
    person.page.clock.install()
    person.page.clock.pause_at(person.page.evaluate("Date.now() / 1000") + 60)


def goes_by(person: Person, milliseconds: int) -> None:
    person.page.clock.run_for(milliseconds)


SLOW_MESSAGES = """delays => {
    const {fetch} = window;
    window.slowMessages = 0;
    window.fetch = async (url, options) => {
        if (delays.length && options.method === "POST" && new URL(url).pathname === "/api/v1/messages")
            await new Promise(resolve => {
                setTimeout(resolve, delays.shift());
                window.slowMessages += 1;
            });
        return fetch(url, options);
    };
}"""
"""Let the requests of the next messages take so many milliseconds longer."""


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
    ada.page.get_by_role("button", name="Delete draft").click()
    ada.page.get_by_text("No drafts").wait_for()


def test_a_draft_of_a_new_topic_is_one_draft(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "anything")
    ada.page.goto(ada.page.url.rpartition("/topic/")[0])
    field = ada.page.get_by_label("Topic", exact=True)
    field.and_(ada.page.get_by_placeholder("Topic (optional)")).fill("orchids")
    ada.page.locator("datalist option[value=greetings]").wait_for(state="attached")
    with ada.page.expect_response("**/api/v1/drafts"):
        box(ada).fill("about orchids")
    ada.page.wait_for_function(f"() => {KEPT_DRAFTS}() === 0")
    changes: list[str] = []
    ada.page.on(
        "request", lambda one: one.method != "GET" and "drafts" in one.url and changes.append(one.url)
    )
    ada.page.clock.install()
    ada.page.reload()
    box(ada).wait_for()
    goes_by(ada, 10_000)  # longer than a copy in the browser waits until it is stored
    assert changes == []
    stored = [draft for draft in ada.calls("GET", "drafts")["drafts"] if draft["content"] == "about orchids"]
    assert [draft["topic"] for draft in stored] == ["orchids"]
    ada.calls("DELETE", f"drafts/{stored[0]['id']}")


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


def test_buttons_format_what_is_selected_and_insert_emoji(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "formats")
    assert ada.page.get_by_role("button", name="Send", exact=True).is_disabled()
    box(ada).fill("one\ntwo")
    box(ada).press("Control+a")
    ada.page.get_by_role("button", name="List", exact=True).click()
    box(ada).press_sequentially(" and ")
    box(ada).press("Control+b")
    box(ada).press_sequentially("three")
    holds(ada, "- one\n- two and **three**")
    box(ada).press("End")
    ada.page.get_by_role("button", name="Emoji", exact=True).click()
    ada.page.get_by_label("Search emoji").fill("octopus")
    ada.page.get_by_label("octopus", exact=True).wait_for()
    ada.page.locator(".emoji-picker .shown", has_text=":octopus:").wait_for()
    ada.page.get_by_label("Search emoji").press("Enter")
    holds(ada, "- one\n- two and **three**:octopus: ")
    box(ada).press("Enter")
    ada.sees("two and").locator("strong", has_text="three").wait_for()


def test_the_picker_has_groups_with_what_was_used_first_and_is_gone_through_by_keys(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "faces")
    page = ada.page
    open_picker = page.get_by_role("button", name="Emoji", exact=True)
    open_picker.click()
    picker = page.get_by_role("dialog", name="Emoji")
    page.locator("[data-group=flags]").wait_for(state="attached")
    groups = page.locator(".emoji-list section").evaluate_all("all => all.map(one => one.dataset.group)")
    assert groups[:3] == ["recent", "smileys", "people"]
    cells = page.locator("section:not([data-group=recent]) .found button")
    names = cells.evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len({*names}) == len(names) > 1000
    assert names[0] == "grinning"
    picker.get_by_role("button", name="Animals and nature").click()
    picker.locator("[aria-current=true][aria-label='Animals and nature']").wait_for()
    search = page.get_by_label("Search emoji")
    search.focus()
    for key, name in (
        ("ArrowDown", "thumbs_up"),
        ("ArrowRight", "heart"),
        ("ArrowDown", "fire"),
        ("ArrowDown", "smiley"),
        ("ArrowLeft", "grinning"),
        ("ArrowLeft", "thumbs_down"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.ariaLabel") == name, key
    page.keyboard.press("k")
    page.keyboard.type("oala")
    assert search.input_value() == "koala"
    page.keyboard.press("Enter")
    holds(ada, ":koala: ")
    open_picker.click()
    page.locator("[data-group=recent] button:first-child[aria-label=koala]").wait_for()
    search.fill("no such thing")
    picker.get_by_text("No results").wait_for()
    picker.locator(".found").get_by_label("koala", exact=True).wait_for()  # no dead end
    search.fill("wave")
    picker.get_by_label("Skin tone 3").click()
    search.press("Enter")
    holds(ada, ":koala: \N{WAVING HAND SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4} ")
    open_picker.click()
    page.keyboard.press("Escape")
    picker.wait_for(state="detached")
    assert page.evaluate("document.activeElement.ariaLabel") == "Message"


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
    box(ada).fill("see here")
    with ada.page.expect_request(lambda request: request.method == "PATCH"):
        ada.page.locator("input[type=file]").set_input_files(tmp_path / "big.bin")
    assert ada.page.get_by_role("button", name="Send", exact=True).is_disabled()
    with ada.page.expect_response(lambda answer: answer.request.method == "DELETE") as deleted:
        ada.page.get_by_role("button", name="Cancel big.bin").click()
    assert deleted.value.status == 204
    ada.page.get_by_role("progressbar").wait_for(state="detached")
    assert ada.page.get_by_role("button", name="Send", exact=True).is_enabled()
    assert box(ada).input_value() == "see here"


def test_an_upload_cancelled_before_its_first_answer_is_deleted(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada")
    topic(ada, "regretted")
    (tmp_path / "big.bin").write_bytes(b"x" * 2_000_000)
    held: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    ada.page.route(re.compile("/api/v1/tus"), hold)
    with ada.page.expect_request(lambda request: request.method == "POST" and "tus" in request.url):
        ada.page.locator("input[type=file]").set_input_files(tmp_path / "big.bin")
    ada.page.get_by_role("button", name="Cancel big.bin").click()
    ada.page.locator(".tile").wait_for(state="detached")
    with ada.page.expect_response(lambda answer: answer.request.method == "DELETE") as deleted:
        held[0].continue_()
    assert deleted.value.status == 204


@pytest.mark.parametrize("cancelled", [None, "first.txt", "last.txt"])
def test_files_stand_in_the_order_in_which_they_were_chosen(
    somebody: Opens, tmp_path: Path, cancelled: str | None
) -> None:
    ada = somebody("ada")
    topic(ada, "in order")
    names = ["first.txt", "middle.txt", "last.txt"]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(b"x" * (number + 1))
    held: list[Any] = []

    def hold(route: Any) -> None:
        """Let the one byte of the first file wait."""
        if route.request.method == "PATCH" and route.request.post_data == "x":
            held.append(route)
        else:
            route.continue_()

    ada.page.route(re.compile("/api/v1/tus/"), hold)
    with ada.page.expect_response(lambda answer: answer.request.post_data == "xxx"):
        ada.page.locator("input[type=file]").set_input_files([tmp_path / name for name in names])
    until(lambda: bool(ada.page.title() and held))  # which lets the handler run
    assert ada.page.locator(".tile").count() == 3
    assert ada.page.get_by_role("button", name="Send", exact=True).is_disabled()
    if cancelled:
        ada.page.get_by_role("button", name=f"Cancel {cancelled}").click()
    if cancelled != "first.txt":
        held[0].continue_()
    wanted = [name for name in names if name != cancelled]
    has_files(ada, len(wanted))
    assert ada.page.locator(".tile .about").all_inner_texts() == [
        f"{name}\n{names.index(name) + 1} byte{'s' * (name != names[0])}" for name in wanted
    ]


def test_files_are_tiles_that_drafts_keep_and_links_in_the_message(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada")
    topic(ada, "tiles")
    for name in ("rose.png", "plan.txt"):
        (tmp_path / name).write_bytes(PICTURE)
    ada.page.locator("input[type=file]").set_input_files([tmp_path / "rose.png", tmp_path / "plan.txt"])
    ada.page.locator(".compose textarea:focus").wait_for()
    has_files(ada, 2)
    box(ada).fill("two of three")
    tiles = ada.page.locator(".compose .tile")
    tiles.filter(has_text="rose.png").locator("img").wait_for()
    ada.page.get_by_role("button", name="Remove plan.txt").click()
    has_files(ada, 1)
    with ada.page.expect_response("**/api/v1/drafts*"):
        box(ada).press_sequentially("!")
    ada.page.wait_for_function(f"() => {KEPT_DRAFTS}() === 0")
    (draft,) = drafts(ada)
    assert re.fullmatch(r"two of three!\n\[rose\.png\]\(/user_uploads/\S+/rose\.png\)", draft)
    ada.page.reload()
    holds(ada, "two of three!")
    has_files(ada, 1)
    box(ada).press("Enter")
    ada.sees("two of three!").locator(".message_inline_image").wait_for()
    has_files(ada, 0)
    (message,) = ada.calls(
        "GET", "messages", anchor="newest", num_before=1, num_after=0, apply_markdown=False
    )["messages"]
    assert message["content"] == draft


def test_a_click_on_a_preview_opens_the_picture_in_a_tab(somebody: Opens, tmp_path: Path) -> None:
    ada = somebody("ada")
    topic(ada, "pictures")
    (tmp_path / "rose.png").write_bytes(PICTURE)
    ada.page.locator("input[type=file]").set_input_files([tmp_path / "rose.png"])
    has_files(ada, 1)
    box(ada).press("Enter")
    preview = ada.page.locator(".message_inline_image").get_by_role("link", name="rose.png")
    preview.locator("img[src*=thumbnail]").wait_for()
    assert "noopener" in preview.get_attribute("rel")
    with ada.page.context.expect_page() as opened:
        preview.click()
    opened.value.wait_for_function("() => document.querySelector('img')?.naturalWidth === 3")


COUNT_PREVIEWS = """() => {
  window.previews = new Set();
  const {createObjectURL, revokeObjectURL} = URL;
  URL.createObjectURL = (one) => {
    const url = createObjectURL.call(URL, one);
    window.previews.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    window.previews.delete(url);
    revokeObjectURL.call(URL, url);
  };
}"""
"""Note which files the browser keeps in memory for the page."""


def test_previews_are_kept_of_few_files_and_no_longer_than_these(somebody: Opens, tmp_path: Path) -> None:
    ada, most = somebody("ada"), 20
    topic(ada, "previews")
    ada.page.evaluate(COUNT_PREVIEWS)
    paths = [tmp_path / f"rose {number}.png" for number in range(most + 2)]
    for path in paths:
        path.write_bytes(PICTURE)

    def keeps(count: int) -> None:
        ada.page.wait_for_function("count => window.previews.size === count", arg=count)

    stuck = re.compile("/api/v1/tus/")
    ada.page.route(stuck, lambda route: None if route.request.method == "PATCH" else route.continue_())
    choose = ada.page.locator("input[type=file]").set_input_files
    with ada.page.expect_request(lambda request: request.method == "PATCH"):
        choose(paths[:1])
    keeps(1)
    ada.page.get_by_role("button", name="Cancel rose 0.png").click()
    keeps(0)
    ada.page.unroute(stuck)
    choose(paths)
    has_files(ada, most + 2)
    keeps(most)
    sources = "all => all.filter(one => one.complete && one.naturalWidth === 0).length"
    assert ada.page.locator(".compose .tile img").evaluate_all(sources) == 0
    ada.page.get_by_role("button", name=f"Remove rose {most + 1}.png").click()
    keeps(most - 1)
