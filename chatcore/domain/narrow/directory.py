"""Resolution of names and ids in a narrow: the protocol that `parse` uses, and a plain implementation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.recipients import Recipient

_Id = TypeVar("_Id", bound=int)


class Directory(Protocol):
    """Implemented by callers of `parse`, for one reader.

    The type of an argument decides its meaning: an integer is an id, text is a name or an email. Texts are
    stripped and in lower case; integers are within 0..2**63-1. None means: no such entity for this reader.
    """

    def channel(self, name_or_id: str | int) -> ChannelId | None:
        """Return a channel, archived or not, readable or not."""

    def user(self, email_or_id: str | int) -> UserId | None:
        """Return a user, deactivated or not, or a system bot."""

    def recipient(self, message_id: MessageId) -> Recipient | None:
        """Return the current recipient of a message, if it exists and the reader may read it."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """A directory built from mappings, for programs without a store. The case of names does not count."""

    channels: Mapping[str, ChannelId] = field(default_factory=dict)
    users: Mapping[str, UserId] = field(default_factory=dict)
    recipients: Mapping[MessageId, Recipient] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "channels", {name.lower(): known for name, known in self.channels.items()})
        object.__setattr__(self, "users", {email.lower(): known for email, known in self.users.items()})

    def channel(self, name_or_id: str | int) -> ChannelId | None:
        return _look_up(name_or_id, self.channels)

    def user(self, email_or_id: str | int) -> UserId | None:
        return _look_up(email_or_id, self.users)

    def recipient(self, message_id: MessageId) -> Recipient | None:
        return self.recipients.get(message_id)


def _look_up(name_or_id: str | int, ids: Mapping[str, _Id]) -> _Id | None:
    if isinstance(name_or_id, str):
        return ids.get(name_or_id)
    return next((known for known in ids.values() if known == name_or_id), None)
