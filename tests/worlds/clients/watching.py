"""Viewers who follow each request at once: what a viewer saw before it, changed by the events that the viewer
received, has to be what the viewer sees after it.

Other clients are compared after many actions. Here the request fails that announces too little or too much.
"""

import json
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from chatcore.application import units
from chatcore.application.events.queue_reading import events_after
from chatcore.application.registration.state import fetch_state
from chatcore.application.units import View
from chatcore.domain.ids import Position, QueueId
from chatcore.events.queue import Capabilities, Queue, Registration
from chatcore.storage import Snapshot
from storage_backends.sql.events import Queues
from tests.worlds.clients.kinds import MODERN, Client
from tests.worlds.clients.messages import Kept
from tests.worlds.clients.state import Event, State, known
from tests.worlds.organization import Someone, World

REGISTRATION = Registration(
    capabilities=Capabilities(**MODERN["client_capabilities"]),
    **{name: value for name, value in MODERN.items() if name != "client_capabilities"},
)


class Viewer(Client):
    """A modern client that reads state and events without a queue: it leaves no trace in the store."""

    def __init__(self, who: Someone) -> None:
        self.who = who
        self.asked = MODERN
        self.start_over()

    def start_over(self) -> None:
        self._position, self.state = self._look()
        self.kept = Kept(self._fetch)

    @property
    def can_look(self) -> bool:
        return self.who.request("GET", "/users/me").status_code == 200

    def _look(self) -> tuple[Position, State]:
        """Return the position of the log, and the state of a registration made now."""

        def read(snapshot: Snapshot) -> tuple[Position, dict[str, object]]:
            user_id = self.who.world.users[self.who.name or ""].id
            actor = snapshot.users.actors([user_id], svc.now)[user_id]
            state = fetch_state(snapshot, actor, None, registration=REGISTRATION, svc=svc)
            return snapshot.log.head(), state

        svc = self.who.world.svc
        head, state = svc.storage.read(read)
        decoded: dict[str, Any] = json.loads(msgspec.json.encode(state))
        return head, known({**decoded, **self.files()}, self.asked)

    def _queue_at(self, position: Position) -> Queue:
        user_id = self.who.world.users[self.who.name or ""].id
        return Queue(
            id=QueueId(f"watching {self.who.name} {position}"),
            user_id=user_id,
            registration=REGISTRATION,
            created_at=position,
            acknowledged=position,
            last_seen=0.0,
        )

    def _new_events(self) -> Iterator[Event]:
        svc, actor = self.who.world.svc, self.who.actor
        while True:
            queue = self._queue_at(self._position)

            def read(view: View, queue: Queue = queue) -> list[bytes]:
                return events_after(view, actor, queue, queue.acknowledged, view.snapshot.log.head())[1]

            events = [json.loads(event) for event in units.read(svc, read)]
            if not events:
                return
            self._position = events[-1]["id"]
            yield from events

    def wrongs(self) -> list[str]:
        """Apply the new events; return the differences from what is seen now."""
        self.apply(self._new_events())
        _, fresh = self._look()
        self.state["presences"] = fresh["presences"]  # told only of people who were offline before
        return self.differences_from(fresh)


class Watch:
    """Viewers of a world. Changes that bypass the API are unknown to them, so they look anew before each
    request, unless all that happens is watched.
    """

    def __init__(self, world: World, names: Collection[str], *, sees_all: bool = False) -> None:
        self._sees_all = sees_all
        self._viewers = [Viewer(world[name]) for name in names]
        self._is_busy = False
        world.watch = self.over

    @contextmanager
    def over(self, what: str) -> Iterator[None]:
        """Compare what the viewers see after a request, or another change, with what they were told of it."""
        if self._is_busy or threading.current_thread() is not threading.main_thread():
            yield
            return
        self._is_busy = True
        try:
            self._viewers = [viewer for viewer in self._viewers if viewer.can_look]
            if not self._sees_all:
                for viewer in self._viewers:
                    viewer.start_over()
            yield
            self._viewers = [viewer for viewer in self._viewers if viewer.can_look]
            wrong = [one for viewer in self._viewers for one in viewer.wrongs()]
        finally:
            self._is_busy = False
        assert not wrong, "\n".join(["", f"{what}:", *wrong])


def watch(world: World, names: Collection[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch the requests of a test that has no idea of it; events for people who have a queue go to all."""
    monkeypatch.setattr(Queues, "owners_among", lambda _, user_ids: frozenset(user_ids))
    Watch(world, names)
