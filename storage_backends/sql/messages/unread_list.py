"""The list of one reader's unread messages."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Final

import msgspec

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.unread import UnreadMessages
from chatcore.domain.topics import topic_key
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.conversations import Conversations
from storage_backends.sql.messages.flag_rows import rows_with
from storage_backends.sql.messages.unread import ARRIVED, arrived_unread
from storage_backends.sql.schema.messages import READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

COLUMNS: Final = f"""
    m.id, m.recipient_id, m.topic, {ARRIVED} AS arrived, m.channel_wildcard, coalesce(f.bits, 0) AS bits
"""


def _find_above(dialect: Dialect, *, is_ordered: bool) -> str:
    """Return the text of the query for what is unread above the watermark of each recipient."""
    message = dialect.lookup("message", "m", "m.recipient_id = start.recipient_id AND m.id > start.watermark")
    return f"""
        SELECT {COLUMNS}
        FROM (
            SELECT place.recipient_id, coalesce(w.position, 0) AS watermark
            FROM (
                SELECT subscribed.recipient_id
                FROM {dialect.rows("subscribed", "channels", ("recipient_id",))}
                UNION ALL
                SELECT cm.conversation_id FROM conversation_member AS cm WHERE cm.user_id = :user_id
            ) AS place
            LEFT JOIN read_watermark AS w ON w.user_id = :user_id AND w.recipient_id = place.recipient_id
        ) AS start {message}
        LEFT JOIN message_flag AS f ON f.user_id = :user_id AND f.message_id = m.id
        WHERE (coalesce(f.bits, 0) & {READ_ABOVE}) = 0 AND {arrived_unread(":user_id")}
        {"ORDER BY m.id DESC" if is_ordered else ""} LIMIT :count
    """


def _find_below(dialect: Dialect, *, is_ordered: bool) -> str:
    """Return the text of the query for what is unread below watermarks, by rows of flags."""
    source, has_bits = rows_with(dialect, "f", UNREAD_BELOW)
    return f"""
        SELECT {COLUMNS}
        FROM {source} JOIN message AS m ON m.id = f.message_id
        WHERE f.user_id = :user_id AND {has_bits}
        {"ORDER BY f.message_id DESC" if is_ordered else ""} LIMIT :count
    """


def _find_as_lists(dialect: Dialect, *, is_ordered: bool) -> str:
    """Return the text of the query for what is unread above and below, as JSON lists in one row: fetching
    thousands of rows costs more than finding them. `ids`, `recipient_ids` and `topics` are of all messages,
    `naming`, `to_topic` and `to_everybody` are ids of mentions, and `arrived` is of the last of these.
    """

    def listed(column: str, condition: str = "TRUE") -> str:
        return dialect.json_list(column, condition)

    def having(flag: Flag) -> str:
        return f"(bits & {int(flag)}) != 0"

    to_everybody = f"channel_wildcard AND NOT {having(Flag.HISTORICAL)}"
    return f"""
        SELECT count(*) AS total,
            {listed("id")} AS ids, {listed("recipient_id")} AS recipient_ids, {listed("topic")} AS topics,
            {listed("id", having(Flag.MENTIONED))} AS naming,
            {listed("id", having(Flag.TOPIC_WILDCARD))} AS to_topic,
            {listed("id", to_everybody)} AS to_everybody,
            {listed("arrived", to_everybody)} AS arrived
        FROM (
            SELECT * FROM ({_find_above(dialect, is_ordered=is_ordered)}) AS above
            UNION ALL
            SELECT * FROM ({_find_below(dialect, is_ordered=is_ordered)}) AS below
        ) AS found
    """


FIND_ANY: Final = Statement(partial(_find_as_lists, is_ordered=False))
FIND_NEWEST: Final = Statement(partial(_find_as_lists, is_ordered=True))
_read_ids: Final = msgspec.json.Decoder(list[MessageId]).decode
_read_numbers: Final = msgspec.json.Decoder(list[int]).decode
_read_texts: Final = msgspec.json.Decoder(list[str]).decode


def unread_messages(
    session: Session, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
) -> UnreadMessages:
    """Return the newest unread messages, at most *limit*, by their places."""
    subscribed = [(channel_id,) for channel_id, mine in subscriptions.items() if mine.active]
    # Ordering them costs as much as finding them. Up to twice as many as are wanted come in any order, as the
    # oldest are left out below.
    unordered_limit = 2 * limit
    row = session.row(FIND_ANY, channels=subscribed, user_id=user_id, count=unordered_limit)
    if row.total >= unordered_limit:
        row = session.row(FIND_NEWEST, channels=subscribed, user_id=user_id, count=limit)
    ids, recipient_ids = _read_ids(row.ids), _read_numbers(row.recipient_ids)
    oldest = sorted(ids)[-limit] if len(ids) > limit else 0
    people: dict[int, frozenset[UserId]] = {
        conversation.recipient_id: conversation.user_ids
        for conversation in Conversations(session).of_user(user_id)
    }

    by_place: defaultdict[tuple[int, str], list[MessageId]] = defaultdict(list)
    for message_id, recipient_id, topic in zip(ids, recipient_ids, _read_texts(row.topics), strict=True):
        if message_id >= oldest:
            by_place[recipient_id, topic].append(message_id)
    for message_ids in by_place.values():
        message_ids.sort()
    topics: dict[tuple[ChannelId, str], tuple[str, list[MessageId]]] = {}
    conversations: dict[frozenset[UserId], list[MessageId]] = {}
    by_oldest_message = sorted(by_place.items(), key=lambda item: item[1][0])
    for (recipient_id, topic), message_ids in by_oldest_message:
        if (user_ids := people.get(recipient_id)) is not None:
            conversations[user_ids] = message_ids
            continue
        key = (ChannelId(RecipientId(recipient_id)), topic_key(topic))
        _, in_topic = topics.setdefault(key, (topic, []))  # several spellings may have one key
        in_topic += message_ids
        in_topic.sort()

    to_all = _read_ids(row.to_topic)
    recipient_of = dict(zip(ids, recipient_ids, strict=True))
    for message_id, arrived in zip(_read_ids(row.to_everybody), _read_numbers(row.arrived), strict=True):
        recipient_id = recipient_of[message_id]
        mine = subscriptions.get(ChannelId(RecipientId(recipient_id)))
        if recipient_id in people or (mine is not None and mine.has_received(arrived)):
            to_all.append(message_id)
    return UnreadMessages(
        topics,
        conversations,
        naming=[message_id for message_id in _read_ids(row.naming) if message_id >= oldest],
        to_all=[message_id for message_id in to_all if message_id >= oldest],
    )
