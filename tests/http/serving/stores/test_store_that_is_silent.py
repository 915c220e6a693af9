"""A PostgreSQL that stands still or has vanished: nobody waits for long, and all goes on afterwards."""

import itertools
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
import psycopg
import pytest

from chatcore.storage import OutcomeUnknown, StorageNotReady, Transaction
from chatcore.storage.conformance.makers import announce
from chatcore.storage.conformance.transactions import Crowd, texts
from storage_backends import open_storage, postgres_connections
from storage_backends.postgres_connections import Pool
from storage_backends.sql.statement import Statement
from tests.http.serving.test_durability import Server, in_background
from tests.postgres import SETTINGS
from tests.postgres.cluster import postgres_cluster
from tests.postgres.connections import connections_are_new
from tests.postgres.standing_still import Frozen, Vanished, silent
from tests.waiting import PATIENCE, until
from tests.worlds.organization import World, at_once, basic

READERS, WRITERS = 25, 20
"""More than a process has connections to the database."""

_numbers = itertools.count()


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with postgres_cluster(SETTINGS) as url:
        yield url


@pytest.fixture
def url(cluster: str) -> Iterator[str]:
    """A database of a server that no other test uses meanwhile."""
    name = f"silent_{next(_numbers)}"
    with connections_are_new():
        with psycopg.connect(cluster, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        found = urlsplit(cluster)._replace(path=f"/{name}").geturl()
        with closing(open_storage(found)) as storage:
            storage.migrate()
        yield found


@pytest.fixture(params=[Frozen, Vanished])
def database(request: pytest.FixtureRequest, url: str) -> Iterator[Frozen | Vanished]:
    made = request.param(url)
    yield made
    if isinstance(made, Vanished):
        made.close()


class Asker:
    """Requests of one person, each on a connection of its own."""

    def __init__(self, world: World, name: str, server: Server) -> None:
        self._authorization = basic(world.users[name].email, world.keys[name])
        self._server = server

    def ask(self, method: str, path: str, **parameters: object) -> dict[str, Any]:
        """Return the answer, with its status."""
        headers = {
            "Authorization": self._authorization,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode(parameters)
        if method == "GET":
            path, body = f"{path}?{body}", ""
        with closing(HTTPConnection("127.0.0.1", self._server.port, timeout=PATIENCE)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return {**msgspec.json.decode(answer.read()), "status": answer.status}


class Requests:
    """People who do the same again and again, at the same time."""

    def __init__(self) -> None:
        self.answers: dict[str, list[dict[str, Any]]] = {}
        self._crowd = Crowd()
        self._is_over = False

    def start(self, name: str, ask: Callable[[str], dict[str, Any]]) -> None:
        answers = self.answers[name] = []

        def go_on() -> None:
            while not self._is_over:
                answers.append(ask(f"{name} {len(answers)}"))
                threading.Event().wait(0.01)

        self._crowd.start(name, go_on)

    def wait_for(self, *statuses: int) -> None:
        """Wait until each of them gets an answer with one of the statuses to what is asked from now on."""
        before = {name: len(answers) + 1 for name, answers in self.answers.items()}

        def have_got() -> bool:
            return all(
                any(one["status"] in statuses for one in answers[before[name] :])
                for name, answers in self.answers.items()
            )

        until(
            have_got,
            lambda: str(
                {name: [one["status"] for one in answers[-3:]] for name, answers in self.answers.items()}
            ),
        )

    def end(self) -> None:
        self._is_over = True
        self._crowd.wait()
        assert not self._crowd.errors


def test_requests_are_answered_meanwhile_and_everything_goes_on(
    url: str, database: Frozen | Vanished, tmp_path: Path
) -> None:
    world = World(url)
    world.close()
    server = Server(database.url, tmp_path)
    ada, bea = (Asker(world, name, server) for name in ("ada", "bea"))
    queue = bea.ask("POST", "/api/v1/register", event_types='["message"]', fetch_event_types="[]")
    place = {"queue_id": queue["queue_id"], "last_event_id": queue["last_event_id"]}
    received: list[str] = []

    def send(content: str) -> dict[str, Any]:
        place = {"type": "channel", "to": "lunch", "topic": "today"}
        return {**ada.ask("POST", "/api/v1/messages", **place, content=content), "content": content}

    def follow(_: str) -> dict[str, Any]:
        answer = bea.ask("GET", "/api/v1/events", **place)
        for event in answer.get("events", ()):
            place["last_event_id"] = event["id"]
            if event["type"] == "message":
                received.append(event["message"]["content"])
        return answer

    requests, polls = Requests(), Requests()
    for number in range(WRITERS):
        requests.start(f"write {number}", send)
    for number in range(READERS):
        requests.start(f"read {number}", lambda _: ada.ask("GET", "/api/v1/users/me/subscriptions"))
    polls.start("poll", follow)
    requests.wait_for(200)
    with silent(database):
        requests.wait_for(503)
        requests.wait_for(503)
        assert ada.ask("GET", "/health")["status"] == 200
    requests.wait_for(200)
    requests.end()
    told = {
        one["content"]: one.get("code")
        for answers in requests.answers.values()
        for one in answers
        if "content" in one
    }
    assert {one["status"] for answers in requests.answers.values() for one in answers} == {200, 503}
    assert set(told.values()) <= {None, "SERVER_NOT_READY", "OUTCOME_UNKNOWN"}
    assert send("the end")["status"] == 200
    until(lambda: "the end" in received)
    polls_ended = in_background(polls.end)
    assert send("nobody waits for more")["status"] == 200
    polls_ended()
    server.stop()
    with closing(World(url)) as again:
        found = again["bea"].reads(num_before=5000, apply_markdown=False)
    stored = [message["content"] for message in found]
    assert stored[: len(received)] == received  # then its client went
    assert not [content for content, number in Counter(stored).items() if number > 1]
    assert {content for content, code in told.items() if code is None} <= set(stored)
    assert not {content for content, code in told.items() if code == "SERVER_NOT_READY"} & set(stored)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the server soon; what it says holds on a busy machine too."""
    monkeypatch.setattr(postgres_connections, "SILENT_SECONDS", 0.2)


def again(work: Callable[[], object]) -> None:
    """Try until the store is ready."""

    def is_done() -> bool:
        try:
            work()
        except StorageNotReady:
            return False
        return True

    until(is_done)


def sleep(tx: Transaction) -> None:
    tx.session.run_counting(Statement("SELECT pg_sleep(1)"))  # type: ignore[attr-defined]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("tracked", ["on", "off"])
def test_a_long_statement_is_waited_for(url: str, tracked: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        name = urlsplit(url).path.removeprefix("/")
        connection.execute(f"ALTER DATABASE {name} SET track_activities = {tracked}".encode())
    with closing(open_storage(url)) as storage:
        storage.write(sleep)
        announce(storage, "one")
        assert texts(storage) == ["one"]


@pytest.mark.usefixtures("hasty")
def test_a_commit_that_was_sent_to_a_silent_server_is_unknown_and_made_once_at_most(
    url: str, database: Frozen | Vanished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_storage(database.url)) as storage:
        announce(storage, "one")
        commit = storage.backend.commit

        def commit_in_silence(head: int | None) -> None:
            database.fall_silent()
            commit(head)

        with monkeypatch.context() as patch:
            patch.setattr(storage.backend, "commit", commit_in_silence)
            with pytest.raises(OutcomeUnknown):
                announce(storage, "two")
        with pytest.raises(StorageNotReady):
            announce(storage, "never")
        with pytest.raises(StorageNotReady):
            texts(storage)
        database.go_on()
        again(lambda: announce(storage, "three"))
        assert texts(storage) in (["one", "three"], ["one", "two", "three"])


@contextmanager
def refusing(answer: bytes) -> Iterator[str]:
    """A server that answers everybody so; yield its URL."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def answer_once() -> None:
            client, _ = listener.accept()
            with closing(client):
                client.recv(65_536)
                client.sendall(answer)

        answered = in_background(answer_once)
        yield f"postgresql://ada@127.0.0.1:{listener.getsockname()[1]}/chat?sslmode=disable&gssencmode=disable"
        answered()


@pytest.mark.parametrize("severity", ["FATAL", "ВАЖНО", "致命错误"])
def test_a_server_that_refuses_in_any_language_answers(severity: str) -> None:
    fields = {"S": severity, "V": "FATAL", "C": "53300", "M": "..."}
    told = b"".join(f"{kind}{value}\0".encode() for kind, value in fields.items()) + b"\0"
    with refusing(b"E" + (len(told) + 4).to_bytes(4) + told) as url:
        assert Pool(url, None).silence.is_at_work(1)


@pytest.mark.parametrize("server", ["127.0.0.1:1", "localhost:1"])
def test_where_nobody_is_nobody_answers(server: str) -> None:
    silence = Pool(f"postgresql://ada@{server}/chat", None).silence
    assert not silence.is_at_work(1)
    silence.close()


@pytest.mark.usefixtures("hasty")
def test_connections_that_were_lost_while_the_server_answers_others_are_given_up(url: str) -> None:
    database = Vanished(url)
    with closing(open_storage(database.url)) as storage, closing(database):
        at_once(*[lambda: texts(storage)] * 5)  # opens some
        database.fall_silent()
        database.go_on()  # for new connections only
        with pytest.raises(StorageNotReady):
            announce(storage, "two")
        announce(storage, "three")
        assert at_once(*[lambda: texts(storage)] * 5) == [["three"]] * 5
