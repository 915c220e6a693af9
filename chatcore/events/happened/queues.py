"""Events for the processes that serve queues."""

from chatcore.domain.ids import QueueId
from chatcore.events.happened.base import Event


class QueueClosed(Event, frozen=True, kw_only=True, tag="queue_closed"):
    """A queue was deleted: polls that wait on it, in any process, end. Never sent to clients."""

    type = ""
    queue_id: QueueId
