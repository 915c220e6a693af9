"""Finding the messages that are due, the marks of the time, and the one process that deletes."""

from collections.abc import Collection, Sequence
from typing import Any

from peewee import Tuple, fn

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.retention.due import ClockMark, Deadline
from chatcore.storage.retention.retention import DueMessage
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import ConversationMember, Message, RetentionClaim, RetentionMark
from storage_backends.sql.statement import Statement, in_list, insert, param
from storage_backends.sql.values import columns_of


def _find_due(*conditions: Any) -> Statement:
    """Return the statement that finds messages of some places which are old enough, oldest first."""
    is_due = (
        Message.timestamp < param("before"),
        Tuple(Message.timestamp, Message.id) > Tuple(param("after_time"), param("after_id")),
        Message.id <= param("until"),
    )
    return Statement(
        Message.select(Message.id, Message.timestamp)
        .where(*conditions, *is_due)
        .order_by(Message.timestamp, Message.id)
        .limit(param("limit"))
    )


FIND_IN_CHANNEL = _find_due(
    Message.recipient_id == param("channel_id"),
    Message.topic_key.is_null(False),
    ~in_list(Message.sender_id, "held"),
)
FIND_DIRECT = _find_due(
    Message.topic_key.is_null(),
    ~fn.EXISTS(
        ConversationMember.select(ConversationMember.user_id).where(
            ConversationMember.conversation_id == Message.recipient_id,
            in_list(ConversationMember.user_id, "held"),
        )
    ),
    ~in_list(Message.sender_id, "held"),
)
FIND_MARKS = Statement(RetentionMark.select().order_by(RetentionMark.at)).of(ClockMark)
NOTE = Statement(insert(RetentionMark))
# One that lies further ahead than a new one is from a clock that was set back since, and is over.
IS_FREE = (RetentionClaim.until <= param("now")) | (RetentionClaim.until > param("until"))
CLAIM = Statement(
    RetentionClaim.update(holder=param("holder"), until=param("until")).where(
        (RetentionClaim.holder == param("holder")) | IS_FREE
    )
)
RELEASE = Statement(RetentionClaim.update(until=0).where(RetentionClaim.holder == param("holder")))


class Retention(SqlRepository):
    def due(
        self,
        channel_id: ChannelId | None,
        deadline: Deadline,
        held: Collection[UserId],
        *,
        after: DueMessage | None = None,
        limit: int,
    ) -> Sequence[DueMessage]:
        after_id, after_time = (0, -1) if after is None else after
        values = {
            "before": deadline.before,
            "until": deadline.until,
            "after_time": after_time,
            "after_id": after_id,
            "limit": limit,
        }
        if channel_id is None:
            rows = self._session.rows(FIND_DIRECT, held=held, **values)
        else:
            rows = self._session.rows(FIND_IN_CHANNEL, channel_id=channel_id, held=held, **values)
        return [DueMessage(MessageId(row.id), row.timestamp) for row in rows]

    def marks(self) -> Sequence[ClockMark]:
        return self._session.rows(FIND_MARKS)

    def note(self, mark: ClockMark) -> None:
        self._session.run(NOTE, **columns_of(RetentionMark, mark))

    def claim(self, holder: str, now: int, until: int) -> bool:
        return self._session.run_counting(CLAIM, holder=holder, now=now, until=until) > 0

    def release(self, holder: str) -> None:
        self._session.run(RELEASE, holder=holder)
