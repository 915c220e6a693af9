"""Reactions to messages; `Messages` returns messages with their reactions."""

from typing import Protocol

from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import Reaction


class Reactions(Protocol):
    def add(self, message_id: MessageId, reaction: Reaction) -> None:
        """Add a reaction after those that the message has."""

    def remove(self, message_id: MessageId, reaction: Reaction) -> None:
        """Remove the reaction of that user with that kind and code."""
