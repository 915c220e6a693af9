"""The due work that waits, over all its kinds."""

from collections.abc import Mapping
from typing import Any, Final

from peewee import Select, fn

from chatcore.domain.files.thumbnails import ImageState
from chatcore.storage.backlog import MOST_COUNTED, WaitingKind, WaitingWork
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import BotCall, Mail, Push, RequestedExport, ScheduledMessage, UploadedImage
from storage_backends.sql.statement import ROW_COUNT, Statement


def _count(times: Any) -> Statement:
    """Return the statement for the number of rows, and the first time, of a query of times."""
    some = times.limit(MOST_COUNTED).alias("some")
    return Statement(Select([some], [ROW_COUNT, fn.min(some.c.due).alias("first_due")]))


COUNTS: Final[Mapping[WaitingKind, Statement]] = {
    WaitingKind.SCHEDULED: _count(
        ScheduledMessage.select(ScheduledMessage.due)
        .where(ScheduledMessage.failure.is_null())
        .order_by(ScheduledMessage.due, ScheduledMessage.id)
    ),
    WaitingKind.MAIL: _count(Mail.select(Mail.due).order_by(Mail.due, Mail.id)),
    WaitingKind.PUSH: _count(Push.select(Push.due).order_by(Push.due, Push.id)),
    WaitingKind.BOT_CALL: _count(BotCall.select(BotCall.due).order_by(BotCall.id)),
    WaitingKind.EXPORT: _count(
        RequestedExport.select(RequestedExport.requested_at.alias("due")).where(
            RequestedExport.finished_at.is_null(), RequestedExport.failed_at.is_null()
        )
    ),
    WaitingKind.THUMBNAIL: _count(
        UploadedImage.select(UploadedImage.due)
        .where(UploadedImage.state == ImageState.PENDING.value)
        .order_by(UploadedImage.due, UploadedImage.attachment_id)
    ),
}


class Backlog(SqlRepository):
    def waiting(self) -> Mapping[WaitingKind, WaitingWork]:
        return {kind: WaitingWork(*self._session.row(count)) for kind, count in COUNTS.items()}
