"""Submessages; `Messages` returns messages with their submessages."""

from typing import Protocol

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.messages import Submessage


class Submessages(Protocol):
    def add(self, message_id: MessageId, sender_id: UserId, msg_type: str, content: str) -> Submessage:
        """Add a submessage after those that the message has."""
