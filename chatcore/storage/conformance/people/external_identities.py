"""`chatcore.storage.people.external_identities`."""

from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def test_an_identity_is_of_one_account_and_one_provider(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        identities = tx.external_identities
        identities.add("work", "Ada", town.ada)
        identities.add("school", "ada", town.ada)
        identities.add("work", "ada", town.ben)
        found = [
            identities.find(*identity) for identity in (("work", "Ada"), ("work", "ada"), ("school", "Ada"))
        ]
        assert found == [town.ada, town.ben, None]
        assert identities.of_user(town.ada) == {"work": "Ada", "school": "ada"}
        assert identities.subjects("work", [town.ada, town.ben]) == {town.ada: "Ada", town.ben: "ada"}
        assert identities.subjects("school", [town.ada, town.ben]) == {town.ada: "ada"}
        assert (identities.subjects("work", [town.ben]), identities.subjects("work", [])) == (
            {town.ben: "ada"},
            {},
        )
        identities.remove_of_user(town.ada, "school")
        assert (identities.of_user(town.ada), identities.find("school", "ada")) == ({"work": "Ada"}, None)
        identities.remove_of_user(town.ada)
        assert (identities.of_user(town.ada), identities.of_user(town.ben)) == ({}, {"work": "ada"})

    storage.write(write)
