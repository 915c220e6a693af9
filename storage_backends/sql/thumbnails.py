"""Uploaded images and the states of their thumbnails."""

from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.files.thumbnails import ATTEMPT_SECONDS, ImageState
from chatcore.domain.files.thumbnails import UploadedImage as Image
from chatcore.domain.ids import AttachmentId
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import UploadedImage
from storage_backends.sql.statement import Statement, in_list, upsert
from storage_backends.sql.values import columns_of

OF_FILES = in_list(UploadedImage.attachment_id, "attachment_ids")

FIND = Statement(UploadedImage.select().where(OF_FILES)).of(Image)
FIND_FIRST_DUE = Statement(
    UploadedImage.select()
    .where(UploadedImage.state == ImageState.PENDING.value)
    .order_by(UploadedImage.due, UploadedImage.attachment_id)
    .limit(1)
).of(Image)
DUE_OF_EACH_OWNER = Statement(
    f"""
    SELECT * FROM (
        SELECT uploaded_image.*, row_number() OVER (
            PARTITION BY attachment.owner_id ORDER BY uploaded_image.due, uploaded_image.attachment_id
        ) AS place
        FROM uploaded_image JOIN attachment ON attachment.id = uploaded_image.attachment_id
        WHERE uploaded_image.state = 'pending'
            AND NOT uploaded_image.due BETWEEN :now + 1 AND :now + {ATTEMPT_SECONDS}
    ) AS image
    WHERE place = 1 ORDER BY due, attachment_id LIMIT :limit
    """
).of(Image, UploadedImage)
"""A time that lies further ahead is from a clock that was set back since, and is over."""
PUT = upsert(UploadedImage)


class Images(SqlRepository):
    def of_files(self, attachment_ids: Collection[AttachmentId]) -> Mapping[AttachmentId, Image]:
        images = self._session.rows(FIND, attachment_ids=attachment_ids)
        return {image.attachment_id: image for image in images}

    def first_due(self) -> Image | None:
        return self._session.row(FIND_FIRST_DUE)

    def due_of_each_owner(self, now: int, limit: int) -> Sequence[Image]:
        return self._session.rows(DUE_OF_EACH_OWNER, now=now, limit=limit)

    def put(self, image: Image) -> None:
        self._session.run(PUT, **columns_of(UploadedImage, image))
