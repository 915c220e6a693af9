"""The terms of a narrow as conditions on message `m`, and the pieces of SQL for building statements.

All of them may use `:user_id`, the reader.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from chatcore.domain.messages.flags import Flag
from chatcore.domain.narrow.terms import (
    Content,
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InPublicChannels,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    IsResolved,
    Not,
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.topics import RESOLVED_PREFIX, VisibilityPolicy
from storage_backends.sql.channels.periods import was_subscribed
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.messages.flag_rows import IN_ROWS
from storage_backends.sql.messages.unread import ARRIVED, arrived_unread, is_read_by
from storage_backends.sql.messages.watermarks import READ_FOR_EVER
from storage_backends.sql.recipients import people_key
from storage_backends.sql.statement import Statement

NOBODY = -1
"""The reader without an account (a spectator)."""


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of a statement with the values of its own parameters."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)


def join(glue: str, parts: Iterable[Sql]) -> Sql:
    """Join pieces into one. Parameters with the same name in several of them have the same value."""
    texts: list[str] = []
    values: dict[str, object] = {}
    for part in parts:
        texts.append(part.text)
        values |= part.values
    return Sql(glue.join(texts), values)


@lru_cache(maxsize=256)
def statement_of(text: str) -> Statement:
    """Return the statement of a text; it is compiled once for all narrows of the same form."""
    return Statement(text, of_pieces=True)


TRUE = Sql("1 = 1")
FALSE = Sql("1 = 0")
BITS = (
    "coalesce((SELECT f.bits FROM message_flag AS f WHERE f.user_id = :user_id AND f.message_id = m.id), 0)"
)
"""The bits of the reader's row of `m`, or 0 without one."""
IN_CONVERSATION = (
    "EXISTS (SELECT 1 FROM conversation_member AS cm"
    " WHERE cm.user_id = :user_id AND cm.conversation_id = m.recipient_id)"
)
RECEIVED = (
    f"(CASE WHEN m.topic_key IS NULL THEN {IN_CONVERSATION}"
    f" ELSE {was_subscribed(':user_id', 'm.recipient_id', ARRIVED)} END)"
)
# Without a watermark, everything in the reader's own conversation is unread, and all else is read.
WATERMARK = (
    "coalesce((SELECT w.position FROM read_watermark AS w"
    " WHERE w.user_id = :user_id AND w.recipient_id = m.recipient_id),"
    f" CASE WHEN m.topic_key IS NULL AND {IN_CONVERSATION} THEN 0 ELSE {READ_FOR_EVER} END)"
)
IS_READ = is_read_by(WATERMARK, BITS, arrived_unread(":user_id"))


def all_of(terms: Iterable[Term], dialect: Dialect) -> Sql:
    """Return the condition that all terms hold. The names of parameters end in the number of their term."""
    return join(" AND ", [TRUE, *(_where(term, number, dialect) for number, term in enumerate(terms))])


def _where(term: Term, number: int, dialect: Dialect) -> Sql:
    """Return a term as a condition on message `m`; *number* distinguishes its parameters from those of other
    terms.
    """
    match term:
        case Not(negated):
            # A direct message has no topic key; a condition that is NULL does not hold.
            inner = _where(negated, number, dialect)
            return Sql(f"({inner.text}) IS NOT TRUE", inner.values)
        case InChannel(channel_id):
            in_channel = f"(m.recipient_id = :channel_id_{number} AND m.topic_key IS NOT NULL)"
            return Sql(in_channel, {f"channel_id_{number}": channel_id})
        case InPublicChannels(web_public):
            web = " AND is_web_public" if web_public else ""
            return Sql(
                "m.recipient_id IN (SELECT id FROM channel WHERE NOT invite_only"
                f" AND history_public_to_subscribers{web})"
            )
        case InTopic(key):
            return Sql(f"m.topic_key = :topic_key_{number}", {f"topic_key_{number}": key})
        case SentBy(user_id):
            return Sql(f"m.sender_id = :sender_id_{number}", {f"sender_id_{number}": user_id})
        case InConversation(user_ids):
            if not user_ids:
                return FALSE
            return Sql(
                f"m.recipient_id = (SELECT id FROM conversation WHERE people = :people_{number})",
                {f"people_{number}": people_key(user_ids)},
            )
        case DirectWith(user_id, groups_only):
            large = " AND c.size > 2" if groups_only else ""
            return Sql(
                "EXISTS (SELECT 1 FROM conversation_member AS cm JOIN conversation AS c"
                " ON c.id = cm.conversation_id"
                f" WHERE cm.user_id = :with_{number} AND c.id = m.recipient_id{large})",
                {f"with_{number}": user_id},
            )
        case IsDirect():
            return Sql("m.topic_key IS NULL")
        case HasFlag(any_of):
            return Sql(_has_flag(any_of))
        case IsResolved():
            # The value is a literal, as in the index of such messages.
            return Sql(f"substr(m.topic, 1, 2) = '{RESOLVED_PREFIX}'")
        case IsFollowed():
            return Sql(_has_policy(VisibilityPolicy.FOLLOWED))
        case IsMuted(topics_only):
            return Sql(_is_muted(topics_only=topics_only))
        case Has(content):
            return Sql(_content_column(content))
        case WithId(message_id):
            return Sql(f"m.id = :id_{number}", {f"id_{number}": message_id})
        case Search(words, phrases):
            return _search(words, phrases, number, dialect)
        case _:
            assert_never(term)


def _has_flag(any_of: Flag) -> str:
    """Return the condition that the reader has at least one of the flags on message `m`."""
    parts = []
    if any_of & IN_ROWS:
        parts.append(f"({BITS} & {int(any_of & IN_ROWS)}) != 0")
    if any_of & Flag.READ:
        parts.append(IS_READ)
    if any_of & Flag.CHANNEL_WILDCARD:
        parts.append(f"(m.channel_wildcard AND {RECEIVED} AND ({BITS} & {int(Flag.HISTORICAL)}) = 0)")
    if any_of & Flag.HISTORICAL:
        parts.append(f"NOT {RECEIVED}")
    return f"({' OR '.join(parts) or FALSE.text})"


def _has_policy(policy: VisibilityPolicy | None) -> str:
    """Return the condition that the reader has this policy for the topic, or any policy."""
    which = "" if policy is None else f" AND tp.policy = {int(policy)}"
    return (
        "EXISTS (SELECT 1 FROM topic_policy AS tp WHERE tp.user_id = :user_id"
        f" AND tp.channel_id = m.recipient_id AND tp.topic_key = m.topic_key{which})"
    )


def _is_muted(*, topics_only: bool) -> str:
    """Return the condition that the reader has muted the topic, or the channel without a policy for the
    topic.
    """
    by_topic = _has_policy(VisibilityPolicy.MUTED)
    if topics_only:
        return by_topic
    return (
        f"({by_topic} OR NOT {_has_policy(None)} AND EXISTS (SELECT 1 FROM subscription AS s"
        " WHERE s.user_id = :user_id AND s.channel_id = m.recipient_id AND s.is_muted))"
    )


def _content_column(content: Content) -> str:
    match content:
        case Content.LINK:
            return "m.has_link"
        case Content.IMAGE:
            return "m.has_image"
        case Content.ATTACHMENT:
            return "m.has_attachment"
        case Content.REACTION:
            return "m.has_reaction"
        case _:
            assert_never(content)


def _search(words: Sequence[str], phrases: Sequence[str], number: int, dialect: Dialect) -> Sql:
    """Return the condition that message `m` has all words and phrases; without words, no message has."""
    if not words:
        return FALSE
    has_all_words = has_words([[word] for word in words], f"words_{number}", dialect)
    condition = join(" AND ", [has_all_words, has_phrases(phrases, f"phrase_{number}", dialect)])
    return Sql(
        f"EXISTS (SELECT 1 FROM message_search WHERE message_search.rowid = m.id AND {condition.text})",
        condition.values,
    )


def has_words(groups: Sequence[Sequence[str]], name: str, dialect: Dialect) -> Sql:
    """Return the condition that a row of `message_search` has at least one word of every group."""
    return Sql(dialect.search_match(f":{name}"), {name: dialect.search_query(groups)})


def has_phrases(phrases: Sequence[str], prefix: str, dialect: Dialect) -> Sql:
    """Return the condition that message `m`, with its row of `message_search`, contains all phrases
    literally.
    """
    names = {f"{prefix}_{number}": phrase for number, phrase in enumerate(phrases)}
    conditions = [
        f"({dialect.contains('folded', name)} OR {dialect.contains('m.folded_topic', name)})"
        for name in names
    ]
    return Sql(" AND ".join([TRUE.text, *conditions]), names)
