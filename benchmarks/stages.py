"""Stages of a request: where the time of a send, a fetch, a search, a registration and a poll goes.

The requests go to the application in this process, without a socket; one more line has the time of the same
request over HTTP with one keep-alive connection, which contains all of them. Its statements are counted, too,
and on PostgreSQL its round trips.
"""

import base64
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from typing import Any, Final
from unittest import mock
from urllib.parse import urlencode

from werkzeug.test import Client as WsgiClient
from werkzeug.test import TestResponse

from benchmarks.harness import OWNER, Client, Figure, Server, filled, report, texts, times
from benchmarks.loading.round_trips import relayed
from benchmarks.options import arguments, run
from benchmarks.send import counted
from chatcore import open_chat
from chatcore.application.delivery import rendering
from chatcore.chat import Chat
from chatcore.http import app
from chatcore.http.parameters.declaring import Declaration
from chatcore.http.pipeline.routing import Route, Router
from chatcore.settings import Settings
from storage_backends.sql.session import Session

WARM_UP: Final = 5
"""The first calls of each request, which fill memories."""
COUNTED: Final = 20
"""Calls of each request whose statements are counted."""
OTHER: Final = "everything else"
REQUESTS: Final[Mapping[str, tuple[str, str, Mapping[str, object]]]] = {
    "send": (
        "POST",
        "messages",
        {"type": "channel", "topic": "stages", "content": "Hello **all**, about stages"},
    ),
    "fetch 100": ("GET", "messages", {"anchor": "newest", "num_before": 100, "num_after": 0}),
    "fetch 1,000": ("GET", "messages", {"anchor": "newest", "num_before": 1000, "num_after": 0}),
    "search": (
        "GET",
        "messages",
        {"anchor": "newest", "num_before": 100, "num_after": 0, "narrow": [["search", "stages"]]},
    ),
    "poll": ("GET", "events", {"dont_block": True}),
    "register": ("POST", "register", {}),  # last: so many queues end the one that is polled
}
REGISTER: Final[Mapping[str, object]] = {"event_types": ["realm"], "fetch_event_types": []}


def given(subscriptions: Mapping[str, Any], queue: Mapping[str, Any]) -> Mapping[str, Mapping[str, object]]:
    """Return the parameters that depend on the store."""
    return {
        "send": {"to": subscriptions["subscriptions"][0]["name"]},
        "poll": {"queue_id": queue["queue_id"], "last_event_id": queue["last_event_id"]},
    }


class Stopwatch:
    """Times of stages, each without those of the stages that it calls."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._open = [OTHER]
        self._since = time.perf_counter()

    def begin(self) -> None:
        self.seconds, self._since = {}, time.perf_counter()

    def enter(self, stage: str) -> None:
        self.lap()
        self._open.append(stage)

    def leave(self) -> None:
        self.lap()
        self._open.pop()

    def lap(self) -> None:
        """Add the time since the last change to the stage that is open."""
        now = time.perf_counter()
        stage = self._open[-1]
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now

    def around(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            self.enter(stage)
            try:
                return work(*given, **named)
            finally:
                self.leave()

        return timed


@contextmanager
def timed(watch: Stopwatch, backend: Any) -> Iterator[None]:
    """Time the stages while the context lasts."""
    reads = ("rows", "each", "row", "value", "column", "mapping", "_send")
    places: Sequence[tuple[str, Any, Sequence[str]]] = [
        ("route", Router, ["find"]),
        ("read the parameters", Declaration, ["parse"]),
        ("read the parameters", Route, ["texts"]),
        ("identify the caller", app.RequestLimits, ["identify_and_count"]),
        ("rules of the use case", Route, ["call"]),
        ("render", rendering, ["parse", "render"]),
        ("statements", Session, (*reads, "run", "run_counting", "run_many")),
        ("begin and end transactions", backend, ["connection", "begin_read", "begin_write", "rollback"]),
        ("commit", backend, ["commit"]),
        ("encode", app, ["success_body"]),
    ]
    with ExitStack() as stack:
        for stage, owner, names in places:
            for name in names:
                around = watch.around(stage, getattr(owner, name))
                stack.enter_context(mock.patch.object(owner, name, around))
        yield


@contextmanager
def in_process(url: str) -> Iterator[tuple[Chat, Mapping[str, Callable[[], TestResponse]]]]:
    """Open a chat on the database, and register a queue to poll; yield the chat, and the requests to its
    application in this process.
    """
    with open_chat(url, owner_email=OWNER, settings=Settings(rate_limits=False)) as chat:
        owner = chat.users.actor(OWNER)
        token = base64.b64encode(f"{OWNER}:{chat.users.renew_own_key(owner)}".encode()).decode()
        client, headers = WsgiClient(chat.application()), {"Authorization": f"Basic {token}"}

        def call(method: str, path: str, parameters: Mapping[str, object]) -> TestResponse:
            query, data = (parameters, {}) if method == "GET" else ({}, parameters)
            answer = client.open(
                f"/api/v1/{path}?{urlencode(texts(query))}", method=method, data=texts(data), headers=headers
            )
            assert answer.status_code == 200, answer.text
            return answer

        subscriptions, queue = call("GET", "users/me/subscriptions", {}), call("POST", "register", REGISTER)
        more = given(subscriptions.json or {}, queue.json or {})
        requests = {
            name: partial(call, method, path, {**parameters, **more.get(name, {})})
            for name, (method, path, parameters) in REQUESTS.items()
        }
        yield chat, requests


def stages_of(url: str, store: str, rounds: int) -> list[Figure]:
    watch, figures = Stopwatch(), []
    with in_process(url) as (chat, requests), timed(watch, chat.services.storage.backend):  # type: ignore[attr-defined]
        for name, request in requests.items():
            found: dict[str, list[float]] = {}
            for number in range(WARM_UP + rounds):
                watch.begin()
                request()
                watch.lap()
                if number >= WARM_UP:
                    for stage, seconds in watch.seconds.items():
                        found.setdefault(stage, []).append(seconds * 1000)
            figures += [
                Figure(store, f"{name}: {stage}", statistics.median(times)) for stage, times in found.items()
            ]
    return figures


def statements_of(url: str, store: str) -> list[Figure]:
    """Count the statements of each request when what seldom changes is remembered, and how often it waits for
    the answer of a server.
    """
    figures = []
    relay_or_none = relayed(url) if store == "postgresql" else nullcontext((url, None))
    with relay_or_none as (way, relay), in_process(way) as (chat, requests):
        for name, request in requests.items():
            found: list[tuple[int, int]] = []
            for _ in range(WARM_UP + COUNTED):
                if relay:
                    relay.begin()
                found.append((counted(chat, request), relay.round_trips if relay else 0))
            statements, round_trips = map(statistics.median_low, zip(*found[WARM_UP:], strict=True))
            figures.append(Figure(store, f"{name}: number of statements", statements, unit=""))
            if relay:
                figures.append(Figure(store, f"{name}: number of round trips", round_trips, unit=""))
    return figures


def over_http(url: str, store: str, rounds: int) -> list[Figure]:
    """Return the medians of the same requests with a server of its own."""
    with Server(url) as server:
        client = Client(server.port)
        more = given(client.get("users/me/subscriptions"), client.post("register", **REGISTER))
        figures = []
        for name, (method, path, parameters) in REQUESTS.items():
            call = client.getting if method == "GET" else client.posting
            wanted = {**parameters, **more.get(name, {})}
            found = times(lambda _, call=call, path=path, wanted=wanted: call(path, **wanted), rounds)
            figures.append(Figure(store, f"{name}: over HTTP, all of it", statistics.median(found)))
    return figures


def main() -> None:
    args = arguments(__doc__ or "", rounds=200)
    figures: list[Figure] = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += stages_of(url, store, args.rounds)
            figures += over_http(url, store, args.rounds)
            figures += statements_of(url, store)
    report("Stages", sorted(figures, key=lambda one: one.what.partition(":")[0]), args.json)


if __name__ == "__main__":
    run(main)
