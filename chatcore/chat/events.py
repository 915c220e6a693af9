"""Event queues: registering, polling and following."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Any, Self, TypeVar, get_args, is_typeddict, overload

import msgspec

from chatcore.application.events import queues
from chatcore.application.events.coroutines import without_waiting_threads
from chatcore.application.events.long_polls import wait_for_events
from chatcore.application.events.queues import Registered
from chatcore.application.registration.state import ROWS
from chatcore.chat.given import Names, all_names, capabilities_of, number, optional, text, truth
from chatcore.chat.made import events as made
from chatcore.domain.errors import BadEventQueue, InvalidParameter, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.narrow.live import parse_live
from chatcore.domain.people.presence import HISTORY_DAYS
from chatcore.events.happened import AnyEvent
from chatcore.events.payloads.channels import IncludeSubscribers
from chatcore.events.payloads.event import Event, Name, names_of
from chatcore.events.payloads.users import copy_user
from chatcore.events.prepared import Prepared
from chatcore.events.queue import Capabilities, Registration
from chatcore.runtime.polls import Hub
from chatcore.runtime.suspensions import Suspension
from chatcore.storage import StorageClosed

EVENT_TYPES = frozenset({kind.type for kind in get_args(AnyEvent)} | {row.event_type for row in ROWS}) - {""}
"""All types of events, and all types of state that can be fetched."""

E = TypeVar("E")


def _require_known(name: str, types: Collection[str]) -> None:
    """Refuse unknown types, unlike HTTP, where clients may be newer than their server."""
    for unknown in sorted({*types} - EVENT_TYPES):
        nearest = get_close_matches(unknown, EVENT_TYPES, n=1, cutoff=0)
        raise InvalidParameter(name, f"there is no type '{unknown}'; did you mean '{nearest[0]}'?")


def _unshared(value: object) -> object:
    """Return the value of a field of a state as the program's own, which it may change."""
    return [*map(copy_user, value)] if isinstance(value, Prepared) else value


class Events(made.Events):
    def register(
        self,
        actor: Actor | None,
        *,
        event_types: Names | None = None,
        fetch_event_types: Names | None = None,
        apply_markdown: bool = True,
        client_gravatar: bool = False,
        slim_presence: bool = False,
        presence_history_limit_days: int = HISTORY_DAYS,
        include_subscribers: IncludeSubscribers = False,
        all_public_streams: bool = False,
        narrow: Sequence[Sequence[str]] = (),
        capabilities: Capabilities | Mapping[str, object] = Capabilities(),  # noqa: B008 - a value
        lifespan: int = 0,
    ) -> Registered:
        """Create a queue and return the state it starts from; `poll` returns the events after it.

        *event_types* None selects all events; *fetch_event_types* None reads the state of the same types. A
        *narrow*, pairs of operator and operand, restricts the queue to matching messages. *lifespan* is the
        number of seconds without a poll after which the queue is dropped, if longer than usual. Without an
        actor the result is the state that is open to the web, and no queue.

        :raises InvalidParameter: an unknown type of event
        :raises BadRequest: a guest who requests all public channels, or a caller without an account who
            requests addresses or subscribers
        :raises LoginRequired: no actor, and the organization is not open to the web
        """
        types = optional(all_names, event_types=event_types)
        fetch_types = optional(all_names, fetch_event_types=fetch_event_types)
        _require_known("event_types", types or ())
        _require_known("fetch_event_types", fetch_types or ())
        registration = Registration(
            event_types=None if types is None else tuple(types),
            apply_markdown=truth(apply_markdown=apply_markdown),
            client_gravatar=truth(client_gravatar=client_gravatar),
            slim_presence=truth(slim_presence=slim_presence),
            presence_history_limit_days=number(presence_history_limit_days=presence_history_limit_days),
            include_subscribers=include_subscribers,
            all_public_streams=truth(all_public_streams=all_public_streams),
            narrow=parse_live(narrow, limits=self._svc.limits).pairs,
            capabilities=capabilities_of(capabilities=capabilities),
            lifespan=number(lifespan=lifespan),
        )
        done = queues.register(self._svc, self._acting_if_any(actor), registration, fetch_types)
        return replace(done, state={name: _unshared(value) for name, value in done.state.items()})

    def poll(
        self, actor: Actor, queue_id: str, last_event_id: int, *, dont_block: bool = False
    ) -> Sequence[Event]:
        """Return the events after *last_event_id*, as clients receive them.

        If there is none, wait for one, unless *dont_block* is set. A heartbeat ends the wait within about a
        minute; the limits of the API allow 90 seconds.

        :raises BadEventQueue: the queue is unknown, expired or another user's; or *last_event_id* is newer
            than the log, and the queue is dropped
        :raises BadRequest: an event id that was acknowledged before
        """
        events = wait_for_events(
            self._svc,
            self._acting(actor),
            text(queue_id=queue_id),
            number(last_event_id=last_event_id),
            dont_block=truth(dont_block=dont_block),
        )
        return [msgspec.json.decode(event) for event in events]

    async def poll_async(self, actor: Actor, queue_id: str, last_event_id: int) -> Sequence[Event]:
        """Return the events after *last_event_id*, as `poll` does; wait for one without a thread.

        :raises BadEventQueue, BadRequest: as `poll` does
        """
        asked = text(queue_id=queue_id), number(last_event_id=last_event_id)
        events = await without_waiting_threads(
            lambda suspension: asyncio.to_thread(self._wait, actor, *asked, suspension)
        )
        return [msgspec.json.decode(event) for event in events]

    @overload
    def follow(self, actor: Actor, *, event_types: type[E]) -> AbstractContextManager[Iterator[E]]: ...

    @overload
    def follow(
        self, actor: Actor, *, event_types: Names | None = None
    ) -> AbstractContextManager[Iterator[Event]]: ...

    def follow(
        self, actor: Actor, *, event_types: Names | type[Any] | None = None
    ) -> AbstractContextManager[Iterator[Any]]:
        """Return a context manager: it opens a queue, yields an iterator over its events, and deletes the
        queue at the end: ``with chat.events.follow(ada) as events: …``

        *event_types* names the types, or is the class of the events, such as `MessageEvent`; None selects all
        events. The iterator ends when the chat is closed, and leaves out heartbeats.

        :raises InvalidParameter: an unknown type of event
        :raises BadEventQueue: by the iterator, when the queue ends, for example because the actor has a new
            API key
        :raises UserDeactivated: by the iterator, when the actor is deactivated
        """
        return self._following(actor, *_types_and_names(event_types))

    @overload
    def follow_async(
        self, actor: Actor, *, event_types: type[E]
    ) -> AbstractAsyncContextManager[AsyncIterator[E]]: ...

    @overload
    def follow_async(
        self, actor: Actor, *, event_types: Names | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[Event]]: ...

    def follow_async(
        self, actor: Actor, *, event_types: Names | type[Any] | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[Any]]:
        """Return an asynchronous form of `follow`, which waits without a thread:
        ``async with chat.events.follow_async(ada) as events: async for event in events: …``

        A wait that is cancelled, such as ``await asyncio.wait_for(anext(events), 5)``, loses no event.

        :raises InvalidParameter: an unknown type of event
        :raises BadEventQueue, UserDeactivated: by the iterator, as that of `follow` does
        """
        return self._following_async(actor, *_types_and_names(event_types))

    @contextmanager
    def _following(
        self, actor: Actor, event_types: Names | None, wanted: Collection[Name]
    ) -> Iterator[Iterator[Event]]:
        queue_id, last_event_id = self._begin_queue(actor, event_types)
        try:
            events = self._follow_queue(actor, queue_id, last_event_id)
            yield (event for event in events if _is_wanted(event, wanted))
        finally:
            self._end_queue(actor, queue_id)

    @asynccontextmanager
    async def _following_async(
        self, actor: Actor, event_types: Names | None, wanted: Collection[Name]
    ) -> AsyncIterator[AsyncIterator[Event]]:
        queue_id, last_event_id = await asyncio.to_thread(self._begin_queue, actor, event_types)
        try:
            yield _Following(self._svc.hub, partial(self.poll_async, actor, queue_id), last_event_id, wanted)
        finally:
            await asyncio.to_thread(self._end_queue, actor, queue_id)

    def _begin_queue(self, actor: Actor, event_types: Names | None) -> tuple[str, int]:
        registered = self.register(actor, event_types=event_types, fetch_event_types=())
        assert registered.queue_id is not None
        return registered.queue_id, registered.last_event_id

    def _end_queue(self, actor: Actor, queue_id: str) -> None:
        with suppress(StorageClosed, UserDeactivated, BadEventQueue):  # the queue is gone already
            self.delete(actor, queue_id)

    def _follow_queue(self, actor: Actor, queue_id: str, last_event_id: int) -> Iterator[Event]:
        with suppress(StorageClosed):
            while not self._svc.hub.stopped:
                for event in self.poll(actor, queue_id, last_event_id):
                    last_event_id = event["id"]
                    if event["type"] != "heartbeat":
                        yield event

    def _wait(
        self, actor: Actor, queue_id: str, last_event_id: int, suspension: Suspension
    ) -> Sequence[bytes]:
        """Return new events as JSON, or suspend the poll.

        :raises BadEventQueue, BadRequest: as `poll` does
        """
        return wait_for_events(
            self._svc, self._acting(actor), queue_id, last_event_id, dont_block=False, suspension=suspension
        )


class _Following:
    """The events of a queue. Unlike a generator, it goes on after a wait that was cancelled."""

    def __init__(
        self,
        hub: Hub,
        poll: Callable[[int], Awaitable[Sequence[Event]]],
        last_event_id: int,
        wanted: Collection[Name],
    ) -> None:
        self._hub = hub
        self._poll = poll
        self._last_event_id = last_event_id
        self._wanted = wanted
        self._received: deque[Event] = deque()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        while True:
            while self._received:
                event = self._received.popleft()
                self._last_event_id = event["id"]
                if event["type"] != "heartbeat" and _is_wanted(event, self._wanted):
                    return event
            if self._hub.stopped:
                raise StopAsyncIteration
            try:
                self._received.extend(await self._poll(self._last_event_id))
            except StorageClosed:
                raise StopAsyncIteration from None


def _types_and_names(
    event_types: Names | type[Any] | None,
) -> tuple[Names | None, Collection[Name]]:
    """Return the types of events to follow, and the names of those to yield; no names stand for all."""
    if not isinstance(event_types, type):
        return event_types, ()
    if not is_typeddict(event_types):
        raise InvalidParameter("event_types", "Expected names of types, or the class of an event")
    wanted = frozenset(names_of(event_types))
    return {name for name, _ in wanted}, wanted


def _is_wanted(event: Event, wanted: Collection[Name]) -> bool:
    return not wanted or (event["type"], event.get("op")) in wanted
