"""An old state with the later events applied equals the new state: for every type of event, each kind of
viewer, and any course of events."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from chatcore.events import happened
from tests.worlds.clients.events import APPLY
from tests.worlds.clients.kinds import VIEWERS, Client, Nobody, clients_of
from tests.worlds.clients.watching import Watch
from tests.worlds.organization import MakeWorld, World
from tests.worlds.scenes.actions import ACTIONS
from tests.worlds.scenes.chance import Chance
from tests.worlds.scenes.everything import Scene

SEEDS = "CHATCORE_TESTS_SEEDS"
"""Environment: the first and the last seed to try, as in `200-215`."""
EVENTS = frozenset(get_args(happened.AnyEvent)) - {happened.QueueClosed}
"""Every event that clients can receive."""
SECRETS = ("hush", "@example.org", "secret", "vault", "kitchen", "lunch")
"""Words in what is not open to the web: texts, addresses, and names of channels."""
MakeScene = Callable[..., Scene]


@pytest.fixture
def make_scene(make_world: MakeWorld, tmp_path: Path) -> MakeScene:
    def make(*, limited: bool = False) -> Scene:
        return Scene(make_world(data_dir=tmp_path / "data"), limited=limited)

    return make


def logged(world: World, after: int) -> set[type[Any]]:
    found = world.storage.read(lambda snapshot: snapshot.log.after(after, 10_000))  # type: ignore[arg-type]
    return {type(one.event) for one in found}


def head(world: World) -> int:
    return int(world.storage.read(lambda snapshot: snapshot.log.head()))


def test_clients_know_what_to_do_with_every_type_of_event() -> None:
    assert {event_type for event_type, _ in APPLY} == {event.type for event in EVENTS}


def test_there_is_an_action_for_every_event() -> None:
    announced = [event for a in ACTIONS for event in (*a.events, *a.where_guests_know_few)]
    assert set(announced) == EVENTS


KNOWN = pytest.mark.parametrize("limited", [False, True], ids=["everybody is known", "guests know few"])


def steps(store_kind: str, client: Client, *, limited: bool) -> int:
    """Actions between two comparisons of a client: events are formed by the same code on every store, and for
    most people it makes no difference that guests know few. Clients take turns, so some are compared after
    each action. On PostgreSQL they also read their events only then, many at once.
    """
    if store_kind == "postgresql":
        return 20
    return 8 if limited and client.who.name != "gus" else 4


@KNOWN
def test_clients_have_the_state_of_now_after_each_type_of_event(
    make_scene: MakeScene, store_kind: str, limited: bool
) -> None:
    """All clients have the state of now after each action, or in turn, each of them after some."""
    scene = make_scene(limited=limited)
    clients = clients_of(scene.world, kind=-1 if limited else 0)
    clients.sort(key=lambda client: client.who.name == "gus")
    nobody = Nobody(scene.world)
    wrong: list[str] = []
    received: set[tuple[str, str | None]] = set()
    for number, action in enumerate(ACTIONS, 1):
        name = action.do.__name__
        is_last = number == len(ACTIONS)
        before = head(scene.world)
        action.do(scene)
        expected = (*action.events, *(action.where_guests_know_few if limited else ()))
        missing = set(expected) - logged(scene.world, before)
        wrong += [f"{name}: there was no {event.__name__}" for event in missing]
        for turn, client in enumerate(clients):
            is_compared = is_last or (number + turn) % steps(store_kind, client, limited=limited) == 0
            if is_compared or store_kind == "sqlite":
                received |= client.listen()
            if is_compared:
                wrong += [f"{name}: {one}" for one in client.differences(starting_over=True)]
        wrong += [f"{name}: {one}" for one in nobody.leaks(SECRETS)]
    assert not wrong, "\n".join(["", *wrong])
    not_received = {("web_reload_client", None)} | (set() if limited else {("realm_user", "remove")})
    assert received == set(APPLY) - not_received


def tries() -> list[tuple[bool, int]]:
    """Whether guests know few, and the seed: a few of them, or those that are asked for, both ways."""
    first, _, last = os.environ.get(SEEDS, "").partition("-")  # noqa: TID251
    if not first:
        return [(False, 1), (True, 2)]
    return [
        (limited, seed) for seed in range(int(first), int(last or first) + 1) for limited in (False, True)
    ]


@pytest.mark.parametrize(("limited", "seed"), tries())
def test_each_action_is_told_at_once(make_scene: MakeScene, limited: bool, seed: int) -> None:
    """Everybody is compared after each of some random actions, so that the action fails which announces too
    little or too much.
    """
    scene = make_scene(limited=limited)
    for name in VIEWERS:
        scene.world[name].opens_queue("message")  # only people with a queue are told of what becomes read
    watch = Watch(scene.world, VIEWERS, sees_all=True)
    chance = Chance(scene, seed)
    for _ in range(20):
        with watch.over(f"seed {seed}, action {len(chance.done) + 1}"):
            chance.act()


@pytest.mark.parametrize(("limited", "seed"), tries())
def test_whatever_people_do(make_scene: MakeScene, limited: bool, seed: int) -> None:
    """Random actions; `CHATCORE_TESTS_SEEDS=200-215`, or a single number, selects other seeds."""
    scene = make_scene(limited=limited)
    clients = clients_of(scene.world, kind=-(seed % 2))
    chance = Chance(scene, seed)
    for _ in range(5):
        for _ in range(10):
            chance.act()
            for client in chance.dice.sample(clients, 2):
                client.listen()
        for client in clients:
            client.listen()
        wrong = [one for client in clients for one in client.differences()]
        assert not wrong, "\n".join(["", f"seed {seed}:", *chance.done, *wrong])
