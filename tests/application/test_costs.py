"""What happens to messages costs the same for any number of readers: in statements, rows and events."""

import re
from collections.abc import Callable, Sequence

import pytest

from chatcore.application import deleting, editing, reactions
from chatcore.application.editing import Change
from chatcore.domain.ids import UserId
from chatcore.storage import Transaction
from chatcore.storage.conformance.makers import mute, subscribe
from storage_backends.sql.session import Session
from storage_backends.sql.watermarks import Watermarks
from tests.http.world import World
from tests.storage_backends.spying import statements

Act = Callable[[World, list[int]], None]


def edit(world: World, sent: list[int]) -> None:
    editing.update_message(world.svc, world.actor("ada"), sent[0], Change(content="stew"))


def rename(world: World, sent: list[int]) -> None:
    move(world, sent, topic=f"later than {sent[0]}")


def send_to_plaza(world: World, sent: list[int]) -> None:
    move(world, sent, channel_id=world.id("plaza"))


def send_to_secret(world: World, sent: list[int]) -> None:
    move(world, sent, channel_id=world.id("secret"))


def move(world: World, sent: list[int], **to: object) -> None:
    change = Change(propagate_mode="change_all", tell_new_topic=False, **to)  # type: ignore[arg-type]
    editing.update_message(world.svc, world.actor("ada"), sent[0], change)


def react(world: World, sent: list[int]) -> None:
    reactions.add_reaction(world.svc, world.actor("ada"), sent[0], "tada")


def delete(world: World, sent: list[int]) -> None:
    deleting.delete_message(world.svc, world.actor("ada"), sent[0])


ACTS: Sequence[Act] = (edit, rename, send_to_plaza, send_to_secret, react, delete)

Cost = tuple[int, int, list[str]]
"""The statements, the new rows of flags, and the events with their audiences, all numbers left out."""


@pytest.mark.parametrize("channel", ["lunch", "vault"])
def test_a_change_costs_the_same_for_any_number_of_readers(world: World, channel: str) -> None:
    few, many = (costs(world, channel, crowd) for crowd in (2, 20))
    for act in ACTS:
        assert many[act] == few[act], act.__name__


def test_a_message_costs_the_same_however_many_have_muted_its_sender(world: World) -> None:
    people, ada = world.add_people(50, to="lunch"), world.actor("ada").user_id

    def mute_ada(tx: Transaction) -> None:
        for user_id in people:
            mute(tx, user_id, ada)

    def say(world: World, sent: list[int]) -> None:
        assert world["ada"].says("stew", topic="soups") > max(sent)

    liked = cost(world, "lunch", "soups", say)
    world.storage.write(mute_ada)
    assert cost(world, "lunch", "soups", say) == liked


def test_who_registers_leaves_the_muted_behind(world: World) -> None:
    """What nobody marks as read is not looked through again and again for what is unread."""
    ada, bea = world["ada"], world["bea"]
    bea.post(f"/users/me/muted_users/{ada.id}")
    direct = ada.writes("soup", "bea")
    ada.says("soup")
    unread = world["gus"].says("stew")
    ada.says("tea")

    def watermarks() -> set[int]:
        with world.storage.backend.connection():
            return set(Watermarks(Session(world.storage.backend)).of(UserId(bea.id)).values())

    assert not watermarks() & {direct, unread - 1}
    bea.registers()
    assert watermarks() >= {direct, unread - 1}


def costs(world: World, channel: str, crowd: int) -> dict[Act, Cost]:
    """With some more people: in the channel of the messages, where they may be moved to, and in both."""
    places = (channel, "plaza", "secret")
    for place in places:
        world.add_people(crowd, to=place)
        world["ada"].says("tea", place, "first of all")
    both = world.add_people(crowd, to=channel)

    def come(tx: Transaction) -> None:
        for place in places[1:]:
            subscribe(tx, world.channels[place].id, *both)

    world.storage.write(come)
    return {act: cost(world, channel, f"{act.__name__} {crowd}", act) for act in ACTS}


def cost(world: World, channel: str, topic: str, act: Act) -> Cost:
    sent = [world["ada"].says(text, channel, topic) for text in ("soup", "salad")]
    rows, head = world.count("message_flag"), world.storage.read(lambda snapshot: snapshot.log.head())
    with statements(world.storage) as spied:
        act(world, sent)
    events = world.storage.read(lambda snapshot: snapshot.log.after(head, 100))
    told = [re.sub(r"[0-9]+", "0", f"{one.event} {one.audience}") for one in events]
    return len(spied), world.count("message_flag") - rows, told
