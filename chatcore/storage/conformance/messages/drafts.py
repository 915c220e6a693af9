"""`chatcore.storage.messages.drafts`."""

from dataclasses import replace
from itertools import pairwise

from chatcore.domain.messages.drafts import DraftContent, DraftType
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction

NOTE = DraftContent(type=DraftType.UNADDRESSED, content="buy tea ☕")
TO_PLAZA = DraftContent(type=DraftType.CHANNEL, to=(3,), topic="lunch", content="soup?", timestamp=NOW - 5)
TO_FRIENDS = DraftContent(type=DraftType.DIRECT, to=(9, 7), content="hello")


def test_drafts_come_back_as_they_were_added(storage: Storage) -> None:
    ada = a_town(storage).ada
    added = storage.write(lambda tx: tx.drafts.add(ada, [NOTE, TO_PLAZA, TO_FRIENDS], NOW))
    assert [draft.timestamp for draft in added] == [NOW, NOW - 5, NOW]
    assert [(d.type, d.to, d.topic, d.content) for d in added] == [
        (wanted.type, tuple(wanted.to), wanted.topic, wanted.content)
        for wanted in (NOTE, TO_PLAZA, TO_FRIENDS)
    ]
    drafts = storage.read(lambda snapshot: [snapshot.drafts.find(ada, draft.id) for draft in added])
    assert drafts == added
    assert len({draft.id for draft in added}) == 3


def test_the_newest_drafts_are_those_that_were_edited_last(storage: Storage) -> None:
    ada = a_town(storage).ada
    note, to_plaza, to_friends = storage.write(
        lambda tx: tx.drafts.add(ada, [NOTE, TO_PLAZA, TO_FRIENDS], NOW)
    )
    newest = storage.read(lambda snapshot: snapshot.drafts.newest(ada, 10))
    assert newest == [to_friends, note, to_plaza]
    edited = replace(
        to_plaza, content="salad", timestamp=NOW + 1, type=DraftType.UNADDRESSED, to=(), topic=""
    )
    storage.write(lambda tx: tx.drafts.update(edited))
    assert storage.read(lambda snapshot: snapshot.drafts.newest(ada, 2)) == [edited, to_friends]


def test_the_size_of_drafts_grows_with_texts_and_recipients(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        sizes = [tx.drafts.size(town.ada)]
        for content, to in (("ab", ()), ("é€", ()), ("a", (9, 7)), ("a", (9, 7, 1000, 2000))):
            tx.drafts.add(town.ada, [DraftContent(type=DraftType.DIRECT, to=to, content=content)], NOW)
            sizes.append(tx.drafts.size(town.ada))
        none, ascii_, further, two, four = [later - sooner for sooner, later in pairwise([0, *sizes])]
        assert (none, further - ascii_) == (0, 3)
        assert four > two > ascii_
        assert tx.drafts.size(town.ben) == 0

    storage.write(write)


def test_nobody_has_the_drafts_of_another(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        (draft,) = tx.drafts.add(town.ada, [NOTE], NOW)
        assert tx.drafts.find(town.ben, draft.id) is None
        assert tx.drafts.newest(town.ben, 10) == []
        assert not tx.drafts.remove(town.ben, draft.id)
        assert (tx.drafts.count(town.ada), tx.drafts.count(town.ben)) == (1, 0)
        assert tx.drafts.remove(town.ada, draft.id)
        assert not tx.drafts.remove(town.ada, draft.id)
        assert tx.drafts.count(town.ada) == 0

    storage.write(write)
