"""Submessages. `message.has_submessages` says whether there are any: most messages have none."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages import Submessage
from storage_backends.sql.session import Session


class Submessages:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, Sequence[Submessage]]:
        """The submessages of each message, the oldest first; of no messages without a statement."""
        found: defaultdict[MessageId, list[Submessage]] = defaultdict(list)
        if message_ids:
            backend = self._session.backend
            for message_id, number, sender_id, msg_type, content in self._session.rows(
                f"""
                SELECT message_id, id, sender_id, msg_type, content FROM submessage
                WHERE message_id {backend.in_list} ORDER BY id
                """,
                backend.listed(message_ids),
            ):
                found[message_id].append(
                    Submessage(id=number, sender_id=sender_id, msg_type=msg_type, content=content)
                )
        return found

    def add(self, message_id: MessageId, sender_id: UserId, msg_type: str, content: str) -> Submessage:
        ((number,),) = self._session.rows(
            """
            INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)
            RETURNING id
            """,
            message_id,
            sender_id,
            msg_type,
            content,
        )
        self._session.run("UPDATE message SET has_submessages = ? WHERE id = ?", True, message_id)
        return Submessage(id=number, sender_id=sender_id, msg_type=msg_type, content=content)
