"""Uploaded files, the messages that link to them, and unfinished uploads."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.domain.uploads import Attachment, Linking, UnfinishedUpload
from chatcore.storage.uploads import Space
from storage_backends.sql.session import Row, Session

_SELECT = """
    SELECT a.id, a.path_id, a.owner_id, a.name, a.content_type, a.is_shown, a.size, a.created
    FROM attachment AS a
"""


def _attachment(row: Row) -> Attachment:
    return Attachment(
        id=row[0],
        path_id=row[1],
        owner_id=row[2],
        name=row[3],
        content_type=row[4],
        is_shown=bool(row[5]),
        size=row[6],
        created=row[7],
    )


class Attachments:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, attachment_id: int) -> Attachment | None:
        return next(iter(self._found("WHERE a.id = ?", attachment_id)), None)

    def by_path_ids(self, path_ids: Collection[str]) -> Sequence[Attachment]:
        backend = self._session.backend
        return self._found(f"WHERE a.path_id {backend.in_list} ORDER BY a.id", backend.listed(path_ids))

    def of_user(self, owner_id: UserId) -> Sequence[Attachment]:
        return self._found("WHERE a.owner_id = ? ORDER BY a.id", owner_id)

    def of_messages(self, message_ids: Collection[MessageId]) -> Sequence[Attachment]:
        backend = self._session.backend
        return self._found(
            f"""
            WHERE a.id IN (SELECT attachment_id FROM attachment_link WHERE message_id {backend.in_list})
            ORDER BY a.id
            """,
            backend.listed(message_ids),
        )

    def links(
        self, attachment_ids: Collection[AttachmentId], newest: int | None = None
    ) -> Mapping[AttachmentId, Sequence[Linking]]:
        backend = self._session.backend
        found: defaultdict[AttachmentId, list[Linking]] = defaultdict(list)
        place = "row_number() OVER (PARTITION BY l.attachment_id ORDER BY m.id DESC)"
        for attachment_id, message_id, timestamp in self._session.rows(
            f"""
            SELECT attachment_id, id, timestamp FROM (
                SELECT l.attachment_id, m.id, m.timestamp, {place if newest else 0} AS place
                FROM attachment_link AS l JOIN message AS m ON m.id = l.message_id
                WHERE l.attachment_id {backend.in_list}
            ) AS linking
            WHERE place <= ? ORDER BY id
            """,
            backend.listed(attachment_ids),
            newest or 0,
        ):
            found[attachment_id].append(Linking(message_id, timestamp))
        return dict(found)

    def unlinked(self, before: int, limit: int) -> Sequence[Attachment]:
        return self._found("WHERE a.unlinked_since <= ? ORDER BY a.unlinked_since LIMIT ?", before, limit)

    def add(
        self, upload: UnfinishedUpload, *, content_type: str, is_shown: bool, size: int, created: int
    ) -> Attachment:
        ((attachment_id,),) = self._session.rows(
            """
            INSERT INTO attachment
                (path_id, owner_id, name, content_type, is_shown, size, created, unlinked_since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            upload.path_id,
            upload.owner_id,
            upload.name,
            content_type,
            is_shown,
            size,
            created,
            created // 1000,
        )
        self._session.run("UPDATE upload_space SET used = used + ?", size)
        self._session.run(
            """
            INSERT INTO upload_space_of_user (owner_id, files, used) VALUES (?, 1, ?)
            ON CONFLICT (owner_id) DO UPDATE SET
                files = upload_space_of_user.files + 1, used = upload_space_of_user.used + excluded.used
            """,
            upload.owner_id,
            size,
        )
        return Attachment(
            id=AttachmentId(attachment_id),
            path_id=upload.path_id,
            owner_id=upload.owner_id,
            name=upload.name,
            content_type=content_type,
            is_shown=is_shown,
            size=size,
            created=created,
        )

    def remove(self, attachment_id: AttachmentId) -> None:
        removed = self._session.rows(
            "DELETE FROM attachment WHERE id = ? RETURNING size, owner_id", attachment_id
        )
        self._session.run("DELETE FROM attachment_link WHERE attachment_id = ?", attachment_id)
        for size, owner_id in removed:
            self._session.run("UPDATE upload_space SET used = used - ?", size)
            self._session.run(
                "UPDATE upload_space_of_user SET files = files - 1, used = used - ? WHERE owner_id = ?",
                size,
                owner_id,
            )

    def link(self, attachment_ids: Collection[AttachmentId], message_id: MessageId) -> None:
        backend = self._session.backend
        self._session.run_many(
            """
            INSERT INTO attachment_link (attachment_id, message_id) VALUES (?, ?)
            ON CONFLICT (attachment_id, message_id) DO NOTHING
            """,
            [(attachment_id, message_id) for attachment_id in sorted(attachment_ids)],
        )
        self._session.run(
            f"UPDATE attachment SET unlinked_since = NULL WHERE id {backend.in_list}",
            backend.listed(attachment_ids),
        )

    def unlink(
        self, message_ids: Collection[MessageId], now: int, *, keep: Collection[AttachmentId] = ()
    ) -> None:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            DELETE FROM attachment_link
            WHERE message_id {backend.in_list} AND NOT attachment_id {backend.in_list}
            RETURNING attachment_id
            """,
            backend.listed(message_ids),
            backend.listed(keep),
        )
        self._session.run(
            f"""
            UPDATE attachment SET unlinked_since = ? WHERE id {backend.in_list}
                AND NOT EXISTS (SELECT 1 FROM attachment_link AS l WHERE l.attachment_id = attachment.id)
            """,
            now,
            backend.listed({row[0] for row in rows}),
        )

    def space_used(self) -> int:
        ((used,),) = self._session.rows("SELECT used FROM upload_space")
        return int(used)

    def space_of_user(self, owner_id: UserId) -> Space:
        rows = self._session.rows("SELECT files, used FROM upload_space_of_user WHERE owner_id = ?", owner_id)
        return Space(*rows[0]) if rows else Space(0, 0)

    def _found(self, rest: str, *parameters: object) -> list[Attachment]:
        return [_attachment(row) for row in self._session.rows(f"{_SELECT} {rest}", *parameters)]


UPLOAD_COLUMNS = (
    "path_id",
    "owner_id",
    "name",
    "content_type",
    "metadata",
    "length",
    "position",
    "expires_at",
)
_UPLOADS = f"SELECT {', '.join(UPLOAD_COLUMNS)} FROM unfinished_upload"


def _upload(row: Row) -> UnfinishedUpload:
    return UnfinishedUpload(
        path_id=row[0],
        owner_id=row[1],
        name=row[2],
        content_type=row[3],
        metadata=row[4],
        length=row[5],
        offset=row[6],
        expires_at=row[7],
    )


class Uploads:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, path_id: str) -> UnfinishedUpload | None:
        rows = self._session.rows(f"{_UPLOADS} WHERE path_id = ?", path_id)
        return _upload(rows[0]) if rows else None

    def space_used(self) -> int:
        ((used,),) = self._session.rows("SELECT coalesce(sum(position), 0) FROM unfinished_upload")
        return int(used)

    def space_of_user(self, owner_id: UserId) -> Space:
        ((count, used),) = self._session.rows(
            "SELECT count(*), coalesce(sum(position), 0) FROM unfinished_upload WHERE owner_id = ?", owner_id
        )
        return Space(count, int(used))

    def expired(self, now: int, limit: int) -> Sequence[UnfinishedUpload]:
        rows = self._session.rows(
            f"{_UPLOADS} WHERE expires_at <= ? ORDER BY expires_at, path_id LIMIT ?", now, limit
        )
        return [_upload(row) for row in rows]

    def add(self, upload: UnfinishedUpload) -> None:
        places = ", ".join("?" for _ in UPLOAD_COLUMNS)
        self._session.run(
            f"INSERT INTO unfinished_upload ({', '.join(UPLOAD_COLUMNS)}) VALUES ({places})",
            upload.path_id,
            upload.owner_id,
            upload.name,
            upload.content_type,
            upload.metadata,
            upload.length,
            upload.offset,
            upload.expires_at,
        )

    def advance(self, path_id: str, offset: int, expires_at: int) -> bool:
        touched = self._session.run(
            "UPDATE unfinished_upload SET position = ?, expires_at = ? WHERE path_id = ?",
            offset,
            expires_at,
            path_id,
        )
        return touched > 0

    def remove(self, path_ids: Collection[str]) -> int:
        backend = self._session.backend
        return self._session.run(
            f"DELETE FROM unfinished_upload WHERE path_id {backend.in_list}", backend.listed(path_ids)
        )
