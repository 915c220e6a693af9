"""A signal happens once, for all who wait, whoever sets it and however often."""

import threading
from time import sleep

import pytest

from chatcore.runtime.signals import Signal
from tests.waiting import PATIENCE, until


def test_a_signal_that_has_not_happened_is_waited_for_only_so_long() -> None:
    signal = Signal()
    found: list[bool] = []

    def wait() -> None:
        found.extend(signal.wait(seconds) for seconds in (0.001, 0, -1))

    threading.Thread(target=wait, daemon=True).start()  # perhaps it waits for ever
    until(lambda: found == [False] * 3)
    assert not signal.has_happened


@pytest.mark.parametrize("times", [1, 2])
def test_a_signal_that_has_happened_is_not_waited_for(times: int) -> None:
    signal = Signal()
    for _ in range(times):
        signal.set()
    assert signal.has_happened
    assert signal.wait(0)
    assert signal.wait(PATIENCE)


def test_all_who_wait_go_on_when_it_happens() -> None:
    signal = Signal()
    begun = threading.Barrier(6)
    went_on = []

    def wait() -> None:
        begun.wait(PATIENCE)
        went_on.append(signal.wait(2 * PATIENCE))

    threads = [threading.Thread(target=wait, daemon=True) for _ in range(5)]
    for thread in threads:
        thread.start()
    begun.wait(PATIENCE)
    sleep(0.1)  # most of them wait by then
    signal.set()
    until(lambda: went_on == [True] * 5)
    assert signal.wait(0)


def test_a_function_is_told_of_a_signal_before_and_after_it_happens() -> None:
    signal = Signal()
    told = []
    signal.when_set(lambda: told.append("before"))
    assert told == []
    signal.set()
    assert told == ["before"]
    signal.when_set(lambda: told.append("after"))
    assert told == ["before", "after"]
