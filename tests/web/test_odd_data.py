"""Data that no program of ours writes breaks one message at most: submessages of all shapes, and addresses
with words that every object of a browser has.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product
from typing import Any

from chatcore.domain.ids import MessageId
from chatcore.events.audience import Everyone
from chatcore.events.happened import SubmessageAdded
from chatcore.storage import Transaction
from storage_backends import open_storage
from tests.web.conftest import Person, Server

ODD: tuple[Any, ...] = (
    None,
    True,
    5,
    "soup",
    [],
    [None],
    ["soup", 7, {}],
    {},
    {"a": {}},
    {"__proto__": 1},
    [[]],
)
FIELDS = (
    "question",
    "options",
    "task_list_title",
    "tasks",
    "task",
    "desc",
    "option",
    "idx",
    "key",
    "vote",
    "title",
)
ACTS = (
    "question",
    "new_option",
    "vote",
    "new_task",
    "strike",
    "new_task_list_title",
    "__proto__",
    "constructor",
)
KINDS = ("poll", "todo", "__proto__", "constructor", "hasOwnProperty", "toString", 7, None, {}, "form")
WORDS = ("__proto__", "constructor", "hasOwnProperty", "__defineGetter__", "toString", "__lookupSetter__")


def widgets() -> Iterator[tuple[str, Any]]:
    """First submessages, and their types."""
    for kind, odd in product(KINDS, ODD):
        yield "widget", {"widget_type": kind, "extra_data": odd}
    for kind, odd in product(("poll", "todo"), ODD):
        yield "widget", {"widget_type": kind, "extra_data": dict.fromkeys(FIELDS, odd)}
    for odd in ODD:
        yield "widget", odd
        yield "other", odd
    yield "other", {"widget_type": "poll", "extra_data": {"options": 5}}
    yield "other", {"widget_type": "__proto__", "extra_data": {}}


def acts() -> Iterator[Any]:
    yield from ODD
    for act, odd in product(ACTS, ODD):
        yield {"type": act, **dict.fromkeys(FIELDS, odd)}


def stores(server: Server, submessages: list[tuple[int, str, Any]]) -> None:
    """Store submessages as no check of the API lets them pass."""

    def write(tx: Transaction) -> None:
        for message_id, msg_type, data in submessages:
            sender_id = tx.messages.by_ids([MessageId(message_id)])[0].sender_id
            added = tx.submessages.add(MessageId(message_id), sender_id, msg_type, json.dumps(data))
            tx.announce(SubmessageAdded(message_id=MessageId(message_id), submessage=added), Everyone())

    with closing(open_storage(server.database)) as storage:
        storage.write(write)


def test_odd_submessages_leave_all_messages_readable(server: Server, somebody: Callable[..., Person]) -> None:
    person = somebody("ada")
    channel = next(one for one in person.calls("GET", "streams")["streams"] if one["name"] == "general")

    def sends(text: str) -> int:
        return int(
            person.calls(
                "POST", "messages", type="channel", to=channel["stream_id"], topic="odd", content=text
            )["id"]
        )

    person.goes_to(f"narrow/channel/{channel['stream_id']}/topic/odd")
    first = sends("before all of them")
    rows: list[tuple[int, str, Any]] = []
    for number, (msg_type, data) in enumerate(widgets()):
        rows.append((sends(f"odd message {number}"), msg_type, data))
    for kind in ("poll", "todo"):
        message_id = sends(f"odd acts of a {kind}")
        extra = {"question": "Soup?", "options": ["yes"], "task_list_title": "Soup", "tasks": []}
        rows.append((message_id, "widget", {"widget_type": kind, "extra_data": extra}))
        rows += [(message_id, "widget", data) for data in acts()]
        rows += [(message_id, "other", data) for data in ODD]
    last = sends("after all of them")
    stores(server, rows)
    person.page.locator(f"#message-{last}").wait_for()
    sends("one that arrives then")
    person.sees("one that arrives then")  # with the odd ones, live
    ids = [first, *dict.fromkeys(message_id for message_id, _, _ in rows), last]
    for message_id in (ids[0], ids[len(ids) // 2], ids[-1]):  # and as they are read later
        person.goes_to(f"narrow/channel/{channel['stream_id']}/topic/odd/near/{message_id}")
        person.page.locator(f"#message-{message_id}").wait_for()
        around = [one for one in ids if abs(ids.index(one) - ids.index(message_id)) < 20]
        for one in around:
            person.page.locator(f"#message-{one}").wait_for()


def test_odd_words_in_addresses_show_a_page(somebody: Callable[..., Person]) -> None:
    person = somebody("ada")
    for word in WORDS:
        for address in (
            f"narrow/{word}/x", f"narrow/-{word}/x", f"narrow/is/{word}", f"narrow/channel/{word}/{word}/7",
            word, f"settings/{word}", f"channels/{word}",
        ):  # fmt: skip
            person.goes_to(address)
            person.page.locator(".topbar").wait_for()
    assert person.page.locator(".page").count() == 1


def test_a_view_that_fails_shows_the_words_of_its_message(somebody: Callable[..., Person]) -> None:
    """A failure in the middle of a message, which none of the views has today."""
    person = somebody("ada")
    person.goes_to_topic("failing")
    person.says("**words** of the failing one")
    article = person.sees("words of the failing one")
    message_id = int(article.get_attribute("data-id"))
    person.goes_to("inbox")

    def break_it(route: Any) -> None:
        answer = route.fetch().json()
        for message in answer["messages"]:
            if message["id"] == message_id:
                message["reactions"] = None
        route.fulfill(json=answer)

    person.page.route("**/api/v1/messages?*", break_it)
    person.page.reload()
    person.goes_to_topic("failing")
    person.sees("words of the failing one")
    assert person.page.locator(f"#message-{message_id} strong").count() == 0, "its text without a view"
    person.says("another")
    person.sees("another")
