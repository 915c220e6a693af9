"""The scopes from which messages are deleted by themselves: channels, and all direct messages together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chatcore.application.units import View
from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId
from chatcore.domain.retention.due import Deadline, days_kept, deadline_of
from chatcore.storage import Snapshot
from chatcore.storage.retention.retention import DueMessage

BATCH: Final = 200
"""Messages that are deleted, or counted, at a time."""


@dataclass(frozen=True, slots=True)
class RetentionScope:
    """A channel, or without one the direct messages."""

    channel: Channel | None
    days: int
    """Days for which its messages are kept."""

    @property
    def channel_id(self) -> ChannelId | None:
        return None if self.channel is None else self.channel.id


@dataclass(frozen=True, slots=True)
class Amount:
    """What is, or would be, deleted."""

    messages: int = 0
    files: int = 0
    size: int = 0
    """Bytes of these files."""

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.messages + other.messages, self.files + other.files, self.size + other.size)


def scopes_in(snapshot: Snapshot) -> Sequence[RetentionScope]:
    """Return the scopes that keep their messages for some time only, but for channels that are held."""
    scopes = (scope_of(snapshot, channel) for channel in (None, *snapshot.channels.all()))
    return [scope for scope in scopes if scope is not None]


def scope_of(snapshot: Snapshot, channel: Channel | None) -> RetentionScope | None:
    """Return the scope of a channel, or of direct messages, if messages are deleted from it."""
    days = days_kept(channel, snapshot.organization.get())
    if days is None or (channel is not None and channel.id in snapshot.holds.present().channels):
        return None
    return RetentionScope(channel, days)


def present_deadline(view: View, scope: RetentionScope, begun: int) -> Deadline:
    """Return the deadline of a scope at this moment, for who has *begun* at a time: whether the clock was set
    ahead since then is not known.
    """
    return deadline_of(scope.days, view.snapshot.retention.marks(), min(begun, view.now))


def find_due(
    view: View, scope: RetentionScope, deadline: Deadline, after: DueMessage | None
) -> Sequence[DueMessage]:
    """Return the oldest messages of a scope that are due: those that come after *after*, if it is given."""
    held = view.snapshot.holds.present().people
    return view.snapshot.retention.due(scope.channel_id, deadline, held, after=after, limit=BATCH)
