"""Holds that are set while old messages are deleted: nothing held goes once its hold is acknowledged."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from chatcore.application.retention import deleting, scopes
from chatcore.application.retention.deleting import delete_batches
from chatcore.application.retention.holds import add_hold
from tests.application.retention.days import pass_days
from tests.application.retention.test_deleting import keep, stored
from tests.waiting import PATIENCE
from tests.worlds.organization import World

MESSAGES = 30
TARGETS: dict[str, Callable[[World], dict[str, Any]]] = {
    "person": lambda world: {"user_id": world["ada"].id},
    "channel": lambda world: {"channel_id": world.id("lunch")},
}


@pytest.fixture
def another(world: World) -> Any:
    """A store as another process of the organization has it, with a memory of its own."""
    with closing(World(world.url)) as another:
        another.clock.now = world.clock.now
        yield another


def has_old_messages(world: World) -> set[int]:
    keep(world, 1)
    message_ids = {world["ada"].says(f"{number}") for number in range(MESSAGES)}
    pass_days(world, 2)
    return message_ids


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("batches_before", range(3))
def test_whose_commit_comes_first_decides(
    world: World, another: World, monkeypatch: pytest.MonkeyPatch, target: str, batches_before: int
) -> None:
    """Both begin at once, after some batches: what is there when the hold is acknowledged stays."""
    monkeypatch.setattr(scopes, "BATCH", 4)
    has_old_messages(world)
    batches = delete_batches(world.svc)
    for _ in range(batches_before):
        next(batches)
    together = threading.Barrier(2)

    def set_hold() -> set[int]:
        together.wait(PATIENCE)
        add_hold(another.svc, another["olga"].actor, "case 7", **TARGETS[target](another))
        return stored(another)

    with ThreadPoolExecutor() as threads:
        held = threads.submit(set_hold)
        together.wait(PATIENCE)
        deleted = sum(amount.messages for _, amount in batches) + 4 * batches_before
        assert stored(world) == held.result(PATIENCE)
    assert deleted == MESSAGES - len(held.result())


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("target", TARGETS)
def test_a_hold_waits_for_the_batch_that_is_being_deleted(
    world: World, another: World, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setattr(scopes, "BATCH", 4)
    message_ids = has_old_messages(world)
    remove = vars(deleting)["remove_everywhere"]
    begun, holds = threading.Event(), []

    def set_hold() -> set[int]:
        begun.set()
        add_hold(another.svc, another["olga"].actor, "case 7", **TARGETS[target](another))
        return stored(another)

    with ThreadPoolExecutor() as threads:

        def remove_meanwhile(*given: Any) -> None:
            if not holds:
                holds.append(threads.submit(set_hold))
                assert begun.wait(PATIENCE)  # it asks for the lock from here on
            remove(*given)
            assert not holds[0].done(), "acknowledged before what it holds is gone"

        monkeypatch.setattr(deleting, "remove_everywhere", remove_meanwhile)
        batches = delete_batches(world.svc)
        next(batches)
        kept = holds[0].result(PATIENCE)
        assert sum(amount.messages for _, amount in batches) == 0
    assert stored(world) == kept
    assert len(kept) == len(message_ids) - 4


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("target", TARGETS)
def test_a_hold_of_another_process_is_seen_by_one_that_has_chosen_what_goes(
    world: World, another: World, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    message_ids = has_old_messages(world)
    delete = vars(deleting)["_delete_batch"]

    def delete_later(*given: Any) -> Any:
        add_hold(another.svc, another["olga"].actor, "case 7", **TARGETS[target](another))
        return delete(*given)

    monkeypatch.setattr(deleting, "_delete_batch", delete_later)
    assert sum(amount.messages for _, amount in delete_batches(world.svc)) == 0
    assert stored(world) == message_ids
