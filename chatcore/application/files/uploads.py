"""Uploading files, and listing the actor's files.

`chatcore.application.files.access` decides about reading files, and `chatcore.application.files.resumable`
handles resumable uploads. Until a file is complete, a row marks it as unfinished. After a crash, `sweep`
finds incomplete files by these rows and removes them when they have expired.
"""

import secrets
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated

from chatcore.application import units
from chatcore.application.arguments import Id, about
from chatcore.application.daily_use import count_daily_use_of_each, require_today
from chatcore.application.delivery.file_links import announce_files, newest_links
from chatcore.application.files import thumbnails
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.errors import BadRequest, UserDeactivated
from chatcore.domain.files.media_types import BEGINNING, is_shown, stored_type
from chatcore.domain.files.thumbnails import UploadedImage
from chatcore.domain.files.uploads import (
    NOT_STORED,
    Attachment,
    FileTooLarge,
    NoSuchFile,
    NoSuchUpload,
    TooManyUploads,
    UnfinishedUpload,
    file_key,
    max_bytes,
    path_id_of,
    quota_in_force,
    require_another_file,
    require_disk,
    require_own_quota,
    require_quota,
    url_name,
)
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, UserId
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.retention.holds import MustBeKept
from chatcore.events.payloads.uploads import AttachmentObject, attachment_object
from chatcore.runtime.measures import UPLOAD_BYTES, UPLOADS
from chatcore.runtime.work import Work
from chatcore.storage import StorageNotReady
from chatcore.storage.files import FileMissing, FileWriter

CHECKPOINT = 4 * 2**20
"""Number of bytes after which received bytes are made durable during an upload."""
SWEEP_SIZE = 100
"""Number of files that are removed at a time."""
SWEEP_SIZE_OF_REQUEST = 4
"""Number of files that one request removes, so that it does not wait for those of others."""


# -- uploading --------------------------------------------------------------------------------------


def upload(svc: Services, actor: Actor, name: str, content_type: str, pieces: Iterable[bytes]) -> Attachment:
    """Store a file, read in pieces.

    *name* is the result of `domain.files.uploads.original_name` for the client's name. Exceptions of *pieces*
    propagate, and nothing is stored.

    :raises FileTooLarge, QuotaExceeded, UploadsDisabled, TooManyUploads:
    :raises RateLimited: more bytes than an account may upload on one day
    """
    begun = UnfinishedUpload(
        path_id=new_path_id(url_name(name)),
        owner_id=actor.user_id,
        name=name,
        content_type=content_type,
        expires_at=svc.now + svc.limits.unfinished_upload_lifetime,
    )
    begin(svc, actor, begun)
    try:
        size = _write_pieces(svc, begun, pieces)
        return complete(svc, begun, size)
    except BaseException:
        with suppress(StorageNotReady):  # `sweep` removes it later
            discard(svc, begun)
        raise


def new_path_id(name: str) -> str:
    """Return a path id that nobody can guess."""
    return path_id_of(secrets.token_hex(1), secrets.token_urlsafe(18), name)


def begin(svc: Services, actor: Actor, begun: UnfinishedUpload) -> None:
    """Register an unfinished file. Its declared length must fit, but is not reserved.

    :raises QuotaExceeded, TooManyUploads, RateLimited:
    """
    require_disk(begun.length or 0, svc.files.free_space(), svc.limits)
    _sweep_some(svc)
    _add_unfinished(svc, actor, begun)


@unit_of_work
def _add_unfinished(unit: Unit, me: Actor, begun: UnfinishedUpload) -> None:
    """Add an unfinished file, if its owner may have one more, and there is room for it."""
    files = unit.tx.attachments.space_of_user(me.user_id).files
    unfinished = unit.tx.uploads.space_of_user(me.user_id).files
    if unfinished >= unit.limits.max_unfinished_uploads_per_user:
        raise TooManyUploads
    require_another_file(files + unfinished, unit.limits)
    _require_fit(unit, begun.owner_id, begun.length or 0)
    unit.tx.uploads.add(begun)


def _write_pieces(svc: Services, begun: UnfinishedUpload, pieces: Iterable[bytes]) -> int:
    """Write the bytes, durably; return their number.

    :raises FileTooLarge, QuotaExceeded, RateLimited, NoSuchUpload: as for `upload`; no bytes are left
    """
    size = 0
    key = file_key(begun.path_id)
    writer = svc.files.writer(key)
    try:
        for piece in pieces:
            size += len(piece)
            if size > max_bytes(svc.limits):
                raise FileTooLarge(svc.limits.max_file_upload_size_mib)
            writer.write(piece)
            # Sync in parts, not everything at the end: other requests run during each.
            if size - begun.offset >= CHECKPOINT:
                begun = make_durable(svc, begun, writer, size)
        svc.run_blocking(writer.sync, Work.FILES)
    except BaseException:
        with suppress(StorageNotReady):
            svc.files.remove(key)  # first, since on a full disk this makes room for writing to the store
        raise
    finally:
        writer.close()
    return size


def require_fit_until(svc: Services, upload: UnfinishedUpload, offset: int) -> None:
    """Check that an upload may have its bytes up to *offset*. Those after its own offset are not stored as
    such yet, but on the disk already.

    :raises QuotaExceeded, RateLimited: they do not fit
    """
    require_disk(0, svc.files.free_space(), svc.limits)
    units.read(svc, _require_fit, upload.owner_id, offset - upload.offset)


def make_durable(
    svc: Services, upload: UnfinishedUpload, writer: FileWriter, offset: int
) -> UnfinishedUpload:
    """Make the bytes up to *offset* durable, and return the upload with its new state.

    :raises NoSuchUpload: it was removed meanwhile
    :raises QuotaExceeded, RateLimited: they do not fit; the upload stays unchanged
    """
    svc.run_blocking(writer.sync, Work.FILES)
    require_disk(0, svc.files.free_space(), svc.limits)
    expires_at = svc.now + svc.limits.unfinished_upload_lifetime
    advanced = replace(upload, offset=offset, expires_at=expires_at)
    units.write(svc, _store_progress, advanced)
    return advanced


def _store_progress(unit: Unit, upload: UnfinishedUpload) -> None:
    """Store how far an upload has come, if there is room for what is new."""
    known = unit.tx.uploads.find(upload.path_id)
    if known is None or known.is_discarded:
        raise NoSuchUpload
    _require_fit(unit, upload.owner_id, upload.offset - known.offset)
    unit.tx.uploads.advance(upload.path_id, upload.offset, upload.expires_at)


def complete(svc: Services, begun: UnfinishedUpload, size: int) -> Attachment:
    """Make a file of the written bytes. A repeated call, after a crash in between, returns the same file.

    :raises QuotaExceeded: it does not fit any more
    :raises NoSuchFile: the upload was removed meanwhile
    :raises UserDeactivated: the account was deactivated meanwhile
    """
    key = file_key(begun.path_id)
    try:
        svc.run_blocking(lambda: svc.files.finish(key), Work.FILES)
        with svc.files.open(key) as file:
            beginning = file.read(BEGINNING)
    except FileMissing as error:
        raise NoSuchFile from error
    content_type = stored_type(begun.content_type, begun.name, beginning)
    image = thumbnails.read_image(svc, key, beginning, size)
    shown = is_shown(content_type, beginning)
    try:
        attachment = units.write(
            svc, _store_file, begun, size, image, content_type=content_type, is_shown=shown
        )
    except NoSuchFile:
        svc.files.remove(key)  # the upload was removed before its file was finished
        raise
    svc.measures.add(UPLOADS, 1)
    svc.measures.add(UPLOAD_BYTES, size)
    if image is not None:
        thumbnails.make_soon(svc)
    return attachment


def _store_file(
    unit: Unit,
    begun: UnfinishedUpload,
    size: int,
    image: UploadedImage | None,
    *,
    content_type: str,
    is_shown: bool,
) -> Attachment:
    upload = unit.tx.uploads.find(begun.path_id)
    if upload is None or upload.is_discarded:
        attachments = unit.tx.attachments.by_path_ids([begun.path_id])
        if not attachments:
            raise NoSuchFile
        return attachments[0]
    if not unit.tx.users.get(begun.owner_id).is_active:
        raise UserDeactivated
    unit.tx.uploads.remove([begun.path_id])
    _require_fit(unit, begun.owner_id, size)
    count_daily_use_of_each(unit, Daily.UPLOADED_BYTES, {begun.owner_id: size})
    attachment = unit.tx.attachments.add(
        Attachment(
            id=NOT_STORED,
            path_id=begun.path_id,
            owner_id=begun.owner_id,
            name=begun.name,
            content_type=content_type,
            is_shown=is_shown,
            size=size,
            created=int(unit.svc.clock() * 1000),
        )
    )
    if image is not None:
        unit.tx.images.put(replace(image, attachment_id=attachment.id))
    announce_files(unit.tx, "add", [attachment])
    return attachment


def discard(svc: Services, begun: UnfinishedUpload) -> None:
    """Remove the bytes of an upload that will not become a file, unless it has become one."""
    units.write(svc, _expire_upload, begun)
    _sweep_some(svc)


def _expire_upload(unit: Unit, begun: UnfinishedUpload) -> None:
    unit.tx.uploads.advance(begun.path_id, begun.offset, expires_at=0)


def _require_fit(view: View, owner_id: UserId, size: int) -> None:
    """Refuse *size* bytes of a user in addition to all received ones.

    :raises QuotaExceeded: they are too many for the organization or for the user
    :raises RateLimited: they are too many for one day
    """
    unfinished = require_space(view, owner_id, size)
    require_today(view, owner_id, Daily.UPLOADED_BYTES, unfinished + size)


def require_space(view: View, owner_id: UserId, size: int) -> int:
    """Refuse *size* bytes of a user for which there is no space beside all received ones; return how many of
    these are of the user's unfinished uploads.

    :raises QuotaExceeded: they are too many for the organization or for the user
    """
    attachments, uploads = view.snapshot.attachments, view.snapshot.uploads
    quota = quota_in_force(view.snapshot.organization.get().upload_quota_mib, view.limits)
    if quota is not None:
        require_quota(size, attachments.space_used() + uploads.space_used(), quota)
    unfinished = uploads.space_of_user(owner_id).size
    require_own_quota(size, attachments.space_of_user(owner_id).size + unfinished, view.limits)
    return unfinished


# -- the actor's files ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnFiles:
    attachments: Sequence[AttachmentObject]
    space_used: int
    """Bytes of all files of the organization."""


@read_only
def own_files(view: View, me: Actor) -> OwnFiles:
    """Return the actor's files, with the newest messages that link to them."""
    files = view.snapshot.attachments.of_user(me.user_id)
    links = newest_links(view.snapshot, me, [file.id for file in files])
    objects = [attachment_object(file, links.get(file.id, ())) for file in files]
    return OwnFiles(objects, view.snapshot.attachments.space_used())


def delete_file(svc: Services, actor: Actor, attachment_id: Annotated[Id, about("The file's id.")]) -> None:
    """Delete one of the caller's uploaded files.

    :effect: messages that link to the file stay unchanged
    :raises BadRequest: the actor has no file with this id
    :raises MustBeKept: a hold is on the actor, or on a message that links to the file
    """
    _remove_own_file(svc, actor, attachment_id)
    _sweep_some(svc)


@unit_of_work
def _remove_own_file(unit: Unit, me: Actor, attachment_id: int) -> None:
    attachment = unit.tx.attachments.find(attachment_id)
    if attachment is None or attachment.owner_id != me.user_id:
        raise BadRequest("Invalid attachment")
    if held_files(unit, [attachment]):
        raise MustBeKept
    remove_file(unit, attachment)


def withdraw(svc: Services, attachments: Collection[Attachment]) -> None:
    """Remove files that were stored for a message, as it was not sent. Files to which another message links
    stay.
    """
    if attachments:
        units.write(svc, remove_unless_linked, attachments)
        _sweep_some(svc)


def remove_unless_linked(unit: Unit, attachments: Collection[Attachment]) -> Sequence[Attachment]:
    """Remove those of the files that no message links to, and whose owner is not held; return them. `sweep`
    removes their bytes.
    """
    linked = unit.tx.attachments.links([attachment.id for attachment in attachments], newest=1)
    held = unit.tx.holds.present().people
    present = unit.tx.attachments.by_path_ids([attachment.path_id for attachment in attachments])
    removed = [file for file in present if file.id not in linked and file.owner_id not in held]
    for file in removed:
        remove_file(unit, file)
    return removed


def held_files(view: View, attachments: Sequence[Attachment]) -> frozenset[AttachmentId]:
    """Return the files that a legal hold keeps: a hold on their owner, or on a message that links to them."""
    holds = view.snapshot.holds.present()
    if not holds:
        return frozenset()
    links = view.snapshot.attachments.links([attachment.id for attachment in attachments])
    message_ids = {link.message_id for linking in links.values() for link in linking}
    messages = view.snapshot.messages.outlines(message_ids)
    kept = {message.id for message in messages if holds.have_message(message)}
    of_kept = {
        file_id for file_id, linking in links.items() if any(link.message_id in kept for link in linking)
    }
    of_held_people = {file.id for file in attachments if file.owner_id in holds.people}
    return frozenset(of_kept | of_held_people)


def remove_file(unit: Unit, attachment: Attachment) -> None:
    """Remove the row of a file; its bytes are removed with those of expired uploads."""
    unit.tx.attachments.remove(attachment.id)
    unit.tx.uploads.add(
        UnfinishedUpload(
            path_id=attachment.path_id, owner_id=attachment.owner_id, name=attachment.name, expires_at=0
        )
    )
    announce_files(unit.tx, "remove", [attachment])


def sweep(svc: Services, most: int = SWEEP_SIZE) -> None:
    """Remove the bytes of expired uploads, and of removed files.

    :raises StorageNotReady: a later call continues
    """
    removed: list[str] = []
    try:
        for upload in svc.storage.read(lambda snapshot: snapshot.uploads.expired(svc.now, most)):
            svc.files.remove(file_key(upload.path_id))
            thumbnails.remove_thumbnails(svc, upload.path_id)
            removed.append(upload.path_id)
    finally:
        if removed:
            svc.storage.write(lambda tx: tx.uploads.remove(removed))


def _sweep_some(svc: Services) -> None:
    """Sweep within a request, whose success does not depend on it."""
    with suppress(StorageNotReady):
        sweep(svc, SWEEP_SIZE_OF_REQUEST)
