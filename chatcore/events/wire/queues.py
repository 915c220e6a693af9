"""Events for the processes that serve queues, which clients never receive."""

from chatcore.events.types import QueueClosed
from chatcore.events.wire.formatter import form, nobody_else
from chatcore.events.wire.listener import Listener


def _closed(event: QueueClosed, listener: Listener) -> None:
    return None


FORMATTERS = (form(QueueClosed, _closed, nobody_else),)
