"""Access to uploaded files: for the owner, and for readers of a message that links to the file."""

from dataclasses import dataclass
from typing import BinaryIO

from chatcore.application.delivery.file_links import readable_files
from chatcore.application.services import Services
from chatcore.application.signing import sign, signed_text
from chatcore.application.units import View, read_only
from chatcore.domain.errors import BadRequest, LoginRequired
from chatcore.domain.files.uploads import Attachment, NoSuchFile, file_key
from chatcore.domain.groups.actors import Actor
from chatcore.domain.rate_limits import SPECTATOR_ATTACHMENT_ACCESS_BY_FILE
from chatcore.storage.files import FileMissing

TEMPORARY = "temporary-upload"
"""Purpose for which the tokens of temporary addresses are signed."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file that may be read; the caller closes it."""

    attachment: Attachment
    file: BinaryIO


def open_file(svc: Services, actor: Actor | None, path_id: str) -> OpenFile:
    """Open a file that the actor may read; without an actor, a web-public file.

    :raises NoSuchFile: no such file for the actor
    :raises LoginRequired: no actor, and no such file is open to the web
    :raises RateLimited: the file was read too often without an account
    """
    return _open_attachment(svc, readable_file(svc, actor, path_id))


def readable_file(svc: Services, actor: Actor | None, path_id: str) -> Attachment:
    """Return a file that the actor may read; without an actor, a web-public file.

    :raises ChatError: as for opening it
    """
    attachment = _find_readable(svc, actor, path_id)
    if actor is None:
        svc.rate_limits.spend(SPECTATOR_ATTACHMENT_ACCESS_BY_FILE, f"file {attachment.id}")
    return attachment


def temporary_url(svc: Services, actor: Actor, path_id: str) -> str:
    """Return an address from which the file can be read for a short while without an account.

    :raises NoSuchFile: no such file for the actor
    """
    attachment = _find_readable(svc, actor, path_id)
    expires_at = svc.now + svc.limits.temporary_url_lifetime
    token = sign(svc, TEMPORARY, f"{expires_at}:{attachment.path_id}")
    return f"/user_uploads/temporary/{token}/{_last_piece(attachment.path_id)}"


def open_temporary(svc: Services, token: str, name: str) -> OpenFile:
    """Open the file of a temporary address.

    :raises BadRequest: an invalid or expired token, or one for a file of another name
    :raises NoSuchFile: the file was removed meanwhile
    """
    path_id = _path_id_in(svc, token)
    if path_id is None or _last_piece(path_id) != name:
        raise BadRequest("Invalid token")
    attachments = svc.storage.read(lambda snapshot: snapshot.attachments.by_path_ids([path_id]))
    if not attachments:
        raise NoSuchFile
    return _open_attachment(svc, attachments[0])


def _path_id_in(svc: Services, token: str) -> str | None:
    text = signed_text(svc, TEMPORARY, token)
    if text is None:
        return None
    expires_at, _, path_id = text.partition(":")
    return path_id if svc.clock() < int(expires_at) else None


def _last_piece(path_id: str) -> str:
    return path_id.rpartition("/")[2]


def _open_attachment(svc: Services, attachment: Attachment) -> OpenFile:
    try:
        return OpenFile(attachment, svc.files.open(file_key(attachment.path_id)))
    except FileMissing as error:
        raise NoSuchFile from error


@read_only
def _find_readable(view: View, me: Actor | None, path_id: str) -> Attachment:
    """Return a file that the actor may read; the refusal is the same for a missing and an unreadable file."""
    attachments = view.snapshot.attachments.by_path_ids([path_id])
    readable = readable_files(view.snapshot, me, attachments)
    if not readable:
        raise LoginRequired if me is None else NoSuchFile
    return readable[0]
