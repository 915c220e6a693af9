"""Messages that are sent at a later time, and reminders of messages."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chatcore.domain.errors import BadRequest, NotFound
from chatcore.domain.ids import ChannelId, MessageId, ScheduledId, UserId

LATEST: Final = 253_402_300_799
"""The end of the year 9999: many programs cannot show later times as dates."""
NOT_STORED: Final = ScheduledId(0)


class DestinationKind(StrEnum):
    """The kinds of destinations, by the names that the API has for them."""

    CHANNEL = "stream"
    DIRECT = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """A message that waits for its time, or could not be sent then.

    A reminder is one from the notification bot to the author, about the message `reminds_of`.
    """

    id: ScheduledId = NOT_STORED
    author_id: UserId
    due: int
    channel_id: ChannelId | None = None
    """None for a direct message."""
    people: tuple[UserId, ...] = ()
    """The people of a direct message, as the author named them."""
    topic: str = ""
    content: str
    rendered_content: str
    """The HTML at the time of scheduling, for the author's clients; sending renders the text again."""
    client: str = ""
    read_by_sender: bool = True
    failure: str | None = None
    """The reason why it could not be sent; then it waits for its author to change or delete it."""
    reminds_of: MessageId | None = None
    note: str = ""

    @property
    def kind(self) -> DestinationKind:
        return DestinationKind.DIRECT if self.channel_id is None else DestinationKind.CHANNEL

    @property
    def is_reminder(self) -> bool:
        return self.reminds_of is not None


class NoSuchScheduledMessage(NotFound):
    """The single error for a scheduled message that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Scheduled message does not exist")


def require_future(due: int, now: int) -> None:
    """Refuse a time that is not in the future, or is later than `LATEST`.

    :raises BadRequest:
    """
    if due <= now:
        raise due_in_past()
    if due > LATEST:
        raise BadRequest("Scheduled delivery time is too far in the future.")


def due_in_past() -> BadRequest:
    """Return the error for a message that is to be sent at once or earlier."""
    return BadRequest("Scheduled delivery time must be in the future.")
