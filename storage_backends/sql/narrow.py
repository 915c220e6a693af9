"""A narrow as SQL: where to look for its messages, and the terms as conditions.

Messages are looked for in the reader's recipients one by one, each from the anchor on and no further
than the page is long, so that neither a long history nor many channels make a fetch slow. Terms that
few messages fulfil (a star, an unread message, a word) start from the index of those instead.

The other reading of a narrow is `chatcore.domain.narrow.matches`; a property test holds them equal.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from chatcore.domain.access import reads_as_member
from chatcore.domain.channels import Channel, reads_full_history
from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.narrow.history import full_history
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
    Narrow,
    Not,
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.topics import RESOLVED_PREFIX, VisibilityPolicy
from chatcore.domain.viewer import Viewer
from chatcore.storage.messages import Found
from storage_backends.sql.backend import Backend
from storage_backends.sql.flags import IN_ROWS, READ_ABOVE, READ_FOR_EVER, UNREAD_BELOW, Flags, rows_with
from storage_backends.sql.messages import recipient_token
from storage_backends.sql.recipients import people_key
from storage_backends.sql.session import Session

OF_CHANNELS = (InChannel, InPublicChannels, InTopic, IsResolved, IsFollowed, IsMuted)
OF_DIRECT_MESSAGES = (InConversation, DirectWith, IsDirect)
"""Terms that only messages of channels fulfil, and those that only direct messages do."""

TOP = READ_FOR_EVER
RARE = (Search, WithId, HasFlag, Has, IsResolved, IsFollowed, InConversation, DirectWith, InTopic, SentBy)
"""Terms that an index of their own, or a recipient's, answers best."""

UNREAD = Not(HasFlag(Flag.READ))

FEW_RECIPIENTS = 8
"""Up to so many recipients, a page of each is read and the nearest of them taken."""
MAX_RECIPIENT_TOKENS = 8
"""Up to so many recipients a search asks the index for; beyond, it tests what the words find."""


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


@dataclass(frozen=True, slots=True)
class Bound:
    """A stretch of one recipient's messages, both ends included."""

    recipient_id: RecipientId
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Scope:
    """The messages that a narrow looks at: stretches, and rows of the reader's own in some channels."""

    bounds: tuple[Bound, ...]
    channels_of_rows: frozenset[ChannelId] = frozenset()


class MessageSearch:
    def __init__(self, session: Session) -> None:
        self._session = session

    def around(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        *,
        anchor: int,
        before: int,
        after: int,
        with_anchor: bool = True,
    ) -> Found:
        query = self._query(narrow, viewer, channels)
        return Found(
            before=query.ids(0, anchor - 1, before, descending=True),
            at_anchor=with_anchor and bool(query.ids(anchor, anchor, 1, descending=True)),
            after=query.ids(anchor + 1, TOP, after, descending=False),
        )

    def among(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        message_ids: Collection[MessageId],
    ) -> Sequence[MessageId]:
        backend = self._session.backend
        where = Terms(viewer, backend).all(narrow.terms)
        rows = self._session.rows(
            f"SELECT m.id FROM message AS m WHERE m.id {backend.in_list} AND {where.text} ORDER BY m.id",
            backend.listed(message_ids),
            *where.values,
        )
        return [row[0] for row in rows]

    def _query(self, narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> "_Query":
        scope = self._scope(narrow, viewer, channels)
        return _Query(self._session, narrow, viewer, scope)

    def _scope(self, narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> Scope:
        if full_history(narrow, viewer, channels):
            wanted = narrow.channel_ids or channels.keys()
            return Scope(
                tuple(
                    Bound(channel_id, 0, TOP)
                    for channel_id in sorted(wanted)
                    if channel_id in channels
                    and reads_full_history(
                        channels[channel_id], viewer.actor, subscribed=viewer.subscribed_to(channel_id)
                    )
                )
            )
        if viewer.user_id is None:
            return Scope(())
        if any(isinstance(term, OF_DIRECT_MESSAGES) for term in narrow.terms):
            conversations = self._conversations(narrow, viewer.user_id)
            return Scope(tuple(Bound(recipient_id, 0, TOP) for recipient_id in conversations))
        readable = frozenset(
            channel_id for channel_id, channel in channels.items() if reads_as_member(channel, viewer)
        )
        bounds = [
            Bound(channel_id, period.start, TOP if period.until is None else period.until - 1)
            for channel_id, subscription in viewer.subscriptions.items()
            if channel_id in readable
            for period in subscription.periods
        ]
        if not any(isinstance(term, OF_CHANNELS) for term in narrow.terms):
            conversations = self._conversations(narrow, viewer.user_id)
            bounds += [Bound(recipient_id, 0, TOP) for recipient_id in conversations]
        if narrow.channel_ids:
            bounds = [bound for bound in bounds if bound.recipient_id in narrow.channel_ids]
        return Scope(tuple(bounds), readable)

    def _conversations(self, narrow: Narrow, user_id: UserId) -> list[RecipientId]:
        """The reader's conversations that the narrow can be about; all, where it names none."""
        for term in narrow.terms:
            match term:
                case InConversation(user_ids):
                    rows = self._session.rows(
                        "SELECT id FROM conversation WHERE people = ?", people_key(user_ids)
                    )
                    return [row[0] for row in rows] if user_id in user_ids else []
                case DirectWith(other):
                    rows = self._session.rows(
                        """
                        SELECT mine.conversation_id
                        FROM conversation_member AS mine JOIN conversation_member AS theirs
                            ON theirs.conversation_id = mine.conversation_id
                        WHERE mine.user_id = ? AND theirs.user_id = ?
                        """,
                        user_id,
                        other,
                    )
                    return [row[0] for row in rows]
        rows = self._session.rows(
            "SELECT conversation_id FROM conversation_member WHERE user_id = ?", user_id
        )
        return [row[0] for row in rows]


class _Query:
    """One narrow of one reader, ready to be asked for ids on either side of an anchor."""

    def __init__(self, session: Session, narrow: Narrow, viewer: Viewer, scope: Scope) -> None:
        self._session = session
        self._backend = session.backend
        self._narrow = narrow
        self._viewer = viewer
        self._scope = scope
        self._terms = Terms(viewer, session.backend)
        self._where = self._terms.all(term for term in narrow.terms if not isinstance(term, Search))
        """The terms but for a search, which is where its messages are looked for."""

    def ids(self, low: int, high: int, count: int, *, descending: bool) -> list[MessageId]:
        """At most *count* matching ids from *low* to *high*, the nearest to the anchor first."""
        if count <= 0 or low > high:
            return []
        order = "DESC" if descending else "ASC"
        if len(self._scope.bounds) > FEW_RECIPIENTS and self._is_common():
            found = self._among_nearest(low, high, count, order)
            if len(found) == count:
                return found
        branches = self._branches(low, high, Sql(f"ORDER BY m.id {order} LIMIT ?", (count,)))
        if not branches:
            return []
        union = joined(" UNION ", (Sql(f"SELECT id FROM ({b.text}) AS branch", b.values) for b in branches))
        rows = self._session.rows(
            f"SELECT id FROM ({union.text}) AS every ORDER BY id {order} LIMIT ?", *union.values, count
        )
        return [row[0] for row in rows]

    def _is_common(self) -> bool:
        """Whether no term leads to its messages by an index of its own, or only to few of them."""
        return not any(isinstance(term, RARE) or term == UNREAD for term in self._narrow.terms)

    def _among_nearest(self, low: int, high: int, count: int, order: str) -> list[MessageId]:
        """The matching ids among the messages nearest to the anchor, of whatever recipient.

        For who reads much of what is written, these are enough, and cheaper than a page of each recipient.
        """
        where = joined(" AND ", [self._candidate(), self._where])
        rows = self._session.rows(
            f"""
            SELECT m.id FROM (
                SELECT * FROM message AS every WHERE every.id BETWEEN ? AND ?
                ORDER BY every.id {order} LIMIT ?
            ) AS m
            WHERE {where.text} ORDER BY m.id {order} LIMIT ?
            """,
            low,
            high,
            count * 3 + 20,
            *where.values,
            count,
        )
        return [row[0] for row in rows]

    def _branches(self, low: int, high: int, tail: Sql) -> list[Sql]:
        """Ways to the messages that together reach every one; each is a SELECT of nearest ids."""
        between = Sql("m.id BETWEEN ? AND ?", (low, high))
        if (search := self._narrow.search) is not None:
            return self._from_words(search, between, tail)
        rows: list[Sql] = []
        bounds: Iterable[Bound] = self._scope.bounds
        extra = TRUE
        for term in self._narrow.terms:
            match term:
                case WithId():
                    return [self._select("message AS m", [between, self._candidate()], tail)]
                case HasFlag(Flag.STARRED | Flag.HAS_ALERT_WORD as flag):
                    return [self._from_rows(int(flag), between, tail)]
                case HasFlag(Flag.ANY_MENTION):
                    rows = [self._from_rows(int(Flag.MENTIONED | Flag.TOPIC_WILDCARD), between, tail)]
                    extra = Sql("m.channel_wildcard")
                    break
                case IsFollowed():
                    return [self._from_followed(low, high, tail)]
                case Not(HasFlag(Flag.READ)):
                    rows = [self._from_rows(UNREAD_BELOW, between, tail)]
                    bounds = self._above_watermarks()
                    break
        else:
            if self._scope.channels_of_rows:
                rows = [self._from_rows(int(Flag.HISTORICAL), between, tail)]
        seek = self._nearest(bounds, low, high, extra, tail)
        return rows if seek is None else [*rows, seek]

    def _select(self, source: str, conditions: Sequence[Sql], tail: Sql) -> Sql:
        where = joined(" AND ", [*conditions, self._where])
        return Sql(f"SELECT m.id FROM {source} WHERE {where.text} {tail.text}", where.values + tail.values)

    def _nearest(self, bounds: Iterable[Bound], low: int, high: int, extra: Sql, tail: Sql) -> Sql | None:
        """The nearest ids of each stretch, by the index of its recipient."""
        rows = [
            (bound.recipient_id, max(bound.low, low), min(bound.high, high))
            for bound in bounds
            if bound.low <= high and bound.high >= low
        ]
        if not rows:
            return None
        place = Sql("m.recipient_id = stretch.recipient_id AND m.id BETWEEN stretch.low AND stretch.high")
        inner = self._select("message AS m", [place, extra], tail)
        source = self._backend.rows("stretch", ("recipient_id", "low", "high"))
        return Sql(self._backend.nearest(source, inner.text), self._backend.row_values(rows) + inner.values)

    def _from_rows(self, bits: int, between: Sql, tail: Sql) -> Sql:
        """The reader's own rows that have one of the bits; the number is written out for its index."""
        rows, has_bits = rows_with(self._backend, "own", bits)
        source = f"{rows} JOIN message AS m ON m.id = own.message_id"
        mine = Sql(f"own.user_id = ? AND {has_bits}", (self._viewer.user_id,))
        own_between = Sql("own.message_id BETWEEN ? AND ?", between.values)
        own_tail = Sql(tail.text.replace("m.id", "own.message_id"), tail.values)
        return self._select(source, [mine, own_between, self._candidate()], own_tail)

    def _from_followed(self, low: int, high: int, tail: Sql) -> Sql:
        """The nearest ids of each topic that the reader follows."""
        policy = int(VisibilityPolicy.FOLLOWED)
        followed = (
            "(SELECT channel_id, topic_key FROM topic_policy"
            f" WHERE user_id = ? AND policy = {policy}) AS followed"
        )
        place = Sql(
            "m.recipient_id = followed.channel_id AND m.topic_key = followed.topic_key"
            " AND m.id BETWEEN ? AND ?",
            (low, high),
        )
        inner = self._select("message AS m", [place, self._candidate()], tail)
        return Sql(self._backend.nearest(followed, inner.text), (self._viewer.user_id, *inner.values))

    def _from_words(self, search: Search, between: Sql, tail: Sql) -> list[Sql]:
        if not search.words:
            return []
        groups = [[word] for word in search.words]
        recipients = {bound.recipient_id for bound in self._scope.bounds} | self._scope.channels_of_rows
        if not recipients:
            return []
        if len(recipients) <= MAX_RECIPIENT_TOKENS:
            groups.append([recipient_token(recipient_id) for recipient_id in sorted(recipients)])
        source = "message_search CROSS JOIN message AS m"
        same = Sql("m.id = message_search.rowid")
        query = self._backend.search_query(groups)
        match = Sql(self._backend.search_match(query), (query,))
        word_between = Sql("message_search.rowid BETWEEN ? AND ?", between.values)
        word_tail = Sql(tail.text.replace("m.id", "message_search.rowid"), tail.values)
        phrases = self._terms.has_phrases(search.phrases)
        # The range is said of both tables: PostgreSQL may read them side by side, and would begin at the end.
        conditions = [same, match, word_between, between, phrases, self._candidate()]
        return [self._select(source, conditions, word_tail)]

    def _above_watermarks(self) -> Iterable[Bound]:
        """The stretches without what lies below the reader's watermarks."""
        assert self._viewer.user_id is not None
        watermarks = Flags(self._session).watermarks(self._viewer.user_id)
        for bound in self._scope.bounds:
            known = bound.recipient_id in self._viewer.subscriptions
            watermark = watermarks.get(bound.recipient_id, READ_FOR_EVER if known else 0)
            yield Bound(bound.recipient_id, max(bound.low, watermark + 1), bound.high)

    def _candidate(self) -> Sql:
        """That message `m` lies in the scope, for ways that do not start from its stretches."""
        backend = self._backend
        if not self._scope.channels_of_rows and not self._is_personal():
            full = backend.listed(sorted({bound.recipient_id for bound in self._scope.bounds}))
            return Sql(f"m.recipient_id {backend.in_list}", (full,))
        readable = backend.listed(sorted(self._scope.channels_of_rows))
        received, bits = self._terms.received(), self._terms.bits()
        return Sql(
            f"(m.topic_key IS NULL AND {received.text} OR m.recipient_id {backend.in_list}"
            f" AND ({received.text} OR ({bits.text} & {int(Flag.HISTORICAL)}) != 0))",
            (*received.values, readable, *received.values, *bits.values),
        )

    def _is_personal(self) -> bool:
        return any(bound.low > 0 or bound.high < TOP for bound in self._scope.bounds)


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
            " ELSE EXISTS (SELECT 1 FROM subscription_period AS sp"
            " WHERE sp.user_id = ? AND sp.recipient_id = m.recipient_id AND sp.start_position <= m.id"
            " AND (sp.until_position IS NULL OR m.id < sp.until_position)) END)",
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
            f"CASE WHEN m.id <= {watermark} THEN ({bits.text} & {UNREAD_BELOW}) = 0"
            f" ELSE ({bits.text} & {READ_ABOVE}) != 0 END",
            (self._user_id, self._user_id, *bits.values, *bits.values),
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
        """That the row of `message_search` has all phrases, to the letter."""
        condition = self._backend.contains.format(column="message_search.folded")
        return joined(" AND ", [TRUE, *(Sql(condition, (phrase,)) for phrase in phrases)])
