"""Uploaded images and the states of their thumbnails."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from peewee import EXCLUDED

from chatcore.domain.files.thumbnails import ATTEMPT_SECONDS, ImageState
from chatcore.domain.files.thumbnails import UploadedImage as Image
from chatcore.domain.ids import AttachmentId
from storage_backends.sql.schema import UploadedImage
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, insert, listed

FIND = Statement(UploadedImage.select().where(listed(UploadedImage.attachment_id, "attachment_ids")))
FIND_FIRST_DUE = Statement(
    UploadedImage.select()
    .where(UploadedImage.state == ImageState.PENDING.value)
    .order_by(UploadedImage.due, UploadedImage.attachment_id)
    .limit(1)
)
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
)
"""A time that lies further ahead is from a clock that was set back since, and is over."""
CHANGED = [field for field in UploadedImage._meta.sorted_fields if field.name != "attachment_id"]
PUT = Statement(
    insert(UploadedImage).on_conflict(
        conflict_target=[UploadedImage.attachment_id],
        update={field: getattr(EXCLUDED, field.name) for field in CHANGED},
    )
)


class Images:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_files(self, attachment_ids: Collection[AttachmentId]) -> Mapping[AttachmentId, Image]:
        rows = self._session.rows(FIND, attachment_ids=attachment_ids)
        return {row.attachment_id: image_from(row) for row in rows}

    def first_due(self) -> Image | None:
        row = self._session.row(FIND_FIRST_DUE)
        return None if row is None else image_from(row)

    def due_of_each_owner(self, now: int, limit: int) -> Sequence[Image]:
        return [image_from(row) for row in self._session.rows(DUE_OF_EACH_OWNER, now=now, limit=limit)]

    def put(self, image: Image) -> None:
        self._session.run(
            PUT,
            attachment_id=image.attachment_id,
            content_type=image.content_type,
            width=image.width,
            height=image.height,
            is_animated=image.is_animated,
            state=image.state.value,
            tries=image.attempts,
            due=image.due,
        )


def image_from(row: Any) -> Image:
    return Image(
        attachment_id=row.attachment_id,
        content_type=row.content_type,
        width=row.width,
        height=row.height,
        is_animated=bool(row.is_animated),
        state=ImageState(row.state),
        attempts=row.tries,
        due=row.due,
    )
