"""Uploaded files, the messages that link to them, and unfinished uploads."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from peewee import EXCLUDED, fn

from chatcore.domain.choices import given_values
from chatcore.domain.files.uploads import Attachment, Linking, UnfinishedUpload
from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.storage.uploads import Space
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import (
    AttachmentLink,
    Message,
    UploadedImage,
    UploadSpace,
    UploadSpaceOfUser,
)
from storage_backends.sql.statement import ROW_COUNT, Statement, StatementOf, change, in_list, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

FILES, UPLOADS = schema.Attachment, schema.UnfinishedUpload

IN_ORDER = FILES.select().order_by(FILES.id)
OF_FILES = in_list(AttachmentLink.attachment_id, "attachment_ids")
OF_MESSAGES = in_list(AttachmentLink.message_id, "message_ids")

FIND = Statement(FILES.select().where(FILES.id == param("attachment_id"))).of(Attachment)
FIND_BY_PATHS = Statement(IN_ORDER.where(in_list(FILES.path_id, "path_ids"))).of(Attachment)
FIND_OF_USER = Statement(IN_ORDER.where(FILES.owner_id == param("owner_id"))).of(Attachment)


def _find_page(*, of_owner: bool, unlinked: bool) -> StatementOf[Attachment]:
    """Return the statement for a page of one owner's or of all files, maybe only of those without links."""
    conditions = [FILES.id > param("after")]
    if of_owner:
        conditions.append(FILES.owner_id == param("owner_id"))
    if unlinked:
        conditions.append(FILES.unlinked_since <= param("unlinked_before"))
    return Statement(IN_ORDER.where(*conditions).limit(param("limit"))).of(Attachment)


FIND_PAGE = {
    (of_owner, unlinked): _find_page(of_owner=of_owner, unlinked=unlinked)
    for of_owner in (False, True)
    for unlinked in (False, True)
}
FIND_OF_MESSAGES = Statement(
    IN_ORDER.where(FILES.id.in_(AttachmentLink.select(AttachmentLink.attachment_id).where(OF_MESSAGES)))
).of(Attachment)
FIND_UNLINKED = Statement(
    FILES.select()
    .where(FILES.unlinked_since <= param("before"), ~in_list(FILES.owner_id, "held"))
    .order_by(FILES.unlinked_since)
    .limit(param("limit"))
).of(Attachment)

_LINKINGS = AttachmentLink.select(AttachmentLink.attachment_id, Message.id, Message.timestamp).join(
    Message, on=Message.id == AttachmentLink.message_id
)
_RANKED = (
    _LINKINGS.select_extend(
        fn.row_number()
        .over(partition_by=[AttachmentLink.attachment_id], order_by=[Message.id.desc()])
        .alias("rank")
    )
    .where(OF_FILES)
    .alias("linking")
)
FIND_LINKS = Statement(_LINKINGS.where(OF_FILES).order_by(Message.id))
FIND_NEWEST_LINKS = Statement(
    AttachmentLink.select(_RANKED.c.attachment_id, _RANKED.c.id, _RANKED.c.timestamp)
    .from_(_RANKED)
    .where(_RANKED.c.rank <= param("newest"))
    .order_by(_RANKED.c.id)
)

ADD = Statement(insert(FILES).returning(FILES.id))
REMOVE = Statement(
    FILES.delete().where(FILES.id == param("attachment_id")).returning(FILES.size, FILES.owner_id)
)
UNLINK_FILE = Statement(AttachmentLink.delete().where(AttachmentLink.attachment_id == param("attachment_id")))
REMOVE_IMAGE = Statement(UploadedImage.delete().where(UploadedImage.attachment_id == param("attachment_id")))
LINK = Statement(
    insert(AttachmentLink).on_conflict(
        conflict_target=[AttachmentLink.attachment_id, AttachmentLink.message_id], action="NOTHING"
    )
)
NOTE_LINKED = Statement(FILES.update({FILES.unlinked_since: None}).where(in_list(FILES.id, "attachment_ids")))
PUT_OFF = Statement(
    FILES.update({FILES.unlinked_since: param("now")}).where(
        in_list(FILES.id, "attachment_ids"), FILES.unlinked_since.is_null(False)
    )
)
UNLINK = Statement(
    AttachmentLink.delete()
    .where(OF_MESSAGES, ~in_list(AttachmentLink.attachment_id, "keep"))
    .returning(AttachmentLink.attachment_id)
)
NOTE_UNLINKED = Statement(
    FILES.update({FILES.unlinked_since: param("now")}).where(
        in_list(FILES.id, "attachment_ids"),
        ~fn.EXISTS(
            AttachmentLink.select(AttachmentLink.attachment_id).where(
                AttachmentLink.attachment_id == FILES.id
            )
        ),
    )
)

FIND_SPACE = Statement(UploadSpace.select(UploadSpace.used))
CHANGE_SPACE = Statement(UploadSpace.update({UploadSpace.used: UploadSpace.used + param("size")}))
FIND_SPACE_OF_USER = Statement(
    UploadSpaceOfUser.select(UploadSpaceOfUser.files, UploadSpaceOfUser.used).where(
        UploadSpaceOfUser.owner_id == param("owner_id")
    )
)
LARGEST_SPACES = Statement(
    UploadSpaceOfUser.select(UploadSpaceOfUser.owner_id, UploadSpaceOfUser.files, UploadSpaceOfUser.used)
    .where(UploadSpaceOfUser.files > 0)
    .order_by(UploadSpaceOfUser.used.desc(), UploadSpaceOfUser.owner_id)
    .limit(param("limit"))
)
ADD_TO_SPACE_OF_USER = Statement(
    UploadSpaceOfUser.insert(
        {
            UploadSpaceOfUser.owner_id: param("owner_id"),
            UploadSpaceOfUser.files: 1,
            UploadSpaceOfUser.used: param("size"),
        }
    ).on_conflict(
        conflict_target=[UploadSpaceOfUser.owner_id],
        update={
            UploadSpaceOfUser.files: UploadSpaceOfUser.files + 1,
            UploadSpaceOfUser.used: UploadSpaceOfUser.used + EXCLUDED.used,
        },
    )
)
TAKE_FROM_SPACE_OF_USER = Statement(
    UploadSpaceOfUser.update(
        {
            UploadSpaceOfUser.files: UploadSpaceOfUser.files - 1,
            UploadSpaceOfUser.used: UploadSpaceOfUser.used - param("size"),
        }
    ).where(UploadSpaceOfUser.owner_id == param("owner_id"))
)

FIND_UPLOAD = Statement(UPLOADS.select().where(UPLOADS.path_id == param("path_id"))).of(UnfinishedUpload)
FIND_EXPIRED = Statement(
    UPLOADS.select()
    .where(UPLOADS.expires_at <= param("now"))
    .order_by(UPLOADS.expires_at, UPLOADS.path_id)
    .limit(param("limit"))
).of(UnfinishedUpload)
_RECEIVED_BYTES = fn.coalesce(fn.sum(UPLOADS.offset), 0).alias("used")
SPACE_OF_UPLOADS = Statement(UPLOADS.select(_RECEIVED_BYTES))
SPACE_OF_UPLOADS_OF_USER = Statement(
    UPLOADS.select(ROW_COUNT, _RECEIVED_BYTES).where(UPLOADS.owner_id == param("owner_id"))
)
ADD_UPLOAD = Statement(insert(UPLOADS))
ADVANCE_UPLOAD = change(UPLOADS, "offset", "expires_at")
REMOVE_UPLOADS = Statement(UPLOADS.delete().where(in_list(UPLOADS.path_id, "path_ids")))


class Attachments(SqlRepository):
    def find(self, attachment_id: int) -> Attachment | None:
        return self._session.row(FIND, attachment_id=attachment_id)

    def by_path_ids(self, path_ids: Collection[str]) -> Sequence[Attachment]:
        return self._session.rows(FIND_BY_PATHS, path_ids=path_ids)

    def of_user(self, owner_id: UserId) -> Sequence[Attachment]:
        return self._session.rows(FIND_OF_USER, owner_id=owner_id)

    def page(
        self,
        after: int,
        limit: int,
        *,
        owner_id: UserId | None = None,
        unlinked_before: int | None = None,
    ) -> Sequence[Attachment]:
        statement = FIND_PAGE[owner_id is not None, unlinked_before is not None]
        optional = given_values(owner_id=owner_id, unlinked_before=unlinked_before)
        return self._session.rows(statement, after=after, limit=limit, **optional)

    def of_messages(self, message_ids: Collection[MessageId]) -> Sequence[Attachment]:
        return self._session.rows(FIND_OF_MESSAGES, message_ids=message_ids)

    def links(
        self, attachment_ids: Collection[AttachmentId], newest: int | None = None
    ) -> Mapping[AttachmentId, Sequence[Linking]]:
        if newest:
            rows = self._session.rows(FIND_NEWEST_LINKS, attachment_ids=attachment_ids, newest=newest)
        else:
            rows = self._session.rows(FIND_LINKS, attachment_ids=attachment_ids)
        by_attachment: defaultdict[AttachmentId, list[Linking]] = defaultdict(list)
        for row in rows:
            by_attachment[row.attachment_id].append(Linking(row.id, row.timestamp))
        return dict(by_attachment)

    def unlinked(self, before: int, limit: int, *, held: Collection[UserId] = ()) -> Sequence[Attachment]:
        return self._session.rows(FIND_UNLINKED, before=before, limit=limit, held=held)

    def put_off(self, attachment_ids: Collection[AttachmentId], now: int) -> None:
        self._session.run(PUT_OFF, attachment_ids=attachment_ids, now=now)

    def add(self, attachment: Attachment) -> Attachment:
        attachment_id = self._session.value(
            ADD, unlinked_since=attachment.created // 1000, **new_columns_of(FILES, attachment)
        )
        self._session.run(CHANGE_SPACE, size=attachment.size)
        self._session.run(ADD_TO_SPACE_OF_USER, owner_id=attachment.owner_id, size=attachment.size)
        return replace(attachment, id=AttachmentId(attachment_id))

    def remove(self, attachment_id: AttachmentId) -> None:
        row = self._session.row(REMOVE, attachment_id=attachment_id)
        self._session.run(UNLINK_FILE, attachment_id=attachment_id)
        self._session.run(REMOVE_IMAGE, attachment_id=attachment_id)
        if row is not None:
            self._session.run(CHANGE_SPACE, size=-row.size)
            self._session.run(TAKE_FROM_SPACE_OF_USER, size=row.size, owner_id=row.owner_id)

    def link(self, attachment_ids: Collection[AttachmentId], message_id: MessageId) -> None:
        self._session.run_many(
            LINK,
            [
                {"attachment_id": attachment_id, "message_id": message_id}
                for attachment_id in sorted(attachment_ids)
            ],
        )
        self._session.run(NOTE_LINKED, attachment_ids=attachment_ids)

    def unlink(
        self, message_ids: Collection[MessageId], now: int, *, keep: Collection[AttachmentId] = ()
    ) -> None:
        rows = self._session.rows(UNLINK, message_ids=message_ids, keep=keep)
        self._session.run(NOTE_UNLINKED, attachment_ids={row.attachment_id for row in rows}, now=now)

    def space_used(self) -> int:
        return int(self._session.value(FIND_SPACE))

    def space_of_user(self, owner_id: UserId) -> Space:
        row = self._session.row(FIND_SPACE_OF_USER, owner_id=owner_id)
        return Space(0, 0) if row is None else Space(row.files, row.used)

    def largest_spaces(self, limit: int) -> Sequence[tuple[UserId, Space]]:
        rows = self._session.rows(LARGEST_SPACES, limit=limit)
        return [(UserId(row.owner_id), Space(row.files, row.used)) for row in rows]


class Uploads(SqlRepository):
    def find(self, path_id: str) -> UnfinishedUpload | None:
        return self._session.row(FIND_UPLOAD, path_id=path_id)

    def space_used(self) -> int:
        return int(self._session.value(SPACE_OF_UPLOADS))

    def space_of_user(self, owner_id: UserId) -> Space:
        row = self._session.row(SPACE_OF_UPLOADS_OF_USER, owner_id=owner_id)
        return Space(row.row_count, int(row.used))

    def expired(self, now: int, limit: int) -> Sequence[UnfinishedUpload]:
        return self._session.rows(FIND_EXPIRED, now=now, limit=limit)

    def add(self, upload: UnfinishedUpload) -> None:
        self._session.run(ADD_UPLOAD, **columns_of(UPLOADS, upload))

    def advance(self, path_id: str, offset: int, expires_at: int) -> bool:
        values = {"path_id": path_id, "offset": offset, "expires_at": expires_at}
        return self._session.run_counting(ADVANCE_UPLOAD, **values) > 0

    def remove(self, path_ids: Collection[str]) -> int:
        return self._session.run_counting(REMOVE_UPLOADS, path_ids=path_ids)
