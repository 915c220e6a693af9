"""Changing, moving and removing messages that were sent."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from chatcore.domain.ids import MAX_INTEGER, ChannelId, MessageId, Position, UserId
from chatcore.domain.messages import Brief, Edit, Message
from chatcore.domain.topics import topic_key as key_of
from chatcore.domain.words import fold
from chatcore.storage.edits import Place
from storage_backends.sql.edit_rows import add_edit, add_moves, fold_oldest
from storage_backends.sql.messages import links_text, own_words, place_words
from storage_backends.sql.moved_flags import KEPT, move_flags
from storage_backends.sql.periods import note_events
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
        backend = self._session.backend
        self._session.run(
            f"UPDATE message_search SET words = {backend.search_column}, folded = ? WHERE rowid = ?",
            *own_words(backend, message, words),
            message.id,
        )

    def note(self, message_id: MessageId, edit: Edit) -> None:
        add_edit(self._session, message_id, edit)
        self._session.run("UPDATE message SET has_edits = ? WHERE id = ?", True, message_id)

    def note_move(self, message_ids: Collection[MessageId], edit: Edit, to: Place) -> None:
        add_moves(self._session, message_ids, edit, to)

    def with_more_edits(self, message_ids: Collection[MessageId], than: int) -> Collection[MessageId]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT m.id FROM message AS m WHERE m.id {backend.in_list} AND (
                SELECT e.id FROM message_edit AS e WHERE e.message_id = m.id ORDER BY e.id LIMIT 1 OFFSET ?
            ) IS NOT NULL
            """,
            backend.listed(message_ids),
            than,
        )
        return [row[0] for row in rows]

    def has_longer_texts(self, message_id: MessageId, than: int) -> bool:
        content, rendered = "coalesce(length(prev_content), 0)", "coalesce(length(prev_rendered_content), 0)"
        ((edits, length),) = self._session.rows(
            f"SELECT count(*), sum({content} + {rendered}) FROM message_edit WHERE message_id = ?", message_id
        )
        return bool(edits > 1 and length > than)

    def fold_oldest(self, message_ids: Collection[MessageId]) -> None:
        fold_oldest(self._session, message_ids)

    def of_topic(
        self, channel_id: ChannelId, topic_key: str, *, since: MessageId | None = None
    ) -> Sequence[Brief]:
        rows = self._session.rows(
            """
            SELECT id, timestamp, topic, coalesce(arrived_at, id) FROM message
            WHERE recipient_id = ? AND topic_key = ? AND id >= ?
            ORDER BY id
            """,
            channel_id,
            topic_key,
            since or 0,
        )
        return [Brief(*row) for row in rows]

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
            MAX_INTEGER if before is None else before,
            count,
        )
        return [row[0] for row in reversed(rows)]

    def move(self, messages: Sequence[Brief], to: Place, *, at: Position, moved_at: int | None) -> None:
        # All in one statement: on PostgreSQL each one writes every row anew, and its place in every index.
        changes: dict[str, object] = {"has_edits": True}
        if moved_at is not None:
            changes["last_moved_timestamp"] = moved_at
        if to.channel_id is not None:
            changes |= {"recipient_id": to.channel_id, "arrived_at": at}
        if to.topic is not None:
            links = links_text(to.topic_links)
            changes |= {"topic": to.topic, "topic_key": key_of(to.topic), "topic_links": links}
            changes["folded_topic"] = fold(to.topic)
        assigned = [f"{name} = ?" for name in changes]
        backend = self._session.backend
        if to.channel_id is not None:
            assigned.append("moved_from = recipient_id")
            ((source,),) = self._session.rows("SELECT recipient_id FROM message WHERE id = ?", messages[0].id)
            note_events(self._session, {source: at, to.channel_id: at})
        self._session.run(
            f"UPDATE message SET {', '.join(assigned)} WHERE id {backend.in_list}",
            *changes.values(),
            backend.listed([message.id for message in messages]),
        )
        self._find_in_place(messages, to)

    def _find_in_place(self, messages: Sequence[Brief], to: Place) -> None:
        """What has the words already is not written again, as where a topic is only marked as resolved."""
        backend = self._session.backend
        ((recipient_id,),) = self._session.rows(
            "SELECT recipient_id FROM message WHERE id = ?", messages[0].id
        )
        by_words: defaultdict[str, list[MessageId]] = defaultdict(list)
        for message in messages:
            topic = message.topic if to.topic is None else to.topic
            by_words[place_words(backend, recipient_id, topic)].append(message.id)
        for words, message_ids in by_words.items():
            self._session.run(
                f"UPDATE message_search SET place = {backend.search_column}"
                f" WHERE rowid {backend.in_list} AND place != {backend.search_column}",
                words,
                backend.listed(message_ids),
                words,
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
            ("submessage", "message_id"),
            ("message_edit", "message_id"),
            ("attachment_link", "message_id"),
            ("message_search", "rowid"),
            ("message", "id"),
        ):
            self._session.run(f"DELETE FROM {table} WHERE {column} {backend.in_list}", listed)
