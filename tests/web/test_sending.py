"""Sending while the server cannot be reached, and the page's knowledge of its connection."""

import re
from collections.abc import Callable
from typing import Any

from tests.waiting import until
from tests.web.conftest import Person, Server
from tests.web.test_staying import QUEUE
from tests.web.test_writing import box, drafts, goes_by, hold_time, holds, topic

Opens = Callable[..., Person]
MESSAGES, EVENTS = re.compile("/api/v1/messages$"), re.compile("/api/v1/events")
LOST = "No connection."
TYPE_AS_IT_APPEARS = """(text) => new Promise((done) => {
  new MutationObserver((_, observer) => {
    const field = document.querySelector("input.topic");
    if (!field) return;
    observer.disconnect();
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => setTimeout(done, 100));
  }).observe(document.body, { childList: true, subtree: true });
  location.hash = location.hash.split("/topic/")[0];
})"""


def texts(person: Person) -> list[str]:
    return [text.strip() for text in person.page.locator("article .content").all_inner_texts()]


def is_cut_off(person: Person) -> None:
    """Nothing reaches the server from the person's browser, which does not notice it."""
    person.page.context.route("**/api/v1/**", lambda route: route.abort())


def arrives(person: Person, text: str) -> None:
    """Wait until a message is stored, and no longer shown as one that is on its way."""
    person.sees(text)
    person.page.locator(".outgoing", has_text=text).wait_for(state="detached")


def test_the_notice_ends_with_the_first_answer_to_anything(somebody: Opens) -> None:
    """No time goes by until then, at whose end the page would poll again."""
    ada = somebody("ada")
    topic(ada, "tunnel")
    hold_time(ada)
    is_cut_off(ada)
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: goes_by(ada, 2_000) or ada.page.get_by_text(LOST).count())
    ada.page.context.unroute_all(behavior="wait")
    ada.calls("GET", "users/me")
    ada.page.get_by_text(LOST).wait_for(state="detached")


def test_what_is_sent_without_a_connection_is_sent_by_itself(somebody: Opens) -> None:
    """In its order, each once, and each shown in its conversation."""
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        topic(person, "train")
    ada.page.context.set_offline(True)
    for number in range(3):
        ada.says(f"number {number}")
    topic(ada, "station")
    assert ada.page.locator(".outgoing").count() == 0
    ada.says("elsewhere")
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").wait_for()
    assert ada.page.locator(".outgoing p").all_inner_texts() == ["elsewhere"]
    topic(ada, "train")
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").nth(2).wait_for()
    ada.page.context.set_offline(False)
    arrives(ada, "number 2")
    bea.sees("number 2")
    assert texts(bea) == [f"number {number}" for number in range(3)]
    topic(bea, "station")
    bea.sees("elsewhere")


def test_a_message_whose_request_alone_has_failed_is_sent_by_itself(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "hiccup")
    ada.page.route(MESSAGES, lambda route: route.abort(), times=1)
    ada.says("hic")
    arrives(ada, "hic")
    unavailable = {"status": 503, "json": {"result": "error", "msg": "Away", "code": "SERVER_NOT_READY"}}
    ada.page.route(MESSAGES, lambda route: route.fulfill(**unavailable), times=1)
    ada.says("and away")
    arrives(ada, "and away")
    assert texts(ada) == ["hic", "and away"]


def test_what_is_not_sent_outlives_the_page(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "reload")
    ada.page.context.route(MESSAGES, lambda route: route.abort())
    for text in ("the first", "the second"):
        ada.says(text)
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").nth(1).wait_for()
    ada.page.reload()
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").nth(1).wait_for()
    holds(ada, "")
    ada.page.context.unroute_all(behavior="wait")
    arrives(ada, "the second")
    assert texts(ada) == ["the first", "the second"]
    ada.page.reload()
    ada.sees("the second")
    assert len(texts(ada)) == 2
    assert drafts(ada) == []
    assert ada.page.evaluate("Object.keys(localStorage).filter(one => one.startsWith('outgoing'))") == []


SWAPS = """() => {
  window.rows = [];
  const note = () => {
    const shown = [...document.querySelectorAll(".message")].filter(one => /in place/.test(one.textContent));
    const top = (one) => Math.round(one.getBoundingClientRect().top);
    window.rows.push(shown.map((one) => `${one.className} ${top(one)}`).join());
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
}"""
"""Note where the message is after each change of the page."""
LATE_EVENTS = """() => {
  const { fetch } = window;
  window.fetch = async (url, options) => {
    const response = await fetch(url, options);
    if (new URL(url).pathname.endsWith("/events")) await new Promise((done) => setTimeout(done, 300));
    return response;
  };
  dispatchEvent(new Event("online")); // the poll that waits is asked anew
}"""
"""Let the answers to what was sent come before their events."""


def test_an_own_message_is_in_its_place_at_once_and_stays_there(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "echo")
    ada.says("a message before")
    arrives(ada, "a message before")
    ada.page.evaluate(LATE_EVENTS)
    ada.page.evaluate(SWAPS)
    ada.says("one **in place**")
    arrives(ada, "one in place")
    rows = ada.page.evaluate("window.rows")
    rows = rows[rows.index(next(filter(None, rows))) :]
    assert all(rows), "it is never away"
    assert rows[0].startswith("message outgoing")
    assert rows[-1].startswith("message ")
    assert len({row.split()[-1] for row in rows}) == 1, rows
    assert not any("," in row for row in rows), "never twice"


def test_a_browser_without_room_sends_all_the_same(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "no room")
    ada.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room') } }")
    ada.says("a small message")
    arrives(ada, "a small message")
    assert drafts(ada) == []


def test_what_a_closed_page_has_left_is_sent_by_another(somebody: Opens) -> None:
    ada = somebody("ada")
    tab = Person(ada.page.context.new_page(), ada.url, ada.errors)
    tab.page.goto(ada.url)
    for page in (ada, tab):
        topic(page, "tabs")
    tab.page.route(MESSAGES, lambda route: route.abort())
    tab.says("from the other tab")
    tab.page.locator(".outgoing").get_by_role("button", name="Retry").wait_for()
    ada.page.reload()
    box(ada).wait_for()
    assert ada.page.locator(".outgoing").count() == 0
    tab.page.close()
    arrives(ada, "from the other tab")
    assert len(texts(ada)) == 1


def loses_answers(person: Person) -> None:
    """The server gets the messages, and its answers and events are lost."""

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    person.page.route(EVENTS, lambda route: route.abort())
    person.page.route(MESSAGES, lose)
    person.page.evaluate("dispatchEvent(new Event('online'))")


def test_a_message_that_has_arrived_unnoticed_is_not_sent_to_a_new_queue(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        topic(person, "once")
    queue = ada.page.evaluate(QUEUE)
    loses_answers(ada)
    ada.says("yes")
    bea.sees("yes")
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").wait_for()
    ada.says("yes")
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").nth(1).wait_for()
    origin = {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin", "Origin": ada.url.rstrip("/")}
    gone = ada.page.context.request.delete(f"{ada.url}api/v1/events?queue_id={queue}", headers=origin)
    assert gone.ok, gone.text()
    ada.page.unroute_all(behavior="wait")
    ada.page.locator(".outgoing").first.wait_for(state="detached")
    ada.page.locator(".outgoing").first.wait_for(state="detached")
    ada.says("the end")
    bea.sees("the end")
    assert texts(bea) == ["yes", "yes", "the end"]


def test_a_discarded_message_that_has_arrived_is_not_sent_twice_when_it_is_put_back(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        topic(person, "perhaps")
    loses_answers(ada)
    ada.says("it may be there")
    bea.sees("it may be there")
    ada.page.get_by_role("button", name="Discard").click()
    ada.page.locator(".outgoing").wait_for(state="detached")
    ada.page.get_by_role("button", name="Undo").click()
    ada.page.locator(".outgoing", has_text="it may be there").wait_for()
    ada.page.unroute_all(behavior="wait")
    arrives(ada, "it may be there")
    ada.says("the end")
    bea.sees("the end")
    assert texts(bea) == ["it may be there", "the end"]


def test_a_refused_message_says_where_it_belongs_and_keeps_no_other(somebody: Opens) -> None:
    ada = somebody("ada")
    topic(ada, "refused")
    refusal = {"status": 400, "json": {"result": "error", "msg": "No.", "code": "BAD_REQUEST"}}
    ada.page.route(MESSAGES, lambda route: route.fulfill(**refusal), times=1)
    ada.says("refused words")
    ada.page.get_by_text("Not sent: No.").wait_for()
    ada.says("next words")
    ada.sees("next words")
    ada.goes_to("inbox")
    ada.page.locator(".outgoing").get_by_role("link", name="#general › refused").click()
    ada.page.get_by_role("button", name="Discard").click()
    ada.page.locator(".outgoing").wait_for(state="detached")
    ada.page.reload()
    ada.sees("next words")
    assert texts(ada) == ["next words"]


def test_a_session_that_has_ended_is_noticed_by_any_answer(somebody: Opens) -> None:
    """Also while the poll, which began before, still waits; what was not sent waits for the same person."""
    ada = somebody("ada")
    topic(ada, "session")
    ada.page.route("**/api/v1/typing", lambda route: route.abort())  # its answer would come first
    ada.page.get_by_label("Message", exact=True).fill("from the next session")
    ada.page.context.clear_cookies()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_label("Password").wait_for()
    ada.page.get_by_role("button", name="Bea Lynn").click()
    ada.page.locator(".topbar").wait_for()
    topic(ada, "session")
    ada.says("by another person")
    ada.sees("by another person")
    assert len(texts(ada)) == 1
    ada.page.locator("details.own summary").click()
    ada.page.get_by_role("button", name="Log out").click()
    ada.page.get_by_role("button", name="Ada Fox").click()
    arrives(ada, "from the next session")


def test_what_was_not_sent_is_sent_by_nobody_else_who_has_logged_in_since(somebody: Opens) -> None:
    """In another tab, while this one had no connection."""
    ada = somebody("ada")
    topic(ada, "session")
    other = ada.page.context.new_page()
    other.goto(ada.url)
    ada.page.route("**/api/v1/**", lambda route: route.abort())
    ada.says("by ada alone")
    ada.page.get_by_text(LOST).wait_for()
    Person(other, ada.url).calls("POST", "accounts/dev_login", username="bea@example.com")
    sent: list[str] = []
    ada.page.on("request", lambda one: MESSAGES.search(one.url) and sent.append(one.post_data or ""))
    ada.page.unroute_all()
    ada.page.locator("details.own", has_text="Bea Lynn").wait_for()
    assert not any("alone" in one for one in sent), sent


def test_a_page_begins_anew_as_soon_as_somebody_else_logs_in_beside_it(somebody: Opens) -> None:
    """The login ends the earlier session with its poll, so nothing done in that page counts as theirs."""
    ada = somebody("ada")
    other = ada.page.context.new_page()
    other.goto(ada.url)
    other.evaluate("localStorage.clear()")  # as if it had been opened before the first login
    other.route("**/api/v1/register", lambda route: route.abort())  # no event ends the poll of the first tab
    other.reload()
    other.get_by_role("button", name="Bea Lynn").click()
    ada.page.locator("details.own", has_text="Bea Lynn").wait_for()


def test_a_wrong_password_ends_no_session(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.goes_to("settings/account")
    form = ada.page.locator("form", has=ada.page.get_by_role("button", name="Show key"))
    form.get_by_label("Password").fill("wrong")
    form.get_by_role("button", name="Show key").click()
    form.get_by_role("alert").wait_for()
    assert ada.page.locator(".topbar").count() == 1


def test_logging_out_leaves_no_refusal_in_the_console(somebody: Opens) -> None:
    ada = somebody("ada")
    said: list[str] = []
    ada.page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    ada.page.locator("details.own summary").click()
    ada.page.get_by_role("button", name="Log out").click()
    ada.page.get_by_label("Password").wait_for()
    assert said == []


def test_a_topic_that_one_begins_is_at_the_side_at_once(somebody: Opens, server: Server) -> None:
    ada = somebody("ada")
    topic(ada, "anything")
    names = ada.page.locator(".topics .name")
    ada.page.goto(ada.page.url.rpartition("/topic/")[0])
    for number in range(3):
        ada.page.get_by_label("Topic", exact=True).fill(f" brand new {number} ")
        ada.says(f"about {number}")
        ada.page.locator(".topics .here", has_text=f"brand new {number}").wait_for()
        arrives(ada, f"about {number}")
        ada.page.goto(ada.page.url.rpartition("/topic/")[0])
    assert names.all_inner_texts()[:3] == ["brand new 2", "brand new 1", "brand new 0"]
    topic(ada, "brand new 0")
    ada.says("once more")
    arrives(ada, "once more")
    assert names.all_inner_texts()[:3] == ["brand new 0", "brand new 2", "brand new 1"]


def test_a_topic_typed_at_once_into_a_new_box_stays(somebody: Opens) -> None:
    """Typed as soon as the field is there, before the browser has painted it."""
    ada = somebody("ada")
    topic(ada, "anything")
    ada.page.evaluate(TYPE_AS_IT_APPEARS, "planting")
    ada.says("early peas")
    ada.page.locator(".topics .here", has_text="planting").wait_for()


def test_topics_that_could_not_be_asked_for_come_later(somebody: Opens) -> None:
    ada = somebody("ada")
    ada.page.route("**/topics*", lambda route: route.abort(), times=2)
    topic(ada, "anything")
    ada.page.locator(".topics a", has_text="greetings").wait_for()
