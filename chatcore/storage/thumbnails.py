"""Uploaded images, and whether their thumbnails are made. A removed file takes its image with it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.files.thumbnails import UploadedImage
from chatcore.domain.ids import AttachmentId


class Images(Protocol):
    def of_files(self, attachment_ids: Collection[AttachmentId]) -> Mapping[AttachmentId, UploadedImage]:
        """Return the images in those of the files that have one."""

    def first_due(self) -> UploadedImage | None:
        """Return the pending image that is due first."""

    def due_of_each_owner(self, now: int, limit: int) -> Sequence[UploadedImage]:
        """Return, for each owner of files, the image that is due first; of these, the *limit* that are due
        first.
        """

    def put(self, image: UploadedImage) -> None:
        """Store an image, in place of the one that the file had."""
