"""What is known of uploaded files: whole ones with the messages that link to them, and unfinished ones."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.domain.uploads import Attachment, Linking, UnfinishedUpload


class Space(NamedTuple):
    """What files take."""

    files: int
    size: int
    """Bytes."""


class Attachments(Protocol):
    def find(self, attachment_id: int) -> Attachment | None: ...

    def by_path_ids(self, path_ids: Collection[str]) -> Sequence[Attachment]:
        """Those of the files that exist, by ascending id."""

    def of_user(self, owner_id: UserId) -> Sequence[Attachment]:
        """Every file of the user, by ascending id."""

    def of_messages(self, message_ids: Collection[MessageId]) -> Sequence[Attachment]:
        """Every file that one of the messages links to, by ascending id."""

    def links(
        self, attachment_ids: Collection[AttachmentId], newest: int | None = None
    ) -> Mapping[AttachmentId, Sequence[Linking]]:
        """The existing messages that link to the files, ascending: all, or so many of the *newest* of each.

        Files without any are left out.
        """

    def unlinked(self, before: int, limit: int) -> Sequence[Attachment]:
        """Files that no message has linked to since *before* (seconds) or earlier, at most *limit*."""

    def add(
        self,
        upload: UnfinishedUpload,
        *,
        content_type: str,
        is_shown: bool,
        size: int,
        created: int,
    ) -> Attachment:
        """Store a file that has become whole; *created* is in milliseconds."""

    def remove(self, attachment_id: AttachmentId) -> None:
        """Forget a file and what links to it."""

    def link(self, attachment_ids: Collection[AttachmentId], message_id: MessageId) -> None:
        """Note that a message links to the files; again is no error."""

    def unlink(
        self, message_ids: Collection[MessageId], now: int, *, keep: Collection[AttachmentId] = ()
    ) -> None:
        """Note that the messages link to no file any more, but for those to *keep*."""

    def space_used(self) -> int:
        """Bytes of all files."""

    def space_of_user(self, owner_id: UserId) -> Space:
        """What all files of the user take."""


class Uploads(Protocol):
    """Unfinished uploads."""

    def find(self, path_id: str) -> UnfinishedUpload | None: ...

    def space_used(self) -> int:
        """Bytes of all uploads that are safe, not those that were only announced."""

    def space_of_user(self, owner_id: UserId) -> Space:
        """What all uploads of the user take, likewise."""

    def expired(self, now: int, limit: int) -> Sequence[UnfinishedUpload]:
        """Those whose time is over, at most *limit*."""

    def add(self, upload: UnfinishedUpload) -> None: ...

    def advance(self, path_id: str, offset: int, expires_at: int) -> bool:
        """Note how many bytes are safe; False when the upload is not there any more."""

    def remove(self, path_ids: Collection[str]) -> int:
        """Forget uploads; how many there were."""
