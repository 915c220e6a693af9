"""Registering event queues and polling them."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from chatcore.application import units
from chatcore.application.arguments import about
from chatcore.application.events.queue_reading import events_after
from chatcore.application.queue_closing import close_queues
from chatcore.application.registration.state import fetch_state
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, refresh_actor, unit_of_work
from chatcore.application.visibility import reading
from chatcore.domain.errors import BadEventQueue, BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import Position, QueueId
from chatcore.domain.limits import Limits
from chatcore.domain.narrow.live import Pairs, with_empty_topic
from chatcore.events.queue import Queue, Registration, cursor_after
from chatcore.runtime.polls import Waiter


@dataclass(frozen=True, slots=True)
class Registered:
    """A new queue and the state it starts from. Without an account there is no queue."""

    queue_id: QueueId | None
    last_event_id: int
    """A position, as an `int`: programs put the ids of events, which are integers, in its place."""
    state: dict[str, object]


def register(
    svc: Services,
    actor: Actor | None,
    registration: Registration,
    fetch_event_types: Collection[str] | None = None,
    *,
    organization_url: str | None = None,
    omitted: Collection[str] = (),
) -> Registered:
    """Create an event queue and read the state; the queue has exactly the events after that state.

    With None for *fetch_event_types*, the state has the types of the queue. A lifespan outside the limits is
    clamped. *organization_url* is the organization's address for this client; with None, the one in the
    settings. *omitted* names the fields of the registration that the client has not given: a bot may have
    defaults for `all_public_streams` and `narrow`.

    :raises BadRequest: a guest who requests all public channels; a caller without an account who requests
        these, or sets `client_gravatar` or `include_subscribers`; arguments beyond the limits
    :raises LoginRequired: no actor, and the organization is not open to the web
    """
    registration = _with_defaults_of_bot(svc, actor, registration, omitted)
    _require_bounded(svc, registration, fetch_event_types)
    if registration.all_public_streams and (actor is None or actor.is_guest):
        raise BadRequest("User not authorized for this query")
    if actor is None and (registration.client_gravatar or registration.include_subscribers):
        raise BadRequest("Invalid 'client_gravatar' or 'include_subscribers' without authentication")
    if not svc.settings.gravatar:
        registration = msgspec.structs.replace(registration, client_gravatar=False)
    types = registration.event_types if fetch_event_types is None else fetch_event_types
    before = _read_start(svc, actor, registration, types, organization_url)
    if actor is None:
        return Registered(None, before.head, before.state)
    queue, start = _add_queue(svc, actor, registration, types, organization_url, before)
    svc.hub.register(queue)
    return Registered(queue.id, queue.created_at, start.state)


@dataclass(frozen=True, slots=True)
class _Start:
    """The start of a queue."""

    head: Position
    state: dict[str, object]
    narrow: Pairs


@read_only
def _read_start(
    view: View,
    me: Actor | None,
    registration: Registration,
    types: Collection[str] | None,
    organization_url: str | None,
) -> _Start:
    state = fetch_state(
        view.snapshot,
        me,
        types,
        registration=registration,
        svc=view.svc,
        organization_url=organization_url,
    )
    organization = view.snapshot.organization.get()
    narrow = with_empty_topic(registration.narrow, organization.empty_topic_display_name)
    return _Start(view.snapshot.log.head(), state, narrow)


@unit_of_work
def _add_queue(
    unit: Unit,
    me: Actor,
    registration: Registration,
    types: Collection[str] | None,
    organization_url: str | None,
    start: _Start,
) -> tuple[Queue, _Start]:
    """Store a new queue, and close the account's queues that exceed its limits, longest idle first."""
    if _is_outdated(unit, start.head):
        start = _read_start.within(unit, me, registration, types, organization_url)
    longest = unit.limits.event_queue_max_lifespan
    lifespan = max(unit.limits.event_queue_idle, min(registration.lifespan, longest))
    queue = Queue(
        id=QueueId(secrets.token_urlsafe(24)),
        user_id=me.user_id,
        registration=msgspec.structs.replace(registration, narrow=start.narrow, lifespan=lifespan),
        created_at=start.head,
        acknowledged=start.head,
        last_seen=unit.svc.clock(),
    )
    idlest_first = sorted(unit.tx.queues.of_user(me.user_id), key=unit.svc.hub.idle, reverse=True)
    size = _stored_size(queue.registration)
    close_queues(unit.tx, [old.id for old in _queues_to_close(unit.limits, idlest_first, size)])
    unit.tx.queues.add(queue)
    if unit.tx.muted_users.of_user(me.user_id):
        unit.tx.flags.pass_over_muted(me.user_id)
    return queue, start


def _is_outdated(unit: Unit, head: Position) -> bool:
    """Whether messages may have become read since the state of this position: only people who had a queue
    were told of that.
    """
    if unit.tx.log.head() == head:
        return False
    most = unit.limits.max_events_per_read
    events = unit.tx.log.after(head, most, types=reading.TYPES)
    return len(events) == most or any(reading.makes_read(logged.event) for logged in events)


def _with_defaults_of_bot(
    svc: Services, actor: Actor | None, registration: Registration, omitted: Collection[str]
) -> Registration:
    """Return the registration with a bot's settings in the fields that its program has omitted."""
    if actor is None or not actor.is_bot or not omitted:
        return registration
    settings = svc.storage.read(lambda snapshot: snapshot.bots.settings(actor.user_id))
    if "all_public_streams" in omitted and settings.all_public:
        registration = msgspec.structs.replace(registration, all_public_streams=True)
    if "narrow" in omitted and settings.events_channel is not None:
        narrow = (("channel", settings.events_channel.name),)
        registration = msgspec.structs.replace(registration, narrow=narrow)
    return registration


def _require_bounded(
    svc: Services, registration: Registration, fetch_event_types: Collection[str] | None
) -> None:
    """Refuse arguments to be stored with the queue that exceed any reasonable size."""
    limits = svc.limits
    for named in (registration.event_types or (), fetch_event_types or ()):
        if len(named) > limits.max_event_types or any(len(n) > limits.max_event_type_length for n in named):
            raise BadRequest("Too many event types, or one that is too long")
    if any(len(operand) > limits.max_message_length for _, operand in registration.narrow):
        raise BadRequest("An operand of the narrow is too long")
    if _stored_size(registration) > limits.max_event_queues_size_per_user:
        raise BadRequest("The narrow is too long")


def _stored_size(registration: Registration) -> int:
    """Return the number of bytes stored with a queue."""
    return len(msgspec.json.encode(registration))


def _queues_to_close(limits: Limits, idlest_first: Sequence[Queue], size: int) -> Sequence[Queue]:
    """Return the queues to close, so that an account has room for another queue of *size* bytes."""
    kept = 0
    bytes_left = limits.max_event_queues_size_per_user - size
    for queue in reversed(idlest_first):
        bytes_left -= _stored_size(queue.registration)
        if bytes_left < 0 or kept + 1 >= limits.max_event_queues_per_user:
            break
        kept += 1
    return idlest_first[: len(idlest_first) - kept]


@dataclass(frozen=True, slots=True)
class Ready:
    """The answer of a poll: events as JSON, ascending."""

    events: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class MustWait:
    """There are no new events yet; the waiter receives the next ones."""

    waiter: Waiter


@dataclass(frozen=True, slots=True)
class _QueueState:
    """A queue with its new events, and the log at that time."""

    queue: Queue
    acknowledged: Position
    head: Position
    caught_up: Position
    """The log has no events for the queue between *acknowledged* and this position."""
    events: list[bytes]


def poll(
    svc: Services,
    actor: Actor,
    queue_id: str,
    last_event_id: int,
    *,
    dont_block: bool = False,
    due: float | None = None,
) -> Ready | MustWait:
    """Acknowledge *last_event_id*, and return the events of a queue after it. If there are none, return
    `MustWait`, unless *dont_block* is set.

    A poll that has waited and looks again passes *due*, the time of its heartbeat.

    :raises BadEventQueue: the queue is unknown, expired or another user's; or the event is newer than the
        whole log, as after a restore from a backup, and the queue is dropped
    :raises BadRequest: an event id that was acknowledged before
    """
    state = None
    if due is None:
        state = _state_without_events(svc, actor, queue_id, last_event_id)
    if state is None:
        state = units.read(svc, _read_queue, actor, queue_id, last_event_id)
    if state is None:
        delete_queue(svc, actor, queue_id)
        raise BadEventQueue(queue_id)
    svc.hub.acknowledge(state.queue, state.acknowledged, state.head, state.caught_up)
    if state.events or dont_block:
        svc.hub.end_poll(state.queue.id)
        return Ready(state.events)
    return MustWait(svc.hub.wait(state.queue, actor.user_id, state.head, due))


def _read_queue(view: View, actor: Actor, queue_id: str, last_event_id: int) -> _QueueState | None:
    """Return the state of the actor's queue; None if the event is newer than the whole log."""
    queue = _require_own_queue(view, actor, queue_id)
    head = view.snapshot.log.head()
    if last_event_id > head:
        return None
    acknowledged = _acknowledged_position(view.svc, queue, last_event_id)
    caught_up, events = events_after(view, actor, queue, acknowledged, head)
    return _QueueState(queue, acknowledged, head, caught_up, events)


def _state_without_events(
    svc: Services, actor: Actor, queue_id: str, last_event_id: int
) -> _QueueState | None:
    """Return the state of the actor's queue if it plainly has no new events, the usual case when a poll
    begins; None if `_read_queue` has to find the events, or the reason to refuse the poll.
    """
    queue, head = svc.storage.queue_and_head(queue_id)
    if queue is None or queue.user_id != actor.user_id or queue.is_expired(svc.hub.idle(queue)):
        return None
    if last_event_id > head:
        return None
    acknowledged = _acknowledged_position(svc, queue, last_event_id)
    caught_up = max(acknowledged, svc.hub.caught_up(queue))
    if caught_up < head:  # a heartbeat that was not acknowledged is after this position, too
        return None
    return _QueueState(queue, acknowledged, head, caught_up, [])


def _acknowledged_position(svc: Services, queue: Queue, last_event_id: int) -> Position:
    """Return the position that the client acknowledges."""
    known = msgspec.structs.replace(queue, acknowledged=svc.hub.acknowledged_position(queue))
    return cursor_after(known, last_event_id)


def _require_own_queue(view: View, actor: Actor, queue_id: str) -> Queue:
    queue = view.snapshot.queues.find(queue_id)
    if queue is None or queue.user_id != actor.user_id:
        # A deactivated account has no queues any more; then this error names the cause.
        refresh_actor(view, actor)
        raise BadEventQueue(queue_id)
    if queue.is_expired(view.svc.hub.idle(queue)):
        raise BadEventQueue(queue_id)
    return queue


def delete_queue(
    svc: Services,
    actor: Actor,
    queue_id: Annotated[str, about("The id of the queue, from the answer of register.")],
) -> None:
    """Delete an event queue.

    :raises BadEventQueue: unknown, expired or another user's
    """
    # a poll that waits on the queue is answered
    svc.hub.end_poll(units.write(svc, _close_own_queue, actor, queue_id))


def _close_own_queue(unit: Unit, actor: Actor, queue_id: str) -> QueueId:
    queue = _require_own_queue(unit, actor, queue_id)
    close_queues(unit.tx, [queue.id])
    return queue.id
