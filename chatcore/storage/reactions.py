"""Reactions to messages; a message comes with its reactions out of `Messages`."""

from typing import Protocol

from chatcore.domain.ids import MessageId
from chatcore.domain.messages import Reaction


class Reactions(Protocol):
    def add(self, message_id: MessageId, reaction: Reaction) -> None:
        """A new reaction, behind those that the message has."""

    def remove(self, message_id: MessageId, reaction: Reaction) -> None:
        """Take back the reaction of that user with that kind and code."""
