"""Changes, moves and removals of sent messages."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache

from peewee import fn

from chatcore.domain.ids import MAX_INTEGER, ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.messages import Brief, Edit
from chatcore.domain.messages.messages import Message as SentMessage
from chatcore.domain.narrow.words import fold
from chatcore.domain.topics import topic_key as key_of
from chatcore.storage.messages.edits import Destination
from storage_backends.sql.channels.periods import note_events
from storage_backends.sql.messages.edit_rows import add_edit, add_moves, fold_oldest
from storage_backends.sql.messages.moved_flags import KEPT_BITS, move_flags
from storage_backends.sql.messages.rows import links_text, own_words, place_words
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import (
    AttachmentLink,
    Message,
    MessageEdit,
    MessageFlag,
    MessageSearch,
    Reaction,
    Submessage,
)
from storage_backends.sql.statement import ROW_COUNT, Statement, change, in_list, param

OF_MESSAGES = in_list(Message.id, "message_ids")
OF_TOPIC = (
    Message.recipient_id == param("channel_id"),
    Message.topic_key == param("topic_key"),
)

CONTENT = (
    "content",
    "rendered_content",
    "has_link",
    "has_image",
    "has_attachment",
    "channel_wildcard",
    "last_edit_timestamp",
)
"""The columns that change with the content."""
CHANGE_CONTENT = change(Message, *CONTENT)
CHANGE_WORDS = Statement(
    lambda dialect: (
        f"""
        UPDATE message_search SET words = {dialect.search_words("words")}, folded = :folded
        WHERE rowid = :message_id
        """
    )
)
CHANGE_PLACE = Statement(
    lambda dialect: (
        f"""
        UPDATE message_search SET place = {dialect.search_words("place")}
        WHERE rowid {dialect.in_list("message_ids")} AND place != {dialect.search_words("place")}
        """
    )
)
NOTE_EDITS = Statement(Message.update({Message.has_edits: True}).where(Message.id == param("message_id")))
FIND_WITH_MORE_EDITS = Statement(
    Message.select(Message.id).where(
        OF_MESSAGES,
        fn.EXISTS(
            MessageEdit.select(MessageEdit.id)
            .where(MessageEdit.message_id == Message.id)
            .order_by(MessageEdit.id)
            .limit(1)
            .offset(param("than"))
        ),
    )
)
LENGTH_OF_TEXTS = Statement(
    MessageEdit.select(
        ROW_COUNT,
        fn.sum(
            fn.coalesce(fn.length(MessageEdit.prev_content), 0)
            + fn.coalesce(fn.length(MessageEdit.prev_rendered_content), 0)
        ).alias("length"),
    ).where(MessageEdit.message_id == param("message_id"))
)
FIND_OF_TOPIC = Statement(
    Message.select(
        Message.id,
        Message.timestamp,
        Message.topic,
        fn.coalesce(Message.arrived_at, Message.id).alias("arrived"),
    )
    .where(*OF_TOPIC, Message.id >= param("since"))
    .order_by(Message.id)
    .limit(param("most"))
)
FIND_NEWEST_OF_TOPIC = Statement(
    Message.select(Message.id)
    .where(*OF_TOPIC, Message.id < param("before"))
    .order_by(Message.id.desc())
    .limit(param("count"))
)
FIND_RECIPIENT = Statement(Message.select(Message.recipient_id).where(Message.id == param("message_id")))
FIND_MARKED_BY = Statement(
    MessageFlag.select(MessageFlag.user_id)
    .distinct()
    .where(in_list(MessageFlag.message_id, "message_ids"), MessageFlag.bits.bin_and(KEPT_BITS) != 0)
)
REMOVE_WORDS = Statement(MessageSearch.delete().where(in_list(MessageSearch.rowid, "message_ids")))
REMOVE = [
    Statement(column.model.delete().where(in_list(column, "message_ids")))
    for column in (
        MessageFlag.message_id,
        Reaction.message_id,
        Submessage.message_id,
        MessageEdit.message_id,
        AttachmentLink.message_id,
        MessageSearch.rowid,
        Message.id,
    )
]


@cache
def _move(*columns: str) -> Statement:
    """Return a statement that changes columns of many messages; if `recipient_id` is among them, it also
    stores the previous channel in `moved_from`.
    """
    changes = {Message._meta.fields[name]: param(name) for name in columns}
    if "recipient_id" in columns:
        changes[Message.moved_from] = Message.recipient_id
    return Statement(Message.update(changes).where(OF_MESSAGES))


class Edits(SqlRepository):
    def change_content(self, message: SentMessage, words: Sequence[str]) -> None:
        """Change the columns of `CONTENT`, and the words of the text in the search index."""
        changed = {name: getattr(message, name) for name in CONTENT}
        self._session.run(CHANGE_CONTENT, id=message.id, **changed)
        own, folded = own_words(self._session.backend, message, words)
        self._session.run(CHANGE_WORDS, message_id=message.id, words=own, folded=folded)

    def note(self, message_id: MessageId, edit: Edit) -> None:
        add_edit(self._session, message_id, edit)
        self._session.run(NOTE_EDITS, message_id=message_id)

    def note_move(self, message_ids: Collection[MessageId], edit: Edit, to: Destination) -> None:
        add_moves(self._session, message_ids, edit, to)

    def with_more_edits(self, message_ids: Collection[MessageId], than: int) -> Collection[MessageId]:
        return self._session.column(FIND_WITH_MORE_EDITS, message_ids=message_ids, than=than)

    def has_longer_texts(self, message_id: MessageId, than: int) -> bool:
        row = self._session.row(LENGTH_OF_TEXTS, message_id=message_id)
        return bool(row.row_count > 1 and row.length > than)

    def fold_oldest(self, message_ids: Collection[MessageId]) -> None:
        fold_oldest(self._session, message_ids)

    def of_topic(
        self, channel_id: ChannelId, topic_key: str, *, since: MessageId | None = None, most: int
    ) -> Sequence[Brief]:
        rows = self._session.rows(
            FIND_OF_TOPIC, channel_id=channel_id, topic_key=topic_key, since=since or 0, most=most
        )
        return [Brief(row.id, row.timestamp, row.topic, row.arrived) for row in rows]

    def newest_of_topic(
        self, channel_id: ChannelId, topic_key: str, count: int, *, before: MessageId | None = None
    ) -> Sequence[MessageId]:
        newest_first = self._session.column(
            FIND_NEWEST_OF_TOPIC,
            channel_id=channel_id,
            topic_key=topic_key,
            before=MAX_INTEGER if before is None else before,
            count=count,
        )
        return newest_first[::-1]

    def move(self, messages: Sequence[Brief], to: Destination, *, at: Position, moved_at: int | None) -> None:
        """Change the place in the rows of the messages, in both channels' last events, and in the search
        index.
        """
        # One statement does it all: on PostgreSQL each statement writes every row anew, with its place in
        # every index.
        changes: dict[str, object] = {"has_edits": True}
        if moved_at is not None:
            changes["last_moved_timestamp"] = moved_at
        if to.channel_id is not None:
            changes |= {"recipient_id": to.channel_id, "arrived_at": at}
            source = self._session.value(FIND_RECIPIENT, message_id=messages[0].id)
            note_events(self._session, {source: at, to.channel_id: at})
        if to.topic is not None:
            links = links_text(to.topic_links)
            changes |= {"topic": to.topic, "topic_key": key_of(to.topic), "topic_links": links}
            changes["folded_topic"] = fold(to.topic)
        message_ids = [message.id for message in messages]
        self._session.run(_move(*changes), message_ids=message_ids, **changes)
        self._store_words_of_place(messages, to)

    def _store_words_of_place(self, messages: Sequence[Brief], to: Destination) -> None:
        """Store the search words of the place to which messages were just moved. *messages* are as they were
        before the move.

        Rows that have the words already are not written again, for example when a topic is only marked as
        resolved.
        """
        recipient_id = self._session.value(FIND_RECIPIENT, message_id=messages[0].id)
        by_words: defaultdict[str, list[MessageId]] = defaultdict(list)
        for message in messages:
            topic = message.topic if to.topic is None else to.topic
            by_words[place_words(self._session.backend, recipient_id, topic)].append(message.id)
        for words, message_ids in by_words.items():
            self._session.run(CHANGE_PLACE, place=words, message_ids=message_ids)

    def move_flags(
        self,
        message_ids: Collection[MessageId],
        from_channel: ChannelId,
        to_channel: ChannelId,
        *,
        keeping: Collection[UserId],
    ) -> None:
        move_flags(self._session, message_ids, from_channel, to_channel, keeping)

    def marked_by(self, message_ids: Collection[MessageId]) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_MARKED_BY, message_ids=message_ids))

    def remove(self, message_ids: Collection[MessageId]) -> None:
        for statement in REMOVE:
            self._session.run(statement, message_ids=message_ids)
