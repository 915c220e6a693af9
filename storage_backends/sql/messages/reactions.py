"""Reactions to messages. `message.has_reaction` says whether there are any, for narrows."""

from peewee import fn

from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import Reaction
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Message
from storage_backends.sql.statement import Statement, in_list, insert, param
from storage_backends.sql.values import columns_of

TABLE = schema.Reaction
OF_MESSAGE = TABLE.message_id == param("message_id")

FIND = (
    Statement(TABLE.select().where(in_list(TABLE.message_id, "message_ids")).order_by(TABLE.id))
    .of(Reaction)
    .by("message_id")
)
ADD = Statement(insert(TABLE))
NOTE_ADDED = Statement(Message.update({Message.has_reaction: True}).where(Message.id == param("message_id")))
REMOVE = Statement(
    TABLE.delete().where(
        OF_MESSAGE,
        TABLE.user_id == param("user_id"),
        TABLE.reaction_type == param("reaction_type"),
        TABLE.emoji_code == param("emoji_code"),
    )
)
NOTE_REMOVED = Statement(
    Message.update({Message.has_reaction: fn.EXISTS(TABLE.select(TABLE.id).where(OF_MESSAGE))}).where(
        Message.id == param("message_id")
    )
)


class Reactions(SqlRepository):
    def add(self, message_id: MessageId, reaction: Reaction) -> None:
        self._session.run(ADD, message_id=message_id, **columns_of(TABLE, reaction))
        self._session.run(NOTE_ADDED, message_id=message_id)

    def remove(self, message_id: MessageId, reaction: Reaction) -> None:
        self._session.run(
            REMOVE,
            message_id=message_id,
            user_id=reaction.user_id,
            reaction_type=reaction.reaction_type,
            emoji_code=reaction.emoji_code,
        )
        self._session.run(NOTE_REMOVED, message_id=message_id)
