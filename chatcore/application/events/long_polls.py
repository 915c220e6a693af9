"""Long polls: the only place that waits for new events of a queue."""

from collections.abc import Sequence

from chatcore.application.admission import FREE, Turn
from chatcore.application.events import queues
from chatcore.application.services import Services
from chatcore.domain.groups.actors import Actor

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
    turn: Turn = FREE,
) -> Sequence[bytes]:
    """Wait for events after *last_event_id*, and return them as JSON. If there are none until the heartbeat
    is due, return the heartbeat; if it cannot be stored, return no events.

    *turn* is paused while the poll waits; `Turn.paused` lists what that raises.

    :raises BadEventQueue, BadRequest: as `poll` does
    """
    due = None
    while True:
        step = queues.poll(svc, actor, queue_id, last_event_id, dont_block=dont_block, due=due)
        if isinstance(step, queues.Ready):
            return step.events
        due = step.waiter.due
        try:
            with turn.paused():
                found = step.waiter.wait(max(0.0, due - svc.monotonic()) + OVERDUE)
        finally:
            svc.hub.leave(step.waiter)
        if found is not None:
            return found
