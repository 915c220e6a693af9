"""Polls that wait together receive exactly what each would receive alone, although they share encoded
payloads, and each payload has the type of its event.

The events are those of every action of the scenes; the polls are of people of all roles, with several kinds
of clients each.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from chatcore.application.events.batch import Batch, read_on
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.people.users import User
from chatcore.events import happened
from chatcore.events.queue import Capabilities, Queue, Registration
from chatcore.runtime.polls import Waiter
from chatcore.storage import Snapshot, Transaction
from tests.worlds.organization import MakeWorld, World
from tests.worlds.scenes.actions import ACTIONS
from tests.worlds.scenes.everything import Scene

ALL = Capabilities(**dict.fromkeys(Capabilities.__struct_fields__, True))
SOME = Capabilities(archived_channels=True, user_list_incomplete=True, simplified_presence_events=True)
KINDS: Sequence[Registration] = [
    Registration(apply_markdown=apply_markdown, client_gravatar=left, slim_presence=left, capabilities=known)
    for known, (apply_markdown, left) in product(
        (Capabilities(), SOME, ALL), ((False, True), (True, True), (True, False))
    )
]
"""Kinds of clients that differ in their capabilities, or in the other options alone."""
AT_ONCE = Limits(
    max_events_per_read=1_000_000, max_event_size_per_read=10**9, max_event_size_per_answer=10**9
)
BEGINNING = Position(0)
Received = Mapping[QueueId, Mapping[int, bytes]]
"""The events that each queue receives, by position."""


@pytest.mark.parametrize("store_kind", ["sqlite"])  # events are formatted by the same code on every store
def test_a_payload_is_shared_only_by_listeners_who_receive_the_same(
    make_world: MakeWorld, tmp_path: Path, store_kind: str
) -> None:
    world = make_world(data_dir=tmp_path / "data")
    scene = Scene(world, limited=True)
    for action in ACTIONS:
        action.do(scene)
    a_stranger_takes_part(world)
    queues = world.storage.write(open_queues)
    wrong = [*differences(world, queues)]
    everybody = GroupSetting.of(SystemGroup.EVERYONE)
    world.change_organization(permissions={"can_access_all_users_group": everybody})
    wrong += differences(world, queues)
    assert not wrong, "\n".join(["", *wrong[:20]])


def a_stranger_takes_part(world: World) -> None:
    """Cause events of a user whom a guest who received them does not know any more, or never did."""
    zoe, gus = world.add_user("zoe"), world["gus"]
    world.add_channel("hall", "zoe", "gus", "new-bea", "new-cem")
    world.choose("new-bea", receives_typing_notifications=False)
    zoe.post(f"/messages/{zoe.says('hush', 'hall')}/reactions", emoji_name="tada")
    zoe.post("/typing", op="start", type="channel", stream_id=world.id("hall"), topic="today")
    zoe.post("/typing", op="start", to=[gus.id, world.users["new-cem"].id])
    gus.leaves("hall")


def open_queues(tx: Transaction) -> Mapping[str, Queue]:
    """Add a queue of every kind for each user, with a name for messages."""
    people: list[User] = [user for user in tx.users.all() if user.is_active]
    queues = {}
    for user, (number, kind) in product(people, enumerate(KINDS)):
        name = f"{user.full_name} ({user.role.name.lower()}, client {number})"
        queues[name] = Queue(
            id=QueueId(f"{user.id}-{number}"),
            user_id=user.id,
            registration=kind,
            created_at=BEGINNING,
            acknowledged=BEGINNING,
            last_seen=0.0,
        )
        tx.queues.add(queues[name])
    return queues


def differences(world: World, queues: Mapping[str, Queue]) -> Iterator[str]:
    """Yield the differences between what a queue receives beside all others, in two orders, and alone.

    For any two listeners who share a payload, each comes first in one of the orders: the one who is not
    notified makes no payload, and would hide the mistake if it always came first.
    """
    waiting = [*queues.values()]
    together = [received(world, order) for order in (waiting, waiting[::-1])]
    alone: dict[QueueId, Mapping[int, bytes]] = {}
    for queue in waiting:
        alone |= received(world, [queue])
    for name, queue in queues.items():
        expected = alone[queue.id]
        for found in (one[queue.id] for one in together):
            for position in sorted(expected.keys() | found.keys()):
                if found.get(position) != expected.get(position):
                    yield f"{name}: {found.get(position)!r} and not {expected.get(position)!r}"


def received(world: World, queues: Sequence[Queue]) -> Received:
    """Return the events since the beginning for polls that wait together."""
    waiters = [Waiter(queue, UserId(queue.user_id), BEGINNING, 0.0) for queue in queues]

    def read(snapshot: Snapshot) -> Batch:
        return Batch(
            snapshot,
            read_on(snapshot, BEGINNING, AT_ONCE),
            waiters,
            world.clock(),
            AT_ONCE,
            world.svc.settings,
        )

    batch = world.storage.read(read)
    logged = {type(one.event) for one in batch.log_range.events}
    assert logged >= frozenset(get_args(happened.AnyEvent)) - {happened.QueueClosed}
    types = {
        one.position - number: one.event.type
        for one in batch.log_range.events
        for number in range(one.event.position_count)
    }
    return {waiter.queue.id: by_position(batch.for_waiter(waiter) or [], types) for waiter in waiters}


def by_position(payloads: Sequence[bytes], types: Mapping[int, str]) -> Mapping[int, bytes]:
    found = {}
    for payload in payloads:
        head = _head_of(payload)
        assert head.type == types[head.id]
        found[head.id] = payload
    return found


class _Head(msgspec.Struct):
    id: int
    type: str


_head_of: Any = msgspec.json.Decoder(_Head).decode
