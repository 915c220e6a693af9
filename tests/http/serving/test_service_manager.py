"""A server under a service manager, which passes it a socket and hears when it serves."""

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.http.serving.managed import Manager
from tests.http.serving.test_durability import Client, Server, in_background
from tests.http.serving.toy_server import Connection
from tests.http.serving.toy_server import Server as ToyServer
from tests.waiting import PATIENCE
from tests.worlds.organization import World

GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def start(closing: ExitStack) -> Callable[..., ToyServer]:
    return lambda manager, **environment: ToyServer(closing, manager=manager, **environment)


def connect(closing: ExitStack, manager: Manager) -> Connection:
    """Connect to the socket of the manager, whether a server runs or not."""
    connection = Connection(socket.create_connection(("127.0.0.1", manager.port), timeout=PATIENCE))
    closing.callback(connection.close)
    return connection


@pytest.mark.parametrize(("workers", "is_abstract"), [(1, True), (2, False)])
def test_the_manager_hears_when_requests_are_answered_and_when_the_server_stops(
    closing: ExitStack, start: Callable[..., ToyServer], tmp_path: Path, workers: int, is_abstract: bool
) -> None:
    manager = Manager(closing, notify_at="" if is_abstract else str(tmp_path / "notify"))
    server = start(manager, WORKERS=str(workers))
    assert server.port == manager.port
    assert manager.hear() == "READY=1"
    assert server.get("/") == "hello"
    server.stop()
    assert manager.hear() == "STOPPING=1"
    assert server.wait() == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_requests_during_a_restart_wait_for_the_next_process(
    closing: ExitStack, start: Callable[..., ToyServer], workers: int
) -> None:
    manager = Manager(closing)
    server = start(manager, WORKERS=str(workers))
    assert manager.hear() == "READY=1"
    poll = server.connect()
    poll.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("waiting")
    server.stop()
    assert poll.read() == (200, "woken")
    waiting = [connect(closing, manager) for _ in range(20)]
    for connection in waiting[:10]:
        connection.send(GET)
    assert server.wait() == 0
    for connection in waiting[10:]:
        connection.send(GET)
    start(manager, WORKERS=str(workers))
    for connection in waiting:
        assert connection.read() == (200, "hello")


def test_a_passed_socket_takes_the_place_of_host_and_port(
    closing: ExitStack, sqlite_url: str, tmp_path: Path
) -> None:
    world = World(sqlite_url)
    world.close()
    manager = Manager(closing)
    ada = Client(world, "ada", lambda: manager.port)
    server = Server(sqlite_url, tmp_path, port=1, manager=manager)
    assert server.port == manager.port
    assert manager.hear() == "READY=1"
    ada.call("GET", "/users/me")
    ada.close()
    assert server.stop() == 0
    sent = in_background(
        lambda: ada.call("POST", "/messages", type="channel", to="lunch", topic="today", content="soup")
    )
    server = Server(sqlite_url, tmp_path, manager=manager)
    assert sent()["id"] > 0
    ada.close()
    assert server.stop() == 0


@pytest.mark.parametrize(
    ("kind", "number", "complaint"),
    [
        (socket.SOCK_STREAM, 2, "The service manager has passed 2 sockets; the server listens on one."),
        (socket.SOCK_STREAM, 1, "The passed socket is no TCP socket that listens."),
        (socket.SOCK_DGRAM, 1, "The passed socket is no TCP socket that listens."),
    ],
)
def test_other_sockets_are_refused(
    closing: ExitStack, kind: socket.SocketKind, number: int, complaint: str
) -> None:
    other = closing.enter_context(socket.socket(socket.AF_INET, kind))
    manager = Manager(closing, passed=[other])
    launcher = [*manager.launcher[:-1], " ".join(map(str, manager.passed[:number]))]
    program = """
from chatcore import serving
try:
    serving.passed_listener()
except serving.CannotServe as error:
    print(error)
"""
    done = subprocess.run(
        [*launcher, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        pass_fds=manager.passed,
    )
    assert done.stdout == f"{complaint}\n"


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (
            {"LISTEN_PID": "1", "LISTEN_FDS": "1"},
            "the socket in LISTEN_FDS is not used: it was passed to process 1, and this is process {pid}\n",
        ),
        (
            {"LISTEN_FDS": "1"},
            "the socket in LISTEN_FDS is not used: LISTEN_PID does not say to which process it was passed\n",
        ),
        ({"LISTEN_PID": "1", "LISTEN_FDS": "0"}, ""),
        ({}, ""),
    ],
)
def test_what_was_passed_to_another_process_is_not_taken_and_that_is_said(
    variables: dict[str, str], said: str
) -> None:
    program = """
import os
from chatcore import serving
serving.patch()
print(serving.passed_listener(), os.getpid())
try:
    serving.serve(lambda: None, "203.0.113.7", 9991)
except serving.CannotServe:
    pass  # it is not an address of this machine
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    nothing, pid = done.stdout.split()
    assert (nothing, done.stderr) == ("None", said.format(pid=pid))
