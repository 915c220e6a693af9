"""Metadata of uploaded files: complete ones with the messages that link to them, and unfinished ones."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.files.uploads import Attachment, Linking, UnfinishedUpload
from chatcore.domain.ids import AttachmentId, MessageId, UserId


class Space(NamedTuple):
    """Space taken by files."""

    files: int
    size: int
    """Bytes."""


class Attachments(Protocol):
    def find(self, attachment_id: int) -> Attachment | None: ...

    def by_path_ids(self, path_ids: Collection[str]) -> Sequence[Attachment]:
        """Return those of the files that exist, by ascending id."""

    def of_user(self, owner_id: UserId) -> Sequence[Attachment]:
        """Return every file of the user, by ascending id."""

    def page(
        self,
        after: int,
        limit: int,
        *,
        owner_id: UserId | None = None,
        unlinked_before: int | None = None,
    ) -> Sequence[Attachment]:
        """Return the files with ids above *after*, by ascending id, at most *limit*: of all users or of one;
        with *unlinked_before* only those without links since that time (in seconds) or earlier.
        """

    def of_messages(self, message_ids: Collection[MessageId]) -> Sequence[Attachment]:
        """Return every file that one of the messages links to, by ascending id."""

    def links(
        self, attachment_ids: Collection[AttachmentId], newest: int | None = None
    ) -> Mapping[AttachmentId, Sequence[Linking]]:
        """Return the existing messages that link to the files, ascending: all, or the *newest* few of each.

        Files without any are omitted.
        """

    def unlinked(self, before: int, limit: int, *, held: Collection[UserId] = ()) -> Sequence[Attachment]:
        """Return files without links since *before* (in seconds) or earlier, at most *limit*, without those
        of *held* owners.
        """

    def put_off(self, attachment_ids: Collection[AttachmentId], now: int) -> None:
        """Count those of the files that have no links as if they had lost them now."""

    def add(self, attachment: Attachment) -> Attachment:
        """Store the metadata of a completed file; return it with its id."""

    def remove(self, attachment_id: AttachmentId) -> None:
        """Remove a file and the links to it."""

    def link(self, attachment_ids: Collection[AttachmentId], message_id: MessageId) -> None:
        """Store that a message links to the files; repeating this is not an error."""

    def unlink(
        self, message_ids: Collection[MessageId], now: int, *, keep: Collection[AttachmentId] = ()
    ) -> None:
        """Remove the links of the messages to all files except those in *keep*. Files that have none any more
        are without links since *now*.
        """

    def space_used(self) -> int:
        """Return the bytes of all files."""

    def space_of_user(self, owner_id: UserId) -> Space:
        """Return the space of all files of the user."""

    def largest_spaces(self, limit: int) -> Sequence[tuple[UserId, Space]]:
        """Return the users with the most bytes of files, the most first, at most *limit*."""


class Uploads(Protocol):
    """Unfinished uploads."""

    def find(self, path_id: str) -> UnfinishedUpload | None: ...

    def space_used(self) -> int:
        """Return the bytes of all uploads that are safely stored, not those that were only declared."""

    def space_of_user(self, owner_id: UserId) -> Space:
        """Return the space of all uploads of the user, counted in the same way."""

    def expired(self, now: int, limit: int) -> Sequence[UnfinishedUpload]:
        """Return uploads that have expired, at most *limit*."""

    def add(self, upload: UnfinishedUpload) -> None: ...

    def advance(self, path_id: str, offset: int, expires_at: int) -> bool:
        """Store how many bytes are safely stored; return False if the upload no longer exists."""

    def remove(self, path_ids: Collection[str]) -> int:
        """Remove uploads; return how many there were."""
