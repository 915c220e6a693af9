"""New accounts receive the newest messages of the default channels, and a welcome message."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.channels.defaults import HISTORY_SECONDS, MAX_HISTORY, UNREAD_OF_HISTORY
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.chat import Chat
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.roles import Role
from chatcore.settings import Settings
from chatcore.storage import Transaction
from tests.storage_backends.spying import statements
from tests.worlds.organization import DAY, Someone, World

FIRST_PAGE = {"anchor": 0, "use_first_unread_anchor": True, "num_before": 30, "num_after": 10}
"""The first request of a terminal client."""


def defaults(world: World, *channels: str) -> None:
    for channel in channels:
        world["olga"].post("/default_streams", stream_id=world.id(channel))


def newcomer(world: World, name: str = "nora", **fields: Any) -> Someone:
    """A person whose account is made now, as an administrator or a tool makes it."""
    login = create_user(world.svc, NewUser(email=f"{name}@example.org", full_name=name.title(), **fields))
    world.storage.read(world.know)
    world.keys[name] = login.api_key
    return world[name]


def fill(world: World, channel: str, count: int, **fields: Any) -> list[int]:
    """Messages from nowhere in particular, as an import makes them."""

    def write(tx: Transaction) -> list[int]:
        first = tx.draw(count)
        ids = list(range(first, first + count))
        given = {
            "sender_id": world.users["ada"].id,
            "channel_id": world.id(channel),
            "topic": "old",
            "rendered_content": "<p>number</p>",
            "timestamp": world.svc.now,
            **fields,
        }
        rows = [channel_message(id=number, content=f"number {number}", **given) for number in ids]
        tx.messages.add_many([(row, ["number"]) for row in rows])
        return ids

    return world.storage.write(write)


def welcomes(nora: Someone) -> list[int]:
    return nora.finds("is:dm")


def test_the_first_message_of_a_new_organization_is_unread_for_the_first_newcomer(
    world: World, ada: Someone
) -> None:
    """The history of the newcomer begins with this message, as do the unread messages."""
    defaults(world, "lunch")
    first = ada.says("hello")
    nora = newcomer(world)
    assert nora.finds("channel:lunch") == nora.finds("channel:lunch", "is:unread") == [first]
    assert nora.flags(first) == set()
    second = ada.says("hello, Nora")
    assert nora.finds("channel:lunch", "is:unread") == [first, second]


def test_the_newest_messages_of_the_default_channels_are_a_new_persons_history(
    world: World, ada: Someone
) -> None:
    defaults(world, "lunch", "plaza")
    said = [ada.says(f"number {i}", ["lunch", "plaza", "secret"][i % 3], f"topic {i % 4}") for i in range(75)]
    received = [number for i, number in enumerate(said) if i % 3 < 2]
    nora = newcomer(world)
    received_and_welcome = received + welcomes(nora)
    assert nora.finds() == received_and_welcome
    for message in nora.reads():
        assert "historical" not in message["flags"]
        assert ("read" in message["flags"]) is (message["id"] in received[:-UNREAD_OF_HISTORY])
    unread = received_and_welcome[-UNREAD_OF_HISTORY - 1 :]
    assert nora.finds("is:unread") == unread
    assert nora.finds("search:number") == received
    announced = nora.post("/register")["unread_msgs"]
    assert announced["count"] == len(unread)
    assert sorted(n for one in announced["streams"] for n in one["unread_message_ids"]) == unread[:-1]
    page = nora.get("/messages", narrow=[], **FIRST_PAGE)
    assert page["anchor"] == unread[0]
    assert [one["id"] for one in page["messages"]][-11:] == unread[:11]


def test_the_history_goes_on_as_that_of_everybody_else(world: World, ada: Someone) -> None:
    defaults(world, "lunch")
    said = [ada.says(f"number {i}") for i in range(25)]
    nora = newcomer(world)
    line = nora.opens_queue("message", "update_message", "update_message_flags", "delete_message")
    new = ada.says("welcome")
    ada.patch(f"/messages/{said[-1]}", content="changed")
    ada.delete(f"/messages/{said[-2]}")
    assert nora.flagged("read", said[-1], said[2])["messages"] == [said[-1]]
    assert [event["type"] for event in line.events()] == [
        "message", "update_message", "delete_message", "update_message_flags"
    ]  # fmt: skip
    assert nora.flagged("read", said[2], op="remove")["messages"] == [said[2]]
    nora.post("/messages/flags/narrow", op="add", flag="read", anchor=said[3], num_before=0, num_after=50,
              narrow=[["channel", "lunch"]])  # fmt: skip
    assert nora.finds("is:unread", "channel:lunch") == [said[2]]
    assert nora.flags(new) == {"read"}
    nora.leaves("lunch")
    assert nora.finds("is:unread", "is:dm") == nora.finds("is:unread")


def test_a_history_has_no_more_messages_than_so_many_and_none_that_is_too_old(world: World) -> None:
    defaults(world, "lunch", "plaza")
    too_old = fill(world, "lunch", 30, timestamp=world.svc.now - HISTORY_SECONDS - DAY)
    assert newcomer(world, "nora").finds("channel:lunch", "is:unread") == []
    assert not {"read", "historical"} - newcomer(world, "nils").flags(too_old[-1])
    ids = fill(world, "plaza", MAX_HISTORY // 2) + fill(world, "lunch", MAX_HISTORY)
    nemo = newcomer(world, "nemo")
    assert nemo.finds("is:unread")[:-1] == ids[-UNREAD_OF_HISTORY:]
    combined = nemo.page(num_before=2 * MAX_HISTORY)
    assert [one["id"] for one in combined["messages"]][:-1] == ids[-MAX_HISTORY:]
    assert nemo.flags(ids[-MAX_HISTORY]) == {"read"}
    assert nemo.flags(ids[-MAX_HISTORY - 1]) == {"read", "historical"}


def test_an_archive_that_was_imported_leaves_recent_messages_their_place(world: World, ada: Someone) -> None:
    defaults(world, "lunch", "plaza")
    said = [ada.says("recent", "plaza") for _ in range(3)]
    long_ago = world.svc.now - HISTORY_SECONDS - DAY
    imported = fill(world, "lunch", MAX_HISTORY + 50, timestamp=long_ago)
    nora = newcomer(world)
    assert nora.finds("channel:plaza") == said
    assert nora.flags(said[0]) == {"read"}
    assert nora.finds("is:unread", "channel:lunch") == imported[-UNREAD_OF_HISTORY:]


def test_messages_moved_into_a_default_channel_have_arrived_there(world: World, ada: Someone) -> None:
    defaults(world, "lunch")
    elsewhere, *said = [ada.says(f"number {i}", "plaza" if i == 0 else "lunch") for i in range(4)]
    gone = ada.says("not for everybody", "lunch", "elsewhere")
    ada.patch(f"/messages/{elsewhere}", stream_id=world.id("lunch"), send_notification_to_new_thread=False)
    ada.patch(f"/messages/{gone}", stream_id=world.id("secret"), send_notification_to_new_thread=False)
    nora = newcomer(world)
    assert nora.finds()[:-1] == [elsewhere, *said]
    assert nora.finds("is:unread")[:-1] == said
    assert nora.flags(elsewhere) == {"read"}


def test_guests_have_a_history_and_bots_have_none(world: World, ada: Someone) -> None:
    defaults(world, "lunch")
    said, _ = ada.says("soup"), ada.says("not theirs", "plaza")
    assert newcomer(world, "gast", role=Role.GUEST).finds()[:-1] == [said]
    assert newcomer(world, "echo", is_bot=True).finds() == []


def test_an_account_that_is_made_over_http_has_it_too(world: World, ada: Someone) -> None:
    defaults(world, "lunch")
    said = ada.says("soup")
    world.change_user("adi", can_create_users=True)
    made = world["adi"].post("/users", email="nora@example.org", full_name="Nora", password="a long password")
    login = world.nobody.post("/fetch_api_key", username="nora@example.org", password="a long password")
    world.storage.read(world.know)
    world.keys["nora"] = login["api_key"]
    assert world["nora"].id == made["user_id"]
    assert world["nora"].finds()[:1] == [said]


def test_a_new_person_is_welcomed_directly(world: World) -> None:
    defaults(world, "plaza")
    world["olga"].patch("/realm", welcome_message_custom_text="Ask *Mona*\nfor keys.")
    nora = newcomer(world)
    (message,) = nora.reads("is:dm")
    assert message["sender_full_name"] == "Notification Bot"
    assert message["flags"] == []
    assert "welcome to <strong>Analytical Society</strong>" in message["content"]
    assert ">#plaza</a>" in message["content"]
    assert message["content"].endswith("<hr>\n<p>Ask <em>Mona</em><br>\nfor keys.</p>")
    assert newcomer(world, "echo", is_bot=True).reads("is:dm") == []


def test_the_name_of_an_organization_does_nothing_in_a_welcome(world: World) -> None:
    world.change_organization(name="@**all** `x` [a](b)")
    (message,) = newcomer(world).reads("is:dm")
    assert "welcome to <strong>all x ab</strong>!" in message["content"]
    assert message["flags"] == []
    world.change_organization(name="@**")
    (message,) = newcomer(world, "nils").reads("is:dm")
    assert "welcome to this organization!" in message["content"]


@pytest.mark.parametrize("count", [30, 3000])
def test_a_new_account_costs_the_same_with_any_history(world: World, count: int) -> None:
    defaults(world, "lunch", "plaza")
    fill(world, "lunch", count)
    fill(world, "plaza", count)
    newcomer(world, "nils")
    with statements(world.storage) as seen:
        newcomer(world)
    assert len(seen) <= 50, len(seen)


# -- organizations that begin -----------------------------------------------------------------------


@pytest.fixture
def opened(store_url: str, tmp_path: Path) -> Callable[..., Chat]:
    def opened(**how: Any) -> Chat:
        settings = Settings(secret_key=b"s" * 32, data_dir=tmp_path)
        return open_chat(
            store_url, organization="Club", owner_email="ada@example.com", owner_name="Ada Fox",
            settings=settings, **how,
        )  # fmt: skip

    return opened


def test_a_new_organization_begins_with_messages(opened: Callable[..., Chat]) -> None:
    with opened() as chat:
        ada = chat.users.actor("ada@example.com")
        found = chat.messages.fetch(ada, anchor="newest", num_before=20).readings
        assert [reading.message.topic for reading in found] == [
            "greetings", "channels and topics", "what to do next", ""
        ]  # fmt: skip
        assert [int(reading.flags) for reading in found] == [0, 0, 0, 0]
        assert "Ada Fox" in found[0].message.rendered_content
        assert "<strong>Club</strong>" in found[0].message.rendered_content
        gus = chat.users.create("gus@example.com", "Gus Berg")
        theirs = chat.messages.fetch(gus, anchor="newest", num_before=20).readings
        assert [one.message.id for one in theirs][:3] == [one.message.id for one in found][:3]
        assert [channel.name for channel in chat.channels.list(gus)] == ["general"]
    with opened() as chat:
        assert len(chat.messages.fetch(ada, anchor="newest", num_before=20).readings) == 4


def test_a_program_can_begin_with_an_empty_organization(opened: Callable[..., Chat]) -> None:
    with opened(first_messages=False) as chat:
        ada = chat.users.actor("ada@example.com")
        assert not chat.messages.fetch(ada, anchor="newest", num_before=20).readings
        assert not chat.channels.list(ada)
