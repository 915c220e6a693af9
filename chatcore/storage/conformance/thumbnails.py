"""`chatcore.storage.thumbnails`."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.files.thumbnails import ATTEMPT_SECONDS, ImageState, UploadedImage
from chatcore.domain.ids import AttachmentId, UserId
from chatcore.storage.conformance.makers import a_town
from chatcore.storage.conformance.uploads import add_file
from chatcore.storage.transaction import Storage


def an_image(attachment_id: AttachmentId, due: int = 0) -> UploadedImage:
    return UploadedImage(
        attachment_id=attachment_id,
        content_type="image/png",
        width=800,
        height=600,
        is_animated=True,
        state=ImageState.PENDING,
        attempts=1,
        due=due,
    )


def _files(storage: Storage, *names: str) -> list[AttachmentId]:
    ada = a_town(storage).ada
    return storage.write(lambda tx: [add_file(tx, ada, name).id for name in names])


def _put(storage: Storage, image: UploadedImage) -> None:
    storage.write(lambda tx: tx.images.put(image))


def test_an_image_comes_back_as_it_was_stored(storage: Storage) -> None:
    one, other = _files(storage, "a", "b")
    image = an_image(one)
    _put(storage, image)
    assert storage.read(lambda snapshot: snapshot.images.of_files([one, other])) == {one: image}
    assert storage.read(lambda snapshot: snapshot.images.of_files([])) == {}
    changed = UploadedImage(
        attachment_id=one,
        content_type="image/tiff",
        width=3,
        height=4,
        is_animated=False,
        state=ImageState.READY,
        attempts=2,
        due=5,
    )
    _put(storage, changed)
    assert storage.read(lambda snapshot: snapshot.images.of_files([one])) == {one: changed}


def test_the_first_due_image_is_pending(storage: Storage) -> None:
    ids = _files(storage, "a", "b", "c")
    assert storage.read(lambda snapshot: snapshot.images.first_due()) is None
    images = [an_image(number, due) for number, due in zip(ids, (7, 5, 5), strict=True)]
    for image in images:
        _put(storage, image)
    for number, state in ((1, ImageState.READY), (2, ImageState.FAILED), (0, ImageState.READY)):
        assert storage.read(lambda snapshot: snapshot.images.first_due()) == images[number]
        _put(storage, replace(images[number], state=state))
    assert storage.read(lambda snapshot: snapshot.images.first_due()) is None


def test_each_owner_has_one_image_that_comes_first(storage: Storage) -> None:
    town = a_town(storage)
    images: list[UploadedImage] = []

    def add(owner: UserId, due: int) -> None:
        name = f"{len(images)}.png"
        images.append(an_image(storage.write(lambda tx: add_file(tx, owner, name).id), due))
        _put(storage, images[-1])

    for owner, when in ((town.ada, 5), (town.ada, 4), (town.ben, 6), (town.ada, 3), (town.ben, 9)):
        add(owner, when)

    def due(now: int, limit: int = 9) -> Sequence[UploadedImage]:
        return storage.read(lambda snapshot: snapshot.images.due_of_each_owner(now, limit))

    assert due(9) == [images[3], images[2]]
    assert due(9, 1) == due(5) == [images[3]]
    assert due(2) == []
    _put(storage, replace(images[3], due=9 + ATTEMPT_SECONDS + 1))  # a clock was set back since
    assert due(9) == [images[1], images[2]]
    for number in (1, 0):
        _put(storage, replace(images[number], state=ImageState.READY))
    assert due(9) == [images[2], replace(images[3], due=9 + ATTEMPT_SECONDS + 1)]


def test_a_removed_file_takes_its_image_along(storage: Storage) -> None:
    (file,) = _files(storage, "a")
    _put(storage, an_image(file))
    storage.write(lambda tx: tx.attachments.remove(file))
    assert storage.read(lambda snapshot: snapshot.images.of_files([file])) == {}
    assert storage.read(lambda snapshot: snapshot.images.first_due()) is None
