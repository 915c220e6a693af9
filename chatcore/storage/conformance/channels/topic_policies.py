"""`chatcore.storage.channels.topic_policies`."""

from chatcore.domain.topics import VisibilityPolicy
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction

MUTED, FOLLOWED, INHERIT = VisibilityPolicy.MUTED, VisibilityPolicy.FOLLOWED, VisibilityPolicy.INHERIT


def test_a_policy_holds_for_every_spelling_of_a_topic(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: tx.topic_policies.put(town.plaza, "ÄPFEL", {town.ada: MUTED}, NOW))
    policy = storage.read(lambda snapshot: snapshot.topic_policies.find(town.ada, town.plaza, "äpfel"))
    assert policy is MUTED
    policies = storage.read(lambda snapshot: snapshot.topic_policies.of_user(town.ada))
    assert policies == {(town.plaza, "äpfel"): ("ÄPFEL", MUTED, NOW)}


def test_a_later_policy_replaces_an_earlier_one(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: tx.topic_policies.put(town.plaza, "lunch", {town.ada: MUTED}, NOW))
    storage.write(lambda tx: tx.topic_policies.put(town.plaza, "Lunch", {town.ada: FOLLOWED}, NOW + 1))
    policies = storage.read(lambda snapshot: snapshot.topic_policies.of_user(town.ada))
    assert policies == {(town.plaza, "lunch"): ("Lunch", FOLLOWED, NOW + 1)}
    counts = storage.read(lambda snapshot: snapshot.topic_policies.counts([town.ada, town.ben]))
    assert counts == {town.ada: 1}


def test_inherit_removes_a_policy(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.topic_policies.put(town.plaza, "", {town.ada: FOLLOWED}, NOW)
        tx.topic_policies.put(town.plaza, "", {town.ada: INHERIT}, NOW)
        tx.topic_policies.put(town.plaza, "never set", {town.ada: INHERIT}, NOW)

    storage.write(write)
    assert storage.read(lambda snapshot: snapshot.topic_policies.find(town.ada, town.plaza, "")) is INHERIT
    assert storage.read(lambda snapshot: snapshot.topic_policies.of_user(town.ada)) == {}


def test_the_policies_of_several_people_for_one_topic(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.topic_policies.put(town.plaza, "lunch", {town.ada: MUTED}, NOW)
        tx.topic_policies.put(town.plaza, "lunch", {town.ben: FOLLOWED}, NOW)
        tx.topic_policies.put(town.office, "lunch", {town.ben: MUTED}, NOW)

    storage.write(write)
    people = [town.ada, town.ben, town.cem]
    policies = storage.read(lambda snapshot: snapshot.topic_policies.among(town.plaza, "lunch", people))
    assert policies == {town.ada: MUTED, town.ben: FOLLOWED}
    assert storage.read(lambda snapshot: snapshot.topic_policies.users_with([town.office])) == {town.ben}
    both = [town.office, town.plaza]
    assert storage.read(lambda snapshot: snapshot.topic_policies.users_with(both)) == {town.ada, town.ben}
    muters = storage.read(lambda snapshot: snapshot.topic_policies.users_with([town.plaza], MUTED))
    assert muters == {town.ada}


def test_the_policies_of_many_are_set_and_read_at_once(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.topic_policies.put(town.plaza, "tea", {town.ada: FOLLOWED, town.ben: MUTED}, NOW)
        tx.topic_policies.put(town.plaza, "Lunch", {town.ada: MUTED, town.ben: FOLLOWED}, NOW)
        tx.topic_policies.put(
            town.plaza, "Tea", {town.ada: INHERIT, town.ben: FOLLOWED, town.cem: MUTED}, NOW + 1
        )
        tx.topic_policies.put(town.office, "lunch", {town.ben: MUTED}, NOW)

    storage.write(write)
    policies = storage.read(lambda snapshot: snapshot.topic_policies.of_topic(town.plaza, "tea"))
    assert policies == {town.ben: FOLLOWED, town.cem: MUTED}
    of_channels = storage.read(
        lambda snapshot: snapshot.topic_policies.of_channels([town.plaza], [town.ada, town.ben])
    )
    assert list(of_channels) == [
        (town.ada, town.plaza, "Lunch", MUTED, NOW),
        (town.ben, town.plaza, "Lunch", FOLLOWED, NOW),
        (town.ben, town.plaza, "Tea", FOLLOWED, NOW + 1),
    ]
