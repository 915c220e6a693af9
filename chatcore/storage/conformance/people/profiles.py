"""`chatcore.storage.people.profiles`."""

from dataclasses import replace

from chatcore.domain.ids import FieldId
from chatcore.domain.organization.profile_fields import FieldType, ProfileField, ProfileValue
from chatcore.domain.people.statuses import Status
from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction

COLOR = ProfileField(
    id=FieldId(0),
    type=FieldType.OPTIONS,
    name="Colour",
    hint="ä 'hint'",
    order=3,
    field_data={"r": {"text": "Red", "order": "1"}, "g": {"text": "Grün", "order": "2"}},
    display_in_profile_summary=True,
    required=True,
    editable_by_user=False,
)


def add_field(storage: Storage, name: str, *, order: int = 0) -> FieldId:
    field = ProfileField(id=FieldId(0), type=FieldType.SHORT_TEXT, name=name, order=order)
    return storage.write(lambda tx: tx.profile_fields.add(field))


def test_a_profile_field_comes_back_as_it_was_added(storage: Storage) -> None:
    field_id = storage.write(lambda tx: tx.profile_fields.add(COLOR))
    (stored,) = storage.read(lambda snapshot: snapshot.profile_fields.all())
    assert stored == replace(COLOR, id=field_id)
    assert isinstance(stored.type, FieldType)
    changed = replace(stored, name="Color", order=0, field_data={}, required=False, editable_by_user=True)
    storage.write(lambda tx: tx.profile_fields.update(changed))
    assert storage.read(lambda snapshot: list(snapshot.profile_fields.all())) == [changed]


def test_profile_fields_come_by_their_order(storage: Storage) -> None:
    ids = [add_field(storage, name, order=order) for name, order in (("a", 2), ("b", 1), ("c", 2))]
    field_ids = storage.read(lambda snapshot: [field.id for field in snapshot.profile_fields.all()])
    assert field_ids == [ids[1], ids[0], ids[2]]


def test_profile_values_are_written_over_and_removed(storage: Storage) -> None:
    town = a_town(storage)
    motto, pet = add_field(storage, "Motto"), add_field(storage, "Pet")

    def write(tx: Transaction) -> None:
        tx.profile_values.put(town.ada, pet, ProfileValue("cat"))
        tx.profile_values.put(town.ada, motto, ProfileValue("*ä*", "<p><em>ä</em></p>"))
        tx.profile_values.put(town.ben, motto, ProfileValue("no", "<p>no</p>"))
        tx.profile_values.put(town.ben, motto, ProfileValue("yes", "<p>yes</p>"))

    storage.write(write)
    adas = {motto: ProfileValue("*ä*", "<p><em>ä</em></p>"), pet: ProfileValue("cat")}
    bens = {motto: ProfileValue("yes", "<p>yes</p>")}
    assert storage.read(lambda snapshot: snapshot.profile_values.of_users()) == {
        town.ada: adas,
        town.ben: bens,
    }
    values = storage.read(lambda snapshot: snapshot.profile_values.of_users([town.ada, town.cem]))
    assert values == {town.ada: adas}
    assert list(values[town.ada]) == sorted([motto, pet])
    storage.write(lambda tx: tx.profile_values.remove([town.ada, town.cem], motto))
    left = storage.read(lambda snapshot: snapshot.profile_values.of_users())
    assert left == {town.ada: {pet: ProfileValue("cat")}, town.ben: bens}


def test_users_with_a_value_are_found(storage: Storage) -> None:
    town = a_town(storage)
    motto, pet = add_field(storage, "Motto"), add_field(storage, "Pet")

    def write(tx: Transaction) -> None:
        tx.profile_values.put(town.ben, pet, ProfileValue("dog"))
        tx.profile_values.put(town.ada, pet, ProfileValue("cat"))
        tx.profile_values.put(town.cem, motto, ProfileValue("cat"))

    storage.write(write)
    holders = storage.read(
        lambda snapshot: list(snapshot.profile_values.users_with(pet, ["cat", "dog", "x"]))
    )
    assert holders == [town.ada, town.ben]
    assert storage.read(lambda snapshot: list(snapshot.profile_values.users_with(pet, ["Cat"]))) == []


def test_a_removed_profile_field_takes_its_values_with_it(storage: Storage) -> None:
    town = a_town(storage)
    motto, pet = add_field(storage, "Motto"), add_field(storage, "Pet")

    def write(tx: Transaction) -> None:
        tx.profile_values.put(town.ada, motto, ProfileValue("yes"))
        tx.profile_values.put(town.ada, pet, ProfileValue("cat"))
        tx.profile_fields.remove(motto)

    storage.write(write)
    assert storage.read(lambda snapshot: [field.id for field in snapshot.profile_fields.all()]) == [pet]
    values = storage.read(lambda snapshot: snapshot.profile_values.of_users())
    assert values == {town.ada: {pet: ProfileValue("cat")}}
    storage.write(lambda tx: tx.profile_fields.remove(pet))
    assert add_field(storage, "Pet") > pet


def test_a_status_is_kept_as_long_as_something_is_set(storage: Storage) -> None:
    town = a_town(storage)
    out = Status(status_text="aus", emoji_name="house", emoji_code="1f3e0", reaction_type="unicode_emoji")
    assert storage.read(lambda snapshot: snapshot.statuses.find(town.ada)) == Status()
    storage.write(lambda tx: tx.statuses.put(town.ada, Status(status_text="x")))
    storage.write(lambda tx: tx.statuses.put(town.ada, out))
    storage.write(lambda tx: tx.statuses.put(town.ben, Status()))
    assert storage.read(lambda snapshot: snapshot.statuses.find(town.ada)) == out
    assert storage.read(lambda snapshot: snapshot.statuses.all()) == {town.ada: out}
    storage.write(lambda tx: tx.statuses.put(town.ada, Status()))
    assert storage.read(lambda snapshot: snapshot.statuses.all()) == {}
