"""A server that stops: who has connected is answered, and nobody else connects."""

import os
import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest

from tests.http.serving.test_durability import Client, Server, in_background
from tests.http.serving.toy_server import Server as ToyServer
from tests.waiting import PATIENCE, until
from tests.worlds.organization import World, basic

GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
WHO = "GET /pid HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
"""It leaves no connection that rests, for which a server that stops would wait."""
WAIT = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
ANSWERED = (200, "hello")


@pytest.fixture
def start() -> Iterator[Callable[..., ToyServer]]:
    """Start a server that leaves connections without a request all the time for one."""
    with ExitStack() as closing_all:
        yield lambda *arguments, **environment: ToyServer(
            closing_all, *arguments, **{"LAST_REQUEST": str(PATIENCE), **environment}
        )


def pids_of(server: ToyServer, workers: int) -> set[int]:
    """Return the process ids of the workers, each of which has answered."""
    pids: set[int] = set()

    def have_answered() -> bool:
        pids.add(int(server.connect().ask(WHO)[1]))
        return len(pids) == workers

    until(have_answered)
    return pids


def hold(*pids: int) -> None:
    """Let processes stand still until they receive SIGCONT."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    until(lambda: all(status_of(pid, "State").startswith("T") for pid in pids))


def is_told_to_stop(pid: int) -> bool:
    """Whether SIGTERM waits for a process that stands still."""
    return bool(int(status_of(pid, "ShdPnd"), 16) & 1 << signal.SIGTERM - 1)


def status_of(pid: int, field: str) -> str:
    (text,) = re.findall(rf"^{field}:\s*(.*)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return str(text)


@pytest.mark.parametrize("workers", [1, 2])
def test_who_has_connected_is_answered_even_if_nobody_has_accepted_the_connection(
    start: Callable[..., ToyServer], workers: int
) -> None:
    server = start(WORKERS=str(workers), GRACE=str(PATIENCE))
    pids = pids_of(server, workers)
    hold(*pids)
    waiting = [server.connect() for _ in range(50)]
    for connection in waiting[::2]:
        connection.send(GET)
    server.stop()
    until(lambda: all(is_told_to_stop(pid) for pid in pids))
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    for connection in waiting[1::2]:
        connection.send(GET)
    for connection in waiting:
        assert connection.read() == ANSWERED
        if not connection.says_close:  # a worker has answered it before it heard of the signal
            assert connection.ask(GET) == ANSWERED
        assert connection.says_close
        assert connection.is_at_its_end
    assert server.wait() == 0


def test_a_connection_may_send_one_more_request(start: Callable[..., ToyServer]) -> None:
    server = start()
    rested, new, poll = (server.connect() for _ in range(3))
    assert rested.ask(GET) == ANSWERED
    poll.send(WAIT)
    server.in_audience("waiting")
    server.stop()
    assert poll.read() == (200, "woken"), "it stops"
    for connection in (rested, new):
        assert (connection.ask(GET), connection.says_close) == (ANSWERED, True)
        assert connection.is_at_its_end
    assert server.wait() == 0


def test_a_request_that_has_come_is_answered_however_short_that_moment_is(
    start: Callable[..., ToyServer],
) -> None:
    server = start(LAST_REQUEST="0")
    rested = server.connect()
    assert rested.ask(GET) == ANSWERED
    hold(server.process.pid)
    rested.send(GET)
    server.stop()
    server.process.send_signal(signal.SIGCONT)
    assert rested.read() == ANSWERED
    assert server.wait() == 0


def test_a_head_that_has_begun_may_be_ended_while_the_server_stops(start: Callable[..., ToyServer]) -> None:
    server = start(LAST_REQUEST="0", GRACE=str(PATIENCE))
    rested, begun = server.connect(), server.connect()
    assert rested.ask(GET) == ANSWERED
    begun.send(GET[:5])
    assert server.connect().ask(GET) == ANSWERED, "by now, the beginning is read"
    server.stop()
    assert rested.is_at_its_end
    begun.send(GET[5:])
    assert begun.read() == ANSWERED
    assert server.wait() == 0


def test_a_signal_to_all_processes_of_a_service_cuts_nobody_off(
    start: Callable[..., ToyServer], tmp_path: Path
) -> None:
    """Service managers and terminals send it to the workers too, which also hear it from their parent."""
    server = start("writes", str(tmp_path / "written"), WORKERS="2")
    pids = pids_of(server, 2)
    write = server.connect()
    write.send("POST /write HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("writing")
    for number in (signal.SIGINT, signal.SIGTERM):
        for pid in pids:
            os.kill(pid, number)
    server.stop()
    assert write.read() == (200, "written")
    assert server.wait() == 0


def test_workers_hear_a_signal_that_comes_at_their_fork(start: Callable[..., ToyServer]) -> None:
    server = start(WORKERS="2", STOPPED_AT_FORK="")
    assert server.wait() == 0


def test_a_second_signal_ends_what_runs_in_all_workers(start: Callable[..., ToyServer]) -> None:
    server = start(WORKERS="2")
    pids_of(server, 2)
    connection = server.connect()
    connection.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("hanging")
    server.stop()
    for _ in range(2):
        server.in_audience("stopping")
    server.stop()
    assert connection.is_at_its_end
    assert server.wait() == 0


# -- the whole server -------------------------------------------------------------------------------

POSTS = 200
BEFORE = 60
"""Posts that are answered before the signal comes."""
WRITERS = ("ada", "bea", "gus") * 2


class Posts:
    """Messages that several people send, each on a connection of its own."""

    def __init__(self, world: World, port: int) -> None:
        self._port = port
        self._numbers = iter(range(POSTS))
        self.outcomes: dict[int, str] = {}
        """Of each post, by its number: `sent`, `refused`, or what else has happened."""
        self._threads = [
            threading.Thread(target=self._post_all, args=(basic(world.users[name].email, world.keys[name]),))
            for name in WRITERS
        ]
        for thread in self._threads:
            thread.start()

    def _post_all(self, login: str) -> None:
        for number in self._numbers:
            self.outcomes[number] = self._post(number, login)

    def _post(self, number: int, login: str) -> str:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        form = {"type": "channel", "to": "lunch", "topic": "today", "content": f"soup {number}"}
        headers = {"Authorization": login, "Content-Type": "application/x-www-form-urlencoded"}
        try:
            connection.connect()
        except ConnectionRefusedError:
            return "refused"
        try:
            connection.request("POST", "/api/v1/messages", urlencode(form), headers)
            answer = msgspec.json.decode(connection.getresponse().read())
        except (OSError, HTTPException) as error:
            return f"cut off: {error!r}"
        finally:
            connection.close()
        return "sent" if answer["result"] == "success" else f"refused by the program: {answer}"

    def wait(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE)


def test_each_post_around_the_signal_is_answered_or_refused(
    store_url: str, store_kind: str, tmp_path: Path
) -> None:
    world = World(store_url)
    world.close()
    server = Server(store_url, tmp_path, CHATCORE_WORKERS="2" if store_kind == "postgresql" else "1")
    bea = Client(world, "bea", lambda: server.port)
    queue = bea.call("POST", "/register", event_types=["reaction"], fetch_event_types=[])
    poll = in_background(lambda: bea.call("GET", "/events", queue_id=queue["queue_id"], last_event_id=-1))
    server.wait_for_a_poll()
    posts = Posts(world, server.port)
    until(lambda: len(posts.outcomes) >= BEFORE)
    server.stop()
    posts.wait()
    bea.close()
    assert poll()["events"] == []
    counts = Counter(posts.outcomes.values())
    assert counts.keys() <= {"sent", "refused"}, counts
    assert counts.total() == POSTS
    assert counts["refused"] > 0
    with closing(World(store_url)) as again:
        stored = Counter(
            message["content"] for message in again["bea"].reads(num_before=5000, apply_markdown=False)
        )
    sent = {f"soup {number}" for number, outcome in posts.outcomes.items() if outcome == "sent"}
    assert stored == Counter(sent), "each once, and nothing else"
    assert "cut off" not in (tmp_path / "server.log").read_text()
