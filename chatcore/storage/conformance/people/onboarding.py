"""`chatcore.storage.people.onboarding`."""

from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def test_steps_are_seen_once_by_each_user(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert list(tx.onboarding_steps.of_user(town.ada)) == []
        assert tx.onboarding_steps.add(town.ada, "inbox")
        assert not tx.onboarding_steps.add(town.ada, "inbox")
        assert tx.onboarding_steps.add(town.ada, "topics")
        assert sorted(tx.onboarding_steps.of_user(town.ada)) == ["inbox", "topics"]
        assert list(tx.onboarding_steps.of_user(town.ben)) == []

    storage.write(write)
