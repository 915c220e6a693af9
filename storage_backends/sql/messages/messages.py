"""Messages; `storage_backends.sql.narrow` searches them by a narrow."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from peewee import fn

from chatcore.domain.choices import given_values
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.messages import Message
from chatcore.storage.messages.messages import Revision
from chatcore.storage.messages.sizes import SIZE_OF_PART
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.channels.periods import was_subscribed
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.edit_rows import FIND as FIND_EDITS
from storage_backends.sql.messages.reactions import FIND as FIND_REACTIONS
from storage_backends.sql.messages.rows import (
    FIND,
    FIND_OUTLINES,
    TEXTS,
    message_from,
    own_words,
    place_words,
    row_of,
)
from storage_backends.sql.messages.submessages import FIND as FIND_SUBMESSAGES
from storage_backends.sql.messages.unread import ARRIVED
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Reaction
from storage_backends.sql.statement import Statement, StatementOf, in_list, insert, param

V = TypeVar("V")

OF_TOPIC = (
    schema.Message.recipient_id == param("channel_id"),
    schema.Message.topic_key == param("topic_key"),
)
RECEIVED = f"AND {was_subscribed(':received_by', 'm.recipient_id', ARRIVED)}"
"""The condition of statements that look only at what a user has received; that of the others is empty."""
SEARCH_COLUMNS = ("rowid", "place", "words", "folded")


def _find_sizes(dialect: Dialect) -> str:
    """Return the text of the statement that finds the sizes of messages, in bytes. A size is that of the
    texts of a message, its edits, its submessages and the links of its topic, and `SIZE_OF_PART` for each
    edit, submessage, reaction and person of a conversation.
    """
    own_texts = " + ".join(dialect.size(f"m.{text.name}") for text in TEXTS)
    edited_texts = " + ".join(f"coalesce({dialect.size(f'e.prev_{text.name}')}, 0)" for text in TEXTS)
    return f"""
        SELECT m.id, {own_texts} + coalesce({dialect.size("m.topic_links")}, 0)
            + {SIZE_OF_PART} * coalesce(c.size, 0)
            + CASE WHEN m.has_reaction THEN {SIZE_OF_PART} * (
                SELECT count(*) FROM reaction AS r WHERE r.message_id = m.id) ELSE 0 END
            + CASE WHEN m.has_edits THEN (
                SELECT CAST(coalesce(sum({edited_texts} + {SIZE_OF_PART}), 0) AS BIGINT)
                FROM message_edit AS e WHERE e.message_id = m.id) ELSE 0 END
            + CASE WHEN m.has_submessages THEN (
                SELECT CAST(coalesce(sum({dialect.size("s.content")} + {SIZE_OF_PART}), 0) AS BIGINT)
                FROM submessage AS s WHERE s.message_id = m.id) ELSE 0 END AS size
        FROM message AS m LEFT JOIN conversation AS c ON c.id = m.recipient_id
        WHERE m.id {dialect.in_list("message_ids")}
    """


def _find_newest_in_topics(dialect: Dialect, received: str) -> str:
    # One step in the index for each topic; grouping would read all of their messages.
    return f"""
        SELECT wanted.topic_key,
            (SELECT max(m.id) FROM message AS m
             WHERE m.recipient_id = :channel_id AND m.topic_key = wanted.topic_key {received}) AS newest
        FROM {dialect.rows("wanted", "topic_keys", ("topic_key",), texts=("topic_key",))}
    """


def _find_newest_in_topic(received: str) -> str:
    return f"""
        SELECT max(m.id) FROM message AS m
        WHERE m.recipient_id = :channel_id AND m.topic_key = :topic_key {received}
    """


def _find_topics(received: str) -> str:
    """Return the text of the statement that finds the topics of a channel, each with its newest message."""
    # Each topic key leads to the next one in the index, so there are as many steps as topics.
    return f"""
        WITH RECURSIVE topic (topic_key) AS (
            SELECT min(topic_key) FROM message WHERE recipient_id = :channel_id
            UNION ALL
            SELECT (SELECT min(m.topic_key) FROM message AS m
                    WHERE m.recipient_id = :channel_id AND m.topic_key > topic.topic_key)
            FROM topic WHERE topic.topic_key IS NOT NULL
        ),
        newest (id) AS (
            SELECT (SELECT max(m.id) FROM message AS m
                    WHERE m.recipient_id = :channel_id AND m.topic_key = topic.topic_key {received})
            FROM topic WHERE topic.topic_key IS NOT NULL
        )
        SELECT m.topic, m.id FROM newest JOIN message AS m ON m.id = newest.id ORDER BY m.id DESC
    """


def _find_newest_in(dialect: Dialect) -> str:
    """Return the text of the statement that finds the newest messages of some channels together, since a
    time.
    """
    nearest = dialect.nearest(
        dialect.rows("place", "channel_ids", ("recipient_id",)),
        "SELECT m.id FROM message AS m WHERE m.recipient_id = place.recipient_id"
        " ORDER BY m.id DESC LIMIT :count",
    )
    return f"""
        SELECT id FROM message WHERE id IN ({nearest}) AND timestamp >= :since ORDER BY id DESC LIMIT :count
    """


FIND_SIZES = Statement(_find_sizes)
FIND_REVISION_NUMBERS = Statement(
    schema.Message.select(schema.Message.id, schema.Message.revision).where(
        in_list(schema.Message.id, "message_ids")
    )
)
FIND_NEWEST_ID = Statement(schema.Message.select(fn.max(schema.Message.id)))
FIND_NEWEST_IN_TOPIC = Statement(_find_newest_in_topic(""))
FIND_NEWEST_RECEIVED_IN_TOPIC = Statement(_find_newest_in_topic(RECEIVED))
FIND_NEWEST_IN_TOPICS = Statement(lambda dialect: _find_newest_in_topics(dialect, ""))
FIND_NEWEST_RECEIVED_IN_TOPICS = Statement(lambda dialect: _find_newest_in_topics(dialect, RECEIVED))
FIND_PARTICIPANTS = Statement(
    schema.Message.select(schema.Message.sender_id)
    .where(*OF_TOPIC)
    .union(
        Reaction.select(Reaction.user_id)
        .join(schema.Message, on=schema.Message.id == Reaction.message_id)
        .where(*OF_TOPIC)
    )
)
FIND_NEWEST_FROM = Statement(
    schema.Message.select(schema.Message.id)
    .where(
        schema.Message.recipient_id == param("recipient_id"),
        schema.Message.sender_id == param("sender_id"),
    )
    .order_by(schema.Message.id.desc())
    .limit(param("count"))
)
FIND_NEWEST_IN = Statement(_find_newest_in)
FIND_TOPICS = Statement(_find_topics(""))
FIND_RECEIVED_TOPICS = Statement(_find_topics(RECEIVED))
ADD = Statement(insert(schema.Message))
ADD_WORDS = Statement(
    lambda dialect: (
        f"""
        INSERT INTO message_search (rowid, place, words, folded)
        VALUES (:rowid, {dialect.search_words("place")}, {dialect.search_words("words")}, :folded)
    """
    )
)


class Messages(SqlRepository):
    def find(self, message_id: int) -> Message | None:
        return next(iter(self.by_ids([MessageId(message_id)])), None)

    def by_ids(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        """Read the rows of messages, and for those that have any, their reactions, edits and submessages."""
        if not message_ids:
            return []
        rows = self._session.rows(FIND, message_ids=message_ids)
        if not any(row.has_reaction or row.has_edits or row.has_submessages for row in rows):
            return [message_from(row) for row in in_slices(rows)]
        reactions = self._parts(FIND_REACTIONS, [row.id for row in rows if row.has_reaction])
        edits = self._parts(FIND_EDITS, [row.id for row in rows if row.has_edits])
        submessages = self._parts(FIND_SUBMESSAGES, [row.id for row in rows if row.has_submessages])
        return [
            message_from(
                row,
                tuple(reactions.get(row.id, ())),
                tuple(edits.get(row.id, ())),
                tuple(submessages.get(row.id, ())),
            )
            for row in in_slices(rows)
        ]

    def _parts(
        self, statement: StatementOf[tuple[Any, V]], message_ids: Collection[MessageId]
    ) -> Mapping[MessageId, Sequence[V]]:
        """Return the parts of each of the messages that have any; without messages no statement runs."""
        return self._session.grouped(statement, message_ids=message_ids) if message_ids else {}

    def outlines(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        if not message_ids:
            return []
        rows = self._session.rows(FIND_OUTLINES, message_ids=message_ids)
        return [message_from(row) for row in in_slices(rows)]

    def revisions(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, Revision]:
        numbers = self._session.mapping(FIND_REVISION_NUMBERS, message_ids=message_ids)
        return self._session.recall.revisions(
            numbers, lambda missing: self._session.mapping(FIND_SIZES, message_ids=missing)
        )

    def of_revisions(self, revisions: Mapping[MessageId, Revision]) -> Sequence[Message]:
        return self._session.recall.of_revisions(revisions, self.by_ids)

    def newest_id(self) -> MessageId | None:
        newest: MessageId | None = self._session.value(FIND_NEWEST_ID)
        return newest

    def add(self, message: Message, words: Sequence[str]) -> None:
        self.add_many([(message, words)])

    def add_many(self, messages: Sequence[tuple[Message, Sequence[str]]]) -> None:
        """Add the rows of messages and of the search index; many of them in bulk."""
        backend = self._session.backend
        rows = [row_of(message) for message, _ in messages]
        search_rows = [
            (
                message.id,
                place_words(backend, message.recipient_id, message.topic),
                *own_words(backend, message, words),
            )
            for message, words in messages
        ]
        if len(messages) > 1:
            self._session.load("message", [*rows[0]], [tuple(row.values()) for row in rows])
            self._session.load("message_search", SEARCH_COLUMNS, search_rows)
            return
        self._session.run_many(ADD, rows)
        self._session.run_many(
            ADD_WORDS, [dict(zip(SEARCH_COLUMNS, row, strict=True)) for row in search_rows]
        )

    def newest_in_topic(
        self, channel_id: ChannelId, topic_key: str, received_by: UserId | None
    ) -> MessageId | None:
        statement = FIND_NEWEST_IN_TOPIC if received_by is None else FIND_NEWEST_RECEIVED_IN_TOPIC
        newest: MessageId | None = self._session.value(
            statement, channel_id=channel_id, topic_key=topic_key, **given_values(received_by=received_by)
        )
        return newest

    def newest_in_topics(
        self, channel_id: ChannelId, topic_keys: Collection[str], received_by: UserId | None
    ) -> Mapping[str, MessageId]:
        if len(topic_keys) <= 1:  # PostgreSQL plans a statement with a list each time
            newest = {key: self.newest_in_topic(channel_id, key, received_by) for key in topic_keys}
            return {key: message_id for key, message_id in newest.items() if message_id is not None}
        statement = FIND_NEWEST_IN_TOPICS if received_by is None else FIND_NEWEST_RECEIVED_IN_TOPICS
        wanted = [(topic_key,) for topic_key in topic_keys]
        rows = self._session.rows(
            statement, channel_id=channel_id, topic_keys=wanted, **given_values(received_by=received_by)
        )
        return {row.topic_key: row.newest for row in rows if row.newest is not None}

    def participants(self, channel_id: ChannelId, topic_key: str) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_PARTICIPANTS, channel_id=channel_id, topic_key=topic_key))

    def newest_from(self, recipient_id: RecipientId, sender_id: UserId, limit: int) -> Sequence[MessageId]:
        return self._session.column(
            FIND_NEWEST_FROM, recipient_id=recipient_id, sender_id=sender_id, count=limit
        )

    def newest_in(
        self, channel_ids: Collection[ChannelId], limit: int, *, since: int = 0
    ) -> Sequence[MessageId]:
        if not channel_ids:
            return []
        places = [(channel_id,) for channel_id in channel_ids]
        return self._session.column(FIND_NEWEST_IN, channel_ids=places, count=limit, since=since)

    def topics(self, channel_id: ChannelId, received_by: UserId | None) -> Sequence[tuple[str, MessageId]]:
        statement = FIND_TOPICS if received_by is None else FIND_RECEIVED_TOPICS
        rows = self._session.rows(statement, channel_id=channel_id, **given_values(received_by=received_by))
        return [(row.topic, row.id) for row in rows]
