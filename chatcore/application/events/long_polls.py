"""Long polls: the only place that waits for new events of a queue."""

from collections.abc import Sequence
from contextlib import nullcontext

from chatcore.application.events import queues
from chatcore.application.services import Services
from chatcore.domain.groups.actors import Actor
from chatcore.runtime.admission import NO_TURN, Turn
from chatcore.runtime.measures import EVENTS
from chatcore.runtime.polls import Waiter
from chatcore.runtime.suspensions import Suspension

OVERDUE = 10.0
"""Seconds after which a poll ends without the heartbeat that was due, because the store does not accept
it.
"""


def wait_for_events(
    svc: Services,
    actor: Actor,
    queue_id: str,
    last_event_id: int,
    *,
    dont_block: bool = False,
    turn: Turn = NO_TURN,
    suspension: Suspension | None = None,
) -> Sequence[bytes]:
    """Wait for events after *last_event_id*, and return them as JSON. If there are none until the heartbeat
    is due, return the heartbeat; if it cannot be stored, return no events.

    *turn* is paused while the poll waits; `Turn.paused` lists what that raises. With a *suspension*, the poll
    does not wait here, but raises `Suspended`; call it again when the suspension's waiter is ready, or its
    time is over. There are no events after its `stop`.

    :raises BadEventQueue, BadRequest: as `poll` does
    """
    due: float | None = None
    waiter: Waiter | None = None
    if suspension is not None:
        if suspension.is_stopped:
            return []
        waiter = suspension.waiter  # of the call that was suspended
        suspension.waiter = None
    while True:
        if waiter is None:
            step = queues.poll(svc, actor, queue_id, last_event_id, dont_block=dont_block, due=due)
            if isinstance(step, queues.Ready):
                svc.measures.add(EVENTS, len(step.events))
                return step.events
            waiter = step.waiter
            if suspension is not None:
                suspension.suspend_until_events(waiter, _seconds_left(svc, waiter), svc.hub.leave)
        due = waiter.due
        # A suspended poll is called again only when its waiter is ready, or its time is over.
        seconds = _seconds_left(svc, waiter) if suspension is None else 0.0
        with turn.paused() if suspension is None else nullcontext():
            try:
                payloads = waiter.wait(seconds)
            finally:
                svc.hub.leave(waiter)  # others wait for this; the turn of an account may be long in coming
        if payloads is not None:
            svc.measures.add(EVENTS, len(payloads))
            return payloads
        waiter = None


def _seconds_left(svc: Services, waiter: Waiter) -> float:
    return max(0.0, waiter.due - svc.monotonic()) + OVERDUE
