"""The terms of a narrow as conditions, and the pieces that statements are put together from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from chatcore.domain.flags import Flag
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
from chatcore.domain.viewer import Viewer
from storage_backends.sql.backend import Backend
from storage_backends.sql.flag_rows import IN_ROWS
from storage_backends.sql.messages import ARRIVED
from storage_backends.sql.periods import was_subscribed
from storage_backends.sql.recipients import people_key
from storage_backends.sql.watermarks import READ_FOR_EVER, is_news, is_read_by


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of a statement and its parameters, in the order of their places."""

    text: str
    values: tuple[object, ...] = ()


def joined(glue: str, parts: Iterable[Sql]) -> Sql:
    given = list(parts)
    return Sql(glue.join(part.text for part in given), tuple(v for part in given for v in part.values))


TRUE = Sql("1 = 1")
FALSE = Sql("1 = 0")


class Terms:
    """The terms of a narrow as conditions on message `m`, for one reader."""

    def __init__(self, viewer: Viewer, backend: Backend) -> None:
        self._user_id = viewer.user_id if viewer.user_id is not None else -1
        self._backend = backend

    def all(self, terms: Iterable[Term]) -> Sql:
        return joined(" AND ", [TRUE, *map(self.where, terms)])

    def where(self, term: Term) -> Sql:
        match term:
            case Not(negated):
                # A direct message has no topic key, and what is unknown about it does not hold.
                inner = self.where(negated)
                return Sql(f"({inner.text}) IS NOT TRUE", inner.values)
            case InChannel(channel_id):
                return Sql("(m.recipient_id = ? AND m.topic_key IS NOT NULL)", (channel_id,))
            case InPublicChannels(web_public):
                web = " AND is_web_public" if web_public else ""
                return Sql(
                    "m.recipient_id IN (SELECT id FROM channel WHERE NOT invite_only"
                    f" AND history_public_to_subscribers{web})"
                )
            case InTopic(key):
                return Sql("m.topic_key = ?", (key,))
            case SentBy(user_id):
                return Sql("m.sender_id = ?", (user_id,))
            case InConversation(user_ids):
                if not user_ids:
                    return FALSE
                return Sql(
                    "m.recipient_id = (SELECT id FROM conversation WHERE people = ?)", (people_key(user_ids),)
                )
            case DirectWith(user_id, groups_only):
                large = " AND c.size > 2" if groups_only else ""
                return Sql(
                    "EXISTS (SELECT 1 FROM conversation_member AS cm JOIN conversation AS c"
                    f" ON c.id = cm.conversation_id WHERE cm.user_id = ? AND c.id = m.recipient_id{large})",
                    (user_id,),
                )
            case IsDirect():
                return Sql("m.topic_key IS NULL")
            case HasFlag(any_of):
                return self._has_flag(any_of)
            case IsResolved():
                # Written out, as the index of such messages has it.
                return Sql(f"substr(m.topic, 1, 2) = '{RESOLVED_PREFIX}'")
            case IsFollowed():
                return self._has_policy(VisibilityPolicy.FOLLOWED)
            case IsMuted(topics_only):
                return self._is_muted(topics_only=topics_only)
            case Has(content):
                return self._has(content)
            case WithId(message_id):
                return Sql("m.id = ?", (message_id,))
            case Search(words, phrases):
                return self._search(words, phrases)
            case _:
                assert_never(term)

    def bits(self) -> Sql:
        """The reader's row of `m`, 0 without one."""
        return Sql(
            "coalesce((SELECT f.bits FROM message_flag AS f WHERE f.user_id = ? AND f.message_id = m.id), 0)",
            (self._user_id,),
        )

    def received(self) -> Sql:
        return Sql(
            "(CASE WHEN m.topic_key IS NULL THEN"
            " EXISTS (SELECT 1 FROM conversation_member AS cm"
            " WHERE cm.user_id = ? AND cm.conversation_id = m.recipient_id)"
            f" ELSE {was_subscribed('?', 'm.recipient_id', ARRIVED)} END)",
            (self._user_id, self._user_id),
        )

    def _has_flag(self, any_of: Flag) -> Sql:
        bits, received = self.bits(), self.received()
        parts = []
        if any_of & IN_ROWS:
            parts.append(Sql(f"({bits.text} & {int(any_of & IN_ROWS)}) != 0", bits.values))
        if any_of & Flag.READ:
            parts.append(self._is_read(bits))
        if any_of & Flag.CHANNEL_WILDCARD:
            parts.append(Sql(f"(m.channel_wildcard AND {received.text})", received.values))
        if any_of & Flag.HISTORICAL:
            parts.append(Sql(f"NOT {received.text}", received.values))
        either = joined(" OR ", parts) if parts else FALSE
        return Sql(f"({either.text})", either.values)

    def _is_read(self, bits: Sql) -> Sql:
        # Without a watermark, everything in a conversation of one's own is unread, and all else is read.
        watermark = (
            "coalesce((SELECT w.position FROM read_watermark AS w"
            " WHERE w.user_id = ? AND w.recipient_id = m.recipient_id),"
            " CASE WHEN m.topic_key IS NULL AND EXISTS (SELECT 1 FROM conversation_member AS cm"
            " WHERE cm.user_id = ? AND cm.conversation_id = m.recipient_id)"
            f" THEN 0 ELSE {READ_FOR_EVER} END)"
        )
        return Sql(
            is_read_by(watermark, bits.text, is_news("?")),
            (*(self._user_id,) * 5, *bits.values, *bits.values),
        )

    def _has_policy(self, policy: VisibilityPolicy | None) -> Sql:
        """That the reader has this policy for the topic, or any."""
        which = "" if policy is None else f" AND tp.policy = {int(policy)}"
        return Sql(
            "EXISTS (SELECT 1 FROM topic_policy AS tp WHERE tp.user_id = ?"
            f" AND tp.channel_id = m.recipient_id AND tp.topic_key = m.topic_key{which})",
            (self._user_id,),
        )

    def _is_muted(self, *, topics_only: bool) -> Sql:
        by_topic = self._has_policy(VisibilityPolicy.MUTED)
        if topics_only:
            return by_topic
        has_any = self._has_policy(None)
        return Sql(
            f"({by_topic.text} OR NOT {has_any.text} AND EXISTS (SELECT 1 FROM subscription AS s"
            " WHERE s.user_id = ? AND s.channel_id = m.recipient_id AND s.is_muted))",
            (*by_topic.values, *has_any.values, self._user_id),
        )

    def _has(self, content: Content) -> Sql:
        match content:
            case Content.LINK:
                return Sql("m.has_link")
            case Content.IMAGE:
                return Sql("m.has_image")
            case Content.ATTACHMENT:
                return Sql("m.has_attachment")
            case Content.REACTION:
                return Sql("m.has_reaction")
            case _:
                assert_never(content)

    def _search(self, words: Sequence[str], phrases: Sequence[str]) -> Sql:
        if not words:
            return FALSE
        query = self._backend.search_query([[word] for word in words])
        found = joined(" AND ", [Sql(self._backend.search_match(query), (query,)), self.has_phrases(phrases)])
        return Sql(
            f"EXISTS (SELECT 1 FROM message_search WHERE message_search.rowid = m.id AND {found.text})",
            found.values,
        )

    def has_phrases(self, phrases: Sequence[str]) -> Sql:
        """That message `m`, with its row of `message_search`, has all phrases, to the letter."""
        in_content, in_topic = (
            self._backend.contains.format(column=column)
            for column in ("message_search.folded", "m.folded_topic")
        )
        either = f"({in_content} OR {in_topic})"
        return joined(" AND ", [TRUE, *(Sql(either, (phrase, phrase)) for phrase in phrases)])
