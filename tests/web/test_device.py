"""The client on a device: the page without a connection, and notices while no page is open."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from chatcore.runtime.web_push import POINT_BYTES, from_base64url
from tests.waiting import until
from tests.web.conftest import Person, Server
from tests.worlds.clients.push import Browser, PushService

Opens = Callable[..., Person]

READY = "() => navigator.serviceWorker.ready.then(() => true)"
KEPT = """
async () => {
  const name = (await caches.keys()).find((one) => one.includes(" kept "));
  if (!name) return [];
  const store = await caches.open(name);
  const kept = (await store.keys()).filter(({ url }) => url.includes("list?"));
  return Promise.all(kept.map(async (one) => (await store.match(one))?.text() ?? ""));
}
"""
LEFT = """
async () =>
  [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]
"""
"""The number of workers and of stores."""
RELEASE = """() => document.querySelector("script[type=module]").src.split("/").at(-2)"""
STORED = """
async (release) => {
  const name = (await caches.keys()).find((one) => one.endsWith(`shell ${release}`));
  return name && (await (await caches.open(name)).keys()).map(({ url }) => url);
}
"""
"""The addresses of the files of a release that are stored, once there are some."""
LOADED = """() => performance.getEntriesByType("resource").map(({ name }) => name)"""


@pytest.fixture
def installs(somebody: Opens) -> Opens:
    """Open a browser for somebody, in which the worker is installed."""

    def opens(name: str, **options: Any) -> Person:
        person = somebody(name, service_workers="allow", **options)
        person.page.evaluate(READY)
        return person

    return opens


def begins_offline(person: Person) -> None:
    person.page.context.set_offline(True)
    person.page.reload()


def has_kept(person: Person, text: str) -> None:
    until(lambda: any(text in one for one in person.page.evaluate(KEPT)))


def keeps_a_conversation(person: Person) -> None:
    """Send a message, and go elsewhere when the browser has kept its conversation."""
    person.goes_to_topic("roof")
    person.says("the roof is open")
    has_kept(person, "the roof is open")
    person.goes_to("inbox")


def test_conversations_can_be_read_offline_and_are_current_afterwards(
    installs: Opens, somebody: Opens
) -> None:
    ada, bea = installs("ada"), somebody("bea")
    ada.goes_to_topic("roof")
    ada.says("the roof is open")
    ada.sees("the roof is open")
    has_kept(ada, "the roof is open")
    place = ada.page.url.partition("#")[2]

    begins_offline(ada)
    ada.page.get_by_text("Offline. Last updated").wait_for()
    ada.sees("the roof is open")
    assert ada.page.get_by_label("Message", exact=True).count() == 0, "nothing can be written"
    ada.sees("the roof is open").hover()
    assert ada.page.get_by_role("button", name="React").count() == 0

    bea.goes_to(place)
    bea.says("and the door")
    bea.sees("and the door")
    ada.page.context.set_offline(False)
    ada.sees("and the door")
    ada.page.get_by_text("Offline. Last updated").wait_for(state="detached")
    ada.says("thank you")
    bea.sees("thank you")


OPENED_EARLIER = """
async (seconds) => {
  const store = await caches.open((await caches.keys()).find((one) => one.includes(" kept ")));
  const kept = await (await store.match("state")).json();
  await store.put("state", new Response(JSON.stringify({ ...kept, time: kept.time - seconds })));
  const main = document.querySelector("script[type=module]").src;
  const { fullTime } = await import(new URL("text/text.js", main));
  return fullTime(kept.time - seconds);
}
"""
"""Let it seem that the page was opened earlier; the time of that, as it is shown."""


def test_the_page_says_when_the_server_answered_last_not_when_it_was_opened(
    installs: Opens, somebody: Opens
) -> None:
    ada, bea = installs("ada"), somebody("bea")
    keeps_a_conversation(ada)
    opened = ada.page.evaluate(OPENED_EARLIER, 7200)
    bea.goes_to_topic("roof")
    bea.says("and the door")
    ada.goes_to_topic("roof")
    ada.sees("and the door")
    has_kept(ada, "and the door")
    begins_offline(ada)
    shown = ada.page.get_by_text("Offline. Last updated")
    shown.wait_for()
    assert opened not in shown.inner_text()


def test_what_needs_the_server_is_off_without_a_connection(installs: Opens, somebody: Opens) -> None:
    bea = somebody("bea")
    bea.goes_to_topic("roof")
    bea.says("the roof is open")
    bea.sees("the roof is open")
    ada = installs("ada")
    begins_offline(ada)
    page = ada.page
    page.get_by_text("Offline. Last updated").wait_for()
    for address, names in (
        ("inbox", ("Mark all as read", "Mark all as read: general › roof")),
        ("settings/account", ("Export my data", "Save")),
    ):
        ada.goes_to(address)
        for name in names:
            assert page.get_by_role("button", name=name, exact=True).is_disabled()
    ada.goes_to("settings/notifications")
    page.get_by_role("heading", name="Sounds").wait_for()
    assert all(one.is_disabled() for one in page.get_by_role("switch").all())
    ada.goes_to("people")
    page.get_by_role("searchbox").fill("bea")  # which needs no server
    ada.goes_to_topic("door")
    page.get_by_text("Not available offline.").wait_for()
    assert page.get_by_role("alert").count() == 0
    page.get_by_role("button", name="Topic actions").click()
    assert page.get_by_role("menuitem").all_inner_texts() == ["Copy link to topic"]

    page.context.set_offline(False)
    page.keyboard.press("Escape")
    ada.goes_to("inbox")
    page.get_by_role("button", name="Mark all as read", exact=True).click()
    page.get_by_text("You’re all caught up").wait_for()


def test_nothing_is_left_after_a_log_out(installs: Opens) -> None:
    ada = installs("ada")
    keeps_a_conversation(ada)
    ada.page.locator("details.own summary").click()
    ada.page.get_by_role("button", name="Log out").click()
    ada.page.get_by_label("Password").wait_for()
    until(lambda: ada.page.evaluate(LEFT) == [0, 0])
    ada.page.get_by_role("button", name="Bea Lynn").click()
    ada.page.locator(".topbar").wait_for()
    assert not any("the roof" in one for one in ada.page.evaluate(KEPT))


WITHOUT_TIMERS = """
const { setTimeout } = window;
window.setTimeout = (act, time, ...more) => (time === TIME ? 0 : setTimeout(act, time, ...more));
"""
"""Timers of some length never end."""
HAS_STATE = "async () => !!(await caches.match('state'))"
FORGET_STATE = """
async () => {
  for (const one of await caches.keys()) await (await caches.open(one)).delete("state");
}
"""
OWNERS = "async () => (await caches.keys()).filter((one) => one.includes(' kept ')).length"


def test_what_is_kept_of_one_person_goes_when_another_comes(somebody: Opens) -> None:
    """Also without a log-out, as after an invitation; even if the page is closed soon."""
    ada = somebody("ada")
    until(lambda: ada.page.evaluate(OWNERS) == 1)
    ada.page.add_init_script(WITHOUT_TIMERS.replace("TIME", "500"))
    ada.calls("POST", "accounts/dev_login", username="bea@example.com")
    ada.page.reload()
    ada.page.locator(".topbar").wait_for()
    until(lambda: ada.page.evaluate(OWNERS) == 0)


STATE = """
async () => {
  const name = (await caches.keys()).find((one) => one.includes(" kept "));
  const state = name && (await (await caches.open(name)).match("state"));
  return state ? Object.keys((await state.json()).state.digests) : [];
}
"""
"""The large parts of the state that is kept."""


def test_what_is_kept_is_not_loaded_again(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    large = {"realm_users", "subscriptions", "never_subscribed", "realm_user_groups"}

    def loads() -> set[str]:
        """Return the large parts that the server sends for a page."""
        until(lambda: set(ada.page.evaluate(STATE)) == large)
        with ada.page.expect_response("**/api/v1/register") as found:
            ada.page.reload()
        loaded = large & found.value.json().keys()
        ada.goes_to("people")
        ada.page.locator(".rows li", has_text="Bea").wait_for()
        ada.page.locator(".place a", has_text="general").first.wait_for()
        return loaded

    assert loads() == set()
    bea.calls("PATCH", "settings", full_name="Beatrice Lynn")
    ada.page.locator(".rows li", has_text="Beatrice Lynn").wait_for()
    assert loads() == {"realm_users"}
    ada.page.locator(".rows li", has_text="Beatrice Lynn").wait_for()


def test_what_is_kept_of_a_person_stays_when_the_page_begins_anew(somebody: Opens) -> None:
    ada = somebody("ada")
    keeps_a_conversation(ada)
    ada.page.evaluate(FORGET_STATE)
    ada.page.reload()
    until(lambda: ada.page.evaluate(HAS_STATE))
    assert any("the roof is open" in one for one in ada.page.evaluate(KEPT))


LATER = """
const start = setTimeout;
globalThis.setTimeout = (run, pause, ...more) =>
  `${run}`.includes("keepState") ? (globalThis.keeps = run) : start(run, pause, ...more);
"""
"""The state is kept when a test says so."""
KEPT_GROUPS = """
async () => {
  const name = (await caches.keys()).find((one) => one.includes(" kept "));
  const { state } = await (await (await caches.open(name)).match("state")).json();
  return state.realm_user_groups.map((one) => one.name);
}
"""


def test_what_is_kept_is_what_the_server_has_said(somebody: Opens) -> None:
    """An event before it is kept changes nothing: the digests are those of the answer."""
    ada, bea = somebody("ada"), somebody("bea")
    group = bea.calls("POST", "user_groups/create", name="bakers", description="", members=[])["group_id"]
    until(lambda: ada.page.evaluate(STATE))
    ada.page.add_init_script(LATER)
    ada.page.reload()
    ada.goes_to("groups")
    ada.page.locator(".rows li", has_text="bakers").wait_for()
    bea.calls("PATCH", f"user_groups/{group}", name="cooks")
    ada.page.locator(".rows li", has_text="cooks").wait_for()
    ada.page.evaluate("() => keeps()")
    assert "bakers" in ada.page.evaluate(KEPT_GROUPS)
    bea.calls("PATCH", f"user_groups/{group}", name="bakers")
    ada.page.locator(".rows li", has_text="bakers").wait_for()
    ada.page.reload()
    ada.page.locator(".rows li", has_text="bakers").wait_for()


def test_pages_keep_to_their_release(installs: Opens, server: Server) -> None:
    """While the server is away, and also where it refuses to answer."""
    ada = installs("ada")
    release = ada.page.evaluate(RELEASE)
    until(lambda: ada.page.evaluate(STORED, release))
    stored = ada.page.evaluate(STORED, release)
    server.kill()
    ada.page.reload()
    ada.page.get_by_text("Offline. Last updated").wait_for()
    ada.goes_to("settings/notifications")  # whose module was not loaded before
    ada.page.get_by_role("heading", name="Sounds").wait_for()
    files = ada.page.evaluate(LOADED)
    assert {one for one in files if "/web/" in one} <= set(stored)


# -- notices -------------------------------------------------------------------------------------------


STUBS = """
() => {
  self.shown = [];
  self.asked = [];
  const registration = ServiceWorkerRegistration.prototype;
  registration.getNotifications = async () => self.shown;
  registration.showNotification = async (title, options) => {
    self.shown = [...self.shown.filter(({ tag }) => tag !== options.tag), { title, ...options }];
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => ({
    toJSON: () => ({ endpoint: `https://push.example/${key}`, keys: { p256dh: "p", auth: "a" } }),
  });
  self.fetch = async (url, { method = "GET", body }) => {
    self.asked.push(`${method} ${new URL(url).pathname} ${body ?? ""}`.trim());
    return new Response(JSON.stringify({ public_key: "key" }));
  };
  self.happens = (type, fields) =>
    self.dispatchEvent(Object.assign(new Event(type), { waitUntil: (done) => done, ...fields }));
}
"""
"""In the worker, because a browser without a user interface shows no notices."""


DOOR = "#narrow/channel/77/topic/door"


class Pushes:
    """Sends pushes to the worker of a page, as the service of the browser does."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._session = person.page.context.new_cdp_session(person.page)
        self._id = ""
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._session.send("ServiceWorker.enable")
        until(lambda: person.page.evaluate("1") and self._id)
        self.worker.evaluate(STUBS)

    def _note(self, event: Any) -> None:
        self._id = next((one["registrationId"] for one in event["registrations"]), self._id)

    def send(self, **fields: Any) -> None:
        origin = self._person.url.removesuffix("/")
        message = {"origin": origin, "registrationId": self._id, "data": json.dumps(fields)}
        self._session.send("ServiceWorker.deliverPushMessage", message)

    @property
    def worker(self) -> Any:
        return self._person.page.context.service_workers[0]

    def shown(self) -> list[str]:
        """The texts of the notices that are shown."""
        texts: list[str] = self.worker.evaluate("() => self.shown.map(({ body }) => body)")
        return texts


def push(text: str, path: str, message_id: int) -> dict[str, Any]:
    return {"title": "Bea Lynn", "body": text, "tag": path, "path": path, "time": 1_780_000_000,
            "message_id": message_id}  # fmt: skip


def test_a_push_is_shown_unless_its_conversation_is_seen(installs: Opens) -> None:
    ada = installs("ada")
    ada.goes_to_topic("roof")
    here = "#" + ada.page.url.partition("#")[2]
    pushes = Pushes(ada)
    pushes.send(**push("seen", f"{here}/near/7", 7))
    pushes.send(**push("elsewhere", DOOR, 8))
    until(lambda: pushes.shown() == ["elsewhere"])
    pushes.send(**push("the same place again", DOOR, 9))
    until(lambda: pushes.shown() == ["the same place again"])
    ada.goes_to("inbox")
    pushes.send(**push("not seen any more", here, 10))
    until(lambda: pushes.shown() == ["the same place again", "not seen any more"])


def test_a_click_on_a_notice_goes_to_its_message_in_the_open_window(installs: Opens) -> None:
    ada = installs("ada")
    ada.goes_to("inbox")
    pushes = Pushes(ada)
    pushes.worker.evaluate(
        "(path) => { self.happens('notificationclick', { notification: { close() {}, data: { path } } }) }",
        DOOR,
    )
    ada.page.wait_for_url(f"{ada.url}{DOOR}")


def test_a_new_address_for_notices_is_given_to_the_server(installs: Opens) -> None:
    pushes = Pushes(installs("ada"))
    pushes.worker.evaluate("() => { self.happens('pushsubscriptionchange') }")
    body = "endpoint=https%3A%2F%2Fpush.example%2Fkey&p256dh=p&auth=a"
    asked = ["GET /api/v1/web_push", f"POST /api/v1/web_push/subscriptions {body}"]
    until(lambda: pushes.worker.evaluate("() => self.asked") == asked)


PUSHES = """
    Object.defineProperty(Notification, "permission", { value: "granted" });
    Notification.requestPermission = async () => "granted";
    const made = (endpoint) => endpoint && {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
      unsubscribe: async () => localStorage.removeItem("endpoint"),
    };
    PushManager.prototype.getSubscription = async () => made(localStorage.getItem("endpoint"));
    PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
      localStorage.setItem("endpoint", `https://push.example/${key}`);
      return made(localStorage.getItem("endpoint"));
    };
"""
"""A service for pushes that keeps its addresses in the page."""


class SubscriptionsOfAServer:
    """Answers in place of a server that sends notices."""

    def __init__(self, person: Person, **more: Any) -> None:
        self.more = {"public_key": "key", "shows_content": True, **more}
        self.known: list[dict[str, Any]] = [
            {
                "id": 1,
                "device": "Firefox on Android",
                "created_at": 1_780_000_000,
                "endpoint_host": "a.example",
            }
        ]
        self.sent: list[str] = []
        person.page.context.route("**/api/v1/web_push**", self._answer)

    def _answer(self, route: Any) -> None:
        request = route.request
        answer: dict[str, Any] = {"result": "success", "msg": ""}
        if request.method == "GET":
            answer |= {**self.more, "subscriptions": self.known}
        elif request.method == "POST":
            self.sent.append(request.post_data)
            answer |= {"subscription_id": 2}
            new = {"id": 2, "device": "Chrome", "created_at": 1_780_000_000, "endpoint_host": "push.example"}
            self.known.append(new)
        else:
            self.known = [one for one in self.known if not request.url.endswith(f"/{one['id']}")]
        route.fulfill(json=answer)


SWITCH = "Notifications on this device"


def test_a_device_is_switched_on_and_off_and_removed(installs: Opens, somebody: Opens) -> None:
    ada = installs("ada")
    ada.page.add_init_script(PUSHES)
    server = SubscriptionsOfAServer(ada)
    ada.page.reload()
    ada.goes_to("settings/notifications")
    switch = ada.page.get_by_label(SWITCH)
    rows = ada.page.get_by_role("list", name="When this page is closed").locator("li")
    rows.filter(has_text="Firefox on Android").get_by_text("since", exact=False).wait_for()
    assert not switch.is_checked()
    switch.check()
    own = rows.filter(has_text="this device")
    own.wait_for()
    assert server.sent == ["endpoint=https%3A%2F%2Fpush.example%2Fkey&p256dh=p&auth=a"]
    ada.page.get_by_role("button", name="Remove: Firefox on Android").click()
    rows.filter(has_text="Firefox").wait_for(state="detached")
    switch.uncheck()
    own.wait_for(state="detached")
    assert ada.page.evaluate("localStorage.getItem('endpoint')") is None

    switch.check()
    own.wait_for()
    ada.page.locator("details.own summary").click()
    ada.page.get_by_role("button", name="Log out").click()
    ada.page.get_by_label("Password").wait_for()
    assert server.known == []


def test_a_server_knows_the_devices_that_are_switched_on(installs: Opens) -> None:
    """The real one, with the key that it gives and keys that it takes."""
    ada = installs("ada")
    of_browser = Browser(PushService(), "laptop").subscription
    keys = {name: of_browser[name] for name in ("p256dh", "auth")}
    ada.page.add_init_script(PUSHES.replace('{ p256dh: "p", auth: "a" }', json.dumps(keys)))
    ada.page.reload()
    ada.goes_to("settings/notifications")
    ada.page.get_by_label(SWITCH).check()
    own = ada.page.get_by_role("list", name="When this page is closed").locator("li")
    own.filter(has_text="push.example").get_by_text("this device").wait_for()
    assert (
        len(from_base64url(ada.page.evaluate("localStorage.getItem('endpoint')").rpartition("/")[2]))
        == POINT_BYTES
    )
    ada.page.get_by_role("button", name="Remove: ").click()
    own.wait_for(state="detached")
    assert not ada.page.get_by_label(SWITCH).is_checked()


def test_messages_that_reach_a_closed_page_are_chosen(installs: Opens) -> None:
    ada = installs("ada")
    ada.page.add_init_script(PUSHES)
    SubscriptionsOfAServer(ada)
    ada.page.reload()
    ada.goes_to("settings/notifications")
    here = ada.page.get_by_role("region", name="When this page is closed")
    here.get_by_label(SWITCH).check()
    for label, setting in (
        ("Direct messages, mentions", "enable_offline_push_notifications"),
        ("Followed topics", "enable_followed_topic_push_notifications"),
        ("All messages in channels", "enable_stream_push_notifications"),
    ):
        switch = here.get_by_label(label)
        is_on = switch.is_checked()
        with ada.page.expect_response("**/settings") as changed:
            switch.set_checked(not is_on)
        assert changed.value.request.post_data == f"{setting}={str(not is_on).lower()}"
    (channel,) = ada.calls("GET", "users/me/subscriptions")["subscriptions"]
    ada.goes_to(f"channels/{channel['stream_id']}")
    with ada.page.expect_response("**/users/me/subscriptions/properties"):
        ada.page.get_by_label("When this page is closed").uncheck()
    (channel,) = ada.calls("GET", "users/me/subscriptions")["subscriptions"]
    assert channel["push_notifications"] is False
    ada.goes_to("settings/notifications")
    here.get_by_label(SWITCH).uncheck()
    ada.goes_to(f"channels/{channel['stream_id']}")
    ada.page.get_by_label("Desktop notifications").wait_for()
    assert ada.page.get_by_label("When this page is closed").count() == 0


def test_a_device_says_why_it_cannot_be_switched_on(installs: Opens) -> None:
    for script, reason in (
        ("Object.defineProperty(Notification, 'permission', { value: 'denied' })", "blocks them"),
        ("delete window.PushManager", "cannot show them"),
    ):
        ada = installs("ada")
        ada.page.add_init_script(script)
        SubscriptionsOfAServer(ada, shows_content=False)
        ada.page.reload()
        ada.goes_to("settings/notifications")
        ada.page.get_by_text(reason).wait_for()
        assert ada.page.get_by_label(SWITCH).is_disabled()
        ada.page.get_by_text("They never contain the text of a message").wait_for()


def test_a_server_without_notices_offers_none(installs: Opens) -> None:
    ada = installs("ada")
    SubscriptionsOfAServer(ada, public_key=None)
    with ada.page.expect_response("**/web_push"):
        ada.goes_to("settings/notifications")
    ada.page.get_by_role("heading", name="Sounds").wait_for()
    assert ada.page.get_by_label(SWITCH).count() == 0
