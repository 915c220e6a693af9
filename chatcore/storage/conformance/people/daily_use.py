"""`chatcore.storage.people.daily_use`."""

from chatcore.domain.people.daily_use import Daily
from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def test_use_adds_up_until_the_next_day(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert tx.daily_use.add(Daily.GROUPS, 7, {}) == {}
        assert tx.daily_use.add(Daily.GROUPS, 7, {town.ada: 3}) == {town.ada: 3}
        assert tx.daily_use.add(Daily.GROUPS, 7, {town.ada: 2, town.ben: 1}) == {town.ada: 5, town.ben: 1}
        assert tx.daily_use.add(Daily.CHANNELS, 7, {town.ada: 1}) == {town.ada: 1}
        assert tx.daily_use.find(town.ada, Daily.GROUPS, 7) == 5
        assert tx.daily_use.find(town.ada, Daily.GROUPS, 8) == 0
        assert tx.daily_use.find(town.cem, Daily.GROUPS, 7) == 0
        assert tx.daily_use.add(Daily.GROUPS, 8, {town.ada: 10**12}) == {town.ada: 10**12}
        assert tx.daily_use.find(town.ada, Daily.GROUPS, 7) == 0
        assert tx.daily_use.find(town.ada, Daily.CHANNELS, 7) == 1

    storage.write(write)
