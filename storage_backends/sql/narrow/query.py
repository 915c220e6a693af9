"""Search for the messages of a narrow.

The search goes through the reader's recipients one by one, each from the anchor to at most the length of the
page, so that neither a long history nor many channels make a fetch slow. Terms that few messages fulfil (a
star, an unread message, a word) start from the index of those instead.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from chatcore.domain.ids import ChannelId, MessageId, RecipientId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.narrow.terms import (
    HasFlag,
    IsFollowed,
    IsMuted,
    Not,
    Search,
    WithId,
    traits,
)
from chatcore.domain.topics import VisibilityPolicy
from storage_backends.sql.messages.flag_rows import UNREAD_BELOW
from storage_backends.sql.messages.rows import recipient_token
from storage_backends.sql.messages.watermarks import READ_FOR_EVER, Watermarks
from storage_backends.sql.narrow.pieces import BETWEEN, Pieces
from storage_backends.sql.narrow.scope import TOP, Bound, Page
from storage_backends.sql.narrow.terms import (
    TRUE,
    Sql,
    all_of,
    has_phrases,
    has_words,
    joined,
    statement_of,
)

UNREAD = Not(HasFlag(Flag.READ))

FEW_RECIPIENTS = 8
"""The number of recipients up to which a page of each is read at once, from which the nearest messages are
chosen.
"""
MAX_ENDED = 64
"""The number of ended ranges that are searched first, those nearest to the anchor. A reader who has come and
gone very often has thousands, and a page is mostly full after a few.
"""
MAX_RECIPIENT_TOKENS = 8
"""The number of recipients up to which a search names them to the index; beyond it, each hit is tested."""


class Query(Pieces):
    """One narrow of one reader, ready to find ids on either side of an anchor."""

    def ids(self, page: Page) -> list[MessageId]:
        if page.count <= 0 or page.low > page.high:
            return []
        if len(self._scope.bounds) > FEW_RECIPIENTS and self._is_common():
            found = self._among_nearest(page)
            if len(found) == page.count:
                return found
        near, beyond = self._near(page)
        if beyond is not None:
            found = self._ids_in(near, page)
            if len(found) == page.count and (found[-1] >= beyond if page.descending else found[-1] <= beyond):
                return found
        return self._ids_in(self._scope.bounds, page)

    def _run(self, query: Sql, page: Page) -> list[MessageId]:
        return self._session.column(
            statement_of(query.text),
            user_id=self._user_id,
            low=page.low,
            high=page.high,
            count=page.count,
            **query.values,
        )

    def _near(self, page: Page) -> tuple[Sequence[Bound], int | None]:
        """Return the ranges nearest to the anchor, and the near end of the first range left out, or None if
        none is left out.
        """
        ended = [one for one in self._scope.bounds if one.high < TOP and one.meets(page)]
        if len(ended) <= MAX_ENDED:
            return self._scope.bounds, None
        ended.sort(key=lambda one: -one.high if page.descending else one.low)
        first_beyond = ended[MAX_ENDED]
        near = [one for one in self._scope.bounds if one.high >= TOP] + ended[:MAX_ENDED]
        return near, first_beyond.high if page.descending else first_beyond.low

    def _ids_in(self, bounds: Iterable[Bound], page: Page) -> list[MessageId]:
        branches = self._branches(bounds, page)
        if not branches:
            return []
        union = joined(" UNION ", (Sql(f"SELECT id FROM ({b.text}) AS branch", b.values) for b in branches))
        return self._run(
            Sql(f"SELECT id FROM ({union.text}) AS every {page.nearest('id')}", union.values), page
        )

    def _is_common(self) -> bool:
        """Whether the narrow may match many messages: it has no term with an index of its own, or that few
        messages fulfil.
        """
        return not any(traits(term).is_rare or term == UNREAD for term in self._narrow.terms)

    def _among_nearest(self, page: Page) -> list[MessageId]:
        """Return the matching ids among the messages nearest to the anchor, of any recipient.

        For a reader of most of the traffic these suffice, and cost less than a page of each recipient.
        """
        nearest = (
            "SELECT id FROM message AS every WHERE id BETWEEN :low AND :high"
            f" ORDER BY id {page.order} LIMIT :near_count"
        )
        if page.descending:
            between = f"m.id BETWEEN (SELECT min(id) FROM ({nearest}) AS n) AND :high"
        else:
            between = f"m.id BETWEEN :low AND (SELECT max(id) FROM ({nearest}) AS n)"
        near = Sql(between, {"near_count": page.count * 3 + 20})
        return self._run(self._select("message AS m", [near, self._candidate()], page), page)

    def _branches(self, bounds: Iterable[Bound], page: Page) -> list[Sql]:
        """Return queries that together reach every one of these ranges, and everything outside of ranges;
        each is a SELECT of nearest ids.
        """
        if (search := self._narrow.search) is not None:
            return self._from_words(search, page)
        rows: list[Sql] = []
        moved = self._moved_here(page)
        extra = TRUE
        for term in self._narrow.terms:
            match term:
                case WithId():
                    return [self._select("message AS m", [BETWEEN, self._candidate()], page)]
                case HasFlag(Flag.STARRED | Flag.HAS_ALERT_WORD as flag):
                    return [self._from_rows(int(flag), page)]
                case HasFlag(Flag.ANY_MENTION):
                    rows = [self._from_rows(int(Flag.MENTIONED | Flag.TOPIC_WILDCARD), page)]
                    extra = Sql("m.channel_wildcard")
                    break
                case IsFollowed():
                    return [self._from_topics(VisibilityPolicy.FOLLOWED, page)]
                case IsMuted(topics_only):
                    topics = self._from_topics(VisibilityPolicy.MUTED, page)
                    if topics_only:
                        return [topics]
                    rows = [topics, *self._own_copies(page)]
                    bounds = [one for one in bounds if self._is_muted(one.recipient_id)]
                    break
                case Not(HasFlag(Flag.READ)):
                    rows = [self._from_rows(UNREAD_BELOW, page)]
                    bounds = self._above_watermarks(bounds)
                    moved = []  # each unread message that was moved has a row, or lies in the open range
                    break
        else:
            rows = self._own_copies(page)
        return [*rows, *moved, *self._nearest(bounds, extra, page)]

    def _nearest(self, bounds: Iterable[Bound], extra: Sql, page: Page) -> Iterator[Sql]:
        """Yield queries for the nearest ids of each range, by the index of its recipient.

        Messages in a range without an end have also arrived in it. Messages may have been moved into an ended
        range later, after the reader had left.
        """
        rows = [
            (bound.recipient_id, max(bound.low, page.low), min(bound.high, page.high), bound.high == TOP)
            for bound in bounds
            if bound.meets(page)
        ]
        place = Sql("m.recipient_id = span.recipient_id AND m.id BETWEEN span.low AND span.high")
        for is_open, name, sent_there in (
            (True, "open_spans", TRUE),
            (False, "ended_spans", Sql("m.arrived_at IS NULL")),
        ):
            if spans := [row[:3] for row in rows if row[3] == is_open]:
                inner = self._select("message AS m", [place, sent_there, extra], page)
                source = self._dialect.rows("span", name, ("recipient_id", "low", "high"))
                yield Sql(self._dialect.nearest(source, inner.text), {**inner.values, name: spans})

    def _is_muted(self, recipient_id: RecipientId) -> bool:
        mine = self._viewer.subscriptions.get(ChannelId(recipient_id))
        return mine is not None and mine.is_muted

    def _from_topics(self, policy: VisibilityPolicy, page: Page) -> Sql:
        """Return a query for the nearest ids of each topic for which the reader has this policy."""
        topics = (
            "(SELECT channel_id, topic_key FROM topic_policy"
            f" WHERE user_id = :user_id AND policy = {int(policy)}) AS chosen"
        )
        place = Sql("m.recipient_id = chosen.channel_id AND m.topic_key = chosen.topic_key")
        inner = self._select("message AS m", [place, BETWEEN, self._candidate()], page)
        return Sql(self._dialect.nearest(topics, inner.text), inner.values)

    def _from_words(self, search: Search, page: Page) -> list[Sql]:
        """Return queries by the search index, restricted to the recipients of the narrow if these are few.

        A newcomer has received few of all messages with a common word. In the channels into which the reader
        came lately, only messages since then can match, besides own copies and moved messages.
        """
        recipients: set[RecipientId] = {*self._scope.channels_of_rows}
        recipients |= {bound.recipient_id for bound in self._scope.bounds}
        if not search.words or not recipients:
            return []
        lately = self._came_lately()
        others = {bound.recipient_id for bound in self._scope.bounds} - lately.keys()
        if not lately or len(others) > MAX_RECIPIENT_TOKENS:
            few = recipients if len(recipients) <= MAX_RECIPIENT_TOKENS else set()
            return [self._by_words(search, few, page, page.low)]
        words = all_of([search], self._dialect)
        found = [self._from_rows(int(Flag.HISTORICAL), page, words), *self._moved_here(page, words)]
        since = max(page.low, min(lately.values()))
        if since <= page.high:
            few = set(lately) if len(lately) <= MAX_RECIPIENT_TOKENS else set()
            found.append(self._by_words(search, few, page, since, "lately_"))
        if others:
            found.append(self._by_words(search, others, page, page.low))
        return found

    def _came_lately(self) -> Mapping[RecipientId, int]:
        """Return the channels that the reader has been in only for the newer half of the log, each with the
        position from which on.
        """
        first: dict[RecipientId, int] = {}
        for bound in self._scope.bounds:
            if bound.recipient_id in self._scope.channels_of_rows:
                first[bound.recipient_id] = min(bound.low, first.get(bound.recipient_id, TOP))
        middle = self._session.recall.position // 2
        return {recipient_id: low for recipient_id, low in first.items() if low > middle}

    def _by_words(
        self, search: Search, among: Collection[RecipientId], page: Page, since: int, name: str = ""
    ) -> Sql:
        """Return a query by the search index, from the position *since* on, for some recipients; none stands
        for all. The names of its parameters begin with *name*.
        """
        groups = [[word] for word in search.words]
        if among:
            groups.append([recipient_token(recipient_id) for recipient_id in sorted(among)])
        words = has_words(groups, f"{name}words", self._dialect)
        in_range = f"BETWEEN :{name}since AND :high"
        # With another rare term, few messages with the words match: beginning at the anchor is of no use.
        has_others = any(
            traits(term).is_rare or term == UNREAD for term in self._narrow.terms if term != search
        )
        fence = self._dialect.fence if has_others else ""
        # Both tables have the range: PostgreSQL may read them side by side, and would begin at the start
        # otherwise.
        conditions = [
            Sql("m.id = message_search.rowid", {**words.values, f"{name}since": since}),
            Sql(f"m.id {in_range}"),
            has_phrases(search.phrases, "phrase", self._dialect),
            self._candidate(),
        ]
        source = (
            f"(SELECT rowid, folded FROM message_search WHERE {words.text} AND rowid {in_range}{fence})"
            " AS message_search CROSS JOIN message AS m"
        )
        return self._select(source, conditions, page, "message_search.rowid")

    def _above_watermarks(self, bounds: Iterable[Bound]) -> Iterable[Bound]:
        """Yield the ranges without the part below the reader's watermarks."""
        assert self._viewer.user_id is not None
        watermarks = Watermarks(self._session).of(self._viewer.user_id)
        for bound in bounds:
            known = bound.recipient_id in self._viewer.subscriptions
            watermark = watermarks.get(bound.recipient_id, READ_FOR_EVER if known else 0)
            yield Bound(bound.recipient_id, max(bound.low, watermark + 1), bound.high)
