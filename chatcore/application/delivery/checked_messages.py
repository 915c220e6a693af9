"""Messages between the rules about sending and their delivery."""

from collections.abc import Collection
from dataclasses import dataclass

from chatcore.application.delivery.rendering import RenderedText
from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import MessageId, QueueId, UserId
from chatcore.domain.messages.recipients import Recipient
from chatcore.domain.people.users import User
from chatcore.domain.topics import VisibilityPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """How a client recognizes a message that it has sent, in the event and when it repeats the request."""

    queue_id: QueueId
    local_id: str
    digest: str
    """It distinguishes a repeated request from another one with the same local id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMessage:
    """A message that may be sent: all rules about sending are checked."""

    sender: User
    recipient: Recipient
    channel: Channel | None = None
    """None for a direct message."""
    people: tuple[User, ...] = ()
    """For a direct message, everybody in it."""
    text: RenderedText
    client: str
    read_by_sender: bool
    echo: Echo | None = None
    widget: str | None = None
    """The content of the first submessage, for a message with a widget."""
    caused_by: UserId | None = None
    """For a notice, the user whose action it reports; for this user it is marked as read."""
    unread_for: Collection[UserId] | None = None
    """For a message that arrives read, the receivers for whom it is unread; None for any other message."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of sending."""

    message_id: MessageId
    automatic_new_visibility_policy: VisibilityPolicy | None = None
    calls_bots: bool = False
    """Whether services of bots have to be asked about it."""
