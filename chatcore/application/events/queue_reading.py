"""Reading the events of a queue for a poll: from memory, or range by range from the log."""

from collections.abc import Collection
from dataclasses import replace

from chatcore.application.events.batch import (
    LogRange,
    channel_facts,
    edited_messages,
    encode_answer,
    read_on,
    read_on_arrival,
    sight_changes,
)
from chatcore.application.events.late_fields import LateFields
from chatcore.application.events.listeners import listener_of
from chatcore.application.units import View, refresh_actor
from chatcore.application.visibility.known_users import known_to
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import Position
from chatcore.events.queue import Queue, Registration
from chatcore.events.sending import Listener, heartbeat
from chatcore.storage.slices import let_others

SEEN_BY = {"subscription": "stream", "user_group": "realm_user"}
"""The types of events that depend on what was in sight, each with the type that says what came and went."""


def events_after(
    view: View, actor: Actor, queue: Queue, acknowledged: Position, head: Position
) -> tuple[Position, list[bytes]]:
    """Return the position up to which the log has nothing for this queue, and the next events after it; from
    memory where possible, else from the log, range by range until one has some.
    """
    svc = view.svc
    listener: Listener | None = None
    beat = queue.heartbeat if queue.heartbeat > acknowledged else None
    caught_up = max(acknowledged, svc.hub.caught_up(queue))
    remembered = svc.hub.remembered_events(caught_up, head)
    while caught_up < head or beat is not None:
        if remembered is not None:
            log_range = LogRange(remembered, head, is_last=True)
        else:
            log_range = read_on(view.snapshot, caught_up, svc.limits, _types_to_read(queue.registration))
        payloads: list[bytes] = []
        beat_in_range = beat if beat is not None and beat <= log_range.position else None
        if log_range.events:
            listener = listener or _make_listener(view, actor, queue)
            payloads = _encode_range(view, listener, log_range, after=caught_up, beat=beat_in_range)
        elif beat_in_range is not None:
            payloads = [heartbeat(beat_in_range)]
        if payloads:
            return caught_up, payloads
        caught_up = log_range.position
        if not log_range.is_last:
            let_others()
    return caught_up, []


def _encode_range(
    view: View, listener: Listener, log_range: LogRange, *, after: Position, beat: Position | None
) -> list[bytes]:
    """Return the payloads of a range as `encode_answer` does, for a listener whose facts about the events are
    read first.
    """
    snapshot, actor, events = view.snapshot, listener.actor, log_range.events
    if edited := edited_messages(snapshot, events):
        subscriptions = snapshot.subscriptions.of_user(actor.user_id)
        listener = replace(listener, flags=snapshot.flags.of(actor.user_id, edited, subscriptions))
    readers = read_on_arrival(snapshot, events, [actor.user_id])
    listener = replace(
        listener,
        read_on_arrival={message_id for message_id, users in readers.items() if actor.user_id in users},
        late=LateFields(snapshot, events).for_listener(actor, listener.registration),
    )
    changes = sight_changes(snapshot, log_range, view.limits)
    return encode_answer(
        events,
        listener,
        channel_facts(snapshot, events, [actor.user_id], knows_viewers=changes.are_all),
        changes,
        after=after,
        max_size=view.limits.max_event_size_per_answer,
        beat=beat,
    )


def _types_to_read(registration: Registration) -> Collection[str] | None:
    """Return the types of events to read for a queue: its own, and those that say what was in sight when they
    happened.
    """
    types = registration.event_types
    if types is None or SEEN_BY.keys().isdisjoint(types):
        return types
    return {*types, *(SEEN_BY[name] for name in types if name in SEEN_BY)}


def _make_listener(view: View, actor: Actor, queue: Queue) -> Listener:
    organization = view.snapshot.organization.get()
    owner = refresh_actor(view, actor)
    knows = known_to(view.snapshot, organization, owner)
    return listener_of(queue, owner, organization, view.svc.settings, knows)
