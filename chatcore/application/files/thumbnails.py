"""Thumbnails of uploaded images: made by a thread of any process after the upload, or when one is asked for.

An image is pending until its thumbnails are stored and all messages with it show them. A process that begins
to make them first notes when another one may try, so that they are made when it ends meanwhile, and that an
image that ends processes is given up.
"""

from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from typing import BinaryIO, Final

from chatcore.application import units
from chatcore.application.delivery.image_facts import image_fact
from chatcore.application.delivery.rerendering import BATCH, change_html, messages_with
from chatcore.application.due import run_due
from chatcore.application.files import access, pictures
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.files.pictures import BadImage
from chatcore.domain.files.thumbnails import (
    ATTEMPT_SECONDS,
    MAX_ATTEMPTS,
    MAX_BYTES,
    Derived,
    ImageState,
    UploadedImage,
    derived_by_name,
    derived_key,
    image_type,
)
from chatcore.domain.files.uploads import Attachment, NoSuchFile, QuotaExceeded, file_key, require_disk
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, UserId
from chatcore.domain.messages.messages import Message
from chatcore.markup import is_loading, with_image
from chatcore.runtime.work import Work
from chatcore.storage import Snapshot, StorageNotReady
from chatcore.storage.files import FileBusy, FileMissing, FilesNotReady
from chatcore.storage.slices import let_others

OWNERS: Final = 20
"""Owners of images who have their turn before the next look for images that are due."""
NOBODY: Final = UserId(0)
"""All readers without an account together have one thumbnail made at a time."""


# -- after an upload --------------------------------------------------------------------------------


def read_image(svc: Services, key: str, beginning: bytes, size: int) -> UploadedImage | None:
    """Return the image in a file by its header; None if it is none that has thumbnails."""
    content_type = image_type(beginning)
    if content_type is None or size > MAX_BYTES:
        return None

    def read() -> UploadedImage | None:
        from chatcore.application.files import thumbnail_making  # loads much, so only for an image

        try:
            header = thumbnail_making.header(_bytes_of(svc, key), content_type)
        except (BadImage, FileMissing):
            return None
        return UploadedImage(
            attachment_id=AttachmentId(0),
            content_type=content_type,
            width=header.width,
            height=header.height,
            is_animated=header.is_animated,
            state=ImageState.FAILED if header.is_too_large else ImageState.PENDING,
        )

    return svc.run_blocking(read, Work.FILES)


def make_soon(svc: Services) -> None:
    """Make the thumbnails of new images: in its thread if it runs, otherwise now."""
    if svc.alarms.thumbnails.runs:
        svc.alarms.thumbnails.ring()
        return
    with suppress(StorageNotReady):  # a later call makes them
        make_due(svc)


def make_due(svc: Services) -> float:
    """Make the thumbnails of all images that are due; return the seconds until one is due, infinity if none
    is pending or the disk is full.
    """

    def first_due(snapshot: Snapshot) -> UploadedImage | None:
        image = snapshot.images.first_due()
        return image if image is not None and _has_disk(svc) else None

    return run_due(
        svc, svc.alarms.thumbnails, first_due, lambda _: _make_round(svc), lambda _: ATTEMPT_SECONDS
    )


def _make_round(svc: Services) -> None:
    """Make the thumbnails of one image of each of some owners, so that an owner with many images delays each
    other owner by one image only.
    """
    now = svc.now
    for image in svc.storage.read(lambda snapshot: snapshot.images.due_of_each_owner(now, OWNERS)):
        if svc.alarms.thumbnails.stopped or not _has_disk(svc):
            return
        _make_thumbnails(svc, image)
        let_others()


def _has_disk(svc: Services) -> bool:
    try:
        require_disk(0, svc.files.free_space(), svc.limits)
    except QuotaExceeded:
        return False
    return True


def _make_thumbnails(svc: Services, image: UploadedImage) -> Mapping[Derived, bytes] | None:
    """Make the thumbnails of an image and store them; return them, or None if another process makes them."""
    file = units.write(svc, _claim_image, image)
    if file is None:
        return None
    thumbnails: Mapping[Derived, bytes] = {}
    if image.attempts < MAX_ATTEMPTS:
        try:
            thumbnails = _draw_thumbnails(svc, file, image)
            for derived, data in thumbnails.items():
                pictures.store(svc, derived_key(file_key(file.path_id), derived), data)
        except FileBusy:
            return thumbnails
        except FilesNotReady:
            # The attempt, which says nothing about the image, does not count.
            units.write(svc, _put_image, replace(image, due=svc.now + ATTEMPT_SECONDS))
            raise
        except (BadImage, FileMissing):
            thumbnails = {}
    state = ImageState.READY if thumbnails else ImageState.FAILED
    finished = replace(image, state=state, is_animated=Derived.MOVING in thumbnails)
    while not _show_outcome(svc, file, finished):
        pass
    return thumbnails


def _claim_image(unit: Unit, image: UploadedImage) -> Attachment | None:
    """Claim an image, and return its file; None if another process has claimed it, or it has gone."""
    file = unit.tx.attachments.find(image.attachment_id)
    if file is None or unit.tx.images.of_files([file.id]).get(file.id) != image:
        return None
    unit.tx.images.put(replace(image, attempts=image.attempts + 1, due=unit.now + ATTEMPT_SECONDS))
    return file


def _put_image(unit: Unit, image: UploadedImage) -> None:
    """Store what is known of an image, unless its file has gone."""
    if unit.tx.attachments.find(image.attachment_id) is not None:
        unit.tx.images.put(image)


def _draw_thumbnails(svc: Services, file: Attachment, image: UploadedImage) -> Mapping[Derived, bytes]:
    data = svc.run_blocking(lambda: _bytes_of(svc, file_key(file.path_id)), Work.FILES)

    def make() -> Mapping[Derived, bytes]:
        from chatcore.application.files import thumbnail_making

        return thumbnail_making.thumbnails(data, image.content_type, transcode=bool(image.transcoded))

    return svc.run_blocking(make, Work.PICTURES)


def _bytes_of(svc: Services, key: str) -> bytes:
    with closing(svc.files.open(key)) as opened:
        return opened.read(MAX_BYTES)


def _show_outcome(svc: Services, file: Attachment, image: UploadedImage) -> bool:
    """Show the thumbnail, or that there is none, in some of the messages that show that it is being loaded.
    Return whether none is left; then the state of the image is stored, too. If the file was removed
    meanwhile, remove its thumbnails.
    """
    none_left = units.write(svc, _show_in_messages, file, image)
    if none_left and svc.storage.read(lambda snapshot: snapshot.attachments.find(file.id)) is None:
        remove_thumbnails(svc, file.path_id)
    return none_left


def _show_in_messages(unit: Unit, file: Attachment, image: UploadedImage) -> bool:
    if unit.tx.attachments.find(file.id) is None:
        return True
    fact = image_fact(image)

    def is_waiting(message: Message) -> bool:
        return is_loading(message.rendered_content, file.path_id)

    def new_html(message: Message) -> str:
        return with_image(message.rendered_content, file.path_id, fact)

    loading = messages_with(unit.tx, file.id, is_waiting)
    change_html(unit, loading[:BATCH], new_html)
    if len(loading) > BATCH:
        return False
    unit.tx.images.put(image)
    return True


def remove_thumbnails(svc: Services, path_id: str) -> None:
    """Remove the thumbnails of a file."""
    for derived in Derived:
        svc.files.remove(derived_key(file_key(path_id), derived))


# -- reading ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenThumbnail:
    """A thumbnail that may be read; the caller closes the file."""

    file: BinaryIO
    size: int


def open_thumbnail(svc: Services, actor: Actor | None, path_id: str, name: str) -> OpenThumbnail:
    """Open a thumbnail of an image that the actor may read, by the name of its format (`840x560.webp`).

    It is made now if it is missing.

    :raises NoSuchFile: no such file for the actor, no image, or no such format
    :raises LoginRequired: no actor, and no such file is open to the web
    :raises RateLimited: the file was read too often without an account, or the thumbnail is being made
    """
    file = access.readable_file(svc, actor, path_id)
    image = _find_or_add_image(svc, file)
    derived = None if image is None else derived_by_name(image, name)
    if image is None or derived is None:
        raise NoSuchFile
    if image.state is ImageState.READY:
        with suppress(FileMissing):  # a backup may have left it out
            opened = svc.files.open(derived_key(file_key(file.path_id), derived))
            return OpenThumbnail(opened, opened.seek(0, 2))
    if image.state is ImageState.FAILED:
        raise NoSuchFile
    with svc.picture_work.hold(actor.user_id if actor is not None else NOBODY):
        data = _make_now(svc, file, image).get(derived)
    if data is None:
        raise NoSuchFile
    return OpenThumbnail(BytesIO(data), len(data))


def _make_now(svc: Services, file: Attachment, image: UploadedImage) -> Mapping[Derived, bytes]:
    """Make thumbnails; store them as well unless another process is making them or there is no room."""
    if image.due <= svc.now and _has_disk(svc):
        thumbnails = _make_thumbnails(svc, image)
        if thumbnails is not None:
            return thumbnails
    try:
        return _draw_thumbnails(svc, file, image)
    except (BadImage, FileMissing):
        return {}


def _find_or_add_image(svc: Services, file: Attachment) -> UploadedImage | None:
    """Return the image in a file; one that was uploaded before there were thumbnails becomes pending."""
    known = svc.storage.read(lambda snapshot: snapshot.images.of_files([file.id])).get(file.id)
    if known is not None:
        return known
    image = read_stored_image(svc, file)
    if image is not None:
        units.write(svc, _put_image, image)
    return image


def read_stored_image(svc: Services, file: Attachment) -> UploadedImage | None:
    """Return the image in a stored file by its header; None if there is none."""
    key = file_key(file.path_id)
    try:
        with closing(svc.files.open(key)) as opened:
            beginning = opened.read(64)
    except FileMissing:
        return None
    image = read_image(svc, key, beginning, file.size)
    return None if image is None else replace(image, attachment_id=file.id)
