"""New events of the log, and who of those who wait gets which of them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from chatcore.application.accessible import known_to_each
from chatcore.application.waiter import Waiter
from chatcore.domain.api_keys import derive_api_key
from chatcore.domain.channels import Period
from chatcore.domain.errors import BadEventQueue, UserDeactivated
from chatcore.domain.ids import ChannelId, Position, QueueId, UserId
from chatcore.domain.messages import Message
from chatcore.events import types as happened
from chatcore.events.audience import KnownMemberships, channel_of, hears, overhears
from chatcore.events.queue import Queue
from chatcore.events.wire import Listener, WireEvent
from chatcore.settings import Settings
from chatcore.storage import Snapshot
from chatcore.storage.events import LoggedEvent

BATCH = 1000
"""Events that are read of the log at once."""


class Batch:
    """New events, with what is needed to tell whom of the waiting they concern; all of one snapshot."""

    def __init__(self, snapshot: Snapshot, position: Position, waiting: Sequence[Waiter], now: float) -> None:
        logged = snapshot.log.after(position, BATCH)
        self.has_more = len(logged) == BATCH
        self.position = logged[-1].position if self.has_more else max(position, snapshot.log.head())
        self.events = [WireEvent(one.position, one.event, one.audience) for one in logged]
        self._closed = {one.event.queue_id for one in logged if isinstance(one.event, happened.QueueClosed)}
        self._queues: Mapping[QueueId, Queue] = {}
        if not logged or not waiting:
            return
        user_ids = {waiter.user_id for waiter in waiting}
        self._actors = snapshot.users.actors(user_ids, int(now))
        self._memberships = memberships_among(snapshot, logged, user_ids)
        self._flags = {
            message.id: snapshot.flags.of_readers(message, user_ids)
            for message in edited_messages(snapshot, logged)
        }
        self._queues = snapshot.queues.by_ids([waiter.queue.id for waiter in waiting])
        organization = snapshot.organization.get()
        self._empty_topic_name = organization.empty_topic_display_name
        self._knows = known_to_each(
            snapshot,
            organization,
            self._actors.values(),
            {one.event.type for one in logged},
        )

    @classmethod
    def read(cls, position: Position, waiting: Sequence[Waiter], now: float, snapshot: Snapshot) -> "Batch":
        return cls(snapshot, position, waiting, now)

    def for_waiter(self, waiter: Waiter, settings: Settings) -> list[bytes] | None:
        """The events for a poll, or None where none of them concerns it.

        :raises ChatError: its queue is gone, or its owner deactivated
        """
        if not self.events:
            return None
        if waiter.user_id not in self._actors:
            raise UserDeactivated
        if waiter.queue.id in self._closed:
            return []
        if waiter.queue.id not in self._queues:
            raise BadEventQueue(waiter.queue.id)
        listener = Listener(
            waiter.queue.id,
            self._actors[waiter.user_id],
            waiter.queue.registration,
            self._empty_topic_name,
            settings.host,
            partial(derive_api_key, settings.secret_key),
            self._knows.get(waiter.user_id),
            {
                message_id: flags[waiter.user_id]
                for message_id, flags in self._flags.items()
                if waiter.user_id in flags
            },
        )
        return forms(self.events, listener, self._memberships, after=waiter.position) or None


def forms(
    events: Iterable[WireEvent], listener: Listener, memberships: KnownMemberships, *, after: Position
) -> list[bytes]:
    """The events after a position that a listener gets, as JSON."""
    found = []
    for event in events:
        if event.position <= after:
            continue
        received = hears(event.audience, listener.actor, event.position, memberships)
        if not received and not (
            listener.registration.all_public_streams
            and isinstance(event.event, happened.MessageSent)
            and overhears(event.audience, listener.actor, memberships)
        ):
            continue
        if (form := event.form(listener, received=received)) is not None:
            found.append(form)
    return found


def edited_messages(snapshot: Snapshot, events: Iterable[LoggedEvent | WireEvent]) -> Sequence[Message]:
    """The messages whose edits are told among the events; each reader is told its own flags of them."""
    edits = (one.event for one in events if isinstance(one.event, happened.MessageEdited))
    return snapshot.messages.by_ids({edit.message_id for edit in edits})


def memberships_among(
    snapshot: Snapshot, events: Iterable[LoggedEvent | WireEvent], user_ids: Iterable[UserId]
) -> KnownMemberships:
    """The channels that the events' audiences are about, with the subscription periods of some users."""
    users = set(user_ids)
    found: dict[ChannelId, Mapping[UserId, Sequence[Period]]] = {}
    for event in events:
        channel_id = channel_of(event.audience)
        if channel_id is not None and channel_id not in found:
            found[channel_id] = snapshot.subscriptions.periods(channel_id, users)
    return KnownMemberships(found, snapshot.channels.private_among(found.keys()) if found else ())
