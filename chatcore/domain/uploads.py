"""Uploaded files: what they are called, where they are, and why one is refused.

A file has two names. The one that it is stored and shown with is the client's; the one in its address is
made of harmless characters. The path id is all of the address after `/user_uploads/`.
"""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

from chatcore.domain.characters import stripped_name
from chatcore.domain.errors import BadRequest, ChatError, NotFound, RateLimited
from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.domain.limits import Limits

ORGANIZATION = 1
"""The organization's number in addresses: a store has only the one."""
UNNAMED = "uploaded-file"
NO_NAMES = frozenset({"", ".", ".."})
MAX_NAME_LENGTH = 255
MIB = 2**20
TRY_AGAIN = 1.0
"""Seconds after which an upload may be begun where too many were unfinished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that was uploaded whole."""

    id: AttachmentId
    path_id: str
    owner_id: UserId
    name: str
    content_type: str
    is_shown: bool
    """Whether a browser may show it itself."""
    size: int
    created: int
    """Milliseconds since 1970."""

    @property
    def url(self) -> str:
        return f"/user_uploads/{self.path_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedUpload:
    """A file of which the first `offset` bytes are safe.

    `length` None is a plain upload, whose length shows at its end and which cannot be resumed.
    """

    path_id: str
    owner_id: UserId
    name: str
    content_type: str = ""
    """As the client says."""
    metadata: str = ""
    """What a resumable client has sent about the file, to be sent back."""
    length: int | None = None
    offset: int = 0
    expires_at: int


@dataclass(frozen=True, slots=True)
class Linking:
    """A message that links to a file, and when it was sent."""

    message_id: MessageId
    timestamp: int


class NoSuchFile(NotFound):
    """One answer for a file that does not exist and for one that may not be read."""

    def __init__(self) -> None:
        super().__init__("File not found")


class FileTooLarge(BadRequest):
    """The file has more bytes than a file may have."""

    def __init__(self, max_mib: int) -> None:
        super().__init__(f"Uploaded file is larger than the allowed limit of {max_mib} MiB")


class UploadsDisabled(BadRequest):
    """The organization takes no uploads."""

    def __init__(self) -> None:
        super().__init__("File uploads are disabled on this server.")


class QuotaExceeded(ChatError):
    """The files of the organization or of one account would take more than they may, or there is no room."""

    code = "REALM_UPLOAD_QUOTA"

    def __init__(self, message: str = "Upload would exceed your organization's upload quota.") -> None:
        super().__init__(message)


class NoSuchUpload(NotFound):
    """One answer for an upload that does not exist, has expired, or is somebody else's."""

    def __init__(self) -> None:
        super().__init__("Upload not found")


class TooManyUploads(RateLimited):
    """The account has too many unfinished uploads."""

    def __init__(self) -> None:
        super().__init__(TRY_AGAIN, "Too many unfinished uploads.", limit="unfinished_uploads")


_LINE_BREAKS = re.compile("[\t-\r\x85\u2028\u2029]+")


def original_name(raw: str) -> str | None:
    """The client's name for a file: what follows its last slash of either kind, percent-decoded, without the
    characters that no name has: no escapes, nothing that reorders the text around it. Line breaks are blanks.

    None where that is no name. Cut at `MAX_NAME_LENGTH`, keeping the ending.
    """
    name = unquote(raw.rpartition("/")[2].rpartition("\\")[2])
    name = stripped_name(_LINE_BREAKS.sub(" ", name.encode(errors="replace").decode()))
    return None if name in NO_NAMES else _cut(name)


def url_name(name: str, *, ascii_only: bool = False) -> str:
    """The name in a file's address: letters and digits of any script, `_`, `.` and single `-`."""
    plain = unicodedata.normalize("NFKC", name)
    if ascii_only:
        plain = plain.encode("ascii", "ignore").decode()
    kept = re.sub(r"[^\w.\s-]", "", plain).strip()
    plain = _cut(re.sub(r"[\s-]+", "-", kept))
    return UNNAMED if plain in NO_NAMES else plain


def _cut(name: str) -> str:
    if len(name) <= MAX_NAME_LENGTH:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 20:
        return name[:MAX_NAME_LENGTH]
    return f"{stem[: MAX_NAME_LENGTH - len(ending) - 1]}.{ending}"


def path_id_of(folder: str, random: str, name: str) -> str:
    """A path id of two hex digits and 24 characters that cannot be guessed, and the name in the address."""
    return f"{ORGANIZATION}/{folder}/{random}/{name}"


def file_key(path_id: str) -> str:
    """Under which the bytes are stored: the part of a path id that no client has chosen."""
    _, folder, random, _ = path_id.split("/", 3)
    return f"{folder}/{random}"


_PLAIN_PATH = re.compile(r"(?:^|(?<=[\s(<\[]))/user_uploads/([^\s()<>\[\]]+)")


def plain_path_ids(text: str) -> frozenset[str]:
    """The paths of uploads that stand in a text by themselves, which makes no link of them."""
    paths = set(_PLAIN_PATH.findall(text))
    return frozenset(paths | {path.rstrip(".,;:!?'\"") for path in paths})


def shown_name(name: str) -> str:
    """A file's name without what could mislead where it is shown: no separators, no invisible characters."""
    visible = (c if c not in '/\\"' else "_" for c in name if unicodedata.category(c)[0] != "C")
    return "".join(visible) or UNNAMED


def max_bytes(limits: Limits) -> int:
    """How large a file may be.

    :raises UploadsDisabled: no file may be uploaded
    """
    if limits.max_file_upload_size_mib <= 0:
        raise UploadsDisabled
    return limits.max_file_upload_size_mib * MIB


def require_room(size: int, taken: int, quota_mib: int | None) -> None:
    """Refuse *size* bytes that would not fit beside those that are *taken* in the organization.

    :raises QuotaExceeded:
    """
    if quota_mib is not None and taken + size > quota_mib * MIB:
        raise QuotaExceeded


def require_own_room(size: int, taken: int, limits: Limits) -> None:
    """Refuse *size* bytes that would not fit beside those that are *taken* by the files of one account.

    :raises QuotaExceeded:
    """
    if taken + size > limits.max_upload_space_per_user_mib * MIB:
        raise QuotaExceeded("Upload would exceed the space for your files.")


def require_another_file(files: int, limits: Limits) -> None:
    """:raises QuotaExceeded: one account has as many *files* as it may have"""
    if files >= limits.max_files_per_user:
        raise QuotaExceeded(f"You cannot have more than {limits.max_files_per_user} files.")


def require_disk(size: int, free: int | None, limits: Limits) -> None:
    """Refuse *size* bytes where too few would be left of what is *free* (None: not known).

    :raises QuotaExceeded:
    """
    if free is not None and free - size < limits.min_free_disk_mib * MIB:
        raise QuotaExceeded("The server has no room for uploads at the moment.")
