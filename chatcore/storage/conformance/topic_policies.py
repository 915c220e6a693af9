"""`chatcore.storage.flags`, the topic policies"""

from chatcore.domain.topics import VisibilityPolicy
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction

MUTED, FOLLOWED, INHERIT = VisibilityPolicy.MUTED, VisibilityPolicy.FOLLOWED, VisibilityPolicy.INHERIT


def test_a_policy_holds_for_every_spelling_of_a_topic(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: tx.topic_policies.put(town.ada, town.plaza, "ÄPFEL", MUTED, NOW))
    found = storage.read(lambda snapshot: snapshot.topic_policies.find(town.ada, town.plaza, "äpfel"))
    assert found is MUTED
    mine = storage.read(lambda snapshot: snapshot.topic_policies.of_user(town.ada))
    assert mine == {(town.plaza, "äpfel"): ("ÄPFEL", MUTED, NOW)}


def test_a_later_policy_replaces_an_earlier_one(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: tx.topic_policies.put(town.ada, town.plaza, "lunch", MUTED, NOW))
    storage.write(lambda tx: tx.topic_policies.put(town.ada, town.plaza, "Lunch", FOLLOWED, NOW + 1))
    mine = storage.read(lambda snapshot: snapshot.topic_policies.of_user(town.ada))
    assert mine == {(town.plaza, "lunch"): ("Lunch", FOLLOWED, NOW + 1)}
    assert storage.read(lambda snapshot: snapshot.topic_policies.count_of_user(town.ada)) == 1
    assert storage.read(lambda snapshot: snapshot.topic_policies.count_of_user(town.ben)) == 0


def test_inherit_removes_a_policy(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.topic_policies.put(town.ada, town.plaza, "", FOLLOWED, NOW)
        tx.topic_policies.put(town.ada, town.plaza, "", INHERIT, NOW)
        tx.topic_policies.put(town.ada, town.plaza, "never set", INHERIT, NOW)

    storage.write(write)
    assert storage.read(lambda snapshot: snapshot.topic_policies.find(town.ada, town.plaza, "")) is INHERIT
    assert storage.read(lambda snapshot: snapshot.topic_policies.of_user(town.ada)) == {}


def test_the_policies_of_several_people_for_one_topic(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.topic_policies.put(town.ada, town.plaza, "lunch", MUTED, NOW)
        tx.topic_policies.put(town.ben, town.plaza, "lunch", FOLLOWED, NOW)
        tx.topic_policies.put(town.ben, town.office, "lunch", MUTED, NOW)

    storage.write(write)
    people = [town.ada, town.ben, town.cem]
    found = storage.read(lambda snapshot: snapshot.topic_policies.among(town.plaza, "lunch", people))
    assert found == {town.ada: MUTED, town.ben: FOLLOWED}
    assert storage.read(lambda snapshot: snapshot.topic_policies.holders([town.office])) == {town.ben}
    both = [town.office, town.plaza]
    assert storage.read(lambda snapshot: snapshot.topic_policies.holders(both)) == {town.ada, town.ben}
    theirs = storage.read(lambda s: s.topic_policies.of_users([town.ben, town.cem, town.ada], [town.plaza]))
    assert [(who, dict(policies)) for who, policies in theirs.items()] == [
        (town.ada, {(town.plaza, "lunch"): ("lunch", MUTED, NOW)}),
        (town.ben, {(town.plaza, "lunch"): ("lunch", FOLLOWED, NOW)}),
    ]
    muters = storage.read(lambda snapshot: snapshot.topic_policies.holders([town.plaza], MUTED))
    assert muters == {town.ada}
