"""New events of the log, and their distribution to waiting polls."""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from chatcore.application.events.history_keepers import keepers_now
from chatcore.application.events.late_fields import LateFields
from chatcore.application.events.listeners import listener_of
from chatcore.application.visibility.known_users import known_to_each
from chatcore.domain.channels.channels import Period
from chatcore.domain.errors import BadEventQueue, ChatError, UserDeactivated
from chatcore.domain.ids import ChannelId, MessageId, Position, QueueId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Message
from chatcore.events import happened, sending
from chatcore.events.audience import (
    ChannelViewers,
    KnownChannelFacts,
    ReadersOfMove,
    Users,
    channels_of,
    is_notified,
    places_seen,
    reaches_public_queues,
)
from chatcore.events.sending import EventToSend, Listener, heartbeat
from chatcore.runtime.polls import Waiter
from chatcore.settings import Settings
from chatcore.storage import Snapshot

log = logging.getLogger("chatcore.events")


@dataclass(frozen=True, slots=True)
class LogRange:
    """A range of the log: the events of the requested types, up to a position."""

    events: Sequence[EventToSend]
    position: Position
    is_last: bool
    is_behind: bool = False
    """Whether the log ends before the position from which it was read."""


def read_on(
    snapshot: Snapshot, position: Position, limits: Limits, types: Collection[str] | None = None
) -> LogRange:
    """Read the next events of the log, at most as many as the limits allow at once."""
    logged = snapshot.log.after(
        position, limits.max_events_per_read, max_size=limits.max_event_size_per_read, types=types
    )
    is_last = (
        len(logged) < limits.max_events_per_read
        and sum(event.size for event in logged) < limits.max_event_size_per_read
    )
    end = snapshot.log.head() if is_last else logged[-1].position
    return LogRange(
        [EventToSend(event.position, event.event, event.audience, event.size) for event in logged],
        end,
        is_last,
        is_behind=end < position,
    )


class Batch:
    """New events, with the data that selects the polls they concern; the data are from one snapshot."""

    def __init__(
        self,
        snapshot: Snapshot,
        log_range: LogRange,
        waiting: Sequence[Waiter],
        now: float,
        limits: Limits,
        settings: Settings,
    ) -> None:
        self.log_range = log_range
        events = log_range.events
        self._max_size = limits.max_event_size_per_answer
        self._closed = {
            logged.event.queue_id for logged in events if isinstance(logged.event, happened.QueueClosed)
        }
        self._listeners: dict[QueueId, Listener] = {}
        if not events or not waiting:
            return  # `for_waiter` needs no more, or is not called
        user_ids = {waiter.user_id for waiter in waiting}
        self._actors = snapshot.users.actors(user_ids, int(now))
        self._sight_changes = sight_changes(snapshot, log_range, limits)
        self._facts = channel_facts(snapshot, events, user_ids, knows_viewers=self._sight_changes.are_all)
        flags_of_edited = {
            message.id: snapshot.flags.of_readers(message, user_ids)
            for message in edited_messages(snapshot, events)
        }
        organization = snapshot.organization.get()
        arrived_read = read_on_arrival(snapshot, events, user_ids)
        event_types = {logged.event.type for logged in events}
        knows = known_to_each(snapshot, organization, self._actors.values(), event_types)
        late = LateFields(snapshot, events)
        queues = snapshot.queues.by_ids([waiter.queue.id for waiter in waiting])
        for queue in queues.values():
            owner = self._actors.get(queue.user_id)
            if owner is None:
                continue
            me = owner.user_id
            self._listeners[queue.id] = listener_of(
                queue,
                owner,
                organization,
                settings,
                knows.get(me),
                flags={number: flags[me] for number, flags in flags_of_edited.items() if me in flags},
                read_on_arrival={message_id for message_id, users in arrived_read.items() if me in users},
                late=late.for_listener(owner, queue.registration),
            )

    def for_waiter(self, waiter: Waiter) -> list[bytes] | None:
        """Return the events for a poll, or None if none of them concerns it.

        :raises ChatError: the queue no longer exists, or its owner is deactivated
        """
        if not self.log_range.events:
            return None
        if waiter.user_id not in self._actors:
            raise UserDeactivated
        if waiter.queue.id in self._closed:
            return []
        if waiter.queue.id not in self._listeners:
            raise BadEventQueue(waiter.queue.id)
        beat = waiter.heartbeat_position
        if beat is not None and beat > self.log_range.position:
            beat = None
        payloads = encode_answer(
            self.log_range.events,
            self._listeners[waiter.queue.id],
            self._facts,
            self._sight_changes,
            after=waiter.position,
            max_size=self._max_size,
            beat=beat,
        )
        return payloads or None


def encode_answer(
    events: Sequence[EventToSend],
    listener: Listener,
    facts: KnownChannelFacts,
    changes: "SightChanges",
    *,
    after: Position,
    max_size: int,
    beat: Position | None = None,
) -> list[bytes]:
    """Return the payloads of the events after a position that a listener receives, until they have *max_size*
    bytes.

    *changes* are those that `sight_changes` finds. A heartbeat at *beat* is inserted at its position.

    :raises BadEventQueue: the listener cannot receive an event that it wants, so that it has to register anew
    """
    payloads: list[bytes] = []
    size = 0
    lost = _lost_later(changes.events, listener)
    sight = _sight_of(changes.events, listener)
    for event in events:
        if event.position <= after or sight.passes_over(event):
            continue
        if beat is not None and beat < event.position:
            payloads.append(heartbeat(beat))
            beat = None
        if isinstance(event.audience, ReadersOfMove):
            places = places_seen(event.audience, listener.actor, event.position, facts)
            event, received = event.as_seen(places), any(places)
        else:
            received = sight.has_shown(event) or is_notified(
                event.audience, listener.actor, event.position, facts
            )
        if not received and not _is_overheard(event, listener, facts):
            continue
        to = listener if received else listener.overhearing()
        if lost and isinstance(event.event, happened.GroupMembersChanged):
            to = to.having_known(user_id for user_id, until in lost.items() if until > event.position)
        for payload in _payloads_or_refusal(event, to, after):
            payloads.append(payload)
            size += len(payload)
            if size >= max_size:
                return payloads
    if beat is not None:
        payloads.append(heartbeat(beat))
    return payloads


def _is_overheard(event: EventToSend, listener: Listener, facts: KnownChannelFacts) -> bool:
    """Whether a queue with all public channels has the event as a message of one of them."""
    return (
        listener.registration.all_public_streams
        and isinstance(event.event, happened.MessageSent)
        and reaches_public_queues(event.audience, listener.actor, facts)
    )


_CHANGES_SIGHT = happened.ChannelsCreated | happened.ChannelsDeleted | happened.UserRemoved
_TYPES_OF_CHANGES = frozenset(kind.type for kind in get_args(_CHANGES_SIGHT))


@dataclass(frozen=True, slots=True)
class SightChanges:
    """The events by which people and channels come into the sight of some users, or go out of it: the events
    in a range of the log and, as far as the range depends on them, later ones.
    """

    events: Sequence[EventToSend]
    are_all: bool
    """Whether these are all up to now."""


def sight_changes(snapshot: Snapshot, log_range: LogRange, limits: Limits) -> SightChanges:
    """Return the changes of sight. They are few, and sought once for all listeners; those after the range are
    read only if it does not reach up to now and has events whose receivers depend on what is in sight.
    """
    found = _changes_among(log_range.events)
    if log_range.position >= snapshot.log.head():
        return SightChanges(found, are_all=True)
    if not any(map(_depends_on_sight, log_range.events)):
        return SightChanges(found, are_all=False)
    ahead = replace(limits, max_events_per_read=limits.max_events_read_ahead)
    later = read_on(snapshot, log_range.position, ahead, _TYPES_OF_CHANGES)
    return SightChanges([*found, *_changes_among(later.events)], are_all=later.is_last)


def _changes_among(events: Iterable[EventToSend]) -> Sequence[EventToSend]:
    return [
        event
        for event in events
        if isinstance(event.event, _CHANGES_SIGHT) and isinstance(event.audience, Users)
    ]


def _depends_on_sight(event: EventToSend) -> bool:
    return isinstance(event.audience, ChannelViewers) or isinstance(event.event, happened.GroupMembersChanged)


def _lost_later(changes: Iterable[EventToSend], listener: Listener) -> Mapping[UserId, Position]:
    """Return the people who have gone out of a limited guest's sight by one of the changes, each with the
    position of that change.
    """
    if listener.knows is None:
        return {}
    return {
        change.event.user_id: change.position
        for change in changes
        if isinstance(change.event, happened.UserRemoved) and _is_addressed_to(change, listener)
    }


def _is_addressed_to(change: EventToSend, listener: Listener) -> bool:
    return isinstance(change.audience, Users) and listener.actor.user_id in change.audience.user_ids


@dataclass(frozen=True, slots=True)
class _Sight:
    """The channels that come into a listener's sight, or go out of it, by some events: for each channel the
    positions, ascending, and whether it comes.
    """

    changes: Mapping[ChannelId, Sequence[tuple[Position, bool]]]

    def passes_over(self, event: EventToSend) -> bool:
        """Whether a channel's viewer is not told of an event, since the channel comes or goes after it: what
        comes replaces what the client has, and what goes is forgotten. The creation of a channel that goes
        later is still told: events about the owner alone may name the channel in between.
        """
        if not isinstance(event.audience, ChannelViewers):
            return False
        comes = self._comes_next(event.audience.channel_id, event.position)
        if comes is None:
            return False
        return comes or not isinstance(event.event, happened.ChannelsCreated)

    def has_shown(self, event: EventToSend) -> bool:
        """Whether the event has shown the listener a new channel: the next change takes it out of sight, so
        it was seen from the beginning, whatever the listener's role is now.
        """
        return (
            isinstance(event.audience, ChannelViewers)
            and isinstance(event.event, happened.ChannelsCreated)
            and self._comes_next(event.audience.channel_id, event.position) is False
        )

    def _comes_next(self, channel_id: ChannelId, position: Position) -> bool | None:
        """Whether the next change after a position brings the channel; None if there is none."""
        return next((comes for at, comes in self.changes.get(channel_id, ()) if at > position), None)


def _sight_of(changes: Sequence[EventToSend], listener: Listener) -> _Sight:
    by_channel: defaultdict[ChannelId, list[tuple[Position, bool]]] = defaultdict(list)
    for change in changes:
        event = change.event
        if (
            isinstance(event, happened.ChannelsCreated | happened.ChannelsDeleted)
            and _is_addressed_to(change, listener)
            and event.knows_archived in (None, listener.capabilities.archived_channels)
        ):
            for channel_id in event.channel_ids:
                by_channel[channel_id].append((change.position, isinstance(event, happened.ChannelsCreated)))
    return _Sight(by_channel)


def _payloads_or_refusal(event: EventToSend, listener: Listener, after: Position) -> Sequence[bytes]:
    """Return the payloads of an event. An unexpected error in making them ends only this queue; the other
    queues receive the event.

    :raises BadEventQueue: such an error; the listener has to register anew
    """
    try:
        return list(sending.payloads_for(event, listener, after=after))
    except ChatError:
        raise
    except Exception as error:
        log.exception("event %d cannot be sent to a queue: its client registers anew", event.position)
        raise BadEventQueue(listener.queue_id) from error


def edited_messages(snapshot: Snapshot, events: Iterable[EventToSend]) -> Sequence[Message]:
    """Return the messages whose changes are among the events; each reader receives its own flags of them."""
    changed = happened.MessageEdited | happened.MessageRendered
    edits = (event.event for event in events if isinstance(event.event, changed))
    return snapshot.messages.outlines({edit.message_id for edit in edits})


def read_on_arrival(
    snapshot: Snapshot, events: Iterable[EventToSend], user_ids: Collection[UserId]
) -> Mapping[MessageId, Collection[UserId]]:
    """Return, for each new message among the events, the users for whom it was read on arrival: users who had
    muted the sender then, and for a message that arrives read, all but those in `unread_for`.
    """
    sent = [logged.event for logged in events if isinstance(logged.event, happened.MessageSent)]
    read = dict(snapshot.muted_users.had_muted([event.message for event in sent], user_ids))
    for event in sent:
        if event.message.arrives_read:
            others = frozenset(user_ids).difference(event.unread_for)
            read[event.message.id] = read.get(event.message.id, frozenset()) | others
    return read


def channel_facts(
    snapshot: Snapshot, events: Sequence[EventToSend], user_ids: Iterable[UserId], *, knows_viewers: bool
) -> KnownChannelFacts:
    """Return facts about the channels of the events' audiences, and the subscription periods of some users.

    The facts tell who sees the channels now only with *knows_viewers*: if all later events by which channels
    came into sight, or went out of it, are known. Otherwise events in a channel that was private then would
    reach users to whom it was opened later.
    """
    users = set(user_ids)
    periods: dict[ChannelId, Mapping[UserId, Sequence[Period]]] = {}
    for event in events:
        for channel_id in channels_of(event.audience):
            if channel_id not in periods:
                periods[channel_id] = snapshot.subscriptions.periods(channel_id, users)
    channels = snapshot.channels.by_ids(periods.keys()).values()
    keepers = keepers_now(snapshot, events, channels)
    return KnownChannelFacts(periods, channels, keepers=keepers, knows_viewers=knows_viewers)
