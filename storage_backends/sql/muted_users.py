"""Whom people have muted, and when."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.channels import Period
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages import Message
from storage_backends.sql.session import Session

SHORT = 1000
"""Messages of all people, up to which it is looked whether the muted one wrote any of them."""


class MutedUsers:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Mapping[UserId, int]:
        rows = self._session.rows(
            "SELECT muted_id, muted_at FROM muting_period WHERE user_id = ? AND until_position IS NULL"
            " ORDER BY muted_at, muted_id",
            user_id,
        )
        return dict(rows)

    def count_periods(self, user_id: UserId) -> int:
        ((count,),) = self._session.rows("SELECT count(*) FROM muting_period WHERE user_id = ?", user_id)
        return int(count)

    def who_muted(self, muted_id: UserId) -> frozenset[UserId]:
        rows = self._session.rows(
            "SELECT user_id FROM muting_period WHERE muted_id = ? AND until_position IS NULL", muted_id
        )
        return frozenset(row[0] for row in rows)

    def had_muted(
        self, messages: Sequence[Message], user_ids: Collection[UserId]
    ) -> Mapping[MessageId, frozenset[UserId]]:
        if not messages:
            return {}
        backend = self._session.backend
        periods: defaultdict[UserId, list[tuple[UserId, Period]]] = defaultdict(list)
        for user_id, muted_id, start, until in self._session.rows(
            "SELECT user_id, muted_id, start_position, until_position FROM muting_period"
            f" WHERE user_id {backend.in_list} AND muted_id {backend.in_list}",
            backend.listed(user_ids),
            backend.listed({message.sender_id for message in messages}),
        ):
            periods[muted_id].append((user_id, Period(start, until)))
        if not periods:
            return {}
        found = {}
        for message in messages:
            theirs = periods.get(message.sender_id, ())
            if users := frozenset(user_id for user_id, period in theirs if period.covers(message.id)):
                found[message.id] = users
        return found

    def add(self, user_id: UserId, muted_id: UserId, at: int, position: Position) -> None:
        self._session.run(
            "INSERT INTO muting_period (user_id, muted_id, start_position, muted_at) VALUES (?, ?, ?, ?)",
            user_id,
            muted_id,
            position,
            at,
        )

    def remove(self, user_id: UserId, muted_id: UserId, position: Position) -> None:
        """A short time in which the muted one wrote nothing is forgotten, or they would grow without end."""
        this = "user_id = ? AND muted_id = ? AND until_position IS NULL"
        sent = self._session.rows(
            "SELECT sender_id FROM message WHERE id >= ("
            f"SELECT start_position FROM muting_period WHERE {this}) ORDER BY id LIMIT {SHORT}",
            user_id,
            muted_id,
        )
        if len(sent) == SHORT or (muted_id,) in sent:
            statement = f"UPDATE muting_period SET until_position = ? WHERE {this}"
            self._session.run(statement, position, user_id, muted_id)
        else:
            self._session.run(f"DELETE FROM muting_period WHERE {this}", user_id, muted_id)
