"""Server processes that deliver scheduled messages: when they are due, once, also when they are killed."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.http.serving.test_durability import SECRET, Client, Server
from tests.waiting import PATIENCE, until
from tests.worlds.organization import World

AN_HOUR = 3600


@pytest.fixture
def world(store_url: str) -> World:
    world = World(store_url)
    world.close()
    return world


@pytest.fixture
def starts(world: World, tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Start a server on the store of the world; the test may end it."""
    started: list[Server] = []

    def start() -> Server:
        started.append(Server(world.url, tmp_path))
        return started[-1]

    yield start
    for server in started:
        server.kill()


def schedules(world: World, server: Server, contents: list[str]) -> None:
    """Schedule messages for later than any test lasts."""
    due = now() + AN_HOUR
    ada = Client(world, "ada", lambda: server.port)
    for content in contents:
        ada.call(
            "POST", "/scheduled_messages", type="channel", to=world.id("lunch"), topic="today",
            content=content, scheduled_delivery_timestamp=due,
        )  # fmt: skip
    ada.close()


def received(world: World, server: Server, number: int) -> list[dict[str, Any]]:
    """Wait until bea has so many messages."""
    bea = Client(world, "bea", lambda: server.port)
    narrow = {"anchor": "newest", "num_before": 1000, "num_after": 0, "apply_markdown": False}

    def read() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = bea.call("GET", "/messages", **narrow)["messages"]
        return found if len(found) >= number else []

    found = until(read)
    bea.close()
    return found


def now() -> int:
    return int(time.time())  # noqa: TID251


def become_due(world: World, seconds: int = 0) -> int:
    """Make all scheduled messages due, now or soon; return the time."""
    due = now() + seconds
    with closing(World(world.url)) as another:
        another.sql("UPDATE scheduled_message SET due = ?", due)
    return due


def test_a_message_is_sent_when_it_is_due(world: World, starts: Callable[[], Server]) -> None:
    server = starts()
    schedules(world, server, ["soup"])
    due = become_due(world, seconds=2)
    (message,) = received(world, server, 1)
    assert message["timestamp"] >= due


def test_messages_survive_kill_9_and_are_sent_once(world: World, starts: Callable[[], Server]) -> None:
    """Some of them are due while there is no server, and the server dies while it sends others."""
    rng = random.Random(9)
    contents = [f"soup {number}" for number in range(60)]
    server = starts()
    schedules(world, server, contents)
    server.kill()
    become_due(world)
    for _ in range(3):
        server = starts()
        time.sleep(rng.random() * 0.1)
        server.kill()
    server = starts()
    found = received(world, server, len(contents))
    assert [message["content"] for message in found] == contents
    server.stop()
    with closing(World(world.url)) as again:
        assert again.count("scheduled_message") == 0
        assert len(again["bea"].reads(num_before=1000)) == len(contents)


@pytest.mark.parametrize("store_kind", ["postgresql"])
def test_one_of_two_processes_sends_each_message(world: World, starts: Callable[[], Server]) -> None:
    servers = [starts(), starts()]
    contents = [[f"{number} {one}" for one in range(15)] for number in range(2)]
    for server, mine in zip(servers, contents, strict=True):
        schedules(world, server, mine)
    become_due(world)
    found = received(world, servers[0], 30)
    with closing(World(world.url)) as store:
        until(lambda: store.count("scheduled_message") == 0)
    assert sorted(message["content"] for message in found) == sorted([*contents[0], *contents[1]])
    assert len(received(world, servers[1], 30)) == 30


@pytest.mark.parametrize("store_kind", ["postgresql"])
def test_another_process_sends_what_a_dead_one_has_taken(world: World, starts: Callable[[], Server]) -> None:
    first, second = starts(), starts()
    schedules(world, first, ["soup"])
    first.kill()
    due = become_due(world)
    (message,) = received(world, second, 1)
    assert message["timestamp"] >= due


WSGI = """
from wsgiref.simple_server import make_server
from wsgi import application
server = make_server("127.0.0.1", 0, application)
print(server.server_port, flush=True)
server.serve_forever()
"""


def test_any_wsgi_server_delivers_from_its_first_request_on(world: World, tmp_path: Path) -> None:
    with closing(World(world.url)) as before:
        due = now() - 10
        before.clock.now = due - 10
        schedules_here(before, due)
    environment = {name: text for name, text in os.environ.items() if not name.startswith("CHATCORE_")}  # noqa: TID251
    environment |= {
        "CHATCORE_DATABASE_URL": world.url,
        "CHATCORE_SECRET_KEY": SECRET,
        "CHATCORE_DATA_DIR": str(tmp_path),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", WSGI],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        urlopen(f"http://127.0.0.1:{port}/ready", timeout=PATIENCE).close()
        with closing(World(world.url)) as after:
            until(lambda: after["bea"].reads() != [])
            assert [message["content"] for message in after["bea"].reads()] == ["<p>soup</p>"]
    finally:
        process.kill()
        process.communicate()


def schedules_here(world: World, due: int) -> None:
    given = {"type": "channel", "to": world.id("lunch"), "topic": "today", "content": "soup"}
    world["ada"].post("/scheduled_messages", scheduled_delivery_timestamp=due, **given)
