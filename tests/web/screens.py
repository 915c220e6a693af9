"""All screens of the client: lists of messages, pages, and what opens over them.

A page is found by the client's own table of pages (`PAGES`), and its parts by its tabs, so a new page is
checked without a line here.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tests.web.conftest import Person

CHANNEL, TOPIC = "kitchen", "soup of the day"
NARROWS = (
    "in/all",
    "is/mentioned",
    "is/starred",
    "is/followed",
    "is/dm",
    "channel/{channel}",
    "channel/{channel}/topic/soup.20of.20the.20day",
    "channel/{channel}/topic/empty",
    "dm/{bea}-dm",
    "search/soup",
)
TEXTS = (
    "**Soup** of the day: *lentils*, ~~peas~~ and `salt`, see [the list](https://example.com/list)",
    "```python\ndef soup(salt: int = 1) -> str:\n    return 'hot' * salt  # enough\n```",
    "> Who cooks?\n\n1. somebody\n2. @**Bea Lynn**, @_**Ada Fox** and @_*role:members*",
    "| day | dish |\n|---|---|\n| one | peas |",
    "```spoiler the dish\nlentils\n```\n<time:2026-01-02T12:00:00Z> :octopus: $$a^2 \\href{x}{y}$$",
    "שלום, מה שלומך? a word in between ועוד קצת",
    "a_very_long_word_" * 20,
    "/poll What to eat?\nlentils\npeas",
)

State = tuple[str, Callable[[Person], None]]


def furnish(ada: Person) -> dict[str, int]:
    """Make a channel with messages of every kind; return ids for the addresses."""
    ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": CHANNEL, "description": "Food"}])
    channel = ada.calls("GET", "get_stream_id", stream=CHANNEL)["stream_id"]
    people = {one["full_name"]: one["user_id"] for one in ada.calls("GET", "users")["members"]}
    place = {"type": "channel", "to": channel, "topic": TOPIC}
    sent = [ada.calls("POST", "messages", **place, content=text)["id"] for text in TEXTS]
    ada.calls("POST", "messages", type="direct", to=[people["Bea Lynn"]], content="Is there soup?")
    ada.calls("POST", "messages/flags", messages=sent[-3:], op="remove", flag="read")
    return {"channel": channel, "bea": people["Bea Lynn"], "message": sent[0]}


def addresses(ada: Person, ids: dict[str, int]) -> Iterator[str]:
    """Go to all narrows, pages and tabs of pages, and yield the address of each."""
    for narrow in NARROWS:
        yield goes(ada, f"narrow/{narrow.format(**ids)}")
    for name in ada.page.evaluate(PAGE_NAMES):
        yield goes(ada, name)
        tabs = ada.page.locator(".tabs a").evaluate_all("those => those.map((one) => one.hash.slice(1))")
        yield from (goes(ada, tab) for tab in tabs if tab != name)


def goes(ada: Person, address: str) -> str:
    """Go to an address and wait until it is shown."""
    ada.goes_to(address)
    ada.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    ada.page.locator("main :is(article, [role=log] .none, .subpage, .inbox)").first.wait_for()
    return address


PAGE_NAMES = """
async () => {
  const main = document.querySelector("script[type=module]").src;
  return Object.keys((await import(new URL("view/titles.js", main))).PAGES);
}
"""


def opened(ada: Person) -> dict[str, Callable[[], Any]]:
    """Return what opens over the screens, by name, with what opens it in the topic."""
    first = ada.page.locator("article").first

    def act(name: str) -> None:
        first.hover()
        first.get_by_role("button", name=name).click()

    def schedule() -> None:
        ada.page.get_by_label("Message", exact=True).fill("Good morning")
        ada.page.get_by_role("button", name="Send later").click()

    return {
        "palette": lambda: ada.page.keyboard.press("Control+k"),
        "keys": lambda: ada.page.keyboard.press("?"),
        "menu": lambda: ada.page.locator("details.own summary").click(),
        "card": lambda: first.locator(".sender").click(),
        "emoji": lambda: act("React"),
        "editor": lambda: act("Edit"),
        "completion": lambda: ada.page.get_by_label("Message", exact=True).press_sequentially("@be"),
        "schedule": schedule,
    }
