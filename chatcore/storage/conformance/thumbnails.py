"""`chatcore.storage.thumbnails`."""

from dataclasses import replace

from chatcore.domain.files.thumbnails import ImageState, UploadedImage
from chatcore.domain.ids import AttachmentId
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


def test_a_removed_file_takes_its_image_along(storage: Storage) -> None:
    (file,) = _files(storage, "a")
    _put(storage, an_image(file))
    storage.write(lambda tx: tx.attachments.remove(file))
    assert storage.read(lambda snapshot: snapshot.images.of_files([file])) == {}
    assert storage.read(lambda snapshot: snapshot.images.first_due()) is None
