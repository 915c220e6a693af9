"""Events for the processes that serve queues, which clients never receive."""

from chatcore.events.happened import QueueClosed
from chatcore.events.sending.formatter import form, nobody_else
from chatcore.events.sending.listener import Listener


def _closed(event: QueueClosed, listener: Listener) -> None:
    return None


FORMATTERS = (form(QueueClosed, _closed, nobody_else),)
