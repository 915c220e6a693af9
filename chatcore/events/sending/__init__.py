"""Conversion of an event to the payload that a queue asked for; nothing if the queue does not want it.

Each class of events has one formatter, in a table of its noun.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from chatcore.domain.errors import BadEventQueue
from chatcore.domain.ids import Position
from chatcore.events.happened import ChannelEvent, Event, Unreadable
from chatcore.events.sending import (
    bots,
    channels,
    edits,
    files,
    groups,
    messages,
    organization,
    people,
    queues,
    scheduled,
    settings,
)
from chatcore.events.sending.event import EventToSend, heartbeat
from chatcore.events.sending.formatter import Formatter
from chatcore.events.sending.late import NOTHING_LATE, LateData, WholeList
from chatcore.events.sending.listener import Listener

__all__ = [
    "FORMATTERS",
    "NOTHING_LATE",
    "TABLES",
    "EventToSend",
    "LateData",
    "Listener",
    "WholeList",
    "heartbeat",
    "payloads_for",
]

TABLES = (bots, channels, edits, files, groups, messages, organization, people, queues, scheduled, settings)

FORMATTERS: Mapping[type[Event], Formatter[Any]] = {
    formatter.event_class: formatter for table in TABLES for formatter in table.FORMATTERS
}
"""The formatter of each class of events."""


def payloads_for(to_send: EventToSend, listener: Listener, *, after: Position) -> Iterable[bytes]:
    """Return the payloads of an event for a listener, each as JSON.

    If there are several, each has its own position; only those *after* a position are returned.

    :raises BadEventQueue: nobody can tell what a listener who wants the event has missed
    """
    event = to_send.event
    if isinstance(event, Unreadable):
        if listener.registration.wants(event.event_type):
            raise BadEventQueue(listener.queue_id)
        return ()
    if not listener.registration.wants(event.type):
        return ()
    if isinstance(event, ChannelEvent) and event.knows_archived not in (
        None,
        listener.capabilities.archived_channels,
    ):
        return ()
    return FORMATTERS[type(event)].payloads(event, to_send, listener, after)
