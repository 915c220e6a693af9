"""Periods in which users had muted others."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from chatcore.domain.channels.channels import Period
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages.messages import Message
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import MutingPeriod
from storage_backends.sql.statement import ROW_COUNT, Statement, in_list, insert, param

MOST_SEARCHED = 1000
"""The number of messages, of any sender, that are searched for one by the muted user. If there are more since
the muting, the period is kept without looking further.
"""

OF_USER = MutingPeriod.user_id == param("user_id")
OF_MUTED = MutingPeriod.muted_id == param("muted_id")
OPEN = MutingPeriod.until_position.is_null()

FIND_OF_USER = Statement(
    MutingPeriod.select(MutingPeriod.muted_id, MutingPeriod.muted_at)
    .where(OF_USER, OPEN)
    .order_by(MutingPeriod.muted_at, MutingPeriod.muted_id)
)
COUNT = Statement(MutingPeriod.select(ROW_COUNT).where(OF_USER))
FIND_WHO_MUTED = Statement(MutingPeriod.select(MutingPeriod.user_id).where(OF_MUTED, OPEN))
PERIODS = MutingPeriod.select(
    MutingPeriod.user_id, MutingPeriod.muted_id, MutingPeriod.start_position, MutingPeriod.until_position
)
FIND_PERIODS = Statement(
    PERIODS.where(in_list(MutingPeriod.user_id, "user_ids"), in_list(MutingPeriod.muted_id, "muted_ids"))
)
FIND_PERIODS_OF_USER = Statement(PERIODS.where(OF_USER))
ADD = Statement(insert(MutingPeriod, "user_id", "muted_id", "start_position", "muted_at"))
FIND_SENDERS = Statement(
    schema.Message.select(schema.Message.sender_id)
    .where(
        schema.Message.id >= MutingPeriod.select(MutingPeriod.start_position).where(OF_USER, OF_MUTED, OPEN)
    )
    .order_by(schema.Message.id)
    .limit(MOST_SEARCHED)
)
CLOSE = Statement(
    MutingPeriod.update({MutingPeriod.until_position: param("position")}).where(OF_USER, OF_MUTED, OPEN)
)
REMOVE = Statement(MutingPeriod.delete().where(OF_USER, OF_MUTED, OPEN))


class MutedUsers(SqlRepository):
    def of_user(self, user_id: UserId) -> Mapping[UserId, int]:
        def read() -> Mapping[UserId, int]:
            return self._session.mapping(FIND_OF_USER, user_id=user_id)

        return self._session.recall.one(RememberedKind.PREFERENCES, "muted", read, key=user_id)

    def count_periods(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT, user_id=user_id))

    def who_muted(self, muted_id: UserId) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_WHO_MUTED, muted_id=muted_id))

    def had_muted(
        self, messages: Sequence[Message], user_ids: Collection[UserId]
    ) -> Mapping[MessageId, frozenset[UserId]]:
        """Compare the positions of messages with the periods in which users had muted their senders."""
        if not messages:
            return {}
        by_sender: defaultdict[UserId, list[tuple[UserId, Period]]] = defaultdict(list)
        for row in self._periods(user_ids, {message.sender_id for message in messages}):
            by_sender[row.muted_id].append((row.user_id, Period(row.start_position, row.until_position)))
        if not by_sender:
            return {}
        muters = {}
        for message in messages:
            periods = by_sender.get(message.sender_id, ())
            if users := frozenset(user_id for user_id, period in periods if period.covers(message.id)):
                muters[message.id] = users
        return muters

    def _periods(self, user_ids: Collection[UserId], sender_ids: Collection[UserId]) -> Sequence[Any]:
        """Return the periods in which the users had muted the senders, and of a single user maybe more."""
        if len(user_ids) != 1:
            return self._session.rows(FIND_PERIODS, user_ids=user_ids, muted_ids=sender_ids)

        (user_id,) = user_ids

        def read() -> Sequence[Any]:
            return self._session.rows(FIND_PERIODS_OF_USER, user_id=user_id)

        return self._session.recall.one(RememberedKind.PREFERENCES, "muting", read, key=user_id)

    def add(self, user_id: UserId, muted_id: UserId, at: int, position: Position) -> None:
        self._session.run(ADD, user_id=user_id, muted_id=muted_id, start_position=position, muted_at=at)

    def remove(self, user_id: UserId, muted_id: UserId, position: Position) -> None:
        """End a muting. A period in which the muted user is known to have written nothing has no effect and
        is deleted, or periods would pile up.
        """
        sender_ids = self._session.column(FIND_SENDERS, user_id=user_id, muted_id=muted_id)
        if len(sender_ids) == MOST_SEARCHED or muted_id in sender_ids:
            self._session.run(CLOSE, user_id=user_id, muted_id=muted_id, position=position)
        else:
            self._session.run(REMOVE, user_id=user_id, muted_id=muted_id)
