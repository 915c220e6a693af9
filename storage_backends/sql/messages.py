"""Messages and conversations; finding messages by a narrow is in `narrow.py`."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from chatcore.domain.ids import ChannelId, ConversationId, MessageId, RecipientId, UserId
from chatcore.domain.messages import Edit, Message, Reaction, Submessage
from chatcore.domain.recipients import DirectRecipient
from chatcore.domain.words import fold, search_words
from chatcore.storage.turns import in_slices
from storage_backends.sql.backend import Backend
from storage_backends.sql.edit_rows import edits_of
from storage_backends.sql.periods import was_subscribed
from storage_backends.sql.reactions import Reactions
from storage_backends.sql.recipients import new_recipients, people_from, people_key
from storage_backends.sql.session import Row, Session
from storage_backends.sql.submessages import Submessages

MESSAGE_COLUMNS = (
    "id",
    "sender_id",
    "recipient_id",
    "topic",
    "topic_key",
    "content",
    "rendered_content",
    "timestamp",
    "client",
    "has_link",
    "has_image",
    "has_attachment",
    "channel_wildcard",
    "topic_links",
    "last_edit_timestamp",
    "last_moved_timestamp",
    "arrived_at",
    "has_edits",
    "moved_from",
    "has_submessages",
    "arrives_read",
)
STORED_COLUMNS = (*MESSAGE_COLUMNS, "folded_topic")
HAS_EDITS = MESSAGE_COLUMNS.index("has_edits")
HAS_REACTION = len(MESSAGE_COLUMNS)
HAS_SUBMESSAGES = MESSAGE_COLUMNS.index("has_submessages")
ARRIVED = "coalesce(m.arrived_at, m.id)"
"""Since when message `m` is in its channel (`Message.arrived`)."""
_SELECT = f"""
    SELECT {", ".join(f"m.{name}" for name in MESSAGE_COLUMNS)}, m.has_reaction, c.people
    FROM message AS m LEFT JOIN conversation AS c ON c.id = m.recipient_id
"""
_TEXTS = ("content", "rendered_content")
_SELECT_OUTLINES = _SELECT.replace(", ".join(f"m.{name}" for name in _TEXTS), "'', ''")
SIZE_OF_ENTRY = 200
"""Bytes of a reaction, an edit or a person of a conversation, besides texts."""
_INSERT = f"""
    INSERT INTO message ({", ".join(STORED_COLUMNS)})
    VALUES ({", ".join("?" for _ in STORED_COLUMNS)})
"""
_decode_links = msgspec.json.Decoder(tuple[dict[str, str], ...]).decode


def recipient_token(recipient_id: RecipientId) -> str:
    """A search word for the recipient: a search in one channel reads only that channel's part of the index.

    The sign in front is none that occurs in a word.
    """
    return f"§{recipient_id}"


def place_words(backend: Backend, recipient_id: RecipientId, topic: str) -> str:
    """What messages are found by because of where they are: apart from their own words, so that they can be
    moved without a look at what was written."""
    return backend.search_words([recipient_token(recipient_id), *dict.fromkeys(search_words(topic))])


def own_words(backend: Backend, message: Message, words: Sequence[str]) -> tuple[str, str]:
    """What is found of a message's content: its words, and the text in which phrases are looked for."""
    return backend.search_words(list(dict.fromkeys(words))), fold(message.content)


class Messages:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, message_id: int) -> Message | None:
        return next(iter(self.by_ids([MessageId(message_id)])), None)

    def by_ids(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        if not message_ids:
            return []
        backend = self._session.backend
        rows = self._session.rows(
            f"{_SELECT} WHERE m.id {backend.in_list} ORDER BY m.id", backend.listed(message_ids)
        )
        reactions = Reactions(self._session).of([row[0] for row in rows if row[HAS_REACTION]])
        edits = edits_of(self._session, [row[0] for row in rows if row[HAS_EDITS]])
        submessages = Submessages(self._session).of([row[0] for row in rows if row[HAS_SUBMESSAGES]])
        return [
            message_from(
                row,
                tuple(reactions.get(row[0], ())),
                tuple(edits.get(row[0], ())),
                tuple(submessages.get(row[0], ())),
            )
            for row in in_slices(rows)
        ]

    def outlines(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        if not message_ids:
            return []
        backend = self._session.backend
        rows = self._session.rows(
            f"{_SELECT_OUTLINES} WHERE m.id {backend.in_list} ORDER BY m.id", backend.listed(message_ids)
        )
        return [message_from(row) for row in in_slices(rows)]

    def sizes(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, int]:
        backend = self._session.backend
        content, html = (backend.size.format(column=f"m.{name}") for name in _TEXTS)
        before, html_before = (
            f"coalesce({backend.size.format(column=f'e.prev_{name}')}, 0)" for name in _TEXTS
        )
        inside = backend.size.format(column="s.content")
        rows = self._session.rows(
            f"""
            SELECT m.id, {content} + {html} + {SIZE_OF_ENTRY} * coalesce(c.size, 0)
                + CASE WHEN m.has_reaction THEN {SIZE_OF_ENTRY} * (
                    SELECT count(*) FROM reaction AS r WHERE r.message_id = m.id) ELSE 0 END
                + CASE WHEN m.has_edits THEN (
                    SELECT CAST(coalesce(sum({before} + {html_before} + {SIZE_OF_ENTRY}), 0) AS BIGINT)
                    FROM message_edit AS e WHERE e.message_id = m.id) ELSE 0 END
                + CASE WHEN m.has_submessages THEN (
                    SELECT CAST(coalesce(sum({inside} + {SIZE_OF_ENTRY}), 0) AS BIGINT)
                    FROM submessage AS s WHERE s.message_id = m.id) ELSE 0 END
            FROM message AS m LEFT JOIN conversation AS c ON c.id = m.recipient_id
            WHERE m.id {backend.in_list}
            """,
            backend.listed(message_ids),
        )
        return dict(rows)

    def newest_id(self) -> MessageId | None:
        ((newest,),) = self._session.rows("SELECT max(id) FROM message")
        return None if newest is None else MessageId(newest)

    def add(self, message: Message, words: Sequence[str]) -> None:
        self.add_many([(message, words)])

    def add_many(self, messages: Sequence[tuple[Message, Sequence[str]]]) -> None:
        backend = self._session.backend
        rows = [_row(message) for message, _ in messages]
        searched = [
            (
                message.id,
                place_words(backend, message.recipient_id, message.topic),
                *own_words(backend, message, words),
            )
            for message, words in messages
        ]
        if len(messages) > 1:
            self._session.load("message", STORED_COLUMNS, rows)
            self._session.load("message_search", ("rowid", "place", "words", "folded"), searched)
            return
        self._session.run_many(_INSERT, rows)
        self._session.run_many(
            "INSERT INTO message_search (rowid, place, words, folded)"
            f" VALUES (?, {backend.search_column}, {backend.search_column}, ?)",
            searched,
        )

    def newest_in_topic(
        self, channel_id: ChannelId, topic_key: str, received_by: UserId | None
    ) -> MessageId | None:
        return self.newest_in_topics(channel_id, [topic_key], received_by).get(topic_key)

    def newest_in_topics(
        self, channel_id: ChannelId, topic_keys: Collection[str], received_by: UserId | None
    ) -> Mapping[str, MessageId]:
        if not topic_keys:
            return {}
        received, values = _received(received_by)
        # A step in the index for each topic; grouping would read all of their messages.
        rows = self._session.rows(
            f"""
            WITH wanted (topic_key) AS (VALUES {", ".join("(?)" for _ in topic_keys)})
            SELECT wanted.topic_key,
                (SELECT max(m.id) FROM message AS m
                 WHERE m.recipient_id = ? AND m.topic_key = wanted.topic_key {received})
            FROM wanted
            """,
            *topic_keys,
            channel_id,
            *values,
        )
        return {topic_key: MessageId(newest) for topic_key, newest in rows if newest is not None}

    def participants(self, channel_id: ChannelId, topic_key: str) -> frozenset[UserId]:
        rows = self._session.rows(
            """
            SELECT m.sender_id FROM message AS m WHERE m.recipient_id = ? AND m.topic_key = ?
            UNION
            SELECT r.user_id FROM message AS m JOIN reaction AS r ON r.message_id = m.id
            WHERE m.recipient_id = ? AND m.topic_key = ?
            """,
            *(channel_id, topic_key) * 2,
        )
        return frozenset(row[0] for row in rows)

    def newest_from(self, recipient_id: RecipientId, sender_id: UserId, limit: int) -> Sequence[MessageId]:
        rows = self._session.rows(
            "SELECT id FROM message WHERE recipient_id = ? AND sender_id = ? ORDER BY id DESC LIMIT ?",
            recipient_id,
            sender_id,
            limit,
        )
        return [MessageId(row[0]) for row in rows]

    def newest_in(
        self, channel_ids: Collection[ChannelId], limit: int, *, since: int = 0
    ) -> Sequence[MessageId]:
        if not channel_ids:
            return []
        backend = self._session.backend
        nearest = backend.nearest(
            backend.rows("place", ("recipient_id",)),
            "SELECT m.id FROM message AS m WHERE m.recipient_id = place.recipient_id"
            " ORDER BY m.id DESC LIMIT ?",
        )
        rows = self._session.rows(
            f"SELECT id FROM message WHERE id IN ({nearest}) AND timestamp >= ? ORDER BY id DESC LIMIT ?",
            *backend.row_values([(channel_id,) for channel_id in channel_ids]),
            limit,
            since,
            limit,
        )
        return [MessageId(row[0]) for row in rows]

    def topics(self, channel_id: ChannelId, received_by: UserId | None) -> Sequence[tuple[str, MessageId]]:
        received, values = _received(received_by)
        # From each topic key the index is asked for the next: as many steps as there are topics.
        rows = self._session.rows(
            f"""
            WITH RECURSIVE topic (topic_key) AS (
                SELECT min(topic_key) FROM message WHERE recipient_id = ?
                UNION ALL
                SELECT (SELECT min(m.topic_key) FROM message AS m
                        WHERE m.recipient_id = ? AND m.topic_key > topic.topic_key)
                FROM topic WHERE topic.topic_key IS NOT NULL
            ),
            newest (id) AS (
                SELECT (SELECT max(m.id) FROM message AS m
                        WHERE m.recipient_id = ? AND m.topic_key = topic.topic_key {received})
                FROM topic WHERE topic.topic_key IS NOT NULL
            )
            SELECT m.topic, m.id FROM newest JOIN message AS m ON m.id = newest.id ORDER BY m.id DESC
            """,
            channel_id,
            channel_id,
            channel_id,
            *values,
        )
        return [(topic, MessageId(newest)) for topic, newest in rows]


def _received(received_by: UserId | None) -> tuple[str, Sequence[int]]:
    """The condition that a reader has received message `m` of a channel, with its values; None is nobody."""
    if received_by is None:
        return "", ()
    return f"AND {was_subscribed('?', 'm.recipient_id', ARRIVED)}", (received_by,)


def _row(message: Message) -> tuple[object, ...]:
    return (
        message.id,
        message.sender_id,
        message.recipient_id,
        message.topic,
        message.topic_key,
        message.content,
        message.rendered_content,
        message.timestamp,
        message.client,
        message.has_link,
        message.has_image,
        message.has_attachment,
        message.channel_wildcard,
        links_text(message.topic_links),
        message.last_edit_timestamp,
        message.last_moved_timestamp,
        message.arrived_at,
        False,
        message.moved_from,
        False,
        message.arrives_read,
        fold(message.topic),
    )


def links_text(topic_links: Sequence[Mapping[str, str]]) -> str | None:
    return msgspec.json.encode(topic_links).decode() if topic_links else None


def message_from(
    row: Row,
    reactions: tuple[Reaction, ...] = (),
    edits: tuple[Edit, ...] = (),
    submessages: tuple[Submessage, ...] = (),
) -> Message:
    """A message from the columns of `message` and the people of its conversation."""
    is_direct = row[4] is None
    return Message(
        id=row[0],
        sender_id=row[1],
        channel_id=None if is_direct else row[2],
        topic=row[3],
        topic_key=row[4],
        conversation=DirectRecipient(row[2], people_from(row[-1])) if is_direct else None,
        content=row[5],
        rendered_content=row[6],
        timestamp=row[7],
        client=row[8],
        has_link=bool(row[9]),
        has_image=bool(row[10]),
        has_attachment=bool(row[11]),
        channel_wildcard=bool(row[12]),
        topic_links=_decode_links(row[13]) if row[13] else (),
        reactions=reactions,
        submessages=submessages,
        last_edit_timestamp=row[14],
        last_moved_timestamp=row[15],
        arrived_at=row[16],
        edits=edits,
        moved_from=row[18],
        arrives_read=bool(row[20]),
    )


class Conversations:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, user_ids: frozenset[UserId]) -> DirectRecipient | None:
        rows = self._session.rows("SELECT id FROM conversation WHERE people = ?", people_key(user_ids))
        return DirectRecipient(rows[0][0], user_ids) if rows else None

    def get_or_add(self, user_ids: frozenset[UserId]) -> DirectRecipient:
        if (known := self.find(user_ids)) is not None:
            return known
        (conversation_id,) = new_recipients(self._session, "conversation")
        self._session.run(
            "INSERT INTO conversation (id, people, size) VALUES (?, ?, ?)",
            conversation_id,
            people_key(user_ids),
            len(user_ids),
        )
        self._session.run_many(
            "INSERT INTO conversation_member (user_id, conversation_id) VALUES (?, ?)",
            [(user_id, conversation_id) for user_id in sorted(user_ids)],
        )
        return DirectRecipient(ConversationId(conversation_id), user_ids)

    def by_ids(
        self, conversation_ids: Collection[ConversationId]
    ) -> Mapping[ConversationId, DirectRecipient]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT id, people FROM conversation WHERE id {backend.in_list}",
            backend.listed(conversation_ids),
        )
        return {row[0]: DirectRecipient(row[0], people_from(row[1])) for row in rows}

    def of_user(self, user_id: UserId) -> Sequence[DirectRecipient]:
        rows = self._session.rows(
            """
            SELECT c.id, c.people
            FROM conversation_member AS cm JOIN conversation AS c ON c.id = cm.conversation_id
            WHERE cm.user_id = ? ORDER BY c.id
            """,
            user_id,
        )
        return [DirectRecipient(row[0], people_from(row[1])) for row in rows]

    def has_messages(self, conversation_id: ConversationId) -> bool:
        return bool(
            self._session.rows("SELECT 1 FROM message WHERE recipient_id = ? LIMIT 1", conversation_id)
        )

    def recent(self, user_id: UserId, limit: int) -> Sequence[tuple[DirectRecipient, MessageId]]:
        rows = self._session.rows(
            """
            SELECT id, people, newest FROM (
                SELECT c.id, c.people,
                    (SELECT max(m.id) FROM message AS m WHERE m.recipient_id = c.id) AS newest
                FROM conversation_member AS cm JOIN conversation AS c ON c.id = cm.conversation_id
                WHERE cm.user_id = ?
            ) AS mine
            WHERE newest IS NOT NULL ORDER BY newest DESC LIMIT ?
            """,
            user_id,
            limit,
        )
        return [(DirectRecipient(row[0], people_from(row[1])), MessageId(row[2])) for row in rows]
