"""Scheduled messages and reminders; each belongs to one user and is accessible only through that user."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.scheduled.scheduled_messages import Scheduled


class ScheduledMessages(Protocol):
    def find(self, user_id: UserId, scheduled_id: int) -> Scheduled | None:
        """Return one of the user's scheduled messages or reminders."""

    def of_user(self, user_id: UserId) -> Sequence[Scheduled]:
        """Return the user's scheduled messages and reminders; the first that is due comes first."""

    def count(self, user_id: UserId, *, reminders: bool) -> int: ...

    def size(self, user_id: UserId) -> int:
        """Return the number of bytes of all of the user's texts here, as source and as HTML."""

    def first_due(self) -> Scheduled | None:
        """Return the message or reminder of all users that is due first. Failed ones do not count.

        Cheap enough to be called every second.
        """

    def due_authors(self, until: int, limit: int) -> Sequence[UserId]:
        """Return the users who have messages or reminders that are due at *until* or before and have not
        failed; the user who has waited for longest comes first.
        """

    def due_of(self, user_id: UserId, until: int, limit: int) -> Sequence[Scheduled]:
        """Return the user's first messages and reminders that are due at *until* or before and have not
        failed.
        """

    def add(self, scheduled: Scheduled) -> Scheduled:
        """Store a scheduled message or reminder; return it with its id."""

    def update(self, scheduled: Scheduled) -> None:
        """Write a scheduled message or reminder that was found before."""

    def remove(self, user_id: UserId, scheduled_id: int) -> bool:
        """Remove one of the user's scheduled messages or reminders; return whether it existed."""
