"""Uploaded files: names, URLs, and reasons for refusal.

A file has two names. The client's name is stored and displayed; the one in the URL consists of harmless
characters. The path id is the part of the URL after `/user_uploads/`.
"""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

from chatcore.domain.characters import stripped_name
from chatcore.domain.errors import RETRY_SECONDS, BadRequest, ChatError, NotFound, RateLimited
from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.domain.limits import Limits

ORGANIZATION = 1
"""The organization's number in URLs; a store has only one organization."""
UNNAMED = "uploaded-file"
NO_NAMES = frozenset({"", ".", ".."})
MAX_NAME_LENGTH = 255
MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A completely uploaded file."""

    id: AttachmentId
    path_id: str
    owner_id: UserId
    name: str
    content_type: str
    is_shown: bool
    """Whether a browser may display it inline."""
    size: int
    """Bytes."""
    created: int
    """The time of the upload, in milliseconds since 1970."""

    @property
    def url(self) -> str:
        return f"/user_uploads/{self.path_id}"


NOT_STORED = AttachmentId(0)
"""The id of a file that has none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedUpload:
    """A file of which the first `offset` bytes are safely stored.

    `length` None marks a plain upload, whose length is known only at its end and which cannot be resumed.
    """

    path_id: str
    owner_id: UserId
    name: str
    content_type: str = ""
    """As sent by the client."""
    metadata: str = ""
    """Metadata from a resumable client, to be returned unchanged."""
    length: int | None = None
    offset: int = 0
    expires_at: int
    """In seconds since 1970; 0 if it is discarded, so that its bytes can be removed at once."""

    @property
    def is_discarded(self) -> bool:
        return self.expires_at == 0


@dataclass(frozen=True, slots=True)
class Linking:
    """A message that links to a file."""

    message_id: MessageId
    timestamp: int
    """The time at which the message was sent, in seconds since 1970."""


class NoSuchFile(NotFound):
    """The single error for a file that does not exist or may not be read."""

    def __init__(self) -> None:
        super().__init__("File not found")


class FileTooLarge(BadRequest):
    """The file exceeds the maximum size."""

    def __init__(self, max_mib: int) -> None:
        super().__init__(f"Uploaded file is larger than the allowed limit of {max_mib} MiB")


class UploadsDisabled(BadRequest):
    """The organization accepts no uploads."""

    def __init__(self) -> None:
        super().__init__("File uploads are disabled on this server.")


class QuotaExceeded(ChatError):
    """The files would exceed the quota of the organization or of one account, or the disk space."""

    code = "REALM_UPLOAD_QUOTA"

    def __init__(self, message: str = "Upload would exceed your organization's upload quota.") -> None:
        super().__init__(message)


class NoSuchUpload(NotFound):
    """The single error for an upload that does not exist, has expired, or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Upload not found")


class TooManyUploads(RateLimited):
    """The account has too many unfinished uploads."""

    def __init__(self) -> None:
        super().__init__(RETRY_SECONDS, "Too many unfinished uploads.", limit="unfinished_uploads")


_LINE_BREAKS = re.compile("[\t-\r\x85\u2028\u2029]+")


def original_name(raw: str) -> str | None:
    """Return the client's name for a file: the part after its last slash of either kind, percent-decoded,
    without characters that no name may have, such as escapes and bidirectional controls, and with blanks for
    line breaks. It is cut to `MAX_NAME_LENGTH`, but keeps its extension. None if the result is no name.
    """
    name = unquote(raw.rpartition("/")[2].rpartition("\\")[2])
    name = stripped_name(_LINE_BREAKS.sub(" ", name.encode(errors="replace").decode()))
    return None if name in NO_NAMES else _cut_name(name)


def url_name(name: str, *, ascii_only: bool = False) -> str:
    """Return the name in a file's URL: letters and digits of any script, `_`, `.` and single `-`."""
    plain = unicodedata.normalize("NFKC", name)
    if ascii_only:
        plain = plain.encode("ascii", "ignore").decode()
    kept = re.sub(r"[^\w.\s-]", "", plain).strip()
    plain = _cut_name(re.sub(r"[\s-]+", "-", kept))
    return UNNAMED if plain in NO_NAMES else plain


def _cut_name(name: str) -> str:
    """Shorten a name that is too long; it keeps its ending."""
    if len(name) <= MAX_NAME_LENGTH:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 20:
        return name[:MAX_NAME_LENGTH]
    return f"{stem[: MAX_NAME_LENGTH - len(ending) - 1]}.{ending}"


_PATH_ID = re.compile(rf"{ORGANIZATION}/[0-9a-f]{{2}}/[A-Za-z0-9_-]{{1,100}}/[^/]+")


def is_path_id(text: str) -> bool:
    """Whether a text has the form of a path id."""
    return _PATH_ID.fullmatch(text) is not None


def path_id_of(folder: str, random: str, name: str) -> str:
    """Return a path id: two hex digits, 24 characters that cannot be guessed, and the name in the URL."""
    return f"{ORGANIZATION}/{folder}/{random}/{name}"


def file_key(path_id: str) -> str:
    """Return the storage key of the bytes: the part of a path id that no client has chosen."""
    _, folder, random, _ = path_id.split("/", 3)
    return f"{folder}/{random}"


_PLAIN_PATH = re.compile(r"(?:^|(?<=[\s(<\[]))/user_uploads/([^\s()<>\[\]]+)")


def plain_path_ids(text: str) -> frozenset[str]:
    """Return the path ids that stand alone in a text, each also without punctuation at its end."""
    paths = set(_PLAIN_PATH.findall(text))
    return frozenset(paths | {path.rstrip(".,;:!?'\"") for path in paths})


def shown_name(name: str) -> str:
    """Return a file's name with `_` for slashes and quotation marks, and without invisible characters."""
    visible = "".join(character for character in name if unicodedata.category(character)[0] != "C")
    return re.sub(r'[/\\"]', "_", visible) or UNNAMED


def max_bytes(limits: Limits) -> int:
    """Return the maximum size of a file in bytes.

    :raises UploadsDisabled: no file may be uploaded
    """
    if limits.max_file_upload_size_mib <= 0:
        raise UploadsDisabled
    return limits.max_file_upload_size_mib * MIB


def quota_in_force(of_owners: int | None, limits: Limits) -> int | None:
    """Return the MiB that all files of the organization may have; None for any number. It is the smaller of
    what its owners and the limits of the server allow.
    """
    quotas = (of_owners, limits.max_upload_space_mib or None)
    return min((quota for quota in quotas if quota is not None), default=None)


def require_quota(size: int, taken: int, quota_mib: int | None) -> None:
    """Refuse *size* bytes that would not fit beside those that are *taken* in the organization.

    :raises QuotaExceeded: the organization's quota would be exceeded
    """
    if quota_mib is not None and taken + size > quota_mib * MIB:
        raise QuotaExceeded


def require_own_quota(size: int, taken: int, limits: Limits) -> None:
    """Refuse *size* bytes that would not fit beside those that are *taken* by the files of one account.

    :raises QuotaExceeded: the account's space would be exceeded
    """
    if taken + size > limits.max_upload_space_per_user_mib * MIB:
        raise QuotaExceeded("Upload would exceed the space for your files.")


def require_another_file(files: int, limits: Limits) -> None:
    """Check that an account with this number of *files* may have another one.

    :raises QuotaExceeded: the account already has the maximum number of files
    """
    if files >= limits.max_files_per_user:
        raise QuotaExceeded(f"You cannot have more than {limits.max_files_per_user} files.")


def require_disk(size: int, free: int | None, limits: Limits) -> None:
    """Refuse *size* bytes that would leave too little of the *free* disk space (None: not known).

    :raises QuotaExceeded: too little disk space
    """
    if free is not None and free - size < limits.min_free_disk_mib * MIB:
        raise QuotaExceeded("The server has no room for uploads at the moment.")
