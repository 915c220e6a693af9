"""The stored form of a message: its row, and the words by which it is found."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from secrets import randbits
from typing import Any

import msgspec
from peewee import JOIN, Value

from chatcore.domain.ids import ConversationId, RecipientId
from chatcore.domain.messages.messages import Edit, Message, Reaction, Submessage
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.domain.narrow.words import fold, search_words
from storage_backends.sql import schema
from storage_backends.sql.backend import Backend
from storage_backends.sql.recipients import people_from
from storage_backends.sql.schema import Conversation
from storage_backends.sql.schema.messages import REVISION_BITS
from storage_backends.sql.statement import Statement, in_list

TEXTS = (schema.Message.content, schema.Message.rendered_content)
decode_links = msgspec.json.Decoder(tuple[dict[str, str], ...]).decode


def _find(*texts: Any) -> Statement:
    """Return the statement that finds messages by their ids, ascending, with these columns as texts."""
    return Statement(
        schema.Message.select(
            schema.Message.id,
            schema.Message.sender_id,
            schema.Message.recipient_id,
            schema.Message.topic,
            schema.Message.topic_key,
            *texts,
            schema.Message.timestamp,
            schema.Message.client,
            schema.Message.has_link,
            schema.Message.has_image,
            schema.Message.has_attachment,
            schema.Message.has_reaction,
            schema.Message.has_submessages,
            schema.Message.has_edits,
            schema.Message.channel_wildcard,
            schema.Message.arrives_read,
            schema.Message.topic_links,
            schema.Message.last_edit_timestamp,
            schema.Message.last_moved_timestamp,
            schema.Message.arrived_at,
            schema.Message.moved_from,
            Conversation.people,
        )
        .join(Conversation, JOIN.LEFT_OUTER, on=Conversation.id == schema.Message.recipient_id)
        .where(in_list(schema.Message.id, "message_ids"))
        .order_by(schema.Message.id)
    )


FIND = _find(*TEXTS)
FIND_OUTLINES = _find(*(Value("").alias(text.name) for text in TEXTS))
"""Messages without their texts."""


@lru_cache(maxsize=1024)
def _conversation(conversation_id: ConversationId, people: str) -> DirectRecipient:
    """Return a conversation; cached, because many messages of a page share one."""
    return DirectRecipient(conversation_id, people_from(people))


def message_from(
    row: Any,
    reactions: tuple[Reaction, ...] = (),
    edits: tuple[Edit, ...] = (),
    submessages: tuple[Submessage, ...] = (),
) -> Message:
    """Return the message of a row of `FIND` or `FIND_OUTLINES`."""
    recipient_id, topic_key, topic_links = row.recipient_id, row.topic_key, row.topic_links
    is_direct = topic_key is None
    return Message(
        id=row.id,
        sender_id=row.sender_id,
        channel_id=None if is_direct else recipient_id,
        topic=row.topic,
        topic_key=topic_key,
        conversation=_conversation(recipient_id, row.people) if is_direct else None,
        content=row.content,
        rendered_content=row.rendered_content,
        timestamp=row.timestamp,
        client=row.client,
        has_link=row.has_link != 0,
        has_image=row.has_image != 0,
        has_attachment=row.has_attachment != 0,
        channel_wildcard=row.channel_wildcard != 0,
        arrives_read=row.arrives_read != 0,
        topic_links=decode_links(topic_links) if topic_links else (),
        reactions=reactions,
        submessages=submessages,
        last_edit_timestamp=row.last_edit_timestamp,
        last_moved_timestamp=row.last_moved_timestamp,
        arrived_at=row.arrived_at,
        moved_from=row.moved_from,
        edits=edits,
    )


def row_of(message: Message) -> Mapping[str, object]:
    """Return the columns of a new message. Reactions, submessages and edits come later."""
    return {
        "id": message.id,
        "sender_id": message.sender_id,
        "recipient_id": message.recipient_id,
        "topic": message.topic,
        "topic_key": message.topic_key,
        "folded_topic": fold(message.topic),
        "topic_links": links_text(message.topic_links),
        "content": message.content,
        "rendered_content": message.rendered_content,
        "timestamp": message.timestamp,
        "client": message.client,
        "has_link": message.has_link,
        "has_image": message.has_image,
        "has_attachment": message.has_attachment,
        "has_reaction": False,
        "has_submessages": False,
        "has_edits": False,
        "channel_wildcard": message.channel_wildcard,
        "last_edit_timestamp": message.last_edit_timestamp,
        "last_moved_timestamp": message.last_moved_timestamp,
        "arrived_at": message.arrived_at,
        "moved_from": message.moved_from,
        "arrives_read": message.arrives_read,
        "revision": randbits(REVISION_BITS),
    }


def links_text(topic_links: Sequence[Mapping[str, str]]) -> str | None:
    return msgspec.json.encode(topic_links).decode() if topic_links else None


def recipient_token(recipient_id: RecipientId) -> str:
    """Return a search word for the recipient, so that a search in one channel reads only that part of the
    index.

    The character in front occurs in no word.
    """
    return f"§{recipient_id}"


def place_words(backend: Backend, recipient_id: RecipientId, topic: str) -> str:
    """Return the search words of a message's place.

    They are stored apart from the message's own words, so that a move need not read its text.
    """
    return backend.search_words([recipient_token(recipient_id), *dict.fromkeys(search_words(topic))])


def own_words(backend: Backend, message: Message, words: Sequence[str]) -> tuple[str, str]:
    """Return the search words of a message's content, and the text in which phrases are searched."""
    return backend.search_words(list(dict.fromkeys(words))), fold(message.content)
