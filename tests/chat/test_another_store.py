"""The store of docs/another-store.md passes the conformance suite; one that was only begun ends it, too."""

import inspect
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest

from chatcore.storage import Snapshot, Storage, Store, Transaction, conformance
from chatcore.storage.conformance import *  # noqa: F403
from chatcore.storage.conformance import closing, messages, transactions
from chatcore.storage.conformance.not_yet import NotYet
from tests.page_programs import ROOT, programs

T = TypeVar("T")


@pytest.fixture
def storage() -> Iterator[Store]:
    (program,) = programs(ROOT / "docs" / "another-store.md")
    module: dict[str, Any] = {"__name__": "timed_store"}
    exec(program, module)
    store: Store = module["open_store"]("timed+sqlite:///:memory:")
    store.migrate()
    yield store
    store.close()


class Users(NotYet):
    def all(self) -> list[object]:
        return []


class Everybody(Users):
    def add(self, fields: object) -> SimpleNamespace:
        return SimpleNamespace(id=1)


class Unit(NotYet):
    users = Users()


class Begun:
    """A store that runs functions, and keeps nothing yet."""

    def read(self, work: Callable[[Snapshot], T]) -> T:
        return work(cast(Snapshot, Unit()))

    def write(self, work: Callable[[Transaction], T]) -> T:
        return work(cast(Transaction, Unit()))

    def __getattr__(self, name: str) -> Any:
        return getattr(NotYet("Begun"), name)


class Open(Begun):
    """A store that is never closed."""

    def close(self) -> None:
        pass


TESTS = {
    name: function
    for name, function in vars(conformance).items()
    if name.startswith("test_") and list(inspect.signature(function).parameters) == ["storage"]
}


COMPARES_ERRORS = "test_a_failed_unit_of_work_does_not_disturb_its_neighbours"


def test_what_a_begun_store_lacks_is_named() -> None:
    """Each test ends at once, also those that wait for other threads."""
    storage = cast(Storage, Begun())
    for name, run in TESTS.items():
        if name == "test_a_unit_of_work_gives_its_result":
            run(storage)
            continue
        with pytest.raises((AssertionError, NotImplementedError)) as failed:
            run(storage)
        assert name == COMPARES_ERRORS or "is not there yet" in f"{failed.value}{failed.value.__cause__}", (
            name
        )


def test_a_store_that_stays_open_fails_and_hangs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "PATIENCE", 0.2)
    monkeypatch.setattr(Unit, "users", Everybody())
    with pytest.raises(AssertionError, match="did not happen"):
        closing.test_a_store_is_closed_under_nobody(cast(Storage, Open()))


def test_a_group_can_be_imported_alone() -> None:
    names = {name for name in vars(messages) if name.startswith("test_")}
    assert 20 < len(names) < len(TESTS) / 2
    assert names <= {*TESTS}
