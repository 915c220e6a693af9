"""Messages that wait for a mail to a person; and how far they were looked at, for mails and for pushes."""

from collections.abc import Collection, Mapping, Sequence

from peewee import fn

from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.sent_mail.missed import MAILS, PUSHES, Medium, MissedConversation
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Message, MessageFlag, MissedProgress, Subscription
from storage_backends.sql.statement import ROW_COUNT, Statement, in_list, param, upsert
from storage_backends.sql.values import columns_of

TABLE = schema.MissedConversation

IS_THIS = (
    TABLE.user_id == param("user_id"),
    TABLE.recipient_id == param("recipient_id"),
    TABLE.topic_key == param("topic_key"),
)

FIND_BACKLOG = Statement(
    MissedProgress.select(MissedProgress.position, Message.select(fn.max(Message.id)).alias("newest")).where(
        MissedProgress.id == param("medium")
    )
)
FIND_NEW = Statement(
    Message.select(Message.id)
    .where(Message.id > param("after"), Message.timestamp >= param("since"))
    .order_by(Message.id)
    .limit(param("count"))
)
PUT_PROGRESS = upsert(MissedProgress)
FIND_MENTIONED = Statement(
    MessageFlag.select(MessageFlag.message_id, MessageFlag.user_id).where(
        in_list(MessageFlag.message_id, "message_ids"),
        MessageFlag.bits.bin_and(int(Flag.MENTIONED | Flag.TOPIC_WILDCARD)) != 0,
    )
)
FIND_WANTING = {
    medium: Statement(
        Subscription.select(Subscription.user_id).where(
            Subscription.active,
            Subscription.channel_id == param("channel_id"),
            getattr(Subscription, medium.of_channel),
        )
    )
    for medium in (MAILS, PUSHES)
}
FIND_HAVING_SWITCHED_ON = Statement("SELECT id FROM account WHERE is_active AND settings LIKE :pattern")
FIND = Statement(TABLE.select().where(*IS_THIS)).of(MissedConversation)
COUNT = Statement(TABLE.select(ROW_COUNT).where(TABLE.user_id == param("user_id")))
FIRST_DUE = Statement(TABLE.select().order_by(TABLE.due).limit(1)).of(MissedConversation)
DUE = Statement(TABLE.select().where(TABLE.due <= param("now")).order_by(TABLE.due).limit(param("count"))).of(
    MissedConversation
)
PUT = upsert(TABLE)
REMOVE = Statement(TABLE.delete().where(*IS_THIS))


class MissedConversations(SqlRepository):
    def backlog(self, medium: Medium) -> tuple[Position, Position]:
        row = self._session.row(FIND_BACKLOG, medium=medium.number)
        return Position(row.position), Position(row.newest or 0)

    def new_messages(self, after: Position, since: int, limit: int) -> Sequence[MessageId]:
        return self._session.column(FIND_NEW, after=after, since=since, count=limit)

    def look_no_further_than(self, medium: Medium, position: Position) -> None:
        self._session.run(PUT_PROGRESS, id=medium.number, position=position)

    def mentioned_in(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        return self._session.sets(FIND_MENTIONED, message_ids=message_ids)

    def wanting_channel(self, medium: Medium, channel_id: RecipientId) -> frozenset[UserId]:
        return frozenset(self._session.column(FIND_WANTING[medium], channel_id=channel_id))

    def having_switched_on(self, setting: str) -> frozenset[UserId]:
        pattern = f'%"{setting}":true%'
        return frozenset(self._session.column(FIND_HAVING_SWITCHED_ON, pattern=pattern))

    def find(self, user_id: UserId, recipient_id: RecipientId, topic_key: str) -> MissedConversation | None:
        return self._session.row(FIND, user_id=user_id, recipient_id=recipient_id, topic_key=topic_key)

    def count(self, user_id: UserId) -> int:
        return int(self._session.value(COUNT, user_id=user_id))

    def first_due(self) -> MissedConversation | None:
        return self._session.row(FIRST_DUE)

    def due(self, now: int, limit: int) -> Sequence[MissedConversation]:
        return self._session.rows(DUE, now=now, count=limit)

    def put(self, missed: MissedConversation) -> None:
        self._session.run(PUT, **columns_of(TABLE, missed))

    def remove(self, missed: MissedConversation) -> None:
        self._session.run(
            REMOVE,
            user_id=missed.user_id,
            recipient_id=missed.recipient_id,
            topic_key=missed.topic_key,
        )
