"""Search for the messages of a narrow.

The search goes through the reader's recipients one by one, each from the anchor to at most the length of the
side, so that neither a long history nor many channels make a fetch slow. Terms that few messages fulfil (a
star, an unread message, a word) start from the index of those instead.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from chatcore.domain.ids import ChannelId, MessageId, RecipientId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.narrow.terms import (
    HasFlag,
    IsFollowed,
    IsMuted,
    Not,
    Search,
    Term,
    WithId,
    traits,
)
from chatcore.domain.topics import VisibilityPolicy
from storage_backends.sql.messages.rows import recipient_token
from storage_backends.sql.messages.watermarks import READ_FOR_EVER, Watermarks
from storage_backends.sql.narrow.pieces import BETWEEN, Pieces
from storage_backends.sql.narrow.scope import TOP, IdRange, Side
from storage_backends.sql.narrow.terms import (
    TRUE,
    Sql,
    all_of,
    has_phrases,
    has_words,
    join,
    statement_of,
)
from storage_backends.sql.schema.messages import UNREAD_BELOW

FEW_ID_RANGES = 8
"""The number of id ranges up to which a page of each is read at once; with more, the messages nearest to the
anchor are tried first.
"""
MAX_ENDED = 64
"""The number of ended id ranges that are searched first, those nearest to the anchor. A reader who has come
and gone very often has thousands, and a side is mostly full after a few.
"""
RECIPIENT_TOKENS = 8
"""The number of recipients that a search names to the index at once."""
MAX_HITS_TESTED = 30
"""The number of hits that a search tests at most for each requested message; then it names the reader's
recipients to the index.
"""


def _is_rare(term: Term) -> bool:
    """Whether few messages fulfil a term, or it has an index of its own."""
    return traits(term).is_rare or term == Not(HasFlag(Flag.READ))


class Query(Pieces):
    """One narrow of one reader, ready to find ids on either side of an anchor."""

    def ids(self, side: Side) -> list[MessageId]:
        """Return the matching ids of a side, those nearest to the anchor first, at most as many as its count.

        Shorter searches come first; each is the answer only if it fills the side, or has looked at all of it.
        """
        if side.count <= 0 or side.low > side.high:
            return []
        if (ids := self._among_nearest_hits(side)) is not None:
            return ids
        for find in (self._among_nearest_messages, self._in_nearest_ranges):
            if len(ids := find(side)) == side.count:
                return ids
        return self._ids_in(self._scope.id_ranges, side)

    def _run_query(self, query: Sql, side: Side) -> list[MessageId]:
        return self._session.column(
            statement_of(query.text),
            user_id=self._user_id,
            low=side.low,
            high=side.high,
            count=side.count,
            **query.values,
        )

    def _in_nearest_ranges(self, side: Side) -> list[MessageId]:
        """Search the open id ranges and the nearest ended ones; return the matching ids that are nearer than
        all other ranges. If few ranges have ended, return none: the search of all ranges is as short.
        """
        id_ranges = self._scope.id_ranges
        ended = [id_range for id_range in id_ranges if not id_range.is_open and id_range.meets(side)]
        if len(ended) <= MAX_ENDED:
            return []
        open_ranges = [id_range for id_range in id_ranges if id_range.is_open]
        # In the order in which a walk from the anchor enters them.
        if side.descending:
            ended.sort(key=lambda id_range: -id_range.high)
        else:
            ended.sort(key=lambda id_range: id_range.low)
        ids = self._ids_in([*open_ranges, *ended[:MAX_ENDED]], side)
        first_other = ended[MAX_ENDED]
        if side.descending:
            return [id for id in ids if id >= first_other.high]
        return [id for id in ids if id <= first_other.low]

    def _ids_in(self, id_ranges: Iterable[IdRange], side: Side) -> list[MessageId]:
        parts = self._parts(id_ranges, side)
        if not parts:
            return []
        union = join(" UNION ", (Sql(f"SELECT id FROM ({part.text}) AS part", part.values) for part in parts))
        return self._run_query(
            Sql(f"SELECT id FROM ({union.text}) AS every {side.nearest('id')}", union.values), side
        )

    def _among_nearest_messages(self, side: Side) -> list[MessageId]:
        """Return the matching ids among the messages nearest to the anchor, of any recipient; none for a
        reader of few recipients, or a narrow that few messages match.

        For a reader of most of the traffic these suffice, and cost less than a page of each recipient.
        """
        if len(self._scope.id_ranges) <= FEW_ID_RANGES or any(map(_is_rare, self._narrow.terms)):
            return []
        nearest = (
            "SELECT id FROM message AS every WHERE id BETWEEN :low AND :high"
            f" ORDER BY id {side.order} LIMIT :near_count"
        )
        if side.descending:
            between = f"m.id BETWEEN (SELECT min(id) FROM ({nearest}) AS n) AND :high"
        else:
            between = f"m.id BETWEEN :low AND (SELECT max(id) FROM ({nearest}) AS n)"
        near = Sql(between, {"near_count": side.count * 3 + 20})
        return self._run_query(self._select("message AS m", [near, self._candidate()], side), side)

    def _parts(self, id_ranges: Iterable[IdRange], side: Side) -> list[Sql]:
        """Return queries that together cover these id ranges and the reader's historical and moved messages
        outside of them; each selects the ids nearest to the anchor.
        """
        if (search := self._narrow.search) is not None:
            return self._from_words(search, side)
        elsewhere = self._historical(side)
        moved = self._moved_here(side)
        in_ranges = TRUE
        for term in self._narrow.terms:
            match term:
                case WithId():
                    return [self._select("message AS m", [BETWEEN, self._candidate()], side)]
                case HasFlag(Flag.STARRED | Flag.HAS_ALERT_WORD as flag):
                    return [self._from_flag_rows(int(flag), side)]
                case HasFlag(Flag.ANY_MENTION):
                    elsewhere = [self._from_flag_rows(int(Flag.MENTIONED | Flag.TOPIC_WILDCARD), side)]
                    in_ranges = Sql("m.channel_wildcard")
                    break
                case IsFollowed():
                    return [self._from_topics(VisibilityPolicy.FOLLOWED, side)]
                case IsMuted(topics_only):
                    topics = self._from_topics(VisibilityPolicy.MUTED, side)
                    if topics_only:
                        return [topics]
                    elsewhere = [topics, *elsewhere]
                    id_ranges = [id_range for id_range in id_ranges if self._is_muted(id_range.recipient_id)]
                    break
                case Not(HasFlag(Flag.READ)):
                    elsewhere = [self._from_flag_rows(UNREAD_BELOW, side)]
                    id_ranges = self._above_watermarks(id_ranges)
                    moved = []  # each unread message that was moved has a row, or lies in the open id range
                    break
        return [*elsewhere, *moved, *self._queries_of_ranges(id_ranges, in_ranges, side)]

    def _queries_of_ranges(self, id_ranges: Iterable[IdRange], extra: Sql, side: Side) -> Iterator[Sql]:
        """Yield queries for the nearest ids of each id range, by the index of its recipient; *extra* is a
        further condition.

        Messages in an open id range have also arrived in it. Messages may have been moved into an ended one
        later, after the reader had left.
        """
        open_rows: list[tuple[RecipientId, int, int]] = []
        ended_rows: list[tuple[RecipientId, int, int]] = []
        for id_range in id_ranges:
            if id_range.meets(side):
                low, high = max(id_range.low, side.low), min(id_range.high, side.high)
                (open_rows if id_range.is_open else ended_rows).append((id_range.recipient_id, low, high))
        in_id_range = Sql(
            "m.recipient_id = id_range.recipient_id AND m.id BETWEEN id_range.low AND id_range.high"
        )
        for name, rows, sent_there in (
            ("open_ranges", open_rows, TRUE),
            ("ended_ranges", ended_rows, Sql("m.arrived_at IS NULL")),
        ):
            if rows:
                inner = self._select("message AS m", [in_id_range, sent_there, extra], side)
                source = self._dialect.rows("id_range", name, ("recipient_id", "low", "high"))
                yield Sql(self._dialect.nearest(source, inner.text), {**inner.values, name: rows})

    def _is_muted(self, recipient_id: RecipientId) -> bool:
        subscription = self._viewer.subscriptions.get(ChannelId(recipient_id))
        return subscription is not None and subscription.is_muted

    def _from_topics(self, policy: VisibilityPolicy, side: Side) -> Sql:
        """Return a query for the nearest ids of each topic for which the reader has this policy."""
        topics = (
            "(SELECT channel_id, topic_key FROM topic_policy"
            f" WHERE user_id = :user_id AND policy = {int(policy)}) AS chosen"
        )
        in_topic = Sql("m.recipient_id = chosen.channel_id AND m.topic_key = chosen.topic_key")
        inner = self._select("message AS m", [in_topic, BETWEEN, self._candidate()], side)
        return Sql(self._dialect.nearest(topics, inner.text), inner.values)

    def _tries_nearest_hits(self, search: Search, side: Side) -> bool:
        """Whether to try the nearest hits of all recipients first: not for a single message or recipient,
        which the index finds itself, and not with another term that few hits fulfil.
        """
        if not search.words or side.low == side.high or self._has_other_rare(search):
            return False
        return len(self._readable_recipients()) > 1

    def _among_nearest_hits(self, side: Side) -> list[MessageId] | None:
        """Return the matching ids among the hits nearest to the anchor, of any recipient, if these fill the
        side or there are no more hits; None for a narrow without words, or one for which this is not worth
        trying.

        For a reader of much of the traffic a few hits suffice; the first ones tell how many are needed. For
        all others their number is limited.
        """
        search = self._narrow.search
        if search is None or not self._tries_nearest_hits(search, side):
            return None
        hits = side.count + 20
        while hits <= side.count * MAX_HITS_TESTED:
            ids, tested = self._test_hits(search, side, hits)
            if len(ids) == side.count or tested < hits:
                return ids
            if not ids:
                break
            # Half as many again as are needed if the further ones match as often.
            hits = max(2 * hits, hits * side.count * 3 // (2 * len(ids)))
        return None

    def _test_hits(self, search: Search, side: Side, count: int) -> tuple[list[MessageId], int]:
        """Return the matching ids among the *count* hits nearest to the anchor, and how many there are."""
        words = has_words([[word] for word in search.words], "words", self._dialect)
        nearest = Sql(f" ORDER BY rowid {side.order} LIMIT :near_count", {"near_count": count})
        hits = self._hits(search, words, nearest)
        matching = self._messages_of("near", search, side, side.low)
        # No id is negative, so the number of hits can be a row of its own.
        query = Sql(
            f"WITH near AS ({hits.text}) SELECT id FROM ({matching.text}) AS matching"
            " UNION ALL SELECT -count(*) FROM near",
            {**hits.values, **matching.values},
        )
        negative, *ids = sorted(self._run_query(query, side))
        return ids[::-1] if side.descending else ids, -negative

    def _readable_recipients(self) -> set[RecipientId]:
        return self._scope.recipient_ids | self._scope.readable_channels

    def _from_words(self, search: Search, side: Side) -> list[Sql]:
        """Return queries by the search index, restricted to the recipients of the narrow.

        A newcomer has received few of all messages with a common word. In the channels into which the reader
        came lately, only messages since then can match, besides historical and moved messages.
        """
        recipients = self._readable_recipients()
        if not search.words or not recipients:
            return []
        lately = self._came_lately()
        if not lately:
            return [self._by_recipients(search, recipients, side, side.low)]
        words = all_of([search], self._dialect)
        queries = [self._from_flag_rows(int(Flag.HISTORICAL), side, words), *self._moved_here(side, words)]
        since = max(side.low, min(lately.values()))
        if since <= side.high:
            queries.append(self._by_recipients(search, lately, side, since, "lately_"))
        if others := self._scope.recipient_ids - lately.keys():
            queries.append(self._by_recipients(search, others, side, side.low))
        return queries

    def _came_lately(self) -> Mapping[RecipientId, int]:
        """Return the channels that the reader has been in only for the newer half of the log, each with the
        first position that the reader received there.
        """
        first: dict[RecipientId, int] = {}
        for id_range in self._scope.id_ranges:
            if id_range.recipient_id in self._scope.readable_channels:
                first[id_range.recipient_id] = min(id_range.low, first.get(id_range.recipient_id, TOP))
        middle = self._session.recall.position // 2
        return {recipient_id: low for recipient_id, low in first.items() if low > middle}

    def _has_other_rare(self, search: Search) -> bool:
        """Whether few messages with the words match, because of another term."""
        return any(_is_rare(term) for term in self._narrow.terms if term != search)

    def _by_recipients(
        self, search: Search, among: Collection[RecipientId], side: Side, since: int, prefix: str = ""
    ) -> Sql:
        """Return a query by the search index for the nearest hits of some recipients, from the position
        *since* on. The names of its parameters begin with *prefix*.

        Few recipients, or hits of which few match, are read in one go; else the index is asked for some
        recipients at a time, each time for the nearest hits.
        """
        groups = [[word] for word in search.words]
        tokens = [recipient_token(recipient_id) for recipient_id in sorted(among)]
        is_rare = self._has_other_rare(search)
        if is_rare or len(tokens) == 1:
            # Many of the hits may match, or few: PostgreSQL decides by its statistics where to begin.
            named = [tokens] if len(tokens) <= RECIPIENT_TOKENS else []
            words = has_words([*groups, *named], f"{prefix}words", self._dialect)
            within = Sql(self._dialect.fence if is_rare else "")
            return self._by_words(search, words, side, since, prefix, within=within)
        parts = [
            (self._dialect.search_query([*groups, tokens[start : start + RECIPIENT_TOKENS]]),)
            for start in range(0, len(tokens), RECIPIENT_TOKENS)
        ]
        source = self._dialect.rows("part", f"{prefix}parts", ("query",), texts=("query",))
        words = Sql(self._dialect.search_match("part.query"))
        inner = self._by_words(search, words, side, since, prefix, within=Sql(self._dialect.fence))
        return Sql(self._dialect.nearest(source, inner.text), {**inner.values, f"{prefix}parts": parts})

    def _by_words(
        self, search: Search, words: Sql, side: Side, since: int, prefix: str, *, within: Sql
    ) -> Sql:
        """Return a query for the nearest messages whose entries of the search index meet the condition
        *words*; *within* is the end of the part of it that reads the index.
        """
        hits = self._hits(search, words, within, prefix)
        found = self._messages_of(f"({hits.text})", search, side, since, prefix)
        return Sql(found.text, {**hits.values, **found.values})

    def _hits(self, search: Search, words: Sql, within: Sql, prefix: str = "") -> Sql:
        """Return a query for the entries of the search index that a condition on the words selects, with
        their texts only if there are phrases to look for.
        """
        columns = "rowid, folded" if search.phrases else "rowid"
        return Sql(
            f"SELECT {columns} FROM message_search WHERE {words.text}"
            f" AND rowid BETWEEN :{prefix}since AND :high{within.text}",
            {**words.values, **within.values},
        )

    def _messages_of(self, hits: str, search: Search, side: Side, since: int, prefix: str = "") -> Sql:
        """Return a query for the nearest messages, from the position *since* on, whose entries of the search
        index are among *hits*.
        """
        # Both tables have the range: PostgreSQL may read them side by side, and would begin at the start
        # otherwise.
        conditions = [
            Sql("m.id = hit.rowid"),
            Sql(f"m.id BETWEEN :{prefix}since AND :high", {f"{prefix}since": since}),
            has_phrases(search.phrases, "phrase", self._dialect),
            self._candidate(),
        ]
        return self._select(f"{hits} AS hit CROSS JOIN message AS m", conditions, side, "hit.rowid")

    def _above_watermarks(self, id_ranges: Iterable[IdRange]) -> Iterable[IdRange]:
        """Yield the id ranges without the part below the reader's watermarks."""
        assert self._viewer.user_id is not None
        watermarks = Watermarks(self._session).of(self._viewer.user_id)
        for id_range in id_ranges:
            is_channel = id_range.recipient_id in self._viewer.subscriptions
            watermark = watermarks.get(id_range.recipient_id, READ_FOR_EVER if is_channel else 0)
            yield IdRange(id_range.recipient_id, max(id_range.low, watermark + 1), id_range.high)
