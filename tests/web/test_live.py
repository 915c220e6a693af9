"""Pages that stay right while connections, computers and readers do as they like."""

import re
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Person
from tests.web.test_writing import topic

Opens = Callable[..., Person]
EVENTS = re.compile(r"/api/v1/events")

SEND = """async ([topic, texts]) => {
    const options = body => ({method: 'POST', headers: {'X-Chat-Page': '1'}, body: new URLSearchParams(body)})
    for (const content of texts)
        await fetch('api/v1/messages', options({type: 'channel', to: '"general"', topic, content}))
}"""
"""Send messages to a topic of the first channel."""


def test_a_connection_that_died_in_sleep_is_replaced(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody()
    bea.page.clock.install()
    bea.page.route(EVENTS, lambda route: None)
    bea.comes("bea")
    topic(bea, "sleep")
    bea.page.get_by_text("No messages yet. Say hello!").wait_for()
    topic(ada, "sleep")
    ada.says("good night")
    ada.sees("good night")
    assert bea.page.get_by_text("good night").count() == 0
    bea.page.unroute(EVENTS)
    bea.page.clock.fast_forward("02:00:00")
    bea.sees("good night")


def test_an_expired_queue_ends_in_a_right_page(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody()
    queues: list[str] = []

    def note(answer: Any) -> None:
        if answer.url.endswith("/register") and answer.ok:
            queues.append(answer.json()["queue_id"])

    bea.page.on("response", note)
    bea.comes("bea")
    for person in (ada, bea):
        topic(person, "queue")
    ada.says("before")
    bea.sees("before")
    bea.page.context.set_offline(True)
    bea.page.get_by_text("No connection.").wait_for()
    ada.says("meanwhile")
    article = ada.sees("meanwhile")
    ada.page.locator("article", has_text="before").hover()
    ada.page.locator("article", has_text="before").get_by_role("button", name="More").click()
    ada.page.get_by_role("menuitem", name="Delete").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    ada.page.locator("article", has_text="before").wait_for(state="detached")
    bea.page.get_by_label("Message", exact=True).fill("written offline")
    gone = bea.page.context.request.delete(
        f"{bea.url}api/v1/events?queue_id={queues[0]}",
        headers={"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin", "Origin": bea.url.rstrip("/")},
    )
    assert gone.ok, gone.text()
    bea.page.context.set_offline(False)
    bea.sees("meanwhile")
    bea.page.get_by_text("No connection.").wait_for(state="detached")
    assert bea.page.locator("article", has_text="before").count() == 0
    assert len(queues) == 2
    bea.page.keyboard.press("Enter")
    ada.sees("written offline")
    article.wait_for()


def test_a_message_whose_answers_are_lost_is_stored_once(somebody: Opens) -> None:
    ada, bea = somebody(), somebody("bea")
    ada.page.route(EVENTS, lambda route: route.abort())
    ada.comes("ada")
    for person in (ada, bea):
        topic(person, "answers")

    def loses(route: Any) -> None:
        route.fetch()
        route.abort()

    def is_lost(request: Any) -> bool:
        return str(request.url).endswith("/messages")

    ada.page.route(re.compile("/api/v1/messages$"), loses)
    with ada.page.expect_event("requestfailed", is_lost):
        ada.says("only once")
    bea.sees("only once")
    with ada.page.expect_event("requestfailed", is_lost):
        ada.page.locator(".outgoing").get_by_role("button", name="Retry").click()
    ada.page.get_by_text("No connection.").wait_for()
    ada.page.unroute_all(behavior="wait")
    ada.sees("only once")
    ada.page.get_by_text("No connection.").wait_for(state="detached")
    ada.page.locator(".outgoing").get_by_role("button", name="Retry").wait_for(state="detached")
    ada.says("and the end")
    bea.sees("and the end")
    for person in (ada, bea):
        assert person.page.locator("article", has_text="only once").count() == 1


def test_another_version_of_the_server_wants_the_page_reloaded(somebody: Opens) -> None:
    ada = somebody()
    event = {"type": "restart", "id": 0, "service_version": "2.0", "service_feature_level": 1}
    answer = {"result": "success", "msg": "", "queue_id": "", "events": [event]}
    ada.page.route(EVENTS, lambda route: route.fulfill(json=answer), times=1)
    ada.comes("ada")
    with ada.page.expect_navigation():
        ada.page.get_by_role("button", name="Reload").click()
    ada.page.locator(".sidebar").wait_for()
    assert ada.page.get_by_role("button", name="Reload").count() == 0


def test_a_formula_that_arrives_is_read_out_within_the_policy_of_the_page(somebody: Opens) -> None:
    """Browsers report each violation, which ends the test."""
    ada, bea = somebody("ada"), somebody("bea")
    for person in (ada, bea):
        topic(person, "formulas")
    ada.says("the sum $$\\frac{a}{b} + \\sqrt{c}$$")
    bea.page.locator("[data-news]", has_text="the sum").wait_for(state="attached")


def test_two_tabs_agree_on_what_is_unread_and_who_is_there(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    topic(ada, "tabs")
    bea.goes_to("inbox")
    tab = bea.page.context.new_page()
    tab.goto(f"{bea.url}#inbox")
    ada.says("for both tabs")
    entry = tab.locator(".inbox li", has_text="tabs")
    entry.wait_for()
    icon = "() => document.querySelector('link[rel=icon]').href.startsWith('data:')"
    tab.wait_for_function(icon)
    assert re.match(r"\(\d+\) ", tab.title())
    bea.page.locator(".inbox li", has_text="tabs").locator("a").click()
    bea.sees("for both tabs")
    entry.wait_for(state="detached")
    bea.page.get_by_label("Message", exact=True).press_sequentially("I am")
    ada.page.get_by_text("Bea Lynn is typing").wait_for()
    bea.page.keyboard.press("Enter")
    me = bea.page.locator(".place a", has_text="Ada Fox")
    ada.goes_to(f"narrow/dm/{bea_id(ada)}-dm")
    ada.says("hello in private")
    me.get_by_role("img", name="active").wait_for()


def bea_id(person: Person) -> int:
    link = person.page.locator("article a.sender", has_text="Bea Lynn").first
    return int(link.get_attribute("href").rpartition("/")[2])


def test_history_is_scrolled_without_jumps_while_pictures_load_late(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ada.page.route(PICTURES, lambda route: route.fulfill(**PICTURE))
    texts = [f"message {n}\n" + ("line\n" * (n % 5)) for n in range(150)]
    for n in range(0, 150, 5):
        texts[n] += f"https://pictures.example/{n}.png"
    bea.page.evaluate(SEND, ["history", texts])
    topic(ada, "history")
    ada.page.get_by_text("This is the beginning.").wait_for()
    ada.page.get_by_role("button", name="Newest messages").click()
    ada.sees("message 149")
    waiting: list[Any] = []
    ada.page.route(PICTURES, lambda route: waiting.append(route))
    drifts, pictures = [], 0
    for step in (-1, 1):
        for _ in range(40):
            seen, before = ada.page.evaluate(SCROLLED, step * 800)
            loaded = []
            while waiting:
                loaded.append(waiting[-1].request.url)
                waiting.pop().fulfill(**PICTURE)
            ada.page.wait_for_function(COMPLETE, arg=loaded)
            after, is_end = ada.page.evaluate(AFTERWARDS, [seen, step])
            drifts.append(abs(after - before))
            pictures += len(loaded)
            if is_end:
                break
        if step < 0:
            drifts.append(ada.page.evaluate(AT_ONCE))
    assert pictures > 5
    assert max(drifts) <= 2, drifts
    ada.sees("message 149")
    assert ada.page.locator(".content img:not([alt])").count() == 0


PICTURES = "**/external_content/**"
PICTURE = {
    "body": '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>',
    "content_type": "image/svg+xml",
}
COMPLETE = """urls => [...document.images].every(
    one => !urls.includes(one.src) || one.complete && one.naturalWidth
)"""
HELPERS = """
const list = document.querySelector('.scroller')
const top = one => one.getBoundingClientRect().top
const uppermost = () => [...list.querySelectorAll('article')].find(one => top(one) >= top(list))
const painted = one => new Promise(found => {
    const look = ([entry], observer) => {
        observer.disconnect()
        found(entry.boundingClientRect.top)
    }
    requestAnimationFrame(() => requestAnimationFrame(() => new IntersectionObserver(look).observe(one)))
})
"""
"""`painted` gives the place of an element as a frame shows it, not as it is between two of them."""
SCROLLED = f"""async distance => {{
    {HELPERS}
    list.scrollBy(0, distance)
    await painted(list)
    return [uppermost().id, await painted(uppermost())]
}}"""
"""Scroll; return the first message in the window, and where it is."""
AFTERWARDS = f"""async ([id, step]) => {{
    {HELPERS}
    return [await painted(document.getElementById(id)), step < 0
        ? list.scrollTop === 0 && list.innerText.includes('This is the beginning.')
        : list.scrollHeight - list.scrollTop - list.clientHeight < 2]
}}"""
"""Return where a message is, and whether this is the end of the list in a direction."""
AT_ONCE = f"""async () => {{
    {HELPERS}
    list.scrollBy(0, 500)
    await painted(list)
    const seen = uppermost(), expected = await painted(seen) + 100
    list.scrollBy(0, -100)
    list.querySelector('article').style.paddingTop = '200px'
    return Math.abs(await painted(seen) - expected)
}}"""
"""Scroll while a message above the window becomes higher; return how far the others are from their places."""
