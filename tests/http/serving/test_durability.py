"""Real server processes that are killed without warning, and two of them on one database."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import msgspec
import pytest

from tests.http.serving.managed import Manager
from tests.http.serving.served import Served
from tests.storage_backends.pgbouncer import pgbouncer
from tests.waiting import PATIENCE, until
from tests.worlds.organization import HOST, World, as_text, basic

T = TypeVar("T")

KILLS = "CHATCORE_TESTS_KILLS"
"""Environment: how often the server is killed on each store."""
SECRET = "s" * 32
"""The secret of the world of the tests, so that its keys are valid here."""


class Server:
    """`chatcore serve` in a process of its own, on a free port; *log* takes its standard error."""

    def __init__(
        self,
        url: str,
        folder: Path,
        log: Path | None = None,
        *,
        port: int = 0,
        manager: Manager | None = None,
        **settings: str,
    ) -> None:
        environment = {name: text for name, text in os.environ.items() if not name.startswith("CHATCORE_")}  # noqa: TID251
        environment |= {
            "CHATCORE_SECRET_KEY": SECRET,
            "CHATCORE_EXTERNAL_URL": f"https://{HOST}",
            "CHATCORE_METRICS_TOKEN": SECRET,
            "CHATCORE_RATE_LIMITS": "off",
            "PYTHONUNBUFFERED": "1",
            **settings,
        }
        log = log or folder / "server.log"
        self._served = Served(
            "--database", url, log=log, environment=environment, folder=folder, port=port, manager=manager
        )
        self.port = self._served.port

    def wait_for_a_poll(self) -> None:
        """Until one waits here."""
        asked = Request(
            f"http://127.0.0.1:{self.port}/metrics", headers={"Authorization": f"Bearer {SECRET}"}
        )

        def one_waits() -> bool:
            with urlopen(asked, timeout=PATIENCE) as answer:
                return b"\nchatcore_waiting_polls 1.0\n" in answer.read()

        until(one_waits)

    def kill(self) -> None:
        self._served.end(signal.SIGKILL)

    def stop(self) -> int:
        return self._served.end(signal.SIGTERM)


class Away(Exception):
    """The server went away before it had answered."""


class Client:
    """One person on one connection, which is made anew when it breaks."""

    def __init__(self, world: World, name: str, port: Callable[[], int]) -> None:
        self._headers = {
            "Authorization": basic(world.users[name].email, world.keys[name]),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self._port = port
        self._connection: HTTPConnection | None = None

    def call(self, method: str, path: str, **parameters: object) -> dict[str, Any]:
        """The answer of a success. Raises Away when there is none."""
        body = urlencode({name: as_text(value) for name, value in parameters.items()})
        try:
            if self._connection is None:
                self._connection = HTTPConnection("127.0.0.1", self._port(), timeout=PATIENCE)
            if method == "GET":
                self._connection.request("GET", f"/api/v1{path}?{body}", headers=self._headers)
            else:
                self._connection.request(method, f"/api/v1{path}", body, headers=self._headers)
            text = self._connection.getresponse().read()
        except (OSError, HTTPException) as error:
            self.close()
            raise Away from error
        answer: dict[str, Any] = msgspec.json.decode(text)
        assert answer["result"] == "success", answer
        return answer

    def insist(self, method: str, path: str, **parameters: object) -> dict[str, Any]:
        """As `call`, repeated for as long as the server goes away meanwhile."""

        def answer() -> dict[str, Any] | None:
            with suppress(Away):
                return self.call(method, path, **parameters)
            return None

        return until(answer) or {}

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Traffic:
    """Ada sends one message after another, and bea listens."""

    def __init__(self, world: World, port: Callable[[], int]) -> None:
        self._ada, self._bea = (Client(world, name, port) for name in ("ada", "bea"))
        self._echo = self._ada.insist("POST", "/register", event_types=[], fetch_event_types=[])["queue_id"]
        queue = self._bea.insist("POST", "/register", event_types=["message"], fetch_event_types=[])
        self._queue: dict[str, Any] = {
            "queue_id": queue["queue_id"],
            "last_event_id": queue["last_event_id"],
        }
        self.acknowledged: list[int] = []
        """The ids of the messages, by their numbers."""
        self.received: list[tuple[int, str]] = []
        self._enough, self._all_sent = threading.Event(), threading.Event()
        self._failures: list[BaseException] = []
        self._threads = [
            threading.Thread(target=self._guard, args=(work,)) for work in (self._send, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    def _guard(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self._failures.append(error)

    def _send(self) -> None:
        while not self._enough.is_set():
            number = len(self.acknowledged)
            answer = self._ada.insist(
                "POST", "/messages", type="channel", to="lunch", topic="today", content=f"soup {number}",
                queue_id=self._echo, local_id=str(number),
            )  # fmt: skip
            self.acknowledged.append(answer["id"])
        self._ada.close()

    def _listen(self) -> None:
        while not self._all_sent.is_set() or len(self.received) < len(self.acknowledged):
            done = self._all_sent.is_set()
            for event in self._bea.insist("GET", "/events", **self._queue, dont_block=done)["events"]:
                self._queue["last_event_id"] = event["id"]
                if event["type"] == "message":
                    self.received.append((event["message"]["id"], event["message"]["content"]))
        self._bea.close()

    def wait_for(self, more: int) -> None:
        """Wait until so many more messages were acknowledged."""
        goal = len(self.acknowledged) + more
        until(lambda: len(self.acknowledged) >= goal or self._failures)
        assert not self._failures, self._failures

    def end(self) -> None:
        self._enough.set()
        self._threads[0].join(PATIENCE)
        # The listener may wait for one message more.
        end = {"type": "channel", "to": "lunch", "topic": "today", "content": "the end"}
        self.acknowledged.append(self._ada.insist("POST", "/messages", **end)["id"])
        self._ada.close()
        self._all_sent.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "it hangs"
        assert not self._failures, self._failures


def test_acknowledged_messages_survive_kill_9(store_url: str, tmp_path: Path) -> None:
    kills = int(os.environ.get(KILLS, "3"))  # noqa: TID251
    rng = random.Random(9)
    world = World(store_url)
    world.close()
    server = Server(store_url, tmp_path)
    traffic = Traffic(world, lambda: server.port)
    for _ in range(kills):
        traffic.wait_for(rng.randrange(1, 40))
        time.sleep(rng.random() * 0.005)
        server.kill()
        server = Server(store_url, tmp_path)
    traffic.wait_for(5)
    traffic.end()
    server.stop()

    ids = traffic.acknowledged
    texts = [f"soup {number}" for number in range(len(ids) - 1)] + ["the end"]
    assert ids == sorted(set(ids))
    assert traffic.received == list(zip(ids, texts, strict=True)), "none lost, none twice, in order"
    with closing(World(store_url)) as again:
        stored = again["bea"].reads(num_before=5000, apply_markdown=False)
        assert [(message["id"], message["content"]) for message in stored] == traffic.received


def test_acknowledged_changes_are_in_the_audit_log_after_kill_9(store_url: str, tmp_path: Path) -> None:
    world = World(store_url)
    world.close()
    server = Server(store_url, tmp_path)
    olga = Client(world, "olga", lambda: server.port)
    names = [f"Name {number}" for number in range(12)]
    for number, name in enumerate(names):
        olga.insist("PATCH", "/realm", name=name)
        if number % 4 == 3:
            server.kill()
            server = Server(store_url, tmp_path)
    server.stop()
    olga.close()
    with closing(World(store_url)) as again:
        log = again["olga"].get("/audit", kind="organization_changed")["entries"]
        assert [entry["after"]["name"] for entry in reversed(log)] == names


# -- two processes ----------------------------------------------------------------------------------


@pytest.fixture(params=["directly", "by a pooler"])
def two_servers(
    request: pytest.FixtureRequest, postgres_url: str, tmp_path: Path
) -> Iterator[tuple[World, Server, Server]]:
    """Two processes on a PostgreSQL, which they reach directly or through PgBouncer."""
    world = World(postgres_url)
    world.close()
    with nullcontext(postgres_url) if request.param == "directly" else pgbouncer(postgres_url) as url:
        servers = Server(url, tmp_path), Server(url, tmp_path)
        yield (world, *servers)
        for server in servers:
            server.stop()


def in_background(work: Callable[[], T]) -> Callable[[], T]:
    """Start the work in a thread; the function returned waits for its result."""
    found: list[T] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()

    def wait() -> T:
        thread.join(PATIENCE)
        assert found, "it hangs or has failed"
        return found[0]

    return wait


def test_one_process_answers_for_the_queue_of_another(two_servers: tuple[World, Server, Server]) -> None:
    world, one, other = two_servers
    ada = Client(world, "ada", lambda: one.port)
    bea, bea_elsewhere = (Client(world, "bea", lambda server=server: server.port) for server in (one, other))
    queue = bea.call("POST", "/register", event_types=["message"], fetch_event_types=[])
    place = {"queue_id": queue["queue_id"], "last_event_id": queue["last_event_id"]}
    for content in ("soup", "stew"):
        poll = in_background(lambda: bea_elsewhere.call("GET", "/events", **place))
        sent = ada.call("POST", "/messages", type="channel", to="lunch", topic="today", content=content)
        (event,) = poll()["events"]
        assert (event["message"]["id"], event["message"]["content"]) == (sent["id"], content)
        place["last_event_id"] = event["id"]
    assert bea_elsewhere.call("GET", "/events", **place, dont_block=True)["events"] == []
    poll = in_background(lambda: bea_elsewhere.call("GET", "/events", **place))
    other.wait_for_a_poll()
    bea.call("DELETE", "/events", queue_id=place["queue_id"])
    assert poll()["events"] == []
    for client in (ada, bea, bea_elsewhere):
        client.close()


def test_two_processes_write_in_one_order(two_servers: tuple[World, Server, Server]) -> None:
    world, one, other = two_servers
    bea = Client(world, "bea", lambda: one.port)
    queue = bea.call("POST", "/register", event_types=["message"], fetch_event_types=[])

    def send(server: Server, name: str) -> list[int]:
        client = Client(world, name, lambda: server.port)
        parameters = {"type": "channel", "to": "lunch", "topic": "today", "content": name}
        sent = [client.call("POST", "/messages", **parameters)["id"] for _ in range(20)]
        client.close()
        return sent

    halves = [in_background(lambda s=s, n=n: send(s, n)) for s, n in ((one, "ada"), (other, "gus"))]  # type: ignore[misc]
    received: list[int] = []
    last = queue["last_event_id"]
    while len(received) < 40:
        for event in bea.call("GET", "/events", queue_id=queue["queue_id"], last_event_id=last)["events"]:
            received.append(event["message"]["id"])
            last = event["id"]
    assert received == sorted([*halves[0](), *halves[1]()])
    bea.close()
