"""`chatcore.storage.messages.saved_snippets`."""

from dataclasses import replace

from chatcore.domain.messages.saved_snippets import NOT_STORED, SavedSnippet
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction


def a_snippet(title: str, content: str, at: int = NOW) -> SavedSnippet:
    return SavedSnippet(id=NOT_STORED, title=title, content=content, date_created=at)


def test_snippets_come_back_as_they_were_added_or_changed(storage: Storage) -> None:
    ada = a_town(storage).ada

    def write(tx: Transaction) -> None:
        first = tx.saved_snippets.add(ada, a_snippet("tea ☕", "**boil** it"))
        second = tx.saved_snippets.add(ada, a_snippet("tea ☕", "", NOW - 5))
        assert (first.title, first.content, first.date_created) == ("tea ☕", "**boil** it", NOW)
        assert tx.saved_snippets.of_user(ada) == [first, second]
        changed = replace(first, title="coffee", content="grind it")
        tx.saved_snippets.update(changed)
        assert tx.saved_snippets.find(ada, first.id) == changed
        assert tx.saved_snippets.of_user(ada) == [changed, second]

    storage.write(write)


def test_the_size_of_snippets_is_in_bytes(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert tx.saved_snippets.size(town.ada) == 0
        tx.saved_snippets.add(town.ada, a_snippet("ab", "é€"))
        tx.saved_snippets.add(town.ada, a_snippet("a", "b"))
        assert (tx.saved_snippets.size(town.ada), tx.saved_snippets.size(town.ben)) == (9, 0)

    storage.write(write)


def test_nobody_has_the_snippets_of_another(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        snippet = tx.saved_snippets.add(town.ada, a_snippet("tea", "boil it"))
        assert tx.saved_snippets.find(town.ben, snippet.id) is None
        assert tx.saved_snippets.of_user(town.ben) == []
        assert not tx.saved_snippets.remove(town.ben, snippet.id)
        assert (tx.saved_snippets.count(town.ada), tx.saved_snippets.count(town.ben)) == (1, 0)
        assert tx.saved_snippets.remove(town.ada, snippet.id)
        assert not tx.saved_snippets.remove(town.ada, snippet.id)
        assert tx.saved_snippets.count(town.ada) == 0

    storage.write(write)
