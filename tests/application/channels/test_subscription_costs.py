"""Subscribing many people to many channels, or unsubscribing them, takes as many statements as for a few."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from chatcore.application.channels.subscribing import subscribe
from chatcore.application.channels.subscription_plans import Subscribe, WantedChannel
from chatcore.application.channels.unsubscribing import unsubscribe
from chatcore.application.messages.sending import SendDirect, send
from chatcore.domain.ids import UserId
from storage_backends.sql.session import Session
from tests.storage_backends.spying import statements
from tests.worlds.organization import World

Act = Callable[[World, Sequence[str], Sequence[UserId]], object]
EVENTS = 3
"""The events about a channel: its creation, its new subscribers, and their arrival for the others."""
ENTRIES = 2
"""Entries of the audit log about a channel: its creation, and its new subscribers."""
NOTICE = 7
"""The first message of a new channel, with its event."""


def come(world: World, names: Sequence[str], people: Sequence[UserId]) -> None:
    wanted = [WantedChannel(name) for name in names]
    cmd = Subscribe(channels=wanted, principals=people, send_new_subscription_messages=False)
    subscribe(world.svc, world.actor("adi"), cmd)


def leave(world: World, names: Sequence[str], people: Sequence[UserId]) -> None:
    unsubscribe(world.svc, world.actor("adi"), names, people)


@pytest.mark.parametrize("private", [False, True])
def test_statements_do_not_grow_with_channels_times_people(
    world: World, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    rows: list[int] = []
    run_many = Session.run_many

    def count_rows(session: Session, statement: str, given: Sequence[Sequence[object]]) -> None:
        rows.append(0 if len(given) == 1 else len(given))  # one alone is a statement like any other
        run_many(session, statement, given)

    monkeypatch.setattr(Session, "run_many", count_rows)

    def cost(act: Act, names: Sequence[str], people: Sequence[UserId]) -> int:
        rows.clear()
        with statements(world.storage) as spied:
            act(world, names, people)
        return len(spied) + sum(rows)

    people = world.add_people(40, to="plaza")
    costs: dict[tuple[int, int], dict[str, int]] = {}
    for channels, crowd in ((2, 2), (2, 40), (40, 2), (20, 20)):
        names = [f"{channels} {crowd} {number}" for number in range(channels)]
        for name in names:
            world.add_channel(name, "adi", invite_only=private)
        new = [f"new {name}" for name in names]
        costs[channels, crowd] = {
            "joining": cost(come, names, people[:crowd]),
            "leaving": cost(leave, names, people[:crowd]),
            "coming back": cost(come, names, people[:crowd]),
            "staying": cost(come, names, people[:crowd]),
            "creating": cost(come, new, people[:crowd]),
        }
    few = costs[2, 2]
    assert costs[2, 40] == few, "people cost nothing"
    for channels, crowd in ((40, 2), (20, 20)):
        for what, count in costs[channels, crowd].items():
            each = {"staying": 0, "creating": EVENTS + ENTRIES + NOTICE}.get(what, EVENTS + 1)
            assert count <= few[what] + (channels - 2) * each, (what, channels, crowd)


def test_many_spellings_of_an_address_are_looked_up_together(world: World) -> None:
    ada = world.actor("ada")
    spellings = ["".join(letters) for letters in product(*((c, c.upper()) for c in "bea@"))]
    addresses = [f"{name}example.org" for name in spellings]
    costs = []
    for given in (addresses[:1], addresses):
        with statements(world.storage) as spied:
            direct = SendDirect(content="hello", to=given)
            send(world.svc, ada, direct)
            subscribe(world.svc, ada, Subscribe(channels=[WantedChannel("lunch")], principals=given))
        costs.append(len(spied))
    assert costs[1] <= costs[0] + 1  # the first message begins a conversation
