"""Events for the processes that serve queues, which clients never receive."""

from chatcore.domain.ids import Position
from chatcore.events.happened import QueueClosed
from chatcore.events.sending.formatter import nobody_else, one_payload
from chatcore.events.sending.listener import Listener


def _format_queue_closed(event: QueueClosed, listener: Listener, position: Position) -> None:
    return None


FORMATTERS = (one_payload(QueueClosed, _format_queue_closed, nobody_else),)
