"""Conversations: the sets of people who have direct messages."""

from collections.abc import Collection, Mapping, Sequence

from peewee import Select, fn

from chatcore.domain.ids import ConversationId, MessageId, UserId
from chatcore.domain.messages.recipients import DirectRecipient
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.recipients import new_recipients, people_from, people_key
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import Conversation, ConversationMember, Message
from storage_backends.sql.statement import Statement, in_list, insert, param

NEWEST = Message.select(fn.max(Message.id)).where(Message.recipient_id == Conversation.id)
MINE = (
    Conversation.select(Conversation.id, Conversation.people, NEWEST.alias("newest"))
    .join(ConversationMember, on=ConversationMember.conversation_id == Conversation.id)
    .where(ConversationMember.user_id == param("user_id"))
    .alias("mine")
)

FIND = Statement(Conversation.select(Conversation.id).where(Conversation.people == param("people")))
FIND_MANY = Statement(
    Conversation.select(Conversation.id, Conversation.people).where(
        in_list(Conversation.id, "conversation_ids")
    )
)
FIND_OF_USER = Statement(
    Conversation.select(Conversation.id, Conversation.people)
    .join(ConversationMember, on=ConversationMember.conversation_id == Conversation.id)
    .where(ConversationMember.user_id == param("user_id"))
    .order_by(Conversation.id)
)
FIND_IDS_OF_USER = Statement(
    ConversationMember.select(ConversationMember.conversation_id).where(
        ConversationMember.user_id == param("user_id")
    )
)
FIND_A_MESSAGE = Statement(
    Message.select(Message.id).where(Message.recipient_id == param("conversation_id")).limit(1)
)
FIND_RECENT = Statement(
    Select([MINE], [MINE.c.id, MINE.c.people, MINE.c.newest])
    .where(MINE.c.newest.is_null(False))
    .order_by(MINE.c.newest.desc())
    .limit(param("count"))
)
ADD = Statement(insert(Conversation))
ADD_MEMBER = Statement(insert(ConversationMember))


class Conversations(SqlRepository):
    def find(self, user_ids: frozenset[UserId]) -> DirectRecipient | None:
        conversation_id = self._session.value(FIND, people=people_key(user_ids))
        return None if conversation_id is None else DirectRecipient(conversation_id, user_ids)

    def get_or_add(self, user_ids: frozenset[UserId]) -> DirectRecipient:
        """Find the conversation of exactly these people, or add it as a new recipient."""
        if (known := self.find(user_ids)) is not None:
            return known
        (conversation_id,) = new_recipients(self._session, "conversation")
        self._session.run(ADD, id=conversation_id, people=people_key(user_ids), size=len(user_ids))
        self._session.run_many(
            ADD_MEMBER,
            [{"user_id": user_id, "conversation_id": conversation_id} for user_id in sorted(user_ids)],
        )
        return DirectRecipient(ConversationId(conversation_id), user_ids)

    def by_ids(
        self, conversation_ids: Collection[ConversationId]
    ) -> Mapping[ConversationId, DirectRecipient]:
        rows = self._session.rows(FIND_MANY, conversation_ids=conversation_ids)
        return {row.id: DirectRecipient(row.id, people_from(row.people)) for row in rows}

    def of_user(self, user_id: UserId) -> Sequence[DirectRecipient]:
        def read() -> Sequence[DirectRecipient]:
            rows = self._session.rows(FIND_OF_USER, user_id=user_id)
            return [DirectRecipient(row.id, people_from(row.people)) for row in rows]

        return self._session.recall.one(
            RememberedKind.MEMBERSHIPS, "people of conversations", read, key=user_id
        )

    def ids_of(self, user_id: UserId) -> Sequence[ConversationId]:
        """Return the conversations that a user is in."""

        def read() -> Sequence[ConversationId]:
            return self._session.column(FIND_IDS_OF_USER, user_id=user_id)

        return self._session.recall.one(RememberedKind.MEMBERSHIPS, "conversations", read, key=user_id)

    def has_messages(self, conversation_id: ConversationId) -> bool:
        return self._session.value(FIND_A_MESSAGE, conversation_id=conversation_id) is not None

    def recent(self, user_id: UserId, limit: int) -> Sequence[tuple[DirectRecipient, MessageId]]:
        rows = self._session.rows(FIND_RECENT, user_id=user_id, count=limit)
        return [(DirectRecipient(row.id, people_from(row.people)), MessageId(row.newest)) for row in rows]
