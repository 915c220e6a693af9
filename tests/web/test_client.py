"""The web client, in real browsers."""

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.http.sign_on.login_services import real_provider
from tests.web.conftest import PASSWORD, Person, Server, served

Opens = Callable[..., Person]


def greetings(person: Person) -> None:
    """Go to the topic that each new organization has."""
    person.goes_to_topic("greetings")
    person.page.locator(".topics a", has_text="greetings").click()
    person.sees("Welcome to")


def test_a_person_logs_in_with_a_password(somebody: Opens) -> None:
    bea = somebody()
    bea.page.goto(bea.url)
    bea.page.get_by_label("E-mail address").fill("bea@example.com")
    bea.page.get_by_label("Password").fill("wrong")
    bea.page.get_by_role("button", name="Log in").click()
    bea.page.get_by_role("alert").wait_for()
    bea.page.get_by_label("Password").fill(PASSWORD)
    bea.page.get_by_role("button", name="Log in").click()
    bea.page.locator(".sidebar").wait_for()
    (cookie,) = bea.page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    assert "api_key" not in bea.page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    bea.page.locator("details.own summary").click()
    bea.page.get_by_role("button", name="Log out").click()
    bea.page.get_by_label("Password").wait_for()


def test_a_page_without_a_session_asks_for_nothing_that_needs_one(somebody: Opens) -> None:
    first, later = somebody(), somebody("bea")
    later.page.locator("details.own summary").click()
    later.page.get_by_role("button", name="Log out").click()
    later.page.get_by_label("Password").wait_for()
    said: list[str] = []
    for person in (first, later):
        person.page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        person.page.goto("about:blank")
        person.page.goto(person.url)
        person.page.get_by_role("button", name="Bea Lynn").wait_for()
    assert said == []


def test_a_link_to_nothing_says_so(somebody: Opens) -> None:
    bea = somebody("bea")
    for address in ("channel/999999/topic/soup", "channel/nowhere", "dm/999999-dm"):
        bea.goes_to("inbox")
        bea.page.locator(".inbox").wait_for()
        bea.goes_to(f"narrow/{address}")
        bea.page.get_by_text("This conversation does not exist, or you have no access to it.").wait_for()
        assert bea.page.get_by_role("alert").count() == 0
        assert bea.page.get_by_label("Message", exact=True).count() == 0


FILES = """
() => [
  [...document.querySelectorAll("link[href], script[src]")].map((one) => one.href || one.src),
  performance.getEntriesByType("resource").map((one) => one.name),
].map((urls) => [...new Set(urls.filter((url) => /\\/web\\/.*(js|css)$/.test(url)))].sort())
"""


def test_the_page_names_the_files_that_its_start_needs(somebody: Opens) -> None:
    nobody = somebody()
    nobody.page.goto(nobody.url)
    nobody.page.get_by_label("E-mail address").wait_for()
    named, loaded = nobody.page.evaluate(FILES)
    assert any(one.endswith("view/login.js") for one in loaded)
    assert not any(one.endswith("view/app.js") for one in loaded)  # the login does not wait for the chat
    assert named == loaded
    nobody.comes("ada")
    named, loaded = nobody.page.evaluate(FILES)
    assert any(one.endswith("view/app.js") for one in loaded)
    assert named == loaded


def test_two_people_see_each_others_messages(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        greetings(person)
    ada.says("Hello **Bea**, how is the soup?")
    article = bea.sees("how is the soup?")
    assert article.locator("strong").text_content() == "Bea"
    article.hover()
    article.get_by_role("button", name="React").click()
    emoji = bea.page.locator(".emoji-picker .found button")
    emoji.first.wait_for()
    assert emoji.first.get_attribute("aria-label") == "thumbs_up"
    bea.page.get_by_label("Search emoji").fill("heart")
    bea.page.locator("[data-group=found] button:first-child[aria-label=heart]").wait_for()
    bea.page.get_by_label("Search emoji").fill("octopus")
    bea.page.get_by_label("octopus", exact=True).wait_for()
    bea.page.keyboard.press("Enter")
    ada.page.locator(".reactions button", has_text="1").wait_for()
    bea.says("Good")
    ada.sees("Good")


def test_the_address_says_what_is_shown(somebody: Opens) -> None:
    ada = somebody("ada")
    greetings(ada)
    address = ada.page.url
    ada.page.locator(".place a", has_text="Starred").click()
    ada.page.wait_for_url("**/#narrow/is/starred")
    ada.page.locator("h1", has_text="Starred").wait_for()
    ada.page.go_back()
    ada.sees("Welcome to")
    assert ada.page.url == address
    bea = somebody("bea")
    bea.page.goto(address)
    bea.sees("Welcome to")


def test_unread_messages_are_counted_until_they_are_on_the_screen(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    bea.goes_to("inbox")
    greetings(ada)
    ada.says("the first")
    ada.says("the second")
    entry = bea.page.locator(".inbox li", has_text="greetings")
    entry.locator(".count").wait_for()
    entry.locator("a").click()
    bea.sees("the second")
    bea.page.locator("article.unread").first.wait_for(state="detached")
    bea.goes_to("inbox")
    bea.page.get_by_role("heading", name="Inbox").first.wait_for()
    entry.wait_for(state="detached")


def test_a_page_outlives_its_server(opens: Opens, server_of_each_kind: Server) -> None:
    ada, bea = opens(server_of_each_kind.url, "ada"), opens(server_of_each_kind.url, "bea")
    for person in (ada, bea):
        greetings(person)
    server_of_each_kind.kill()
    for text in ("Is anybody there?", "Nobody."):
        ada.says(text)
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").nth(1).wait_for()
    for person in (ada, bea):
        person.page.get_by_text("No connection.").wait_for()
    server_of_each_kind.start()
    for person in (ada, bea):
        person.page.get_by_text("No connection.").wait_for(state="detached")
        person.sees("Nobody.")
        assert person.page.locator("article", has_text="Is anybody there?").count() == 1
    texts = bea.page.locator("article .content").all_inner_texts()
    assert texts[-2:] == ["Is anybody there?", "Nobody."]
    assert ada.page.locator(".outgoing").get_by_role("button", name="Retry").count() == 0


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "```spoiler <b>a</b>\n<script>alert(1)</script>\n```",
    "| a |\n|:-:|\n| <i>b</i> |",
    '`" style="color:red`',
)


@pytest.mark.parametrize("text", HOSTILE)
def test_sec_51_hostile_texts_do_nothing(somebody: Opens, text: str) -> None:
    """The browser reports violations of the page's policy, which end the test."""
    ada = somebody("ada")
    greetings(ada)
    ada.page.on("dialog", lambda dialog: ada.errors.append(dialog.message))
    ada.says(text.replace("\\n", "\n"))
    ada.says("end")
    ada.sees("end")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_keys_reach_everything(somebody: Opens, scheme: str) -> None:
    ada = somebody("ada", color_scheme=scheme)
    greetings(ada)
    ada.says(f"keys in the {scheme}")
    ada.sees(f"keys in the {scheme}")
    ada.page.locator(".scroller").focus()
    ada.page.keyboard.press("k")
    ada.page.locator("article.marked").wait_for()
    ada.page.keyboard.press("s")
    ada.page.locator("article.marked [aria-pressed=true]").wait_for()
    ada.page.keyboard.press("?")
    ada.page.get_by_role("dialog").wait_for()
    ada.page.keyboard.press("Escape")
    ada.page.get_by_role("dialog").wait_for(state="detached")
    ada.page.keyboard.press("i")
    ada.page.locator(".inbox").wait_for()


def test_a_login_service_lets_people_in(founded: Path, opens: Opens, tmp_path: Path) -> None:
    with ExitStack() as closing:
        provider = closing.enter_context(real_provider(tmp_path / "provider.log"))
        (tmp_path / "chatcore.toml").write_text(
            f'[oidc.work]\nissuer = "{provider.issuer}"\nclient_id = "chat"\nclient_secret = "soup"\n'
            "trust_email = true\nlog_out = true\n"
        )
        database = f"sqlite:///{shutil.copy(founded, tmp_path / 'chat.db')}"
        server = closing.enter_context(served(database, tmp_path))
        page = opens(server.url).page
        page.goto(f"{server.url}#narrow/is/dm")
        page.get_by_role("link", name="Log in with Work").click()
        page.locator("input[name=sub]").fill("ada@example.com")
        page.get_by_role("button", name="Authorize").first.click()
        page.locator(".topbar").wait_for()
        assert page.url == f"{server.url}#narrow/is/dm"
        page.locator("details.own summary").click()
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url(f"{provider.issuer}/**")
        bea = opens(server.url).page
        bea.goto(f"{server.url}login/oidc/work")
        bea.locator("input[name=sub]").fill("bea@example.com")
        bea.get_by_role("button", name="Authorize").first.click()
        bea.locator(".topbar").wait_for()
