"""The settings of an account in the web client, and what they change for others."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.settings import Settings
from tests.waiting import until
from tests.web.conftest import PASSWORD, SECRET, Person, Server
from tests.worlds.pictures import picture

Opens = Callable[..., Person]

FIELDS: dict[str, tuple[int, Any]] = {
    "Motto": (1, None),
    "Biography": (2, None),
    "Meal": (3, {"a": {"text": "Soup", "order": "1"}, "b": {"text": "Cake", "order": "2"}}),
    "Birthday": (4, None),
    "Homepage": (5, None),
    "Mentors": (6, None),
    "Account elsewhere": (7, {"subtype": "custom", "url_pattern": "https://x.example/%(username)s"}),
    "Pronouns": (8, None),
}


def asks(person: Person, path: str) -> Any:
    """Return the server's answer to a script of the person's page."""
    script = "path => fetch(path, {headers: {'X-Chat-Page': '1'}}).then(answer => answer.json())"
    return person.page.evaluate(script, f"api/v1/{path}")


def waits_until(person: Person, path: str, value: Callable[[Any], object], expected: object) -> None:
    until(lambda: value(asks(person, path)) == expected)


@pytest.fixture
def organization(server: Server) -> Server:
    """The served organization, with a profile field of each kind."""
    with open_chat(server.database, settings=Settings(secret_key=SECRET.encode())) as chat:
        ada = chat.users.actor("ada@example.com")
        for name, (kind, data) in FIELDS.items():
            given = {} if data is None else {"field_data": data}
            chat.profile_fields.create(ada, field_type=kind, name=name, **given)
    return server


def test_a_profile_is_filled_in_and_others_see_it(organization: Server, somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    bea.goes_to("settings/profile")
    page = bea.page
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    waits_until(bea, "users/me", lambda me: me["timezone"], "Europe/Berlin")
    for name in ("Bea L. Lynn", "Bea Lynn"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Save").first.click()
        page.locator("details.own summary", has_text=name).wait_for()
    assert page.get_by_role("img", name="Your picture").get_attribute("data-initials") == "BL"
    chooser = page.locator(".own-picture input[type=file]")
    chooser.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": picture()})
    page.locator(".own-picture img[alt='Your picture']").wait_for()
    page.get_by_role("button", name="Remove picture").click()
    page.locator(".own-picture [data-initials]").wait_for()
    waits_until(bea, "users/me", lambda me: me["avatar_version"] > 2, True)

    values = {"Motto": "Soup!", "Biography": "Born\nand so on", "Birthday": "1999-12-31"}
    values |= {"Homepage": "https://bea.example/", "Account elsewhere": "bea", "Pronouns": "she"}
    for name, value in values.items():
        page.get_by_label(name, exact=True).fill(value)
        page.get_by_label(name, exact=True).blur()
    page.get_by_label("Meal").select_option("Cake")
    page.get_by_role("group", name="Mentors").get_by_role("searchbox").fill("ada")
    page.get_by_role("group", name="Mentors").get_by_role("button", name="Ada Fox").click()
    page.get_by_role("button", name="Remove Ada Fox").wait_for()
    me = asks(bea, "users/me")["user_id"]
    path = f"users/{me}?include_custom_profile_fields=true"

    def profile(answer: Any) -> set[str]:
        return {one["value"] for one in answer["user"]["profile_data"].values()}

    waits_until(ada, path, lambda answer: len(profile(answer)), len(FIELDS))
    mentor = profile(asks(ada, path)) - {*values.values(), "b"}
    assert len(mentor) == 1, "by the id"
    page.get_by_role("button", name="Remove Ada Fox").click()
    page.get_by_label("Motto", exact=True).fill("")
    page.get_by_label("Motto", exact=True).blur()
    waits_until(ada, path, lambda answer: len(profile(answer)), len(FIELDS) - 2)

    page.locator("details.own summary").click()
    page.locator("details.own").get_by_role("button", name="Status").click()
    dialog = page.get_by_role("dialog", name="Status")
    dialog.get_by_label("What are you up to?").fill("at lunch")
    dialog.get_by_label("Status emoji").click()
    page.get_by_label("Search emoji").fill("octopus")
    page.get_by_label("octopus", exact=True).click()
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    page.locator("details.own .status[aria-label='at lunch']").wait_for()
    ada.goes_to(f"narrow/dm/{me}-dm")
    ada.says("Enjoy it")
    entry = ada.page.locator(".sidebar .place", has_text="Bea Lynn")
    entry.get_by_label("at lunch").wait_for()
    entry.get_by_label("active").wait_for()
    bea.goes_to("settings/profile")
    text = page.get_by_role("textbox", name="What are you up to?")
    assert text.input_value() == "at lunch"
    bea.calls("POST", "users/me/status", status_text="at home")
    page.wait_for_function("(one) => one.value === 'at home'", arg=text.element_handle())
    text.fill("at home, working")
    bea.calls("POST", "users/me/status", status_text="on the way")
    page.locator("details.own .status[aria-label='on the way']").wait_for()
    assert text.input_value() == "at home, working", "what is being written stays"
    page.get_by_role("button", name="Clear").click()
    entry.locator(".status").wait_for(state="detached")
    page.wait_for_function("(one) => one.value === ''", arg=text.element_handle())


def test_a_password_is_changed_and_other_browsers_are_logged_out(somebody: Opens) -> None:
    bea, elsewhere = somebody("bea"), somebody("bea")
    page = bea.page
    bea.goes_to("settings/sessions")
    rows = page.locator(".rows li")
    rows.nth(1).wait_for()
    assert rows.nth(0).get_by_text("this browser").count() + rows.nth(1).get_by_text("this browser").count()
    assert rows.first.inner_text().startswith("Mozilla/"), "as the browser names itself"
    count = rows.count()
    newest = page.locator(".rows li", has=page.get_by_role("button", name="Log out")).first
    newest.get_by_role("button", name="Log out").click()
    elsewhere.page.get_by_label("Password").wait_for()
    page.locator(f".rows:not(:has(li:nth-child({count})))").wait_for()

    elsewhere.comes("bea")
    bea.goes_to("settings/account")
    page.get_by_label("Current password").fill("wrong")
    page.get_by_label("New password").fill("staple battery")
    page.get_by_role("button", name="Change password").click()
    page.get_by_text("Wrong password!").wait_for()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    page.get_by_text("Saved").wait_for()
    assert page.get_by_label("New password").input_value() == ""
    elsewhere.page.get_by_label("Password").wait_for()

    page.get_by_label("Password", exact=True).fill("staple battery")
    page.get_by_role("button", name="Show key").click()
    key = page.get_by_label("API key", exact=True)
    first = key.input_value()
    assert len(first) == 32
    page.get_by_role("button", name="Replace key").click()
    bea.agrees("Replace key")
    page.wait_for_function("first => document.querySelector('input[readonly]').value !== first", arg=first)
    page.get_by_label("Current password").fill("staple battery")
    page.get_by_label("New password").fill(PASSWORD)
    with page.expect_response("**/settings") as changed:  # "Saved" is there from before
        page.get_by_role("button", name="Change password").click()
    assert changed.value.ok
    bea.goes_to("inbox")
    page.locator(".inbox").wait_for()


def days_of_the_week(person: Person, label: str) -> list[str]:
    """Return the first and the last of them, with their values."""
    person.goes_to("organization/settings")
    field = person.page.get_by_label(label)
    field.wait_for()
    options = field.locator("option").evaluate_all("all => all.map(one => `${one.value} ${one.text}`)")
    return [options[0], options[-1]]


def test_colours_and_language_are_kept(somebody: Opens) -> None:
    ada = somebody("ada", color_scheme="light")
    ada.goes_to("settings/appearance")
    page = ada.page
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    page.get_by_label("Colors").select_option("Dark")
    page.wait_for_function(f"() => {scheme} === 'dark'")
    page.get_by_label("Language").select_option("Deutsch")
    page.get_by_role("heading", name="Aussehen").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => (window.firstColours = {scheme}))")
    page.reload()
    page.get_by_role("heading", name="Aussehen").wait_for()
    assert page.evaluate("window.firstColours") == "dark", "before the first answer"
    elsewhere = somebody("ada")
    elsewhere.page.locator("button.search", has_text="Nachrichten durchsuchen").wait_for()
    assert days_of_the_week(elsewhere, "Tag der Berichte") == ["0 Montag", "6 Sonntag"]
    page.get_by_label("Farben").select_option("Wie das System")
    page.get_by_label("Sprache").select_option("English")
    elsewhere.page.get_by_role("button", name="Search messages").wait_for()
    assert days_of_the_week(elsewhere, "Day of the summaries") == ["0 Monday", "6 Sunday"]
    elsewhere.page.wait_for_function(f"() => {scheme} !== 'dark'")


NOTIFICATIONS = """
    window.notified = [];
    window.Notification = class {
      static permission = "default";
      static async requestPermission() { return (this.permission = "granted"); }
      constructor(title, { body }) { new BroadcastChannel("shown").postMessage([title, body]); }
    };
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) =>
      new BroadcastChannel("shown").postMessage([title, body]);
    new BroadcastChannel("shown").onmessage = ({ data }) => window.notified.push(data);
    document.hasFocus = () => false;
"""


@pytest.mark.parametrize("service_workers", ["allow", "block"])
def test_messages_that_the_settings_name_notify_once(somebody: Opens, service_workers: str) -> None:
    """By the worker of the page; a browser that has none shows them itself."""
    ada, bea = somebody("ada"), somebody(service_workers=service_workers)
    context = bea.page.context
    context.add_init_script(NOTIFICATIONS)
    bea.comes("bea")
    page = bea.page
    bea.goes_to("settings/notifications")
    assert page.evaluate("Notification.permission") == "default", "nobody asks without a click"
    page.get_by_role("button", name="Allow notifications in this browser").click()
    page.get_by_text("This browser shows notifications").wait_for()
    second = Person(context.new_page(), bea.url)
    second.goes_to("inbox")
    second.page.locator(".inbox").wait_for()
    second.page.evaluate("Notification.requestPermission()")
    watcher = context.new_page()
    watcher.goto(bea.url)
    watcher.locator(".sidebar").wait_for()

    me = asks(bea, "users/me")["user_id"]
    page.get_by_label("New alert word").fill("octopus")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Remove: octopus").wait_for()
    ada.goes_to_topic("greetings")
    ada.sees("Welcome to")
    greetings = ada.page.url.partition("#")[2]
    ada.says("nothing for anybody")
    ada.says("an octopus!")
    watcher.wait_for_function("() => window.notified.length >= 1")  # tabs do not agree on an order
    ada.goes_to(f"narrow/dm/{me}-dm")
    ada.says("for **you**")
    watcher.wait_for_function("() => window.notified.length >= 2")
    with page.expect_response("**/settings"):
        page.get_by_label("Text of direct messages").uncheck()
    ada.says("secret")
    watcher.wait_for_function("() => window.notified.length >= 3")
    assert watcher.evaluate("window.notified") == [
        ["Ada Fox (#general › greetings)", "an octopus!"],
        ["Ada Fox", "for you"],
        ["Ada Fox", "New direct message"],
    ]
    page.get_by_role("button", name="Remove: octopus").click()
    page.get_by_role("button", name="Remove: octopus").wait_for(state="detached")
    with page.expect_response("**/settings"):
        page.get_by_label("Direct messages, mentions and alert words").uncheck()
    with page.expect_response("**/settings"):
        section = page.get_by_role("region", name="Desktop notifications")
        section.get_by_label("All messages in channels").check()
    ada.says("not this one")
    ada.goes_to(greetings)
    ada.says("all of the channel")
    watcher.wait_for_function("() => window.notified.length >= 4")
    assert watcher.evaluate("window.notified[3][1]") == "all of the channel"


TIMES = "users/me/do_not_disturb"
PLAYED = """
    window.played = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...when) {
      window.played += 1;
      return start.apply(this, when);
    };
    document.hasFocus = () => false;
"""


def hear_each_other(ada: Person, bea: Person) -> None:
    """Let bea's page play tones, two for each message, and count them; ada writes to her, and is heard."""
    page = bea.page
    page.context.add_init_script(PLAYED)
    bea.comes("bea")
    bea.goes_to("settings/notifications")
    page.get_by_role("button", name="Play sound").click()
    page.wait_for_function("() => window.played === 2")
    ada.goes_to(f"narrow/dm/{asks(bea, 'users/me')['user_id']}-dm")
    ada.says("for you")
    page.wait_for_function("() => window.played === 4")


def test_messages_that_the_settings_name_have_a_sound(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody()
    page = bea.page
    hear_each_other(ada, bea)
    with page.expect_response("**/settings"):
        page.get_by_label("Direct messages, mentions, alert words", exact=True).uncheck()
    with page.expect_response("**/settings"):
        sounds = page.get_by_role("region", name="Sounds")
        sounds.get_by_label("All messages in channels", exact=True).check()
    ada.says("in silence")
    ada.goes_to_topic("greetings")
    ada.says("to the channel")
    page.wait_for_function("() => window.played === 6")


def pause(person: Person, until: str | None = None) -> None:
    """Let nothing disturb a person until a time that is offered, or else the first of them."""
    person.page.get_by_role("button", name="Pause notifications").click()
    dialog = person.page.get_by_role("dialog", name="Pause notifications")
    if until is not None:
        dialog.get_by_label("Until").select_option(until)
    dialog.get_by_role("button", name="Pause notifications").click()


def test_nothing_disturbs_during_a_pause_that_any_tab_begins(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody()
    page = bea.page
    hear_each_other(ada, bea)
    tab = Person(page.context.new_page(), bea.url)
    tab.goes_to("settings/notifications")
    pause(tab)
    tab.page.get_by_text("Paused until").wait_for()
    tab.page.close()
    with page.expect_response(f"**/{TIMES}"):
        ada.says("in silence")
    page.reload()
    page.get_by_text("Paused until").wait_for()
    page.locator("details.own summary").click()
    page.locator("details.own").get_by_role("link", name="Paused until").click()
    page.get_by_role("button", name="Play sound").click()
    page.get_by_role("button", name="End pause").click()
    page.get_by_role("region").get_by_text("Paused until").wait_for(state="detached")
    page.locator("details.own summary").click()
    page.locator("details.own").get_by_role("link", name="Pause notifications").wait_for()
    ada.says("aloud again")
    page.wait_for_function("() => window.played >= 4")
    assert page.evaluate("window.played") == 4


def test_a_page_asks_each_minute_whether_it_may_disturb(somebody: Opens) -> None:
    """Other devices choose it, too; a server without an answer changes nothing."""
    ada, bea, elsewhere = somebody("ada"), somebody(), somebody("bea")
    page = bea.page
    page.clock.install()
    hear_each_other(ada, bea)
    elsewhere.goes_to("settings/notifications")
    pause(elsewhere, "Tomorrow, 9:00 AM")
    elsewhere.page.get_by_text("Paused until").wait_for()
    page.clock.fast_forward(61_000)
    with page.expect_response(f"**/{TIMES}"):
        ada.says("in silence")
    elsewhere.page.get_by_role("button", name="End pause").click()
    elsewhere.page.get_by_text("Paused until").wait_for(state="detached")
    page.clock.fast_forward(61_000)
    page.route(f"**/{TIMES}", lambda route: route.fulfill(status=500))
    with page.expect_response(f"**/{TIMES}"):
        ada.says("in silence, as before")
    page.unroute(f"**/{TIMES}")
    ada.says("aloud again")
    page.wait_for_function("() => window.played >= 6")
    assert page.evaluate("window.played") == 6


ENDS = {
    "Today, 1:00 PM": "2026-03-28T13:00:00+01:00",
    "Tomorrow, 9:00 AM": "2026-03-29T09:00:00+02:00",
    "Monday, March 30, 9:00 AM": "2026-03-30T09:00:00+02:00",
}
"""What a pause can end at on a Saturday at noon, before the clocks change."""


@pytest.mark.parametrize("chosen", ENDS)
def test_pauses_end_when_they_say(somebody: Opens, chosen: str) -> None:
    bea = somebody("bea", timezone_id="Europe/Berlin")
    bea.goes_to("settings/notifications")
    bea.page.clock.set_fixed_time("2026-03-28T12:00:00+01:00")
    with bea.page.expect_request(lambda request: request.method == "PATCH") as sent:
        pause(bea, chosen)
    assert sent.value.post_data == f"until={int(datetime.fromisoformat(ENDS[chosen]).timestamp())}"


def test_nothing_disturbs_each_day_between_two_times(somebody: Opens) -> None:
    bea = somebody("bea", timezone_id="Asia/Tokyo")
    page = bea.page
    bea.goes_to("settings/notifications")
    chosen = page.get_by_role("region", name="Do not disturb")

    def save(start: str, end: str) -> None:
        chosen.get_by_label("Each day from").fill(start)
        chosen.get_by_label("Until", exact=True).fill(end)
        chosen.get_by_role("button", name="Save").click()

    save("", "")
    page.get_by_text("Saved").wait_for()
    assert asks(bea, "users/me")["timezone"] == ""
    save("22:00", "")
    chosen.get_by_role("alert").wait_for()
    save("00:00", "23:59")
    waits_until(bea, "users/me", lambda me: me["timezone"], "Asia/Tokyo")
    assert asks(bea, TIMES)["daily"] == "00:00-23:59"
    chosen.get_by_text("Time zone: Asia/Tokyo").wait_for()
    bea.calls("PATCH", "settings", timezone="Asia/Kolkata")
    page.reload()
    chosen.get_by_text("Time zone: Asia/Kolkata").wait_for()
    page.wait_for_function("() => document.querySelector('[name=to]')?.value === '23:59'")
    save("", "")
    waits_until(bea, TIMES, lambda times: times["daily"], "")
    assert asks(bea, "users/me")["timezone"] == "Asia/Kolkata"


def test_mails_are_switched_off_and_on(somebody: Opens) -> None:
    bea = somebody("bea")
    bea.goes_to("settings/notifications")
    switches = {
        "Direct messages, mentions": False,
        "Followed topics": False,
        "All messages in channels": True,
        "Message text in e-mails": False,
        "Logins from new devices": False,
        "Weekly summaries": False,
    }
    section = bea.page.get_by_role("region", name="E-mail notifications")
    for name, is_on in switches.items():
        with bea.page.expect_response("**/settings"):
            section.get_by_label(name).set_checked(is_on)
    bea.page.reload()
    shown = {name: section.get_by_label(name).is_checked() for name in switches}
    assert shown == switches
