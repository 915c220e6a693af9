"""Submessages. `message.has_submessages` says whether there are any: most messages have none."""

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.messages import Submessage
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Message
from storage_backends.sql.statement import Statement, in_list, insert, param

TABLE = schema.Submessage
FIND = (
    Statement(TABLE.select().where(in_list(TABLE.message_id, "message_ids")).order_by(TABLE.id))
    .of(Submessage)
    .by("message_id")
)
ADD = Statement(insert(TABLE).returning(TABLE.id))
NOTE_ADDED = Statement(
    Message.update({Message.has_submessages: True}).where(Message.id == param("message_id"))
)


class Submessages(SqlRepository):
    def add(self, message_id: MessageId, sender_id: UserId, msg_type: str, content: str) -> Submessage:
        number = self._session.value(
            ADD, message_id=message_id, sender_id=sender_id, msg_type=msg_type, content=content
        )
        self._session.run(NOTE_ADDED, message_id=message_id)
        return Submessage(id=number, sender_id=sender_id, msg_type=msg_type, content=content)
