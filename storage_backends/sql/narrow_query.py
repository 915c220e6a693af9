"""Looking for the messages of a narrow.

They are looked for in the reader's recipients one by one, each from the anchor on and no further than the
page is long, so that neither a long history nor many channels make a fetch slow. Terms that few messages
fulfil (a star, an unread message, a word) start from the index of those instead.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, RecipientId
from chatcore.domain.narrow.terms import (
    DirectWith,
    Has,
    HasFlag,
    InConversation,
    InTopic,
    IsFollowed,
    IsResolved,
    Narrow,
    Not,
    Search,
    SentBy,
    WithId,
)
from chatcore.domain.topics import VisibilityPolicy
from chatcore.domain.viewer import Viewer
from storage_backends.sql.flag_rows import UNREAD_BELOW, rows_with
from storage_backends.sql.messages import recipient_token
from storage_backends.sql.narrow_terms import TRUE, Sql, Terms, joined
from storage_backends.sql.periods import was_subscribed
from storage_backends.sql.session import Session
from storage_backends.sql.watermarks import READ_FOR_EVER, Watermarks

TOP = READ_FOR_EVER
RARE = (Search, WithId, HasFlag, Has, IsResolved, IsFollowed, InConversation, DirectWith, InTopic, SentBy)
"""Terms that an index of their own, or a recipient's, answers best."""

UNREAD = Not(HasFlag(Flag.READ))

FEW_RECIPIENTS = 8
"""Up to so many recipients, a page of each is read and the nearest of them taken."""
MAX_ENDED = 64
"""Up to so many stretches that have ended are looked at first, those nearest to the anchor: who has come and
gone very often has thousands, and a page is mostly full after a few.
"""
MAX_RECIPIENT_TOKENS = 8
"""Up to so many recipients a search asks the index for; beyond, it tests what the words find."""


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


class Query:
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
        near, beyond = self._near(low, high, descending=descending)
        if beyond is not None:
            found = self._ids_in(near, low, high, count, order)
            if len(found) == count and (found[-1] >= beyond if descending else found[-1] <= beyond):
                return found
        return self._ids_in(self._scope.bounds, low, high, count, order)

    def _near(self, low: int, high: int, *, descending: bool) -> tuple[Sequence[Bound], int | None]:
        """The stretches nearest to the anchor, and the near end of the first one that is left out; None where
        none is.
        """
        ended = [one for one in self._scope.bounds if one.high < TOP and one.low <= high and one.high >= low]
        if len(ended) <= MAX_ENDED:
            return self._scope.bounds, None
        ended.sort(key=lambda one: -one.high if descending else one.low)
        first_beyond = ended[MAX_ENDED]
        near = [one for one in self._scope.bounds if one.high >= TOP] + ended[:MAX_ENDED]
        return near, first_beyond.high if descending else first_beyond.low

    def _ids_in(
        self, bounds: Sequence[Bound], low: int, high: int, count: int, order: str
    ) -> list[MessageId]:
        branches = self._branches(bounds, low, high, Sql(f"ORDER BY m.id {order} LIMIT ?", (count,)))
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
        nearest = Sql(
            f"SELECT id FROM message AS every WHERE id BETWEEN ? AND ? ORDER BY id {order} LIMIT ?",
            (low, high, count * 3 + 20),
        )
        if order == "DESC":
            between = Sql(
                f"m.id BETWEEN (SELECT min(id) FROM ({nearest.text}) AS n) AND ?", (*nearest.values, high)
            )
        else:
            between = Sql(
                f"m.id BETWEEN ? AND (SELECT max(id) FROM ({nearest.text}) AS n)", (low, *nearest.values)
            )
        where = joined(" AND ", [between, self._candidate(), self._where])
        rows = self._session.rows(
            f"SELECT m.id FROM message AS m WHERE {where.text} ORDER BY m.id {order} LIMIT ?",
            *where.values,
            count,
        )
        return [row[0] for row in rows]

    def _branches(self, bounds: Iterable[Bound], low: int, high: int, tail: Sql) -> list[Sql]:
        """Ways to the messages that together reach every one of these stretches, and everything outside of
        stretches; each is a SELECT of nearest ids.
        """
        between = Sql("m.id BETWEEN ? AND ?", (low, high))
        if (search := self._narrow.search) is not None:
            return self._from_words(search, between, tail)
        rows: list[Sql] = []
        moved = self._moved_here(between, tail)
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
                    bounds = self._above_watermarks(bounds)
                    moved = []  # what is unread of it has a row, or lies in the stretch that is open
                    break
        else:
            if self._scope.channels_of_rows:
                rows = [self._from_rows(int(Flag.HISTORICAL), between, tail)]
        return [*rows, *moved, *self._nearest(bounds, low, high, extra, tail)]

    def _select(self, source: str, conditions: Sequence[Sql], tail: Sql) -> Sql:
        where = joined(" AND ", [*conditions, self._where])
        return Sql(f"SELECT m.id FROM {source} WHERE {where.text} {tail.text}", where.values + tail.values)

    def _nearest(self, bounds: Iterable[Bound], low: int, high: int, extra: Sql, tail: Sql) -> Iterator[Sql]:
        """The nearest ids of each stretch, by the index of its recipient.

        What lies in a stretch without an end has also arrived in it. Into one that has ended it may have been
        moved later, when the reader was gone.
        """
        rows = [
            (bound.recipient_id, max(bound.low, low), min(bound.high, high), bound.high == TOP)
            for bound in bounds
            if bound.low <= high and bound.high >= low
        ]
        place = Sql("m.recipient_id = stretch.recipient_id AND m.id BETWEEN stretch.low AND stretch.high")
        source = self._backend.rows("stretch", ("recipient_id", "low", "high"))
        for is_open, sent_there in ((True, TRUE), (False, Sql("m.arrived_at IS NULL"))):
            if stretches := [row[:3] for row in rows if row[3] == is_open]:
                inner = self._select("message AS m", [place, sent_there, extra], tail)
                values = self._backend.row_values(stretches) + inner.values
                yield Sql(self._backend.nearest(source, inner.text), values)

    def _moved_here(self, between: Sql, tail: Sql) -> list[Sql]:
        """What was moved into a channel while the reader was subscribed, however old it is."""
        channel_ids = {bound.recipient_id for bound in self._scope.bounds} & self._scope.channels_of_rows
        if not channel_ids:
            return []
        place = Sql("m.recipient_id = place.recipient_id AND m.arrived_at IS NOT NULL")
        received = Sql(was_subscribed("?", "m.recipient_id", "m.arrived_at"), (self._viewer.user_id,))
        by_index = self._backend.by_index("message_arrived")
        inner = self._select(f"message AS m{by_index}", [place, between, received], tail)
        source = self._backend.rows("place", ("recipient_id",))
        values = self._backend.row_values([(channel_id,) for channel_id in sorted(channel_ids)])
        return [Sql(self._backend.nearest(source, inner.text), values + inner.values)]

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

    def _above_watermarks(self, bounds: Iterable[Bound]) -> Iterable[Bound]:
        """The stretches without what lies below the reader's watermarks."""
        assert self._viewer.user_id is not None
        watermarks = Watermarks(self._session).of(self._viewer.user_id)
        for bound in bounds:
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
