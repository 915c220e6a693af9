"""The web client in a browser, with 20,000 unread messages: first messages, a topic, sending, scrolling.

`--people=1500 --channels=500` makes a large organization of it, `--unread=0` one in which all is read.

Times are those of the page itself, with what the server takes. Beside them is the processor time of the
page, which other programs on the machine disturb less.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.harness import (
    OWNER,
    Client,
    Figure,
    Server,
    chatcore,
    corpus_file,
    figure,
    new_people,
    report,
    stores,
)
from benchmarks.options import arguments, run
from chatcore import open_chat
from tests.web.conftest import ARGUMENTS, browser_program

ARRIVING = 30
STEP = 5_000
LONG = 50
SCROLLED = 10_000
TASK = "ThreadControllerImpl::RunTask"

SHOWN = """
window.shown = (selector) => new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector(selector)) return false;
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    return true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document, { childList: true, subtree: true });
});
window.first = shown("article .content > *");
window.long = [];
new PerformanceObserver((list) => long.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask" });
"""
SENT = """
async ([channel, content]) => {
  const began = performance.now();
  const main = document.querySelector("script[type=module]").src;
  const { call } = await import(new URL("api.js", main));
  const place = { type: "channel", to: channel, topic: "benchmark" };
  const { id } = await call("POST", "messages", { ...place, content });
  return await shown(`#message-${id} .content > *`) - began;
}
"""
STARTED = """
performance.getEntriesByType("resource").reduce((sum, one) => sum + one.encodedBodySize, 0) / 1000
"""
OPENED = """
async (hash) => {
  const old = document.querySelector("article");
  old?.classList.add("old");
  const began = performance.now();
  location.hash = hash;
  return await shown("article:not(.old) .content > *") - began;
}
"""
SCROLL = """
async (wanted) => {
  const list = document.querySelector("[role=log]");
  const seen = new Set();
  const look = () => list.querySelectorAll("article").forEach((one) => seen.add(one.id));
  const until = performance.now() + 120000;
  long.length = 0;
  for (look(); seen.size < wanted && performance.now() < until; look()) {
    for (let frame = 0; frame < 5; frame += 1) {
      list.scrollTop -= 400;
      await new Promise(requestAnimationFrame);
    }
  }
  return [seen.size, long.length];
}
"""


def enlarge(url: str, people: int, channels: int) -> None:
    """Add people, and channels that the owner and the first ten of them are subscribed to."""
    with open_chat(url) as chat:
        owner = chat.users.actor(OWNER)
        new = new_people(chat, "Person", people)
        for number in range(channels):
            chat.channels.subscribe(owner, f"channel {number}", principals=[owner.user_id, *new[:10]])


def with_unread(port: int, unread: int) -> Client:
    """Make the newest messages of the owner unread again."""
    client = Client(port)
    anchor: object = "newest"
    for _ in range(unread // STEP):
        answer = client.post(
            "messages/flags/narrow",
            anchor=anchor,
            include_anchor=False,
            num_before=STEP,
            num_after=0,
            narrow=[],
            op="remove",
            flag="read",
        )
        anchor = answer["first_processed_id"]
    return client


def topics(client: Client, count: int) -> list[str]:
    """Return the addresses of topics of the largest channel."""
    found = client.get("users/me/subscriptions")["subscriptions"]
    ids = [one["stream_id"] for one in found]
    names = [(id, one["name"]) for id in ids for one in client.get(f"users/me/{id}/topics")["topics"][:5]]
    return [f"#narrow/channel/{id}/topic/{_encoded(name)}" for id, name in names[:count]]


def _encoded(name: str) -> str:
    return "".join(sign if sign.isalnum() and sign.isascii() else _bytes(sign) for sign in name)


def _bytes(sign: str) -> str:
    return "".join(f".{byte:02X}" for byte in sign.encode())


class Work:
    """The processor time of a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    @property
    def milliseconds(self) -> float:
        metrics: dict[str, Any] = self._session.send("Performance.getMetrics")
        return 1000 * sum(one["value"] for one in metrics["metrics"] if one["name"] == "TaskDuration")


@contextmanager
def traced(page: Page) -> Iterator[list[float]]:
    """Trace the page; at the end the list has the processor time of each task of the pages' main threads."""
    assert page.context.browser is not None
    session = page.context.browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ends: list[bool] = []
    session.on("Tracing.dataCollected", lambda found: events.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda _: ends.append(True))
    categories = {"includedCategories": ["toplevel"], "excludedCategories": ["*"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    tasks: list[float] = []
    yield tasks
    session.send("Tracing.end")
    while not ends:
        page.wait_for_timeout(100)
    names = (one for one in events if one["name"] == "thread_name")
    threads = {(one["pid"], one["tid"]) for one in names if one["args"]["name"] == "CrRendererMain"}
    runs = (one for one in events if one["name"] == TASK and (one["pid"], one["tid"]) in threads)
    tasks += [one.get("tdur", 0) / 1000 for one in runs]


def measure(browser: Browser, port: int, store: str, rounds: int, unread: int) -> list[Figure]:
    url = f"http://127.0.0.1:{port}/"
    client = with_unread(port, unread)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(SHOWN)
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name="Owner").click()
    page.locator(".topbar").wait_for()
    first, work = [], []
    for _ in range(rounds):
        page.goto("about:blank")
        ticks = Work(page)
        page.goto(f"{url}#narrow/in/all")
        first.append(page.evaluate("first"))
        work.append(ticks.milliseconds)
    kilobytes = page.evaluate(STARTED)
    channel = client.get("users/me/subscriptions")["subscriptions"][0]["stream_id"]
    opened = [page.evaluate(OPENED, hash) for hash in topics(client, rounds + 3)][3:]
    page.goto(f"{url}#narrow/channel/{channel}/topic/benchmark")
    at_work, before = Work(page), 0.0
    for number in range(-1, ARRIVING):
        new = client.post("messages", type="channel", to=channel, topic="benchmark", content=f"{number}")
        page.locator(f"#message-{new['id']} .content").wait_for()
        before = before or at_work.milliseconds
    arrived = (at_work.milliseconds - before) / ARRIVING
    sent = [page.evaluate(SENT, [channel, f"number {number}"]) for number in range(rounds + 3)][3:]
    newest = client.get("messages", anchor="newest", num_before=1, num_after=0)["messages"][-1]["id"]
    page.goto(f"{url}#narrow/in/all/near/{newest}")
    page.locator("article").last.wait_for()
    work_of_page = Work(page)
    before = work_of_page.milliseconds
    with traced(page) as tasks:
        seen, long = page.evaluate(SCROLL, SCROLLED)
        scrolled = work_of_page.milliseconds - before
    return [
        figure(store, "first messages are painted", first),
        figure(store, "processor time of the page until then", work),
        Figure(store, "answers of a start, as they are sent", kilobytes, unit="kB"),
        Figure(store, "processor time of the page for a message that arrives", arrived),
        figure(store, "a topic opens", opened),
        figure(store, "a message is sent and shown", sent),
        Figure(store, f"tasks over {LONG} ms while {seen:,} messages scroll by", long, unit=""),
        Figure(store, f"tasks over {LONG} ms of processor time", sum(one > LONG for one in tasks), unit=""),
        Figure(store, "processor time of the longest task", max(tasks)),
        Figure(store, "processor time of the page for 1,000 of them", scrolled / seen * 1000),
    ]


def main() -> None:
    args = arguments(__doc__ or "", rounds=9, people=0, channels=0, unread=20_000)
    try:
        program = browser_program()
    except pytest.skip.Exception as missing:
        print(f"SKIPPED: {missing}")
        return
    figures = []
    with stores(args.store) as urls, tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = corpus_file(args, folder)
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for store, url in urls.items():
            chatcore("init", "--name", "Bench", "--owner-email", OWNER, "--owner-name", "Owner", url=url)
            chatcore("import", "corpus", str(path), "--subscribe-everybody", url=url)
            enlarge(url, args.people, args.channels)
            with Server(url) as server:
                figures += measure(browser, server.port, store, args.rounds, args.unread)
        browser.close()
    report("The web client", figures, args.json)


if __name__ == "__main__":
    run(main)
