"""`chatcore.storage.people.alert_words`."""

from chatcore.domain.ids import UserId
from chatcore.domain.people.alert_words import tokens
from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def test_alert_words_keep_their_order_and_spelling(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: tx.alert_words.add(town.ada, ["Lunch", "coffee break"]))
    storage.write(lambda tx: tx.alert_words.add(town.ada, ["Apples", "LUNCH"]))
    words = storage.read(lambda snapshot: snapshot.alert_words.of_user(town.ada))
    assert words == ["Lunch", "coffee break", "Apples"]
    assert storage.read(lambda snapshot: snapshot.alert_words.of_user(town.ben)) == []


def test_alert_words_are_removed_in_any_case(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.alert_words.add(town.ada, ["Lunch", "ÄPFEL"])
        tx.alert_words.add(town.ben, ["lunch"])
        tx.alert_words.remove(town.ada, ["lunch", "never added"])

    storage.write(write)
    assert storage.read(lambda snapshot: snapshot.alert_words.of_user(town.ada)) == ["ÄPFEL"]
    assert storage.read(lambda snapshot: snapshot.alert_words.of_user(town.ben)) == ["lunch"]


def test_candidates_are_the_words_whose_beginning_is_in_the_text(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.alert_words.add(town.ada, ["coffee break", "tea"])
        tx.alert_words.add(town.ben, ["COFFEE", "++"])

    storage.write(write)

    def candidates(text: str) -> set[tuple[UserId, str]]:
        return set(storage.read(lambda snapshot: snapshot.alert_words.candidates(tokens(text))))

    always = (town.ben, "++")  # it has no word in it to look for
    assert candidates("Coffee?") == {(town.ada, "coffee break"), (town.ben, "COFFEE"), always}
    assert candidates("a teapot") == {always}
