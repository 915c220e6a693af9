"""`chatcore.storage.uploads`."""

from chatcore.domain.files.uploads import NOT_STORED, Attachment, Linking, UnfinishedUpload
from chatcore.domain.ids import MessageId, UserId
from chatcore.storage.conformance.makers import NOW, a_town, send, send_direct
from chatcore.storage.transaction import Storage, Transaction
from chatcore.storage.uploads import Space

DAY = 86_400


def an_upload(owner_id: UserId, name: str = "plan.pdf", expires_at: int = NOW + DAY) -> UnfinishedUpload:
    return UnfinishedUpload(
        path_id=f"1/ab/{name}", owner_id=owner_id, name=name, content_type="a/b", expires_at=expires_at
    )


def add_file(tx: Transaction, owner_id: UserId, name: str = "plan.pdf", *, size: int = 5) -> Attachment:
    return tx.attachments.add(
        Attachment(
            id=NOT_STORED,
            path_id=f"1/ab/{name}",
            owner_id=owner_id,
            name=name,
            content_type="application/pdf",
            is_shown=True,
            size=size,
            created=NOW * 1000 + 7,
        )
    )


def test_a_file_comes_back_as_it_was_added(storage: Storage) -> None:
    ada = a_town(storage).ada
    plan = storage.write(lambda tx: add_file(tx, ada))
    assert plan == Attachment(
        id=plan.id,
        path_id="1/ab/plan.pdf",
        owner_id=ada,
        name="plan.pdf",
        content_type="application/pdf",
        is_shown=True,
        size=5,
        created=NOW * 1000 + 7,
    )
    assert storage.read(lambda snapshot: snapshot.attachments.find(plan.id)) == plan
    assert storage.read(lambda snapshot: snapshot.attachments.find(plan.id + 1)) is None
    assert storage.read(lambda snapshot: snapshot.attachments.of_user(ada)) == [plan]
    paths = ["1/ab/other.pdf", plan.path_id]
    assert storage.read(lambda snapshot: snapshot.attachments.by_path_ids(paths)) == [plan]
    assert storage.read(lambda snapshot: snapshot.attachments.by_path_ids([])) == []


def test_the_space_used_is_that_of_all_files(storage: Storage) -> None:
    town = a_town(storage)
    assert storage.read(lambda snapshot: snapshot.attachments.space_used()) == 0

    def write(tx: Transaction) -> None:
        plan = add_file(tx, town.ada, "plan.pdf", size=5)
        add_file(tx, town.ben, "map.png", size=7)
        add_file(tx, town.ada, "note.txt", size=3)
        assert tx.attachments.space_used() == 15
        assert tx.attachments.space_of_user(town.ada) == Space(2, 8)
        tx.attachments.remove(plan.id)
        tx.attachments.remove(plan.id)
        assert tx.attachments.find(plan.id) is None
        assert tx.attachments.space_used() == 10
        assert [tx.attachments.space_of_user(user) for user in (town.ada, town.ben, town.cem)] == [
            Space(1, 3),
            Space(1, 7),
            Space(0, 0),
        ]

    storage.write(write)


def test_files_and_messages_are_linked_both_ways(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        plan, photo, song = (add_file(tx, town.ada, name) for name in ("plan.pdf", "photo.png", "song.ogg"))
        first, second = (send(tx, town.ada, town.plaza, timestamp=NOW + n) for n in (1, 2))
        tx.attachments.link([photo.id, plan.id], second.id)
        tx.attachments.link([plan.id], first.id)
        tx.attachments.link([plan.id], first.id)
        assert tx.attachments.links([plan.id, photo.id, song.id]) == {
            plan.id: [Linking(first.id, NOW + 1), Linking(second.id, NOW + 2)],
            photo.id: [Linking(second.id, NOW + 2)],
        }
        assert tx.attachments.links([plan.id, photo.id], newest=1) == {
            plan.id: [Linking(second.id, NOW + 2)],
            photo.id: [Linking(second.id, NOW + 2)],
        }
        assert tx.attachments.of_messages([second.id]) == [plan, photo]
        assert tx.attachments.of_messages([first.id, second.id]) == [plan, photo]
        assert tx.attachments.links([]) == {}
        tx.attachments.link([photo.id], MessageId(second.id + 1000))
        assert tx.attachments.links([photo.id]) == {photo.id: [Linking(second.id, NOW + 2)]}
        tx.attachments.remove(plan.id)
        assert tx.attachments.of_messages([first.id, second.id]) == [photo]

    storage.write(write)


def test_links_are_taken_away_but_for_those_to_keep(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        plan, photo = (add_file(tx, town.ada, name) for name in ("plan.pdf", "photo.png"))
        public, direct = send(tx, town.ada, town.plaza), send_direct(tx, town.ada, town.ben)
        tx.attachments.link([plan.id, photo.id], public.id)
        tx.attachments.link([plan.id], direct.id)
        tx.attachments.unlink([public.id], NOW, keep=[photo.id])
        assert tx.attachments.of_messages([public.id]) == [photo]
        assert tx.attachments.of_messages([direct.id]) == [plan]
        tx.attachments.unlink([public.id, direct.id], NOW)
        assert tx.attachments.links([plan.id, photo.id]) == {}

    storage.write(write)


def test_files_come_in_pages(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        plan, photo, song = (
            add_file(tx, owner, name)
            for owner, name in ((town.ada, "plan.pdf"), (town.ben, "photo.png"), (town.ada, "song.ogg"))
        )
        page = tx.attachments.page
        assert page(0, 2) == [plan, photo]
        assert page(photo.id, 2) == [song]
        assert page(0, 2, owner_id=town.ada) == [plan, song]
        assert page(plan.id, 2, owner_id=town.ada) == [song]
        tx.attachments.link([plan.id], send(tx, town.ada, town.plaza).id)
        assert page(0, 9, unlinked_before=NOW) == [photo, song]
        assert page(0, 9, unlinked_before=NOW - 1) == []
        assert page(0, 9, owner_id=town.ada, unlinked_before=NOW) == [song]
        tx.attachments.put_off([plan.id, photo.id], NOW + DAY)
        assert page(0, 9, unlinked_before=NOW) == [song]
        assert page(0, 9, unlinked_before=NOW + DAY) == [photo, song]

    storage.write(write)


def test_the_largest_spaces_are_those_with_the_most_bytes(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        add_file(tx, town.ada, "plan.pdf", size=5)
        add_file(tx, town.ben, "map.png", size=7)
        note = add_file(tx, town.ada, "note.txt", size=3)
        assert tx.attachments.largest_spaces(1) == [(town.ada, Space(2, 8))]
        tx.attachments.remove(note.id)
        assert tx.attachments.largest_spaces(9) == [(town.ben, Space(1, 7)), (town.ada, Space(1, 5))]

    storage.write(write)


def test_files_are_unlinked_since_they_were_uploaded_or_lost_their_last_message(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        plan, photo = (add_file(tx, town.ada, name) for name in ("plan.pdf", "photo.png"))
        message, other = (send(tx, town.ada, town.plaza) for _ in range(2))
        assert tx.attachments.unlinked(NOW - 1, 10) == []
        assert tx.attachments.unlinked(NOW, 10) == [plan, photo]
        assert len(tx.attachments.unlinked(NOW, 1)) == 1
        tx.attachments.link([plan.id], message.id)
        tx.attachments.link([plan.id], other.id)
        assert tx.attachments.unlinked(NOW, 10) == [photo]
        tx.attachments.unlink([message.id], NOW + DAY)
        assert tx.attachments.unlinked(NOW + DAY, 10) == [photo]
        tx.attachments.unlink([other.id], NOW + DAY)
        assert tx.attachments.unlinked(NOW + DAY - 1, 10) == [photo]
        assert tx.attachments.unlinked(NOW + DAY, 10) == [photo, plan]

    storage.write(write)


def test_an_unfinished_upload_goes_on_until_it_is_removed(storage: Storage) -> None:
    town = a_town(storage)
    upload = UnfinishedUpload(
        path_id="1/cd/film.mp4",
        owner_id=town.ada,
        name="Film ☕.mp4",
        content_type="video/mp4",
        metadata="filename ZmlsbQ==",
        length=10**12,
        offset=3,
        expires_at=NOW,
    )

    def write(tx: Transaction) -> None:
        assert tx.uploads.find(upload.path_id) is None
        assert not tx.uploads.advance(upload.path_id, 4, NOW)
        tx.uploads.add(upload)
        assert tx.uploads.find(upload.path_id) == upload
        assert tx.uploads.advance(upload.path_id, 10**11, NOW + 1)
        stored = tx.uploads.find(upload.path_id)
        assert stored is not None
        assert (stored.offset, stored.expires_at, stored.length) == (10**11, NOW + 1, 10**12)
        assert tx.uploads.remove([upload.path_id, "1/cd/other"]) == 1
        assert tx.uploads.remove([upload.path_id]) == 0

    storage.write(write)


def test_unfinished_uploads_are_counted_and_take_their_room(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert tx.uploads.space_used() == 0
        tx.uploads.add(an_upload(town.ada, "plain"))
        tx.uploads.add(UnfinishedUpload(path_id="a", owner_id=town.ada, name="a", length=7, expires_at=NOW))
        tx.uploads.add(UnfinishedUpload(path_id="b", owner_id=town.ben, name="b", length=4, expires_at=NOW))
        assert tx.uploads.space_used() == 0
        tx.uploads.advance("a", 5, NOW)
        tx.uploads.advance("b", 3, NOW)
        assert tx.uploads.space_used() == 8
        assert [tx.uploads.space_of_user(user) for user in (town.ada, town.ben, town.cem)] == [
            Space(2, 5),
            Space(1, 3),
            Space(0, 0),
        ]

    storage.write(write)


def test_uploads_expire_oldest_first(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        late, early, never = (
            an_upload(town.ada, name, expires_at)
            for name, expires_at in (("late", NOW), ("early", NOW - 1), ("never", NOW + 1))
        )
        for upload in (late, early, never):
            tx.uploads.add(upload)
        assert tx.uploads.expired(NOW, 10) == [early, late]
        assert tx.uploads.expired(NOW, 1) == [early]
        assert tx.uploads.expired(NOW - 2, 10) == []

    storage.write(write)
