"""The head of a conversation, and what can be done with a place."""

from collections.abc import Callable

from tests.waiting import until
from tests.web.conftest import Person
from tests.web.screens import TEXTS, furnish
from tests.web.test_device import WITHOUT_TIMERS
from tests.web.test_writing import goes_by, hold_time

Opens = Callable[..., Person]


def test_the_head_says_what_place_it_is_and_does_what_can_be_done_there(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    ada.goes_to(f"narrow/channel/{ids['channel']}")
    head = ada.page.locator(".topbar")
    head.get_by_role("button", name="Food").click()
    description = ada.page.get_by_role("dialog", name="Description")
    description.get_by_text("Food").wait_for()
    ada.page.keyboard.press("Escape")
    description.wait_for(state="detached")
    ada.page.locator(".about:focus").wait_for()
    for name in ("Pin to the top", "Mute"):
        head.get_by_role("button", name=name).click()
        head.locator(f"[aria-label='{name}'][aria-pressed=true]").wait_for()
    head.get_by_role("button", name="Channel actions").click()
    ada.page.get_by_role("menuitem", name="Unmute").click()
    head.locator("[aria-label=Mute][aria-pressed=false]").wait_for()
    ada.goes_to(f"narrow/dm/{ids['bea']}-dm")
    head.get_by_role("heading", name="Bea Lynn").wait_for()
    head.get_by_text("offline").wait_for()
    head.get_by_role("link", name="Bea Lynn").click()
    card = ada.page.get_by_role("dialog", name="Bea Lynn")
    card.wait_for()
    ada.page.keyboard.press("Escape")
    card.wait_for(state="detached")
    ada.goes_to(f"channels/{ids['channel']}")
    ada.goes_to(f"narrow/channel/{ids['channel']}")
    head.get_by_role("link", name="Subscribers: 1").click()
    ada.page.wait_for_url(f"**/#channels/{ids['channel']}")


def test_a_place_at_the_side_has_the_same_menu_by_keys(somebody: Opens) -> None:
    ada = somebody("ada")
    furnish(ada)
    ada.goes_to("inbox")
    place = ada.page.locator(".place.unread", has_text="kitchen")
    place.locator("a").focus()
    place.get_by_role("button", name="Actions for kitchen").wait_for()
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.press("Enter")
    ada.page.locator("[role=menuitem]:focus", has_text="Mark all as read").wait_for()
    ada.page.keyboard.press("Enter")
    place.wait_for(state="detached")
    ada.page.locator(".inbox li", has_text="soup of the day").wait_for(state="detached")


def test_a_face_opens_a_card_from_which_the_person_is_mentioned(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    ada.goes_to(f"narrow/channel/{ids['channel']}/topic/soup.20of.20the.20day")
    card = ada.page.get_by_role("dialog", name="Ada Fox")
    ada.page.locator("article .avatar").first.click()
    card.get_by_text("Owner").wait_for()
    card.get_by_text("ada@example.com").wait_for()
    assert card.get_by_role("button", name="Mute").count() == 0  # nobody mutes themselves
    ada.page.keyboard.press("Escape")
    card.wait_for(state="detached")
    ada.page.locator("a.user-mention", has_text="Bea").press("Enter")
    card = ada.page.get_by_role("dialog", name="Bea Lynn")
    card.get_by_role("button", name="Mention").click()
    card.wait_for(state="detached")
    field = ada.page.locator("textarea:focus")
    assert field.input_value() == f"@**Bea Lynn|{ids['bea']}** "
    ada.page.locator("a.user-mention", has_text="Bea").click()
    card.get_by_role("link", name="View profile").click()
    ada.page.wait_for_url(f"**/#people/{ids['bea']}")
    card.wait_for(state="detached")


def test_all_of_many_channels_are_at_the_side(somebody: Opens) -> None:
    """The first messages come before the channels that no window shows, and after the current one."""
    ada = somebody("ada")
    names = [f"number {number:03}" for number in range(150)]
    for those in (names[:75], names[75:]):
        ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": name} for name in those])
    ada.page.reload()
    places = ada.page.locator(".place", has_text="number")
    places.filter(has_text=names[-1]).wait_for()
    assert [text.strip() for text in places.all_inner_texts()] == names
    places.filter(has_text=names[-1]).locator("a").click()
    ada.page.locator(".place.here", has_text=names[-1]).wait_for()
    ada.page.add_init_script(WITHOUT_TIMERS.replace("TIME", "100"))
    ada.page.reload()
    ada.page.locator(".place.here", has_text=names[-1]).wait_for()
    assert places.count() < len(names)


def test_the_shown_conversation_is_at_the_side_once_however_old_it_is(somebody: Opens) -> None:
    ada = somebody("ada")
    bots = [
        ada.calls("POST", "bots", full_name=f"bot {number}", short_name=f"bot-{number}")["user_id"]
        for number in range(10)
    ]
    for bot in bots:
        ada.calls("POST", "messages", type="direct", to=[bot], content="soup")
    side = ada.page.get_by_role("navigation", name="Navigation").locator("section").first
    ada.page.reload()
    side.locator(".place").nth(7).wait_for()
    assert side.locator(".place").count() == 8
    for bot, count in ((bots[0], 9), (bots[-1], 8)):
        ada.goes_to(f"narrow/dm/{bot}")
        side.locator(".place.here").wait_for()
        assert side.locator(".place").count() == count


LINES = "all => all.map(one => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)))"
"""How many lines each of some elements has."""


def test_the_inbox_shows_what_was_said_and_marks_it_as_read(somebody: Opens) -> None:
    ada = somebody("ada")
    furnish(ada)
    ada.goes_to("inbox")
    entry = ada.page.locator(".inbox li", has_text="soup of the day")
    entry.get_by_text("Ada Fox: ").wait_for()
    entry.get_by_role("button", name="Mark all as read").click()
    entry.wait_for(state="detached")
    ada.page.locator(".inbox li").first.wait_for()
    ada.page.get_by_role("button", name="Mark all as read", exact=True).click()
    ada.page.get_by_text("You’re all caught up").wait_for()
    ada.goes_to("recent")
    entry.get_by_text("Ada Fox: ").wait_for()
    bea = somebody("bea")
    bea.calls("POST", "messages", type="channel", to="general", topic="news", content="The oven is hot")
    first = ada.page.locator(".inbox li").first
    first.get_by_text("Bea Lynn: The oven is hot").wait_for()
    first.locator(".count").wait_for()
    bea.calls("POST", "messages", type="channel", to="general", topic="news", content="So $$x_1$$ it is")
    first.get_by_text("Bea Lynn: So x_1 it is").wait_for()
    bea.calls(
        "POST",
        "messages",
        type="channel",
        to="general",
        topic="news",
        content="> Is it?\n> > Or not?\n\n:heart: Yes",
    )
    first.get_by_text("Bea Lynn: “Is it? Or not?” ❤️ Yes").wait_for()
    for page in ("inbox", "recent"):
        ada.goes_to(page)
        assert ada.page.locator(".start li a").evaluate_all(LINES) == (
            [1, 1, 1, 1] if page == "inbox" else []
        )


UNREAD = """all => Object.fromEntries(all.map(one => [
    one.querySelector(".name").innerText, Number(one.querySelector(".count").innerText)]))"""
"""The numbers of unread messages of the conversations in the inbox."""


def test_undo_brings_back_what_was_unread_in_any_kind_of_place(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ids = furnish(ada)
    me = ada.calls("GET", "users/me")["user_id"]
    bea.calls("POST", "messages", type="direct", to=[me], content="Is there any?")
    bea.calls("POST", "messages", type="channel", to="general", topic="news", content="There is")
    ada.calls("POST", "messages", type="channel", to=ids["channel"], topic="bread", content="Rye")
    ada.goes_to("inbox")
    rows = ada.page.locator(".inbox > ul > li")
    rows.filter(has_text="› bread").wait_for()  # the last one
    before = rows.evaluate_all(UNREAD)
    items = ada.page.get_by_role("menuitem", name="Mark all as read")

    def at_the_side(name: str) -> None:
        place = ada.page.locator(".place", has_text=name)
        place.hover()
        place.get_by_role("button", name=f"Actions for {name}").click()
        items.click()

    def in_the_palette() -> None:
        ada.page.keyboard.press("Control+k")
        ada.page.keyboard.type("mark all")
        ada.page.get_by_role("option", name="Mark all messages as read").click()

    def in_the_row(name: str) -> None:
        ada.page.get_by_role("button", name=f"Mark all as read: {name}").click()

    everything = ada.page.get_by_role("button", name="Mark all as read", exact=True)
    topics = {name for name in before if name.startswith("kitchen")}
    marks: list[tuple[Callable[[], None], set[str]]] = [
        (lambda: in_the_row("kitchen › soup of the day"), {"kitchen › soup of the day"}),
        (lambda: in_the_row("Bea Lynn"), {"Bea Lynn"}),
        (lambda: at_the_side("Bea Lynn"), {"Bea Lynn"}),
        (lambda: at_the_side("kitchen"), topics),
        (everything.click, set(before)),
        (in_the_palette, set(before)),
    ]
    for mark, gone in marks:
        mark()
        undo = ada.page.locator(".notice", has_text="Marked as read").get_by_role("button", name="Undo")
        undo.wait_for()
        until(lambda gone=gone: rows.evaluate_all(UNREAD).keys() == before.keys() - gone)  # type: ignore[misc]
        undo.click()
        until(lambda: rows.evaluate_all(UNREAD) == before)


def test_what_is_unread_again_stays_so_on_the_screen_and_only_there(somebody: Opens) -> None:
    ada, bea = somebody("ada"), somebody("bea")
    ids = furnish(ada)
    bea.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "kitchen"}])
    kitchen = f"narrow/channel/{ids['channel']}/topic"
    unread = ada.page.locator("article.unread")

    def says(topic: str, text: str) -> None:
        bea.calls("POST", "messages", type="channel", to=ids["channel"], topic=topic, content=text)

    def shows(count: int) -> None:
        until(lambda: goes_by(ada, 20) or unread.count() == count)

    def marks_soup_as_read_and_back() -> None:
        place = ada.page.locator(".topics .place", has_text="soup of the day")
        place.hover()
        place.get_by_role("button", name="Actions for soup of the day").click()
        ada.page.get_by_role("menuitem", name="Mark all as read").click()
        ada.page.locator(".notice").get_by_role("button", name="Undo").click()
        ada.page.locator(".topics .unread", has_text="soup of the day").wait_for()

    ada.goes_to(f"{kitchen}/bread")
    hold_time(ada)
    marks_soup_as_read_and_back()
    says("bread", "Rye")
    shows(1)
    shows(0)  # a list that shows others goes on to mark
    ada.page.evaluate("(address) => (location.hash = address)", f"{kitchen}/soup.20of.20the.20day")
    shows(len(TEXTS))
    marks_soup_as_read_and_back()
    for count, text in enumerate(("Peas", "Salt"), start=len(TEXTS) + 1):
        goes_by(ada, 1_000)
        says("soup of the day", text)
        shows(count)


def test_what_is_open_at_a_place_closes_when_the_address_changes(somebody: Opens) -> None:
    ada = somebody("ada")
    ids = furnish(ada)
    ada.goes_to(f"narrow/channel/{ids['channel']}")
    ada.page.locator(".topbar").get_by_role("button", name="Food").click()
    description = ada.page.get_by_role("dialog", name="Description")
    description.wait_for()
    ada.page.evaluate("location.hash = '#inbox'")
    description.wait_for(state="detached")
    ada.page.locator(".inbox").wait_for()
    ada.page.keyboard.press("Control+k")
    names = ada.page.get_by_role("option").locator(".name")
    names.get_by_text("kitchen", exact=True).wait_for()
    shown = names.all_inner_texts()
    assert len(shown) == len(set(shown)), "a place is among the last ones once"


PHONE = {"width": 390, "height": 700}
IS_WHOLE = "one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"
LACKS = """(one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getBoundingClientRect().width - one.getBoundingClientRect().width;
}"""
"""Return the pixels that a text has more than its place; one is enough to cut a letter."""
LONG = "who waters the plants in the second week of August"


def test_the_inbox_shows_whole_topics_and_formulas_as_they_are_read(somebody: Opens) -> None:
    ada, bea = somebody("ada", viewport=PHONE), somebody("bea")
    bea.goes_to_topic(LONG)
    bea.says(r"$$1\,\text{tbsp} = \frac{a + 1}{2}\,x^2$$ of oil")
    ada.goes_to("inbox")
    row = ada.page.locator(".inbox > ul > li", has_text=LONG)
    assert row.locator("small").inner_text() == "Bea Lynn: 1 tbsp=(a+1)/2 x^2 of oil"
    assert row.locator(".name").evaluate(IS_WHOLE)


def test_the_field_of_search_leaves_the_head_its_title(somebody: Opens) -> None:
    ada = somebody("ada", viewport={"width": 800, "height": 600})
    ada.calls("POST", "users/me/subscriptions", subscriptions=[{"name": "kitchen"}])
    ada.page.locator(".place a", has_text="kitchen").first.click()
    assert ada.page.locator(".topbar h1", has_text="kitchen").evaluate(LACKS) < 0.5


def test_the_bar_of_a_phone_says_where_the_reader_is(somebody: Opens) -> None:
    ada = somebody("ada", viewport=PHONE)
    people = ada.calls("GET", "users")["members"]
    bea = next(one["user_id"] for one in people if one["full_name"] == "Bea Lynn")
    here = ada.page.locator(".bottom [aria-current]")
    for address, name in (
        ("inbox", "Inbox"),
        ("organization", "You"),
        ("narrow/in/all", "Channels"),
        ("people", "Channels"),
        ("narrow/is/dm", "Channels"),
        ("direct", "Direct"),
        (f"narrow/dm/{bea}-dm", "Direct"),
        ("settings", "You"),
    ):
        ada.goes_to(address)
        here.filter(has_text=name).wait_for()
        assert here.count() == 1, address
