"""Messages that wait for a mail to a person; and how far they were looked at, for mails and for pushes."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.sent_mail.missed import Medium, MissedConversation


class MissedConversations(Protocol):
    def backlog(self, medium: Medium) -> tuple[Position, Position]:
        """Return the last message that was looked at for a medium, and the newest one.

        Cheap enough to be called every second.
        """

    def new_messages(self, after: Position, since: int, limit: int) -> Sequence[MessageId]:
        """Return the first messages above a position that were sent at a time or later, ascending."""

    def look_no_further_than(self, medium: Medium, position: Position) -> None:
        """Store the last message that was looked at for a medium."""

    def mentioned_in(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        """Return the people whom messages mention, themselves or as people of their topic."""

    def wanting_channel(self, medium: Medium, channel_id: RecipientId) -> frozenset[UserId]:
        """Return the subscribers of a channel who have chosen, by a setting of this subscription, that a
        medium tells of all its messages.
        """

    def having_switched_on(self, setting: str) -> frozenset[UserId]:
        """Return the accounts that have set the account setting of this name to true.

        It examines every account, so it is for work beside requests.
        """

    def find(self, user_id: UserId, recipient_id: RecipientId, topic_key: str) -> MissedConversation | None:
        """Return the messages of one conversation that wait for a person."""

    def count(self, user_id: UserId) -> int:
        """Return the number of conversations that wait for a person."""

    def first_due(self) -> MissedConversation | None: ...

    def due(self, now: int, limit: int) -> Sequence[MissedConversation]:
        """Return the first of those that are due."""

    def put(self, missed: MissedConversation) -> None:
        """Store it, in place of the one of this person and conversation."""

    def remove(self, missed: MissedConversation) -> None:
        """Remove the one of this person and conversation."""
