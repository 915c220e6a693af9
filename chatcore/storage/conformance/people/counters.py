"""`chatcore.storage.people.counters`."""

from collections.abc import Mapping

from chatcore.storage.transaction import Storage


def test_counters_are_totals_by_name_and_time(storage: Storage) -> None:
    def add(amounts: Mapping[tuple[str, int], int], now: int) -> Mapping[tuple[str, int], int]:
        return storage.write(lambda tx: tx.counters.add(amounts, now))

    assert add({("ada", 60): 3, ("ben", 60): 1}, 0) == {("ada", 60): 3, ("ben", 60): 1}
    assert add({("ada", 60): 2, ("ada", 120): 7}, 59) == {("ada", 60): 5, ("ada", 120): 7}
    assert add({}, 60) == {}
    assert add({("ada", 60): 1}, 61) == {("ada", 60): 1}, "what is over is forgotten"
    assert add({("ada", 120): 1}, 61) == {("ada", 120): 8}
