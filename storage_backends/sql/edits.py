"""Changing, moving and removing messages that were sent."""

from collections.abc import Collection, Sequence

from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages import Edit, Message
from chatcore.domain.topics import topic_key as key_of
from chatcore.storage.edits import Dated, Place
from storage_backends.sql.edit_rows import add_edits, fold_edits
from storage_backends.sql.messages import links_text, searchable
from storage_backends.sql.moved_flags import KEPT, move_flags
from storage_backends.sql.session import Session


class Edits:
    def __init__(self, session: Session) -> None:
        self._session = session

    def change_content(self, message: Message, words: Sequence[str]) -> None:
        self._session.run(
            """
            UPDATE message SET content = ?, rendered_content = ?, has_link = ?, has_image = ?,
                has_attachment = ?, channel_wildcard = ?, last_edit_timestamp = ?
            WHERE id = ?
            """,
            message.content,
            message.rendered_content,
            message.has_link,
            message.has_image,
            message.has_attachment,
            message.channel_wildcard,
            message.last_edit_timestamp,
            message.id,
        )
        self._find_by([(message, words)])

    def note(self, edits: Sequence[tuple[MessageId, Edit]]) -> None:
        add_edits(self._session, edits)
        backend = self._session.backend
        self._session.run(
            f"UPDATE message SET has_edits = ? WHERE id {backend.in_list}",
            True,
            backend.listed([message_id for message_id, _ in edits]),
        )

    def overlong(
        self, message_ids: Collection[MessageId], *, edits: int, length: int
    ) -> Collection[MessageId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT message_id FROM message_edit WHERE message_id {backend.in_list} GROUP BY message_id
            HAVING count(*) > ?
                OR sum(coalesce(length(prev_content), 0) + coalesce(length(prev_rendered_content), 0)) > ?
            """,
            backend.listed(message_ids),
            edits,
            length,
        )
        return [row[0] for row in rows]

    def fold(self, message_id: MessageId, count: int, into: Edit) -> None:
        fold_edits(self._session, message_id, count, into)

    def of_topic(
        self, channel_id: ChannelId, topic_key: str, *, since: MessageId | None = None
    ) -> Sequence[Dated]:
        rows = self._session.rows(
            """
            SELECT id, timestamp FROM message WHERE recipient_id = ? AND topic_key = ? AND id >= ?
            ORDER BY id
            """,
            channel_id,
            topic_key,
            since or 0,
        )
        return [Dated(*row) for row in rows]

    def newest_of_topic(
        self, channel_id: ChannelId, topic_key: str, count: int, *, before: MessageId | None = None
    ) -> Sequence[MessageId]:
        rows = self._session.rows(
            """
            SELECT id FROM message WHERE recipient_id = ? AND topic_key = ? AND id < ?
            ORDER BY id DESC LIMIT ?
            """,
            channel_id,
            topic_key,
            2**63 - 1 if before is None else before,
            count,
        )
        return [row[0] for row in reversed(rows)]

    def move(
        self,
        messages: Sequence[tuple[Message, Sequence[str]]],
        to: Place,
        *,
        at: Position,
        moved_at: int | None,
    ) -> None:
        changes: dict[str, object] = {}
        if moved_at is not None:
            changes["last_moved_timestamp"] = moved_at
        if to.channel_id is not None:
            changes |= {"recipient_id": to.channel_id, "arrived_at": at}
        if to.topic is not None:
            links = links_text(to.topic_links)
            changes |= {"topic": to.topic, "topic_key": key_of(to.topic), "topic_links": links}
        assigned = [f"{name} = ?" for name in changes]
        if to.channel_id is not None:
            assigned.append("moved_from = recipient_id")
        backend = self._session.backend
        self._session.run(
            f"UPDATE message SET {', '.join(assigned)} WHERE id {backend.in_list}",
            *changes.values(),
            backend.listed([message.id for message, _ in messages]),
        )
        self._find_by(messages)

    def _find_by(self, messages: Sequence[tuple[Message, Sequence[str]]]) -> None:
        backend = self._session.backend
        self._session.run_many(
            f"UPDATE message_search SET words = {backend.search_column}, folded = ? WHERE rowid = ?",
            [(*searchable(backend, message, words), message.id) for message, words in messages],
        )

    def move_flags(
        self,
        message_ids: Collection[MessageId],
        from_channel: ChannelId,
        to_channel: ChannelId,
        *,
        keeping: Collection[UserId],
    ) -> None:
        move_flags(self._session, message_ids, from_channel, to_channel, keeping)

    def kept_by(self, message_ids: Collection[MessageId]) -> frozenset[UserId]:
        backend = self._session.backend
        rows = self._session.rows(
            "SELECT DISTINCT user_id FROM message_flag"
            f" WHERE message_id {backend.in_list} AND (bits & {KEPT}) != 0",
            backend.listed(message_ids),
        )
        return frozenset(row[0] for row in rows)

    def remove(self, message_ids: Collection[MessageId]) -> None:
        backend = self._session.backend
        listed = backend.listed(message_ids)
        for table, column in (
            ("message_flag", "message_id"),
            ("reaction", "message_id"),
            ("message_edit", "message_id"),
            ("attachment_link", "message_id"),
            ("message_search", "rowid"),
            ("message", "id"),
        ):
            self._session.run(f"DELETE FROM {table} WHERE {column} {backend.in_list}", listed)
