"""Resumable uploads in several requests; each continues where the last one ended, also after a crash of the
server.

The store holds the number of durable bytes; it is written after the bytes are on the disk, every few
megabytes and at the end of each request. Only one request at a time can write to an upload.
`chatcore.http.endpoints.files.tus` implements the protocol for clients.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from chatcore.application.files.uploads import (
    CHECKPOINT,
    begin,
    complete,
    discard,
    make_durable,
    new_path_id,
    require_fit_until,
)
from chatcore.application.services import Services
from chatcore.application.units import View, read_only
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.files.uploads import (
    UNNAMED,
    Attachment,
    FileTooLarge,
    NoSuchUpload,
    UnfinishedUpload,
    file_key,
    max_bytes,
    original_name,
    url_name,
)
from chatcore.domain.groups.actors import Actor
from chatcore.storage import Snapshot
from chatcore.storage.files import FileBusy, FileMissing, FileWriter


class WrongOffset(ChatError):
    """The bytes do not begin at the present end of the upload."""

    status = 409

    def __init__(self, offset: int) -> None:
        super().__init__(f"The upload is at offset {offset}")


class UploadBusy(ChatError):
    """Another request is writing to the upload."""

    status = 423

    def __init__(self) -> None:
        super().__init__("Another request is writing to this upload")


class PastLength(ChatError):
    """The bytes exceed the declared length of the upload."""

    status = 413

    def __init__(self) -> None:
        super().__init__("More bytes than the upload's length")


class ChecksumMismatch(ChatError):
    """The bytes do not have the declared checksum; none of them is stored."""

    status = 460

    def __init__(self) -> None:
        super().__init__("The bytes do not have that checksum")


class AlreadyFinished(ChatError):
    """The upload has become a file and cannot be terminated any more."""

    status = 403

    def __init__(self) -> None:
        super().__init__("The upload is finished; delete the file instead")


class Digest(Protocol):
    """The interface of digests of `hashlib`."""

    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Checksum:
    """The expected checksum of the bytes of one request; until it is verified, none of them counts."""

    start: Callable[[], Digest]
    expected: bytes


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """The progress of an upload; with an attachment, it is finished."""

    upload: UnfinishedUpload
    attachment: Attachment | None = None

    @property
    def length(self) -> int:
        assert self.upload.length is not None, "only these can be resumed"
        return self.upload.length


def create(
    svc: Services, actor: Actor, length: int, *, name: str = "", content_type: str = "", metadata: str = ""
) -> UploadProgress:
    """Create an upload of *length* bytes; with a length of 0 it is finished at once.

    :raises FileTooLarge, QuotaExceeded, UploadsDisabled, TooManyUploads:
    :raises RateLimited: more bytes than an account may upload on one day
    """
    if length > max_bytes(svc.limits):
        raise FileTooLarge(svc.limits.max_file_upload_size_mib)
    plain_name = original_name(name) or UNNAMED
    upload = UnfinishedUpload(
        path_id=new_path_id(url_name(plain_name, ascii_only=True)),
        owner_id=actor.user_id,
        name=plain_name,
        content_type=content_type,
        metadata=metadata,
        length=length,
        expires_at=svc.now + svc.limits.announced_upload_lifetime,
    )
    begin(svc, actor, upload)
    return _complete_if_whole(svc, upload)


def progress(svc: Services, actor: Actor, upload_id: str) -> UploadProgress:
    """Return the progress of an upload of the actor. An upload that is complete, but was not finished because
    of a crash, is finished now.

    :raises NoSuchUpload: the actor has no upload with this id
    """
    known = _find_upload(svc, actor, upload_id)
    return known if known.attachment is not None else _complete_if_whole(svc, known.upload)


def receive(
    svc: Services,
    actor: Actor,
    upload_id: str,
    offset: int,
    pieces: Iterable[bytes],
    *,
    checksum: Checksum | None = None,
) -> UploadProgress:
    """Receive bytes of an upload from *offset* on, which must be its present end.

    If *pieces* ends early, the bytes received so far are stored, except with a checksum.

    :raises NoSuchUpload: the actor has no upload with this id
    :raises WrongOffset, UploadBusy, PastLength, ChecksumMismatch: as the classes say
    :raises QuotaExceeded, RateLimited: the bytes exceed a quota or the limit for one day; bytes stored before
        are kept
    """
    known = progress(svc, actor, upload_id)
    if offset != known.upload.offset:
        raise WrongOffset(known.upload.offset)
    if known.attachment is not None:
        if any(pieces):
            raise PastLength
        return known
    try:
        writer = svc.files.writer(file_key(known.upload.path_id), offset)
    except FileBusy as error:
        raise UploadBusy from error
    except FileMissing as error:
        raise NoSuchUpload from error
    try:
        # Read again: another request may have moved the offset before this one held the writer.
        upload = _find_upload(svc, actor, upload_id).upload
        if offset != upload.offset:
            raise WrongOffset(upload.offset)
        upload = _Receiver(svc, upload, writer).take(pieces, checksum)
    finally:
        writer.close()
    return _complete_if_whole(svc, upload)


def terminate(svc: Services, actor: Actor, upload_id: str) -> None:
    """Remove an unfinished upload.

    :raises NoSuchUpload: the actor has no upload with this id
    :raises AlreadyFinished:
    """
    known = _find_upload(svc, actor, upload_id)
    if known.attachment is not None:
        raise AlreadyFinished
    discard(svc, known.upload)


class _Receiver:
    """Takes the bytes of one upload."""

    def __init__(self, svc: Services, upload: UnfinishedUpload, writer: FileWriter) -> None:
        self._svc = svc
        self._upload = upload
        self._writer = writer
        self._written = upload.offset

    def take(self, pieces: Iterable[bytes], checksum: Checksum | None) -> UnfinishedUpload:
        """Write the pieces, and make them durable as they come; with a checksum, all or none count."""
        if checksum is None:
            self._take_unchecked(pieces)
        else:
            try:
                self._take_checked(pieces, checksum)
            except BaseException:
                self._writer.cut(self._upload.offset)
                raise
        self._make_safe()
        return self._upload

    def _take_unchecked(self, pieces: Iterable[bytes]) -> None:
        try:
            for piece in pieces:
                self._write_piece(piece)
                if self._written - self._upload.offset >= CHECKPOINT:
                    self._make_safe()
        except BadRequest:  # the connection broke; the client continues from here
            self._make_safe()
            raise

    def _take_checked(self, pieces: Iterable[bytes], checksum: Checksum) -> None:
        """Receive all bytes or none; no byte counts before the last one has arrived. Every few megabytes,
        the limits are checked, so that an upload that does not fit ends early.
        """
        digest = checksum.start()
        checked_until = self._written
        for piece in pieces:
            self._write_piece(piece)
            digest.update(piece)
            if self._written - checked_until >= CHECKPOINT:
                require_fit_until(self._svc, self._upload, self._written)
                checked_until = self._written
        if digest.digest() != checksum.expected:
            raise ChecksumMismatch

    def _write_piece(self, piece: bytes) -> None:
        if self._written + len(piece) > (self._upload.length or 0):
            raise PastLength
        self._writer.write(piece)
        self._written += len(piece)

    def _make_safe(self) -> None:
        if self._written != self._upload.offset:
            self._upload = make_durable(self._svc, self._upload, self._writer, self._written)


@read_only
def _find_upload(view: View, me: Actor, upload_id: str) -> UploadProgress:
    """Return the progress of an upload of the actor, which may have become a file.

    :raises NoSuchUpload: the actor has no upload with this id
    """
    upload = view.snapshot.uploads.find(upload_id)
    if upload is None:
        return _find_finished(view.snapshot, me, upload_id)
    if upload.owner_id != me.user_id or upload.length is None or upload.expires_at <= view.svc.clock():
        raise NoSuchUpload
    return UploadProgress(upload)


def _find_finished(snapshot: Snapshot, actor: Actor, upload_id: str) -> UploadProgress:
    """Return the progress of an upload that has become a file of the actor; only its attachment is stored.

    :raises NoSuchUpload: the actor has no such file
    """
    for attachment in snapshot.attachments.by_path_ids([upload_id]):
        if attachment.owner_id == actor.user_id:
            upload = UnfinishedUpload(
                path_id=attachment.path_id,
                owner_id=attachment.owner_id,
                name=attachment.name,
                length=attachment.size,
                offset=attachment.size,
                expires_at=0,
            )
            return UploadProgress(upload, attachment)
    raise NoSuchUpload


def _complete_if_whole(svc: Services, upload: UnfinishedUpload) -> UploadProgress:
    """Finish an upload if all its bytes have arrived; return its progress."""
    if upload.offset != upload.length:
        return UploadProgress(upload)
    if not upload.length:  # no bytes arrive that would create the file
        with suppress(FileBusy):
            svc.files.writer(file_key(upload.path_id)).close()
    return UploadProgress(upload, complete(svc, upload, upload.length))
