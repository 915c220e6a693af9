"""The programs of docs/web-programs.md are served, and used by many clients."""

import json
import os
import signal
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import Client

from chatcore import open_chat
from tests.page_programs import ROOT, programs
from tests.ports import free_port
from tests.waiting import PATIENCE, until

FASTAPI, STARLETTE, QUART, FLASK, DJANGO = programs(ROOT / "docs" / "web-programs.md")
POLLS = 200
THREADS = 60
"""Fewer than one for each poll."""
UVICORN = ("uvicorn", "probe:app", "--timeout-graceful-shutdown", "1", "--port")
PROBE = """
from chatcore.application.events import hub
from club import app as program, chat

hub.HEARTBEAT_MARGIN = -600.0

async def app(scope, receive, send):
    if scope.get("path") != "/waiting":
        return await program(scope, receive, send)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d" % chat.services.hub.waiting})
"""
"""A program as it is, with the number of its waiting polls, which last for longer than any test."""


class Queue(NamedTuple):
    key: str
    """The credentials of its owner."""
    id: str | None
    last_event_id: int


class Served:
    """A program in a process of its own, with many event queues."""

    def __init__(self, closing: ExitStack, folder: Path, program: str) -> None:
        self._closing = closing
        (folder / "club.py").write_text(program)
        (folder / "probe.py").write_text(PROBE)
        self.own_polls = program.count("follow_async(")
        self.queues: list[Queue] = []
        with open_chat(f"sqlite:///{folder}/club.db", owner_email="ada@example.com") as chat:
            people = [chat.users.actor("ada@example.com"), chat.users.create("gus@example.com", "Gus")]
            for person in people:
                login = chat.users.credentials(person)
                self.key = b64encode(f"{login.email}:{login.api_key}".encode()).decode()
                for _ in range(POLLS // len(people)):
                    made = chat.events.register(person, event_types="message", fetch_event_types=())
                    self.queues.append(Queue(self.key, made.queue_id, made.last_event_id))
        self.port = free_port()
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
        self.process = subprocess.Popen(
            [sys.executable, "-m", *UVICORN, str(self.port)],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        closing.enter_context(self.process)
        closing.callback(self.process.kill)

    def call(self, method: str, path: str, body: str | None = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Authorization": f"Basic {self.key}", "Content-Type": "application/x-www-form-urlencoded"}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            assert response.status == 200
            return json.loads(response.read())
        finally:
            connection.close()

    def is_up(self) -> bool:
        assert self.process.poll() is None
        try:
            return bool(self.call("GET", "/chat/health"))
        except OSError:
            return False

    def poll(self, queue: Queue) -> socket.socket:
        """Open a connection that asks for the events of a queue."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self._closing.enter_context(connection)
        path = f"/chat/api/v1/events?queue_id={queue.id}&last_event_id={queue.last_event_id}"
        lines = (
            f"GET {path} HTTP/1.1",
            "Host: club",
            "Connection: close",
            f"Authorization: Basic {queue.key}",
        )
        connection.sendall("".join(f"{line}\r\n" for line in (*lines, "")).encode())
        return connection

    @property
    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))


def events_of(connection: socket.socket) -> list[dict[str, Any]]:
    """Wait for the answer to a poll."""
    with connection, connection.makefile("rb") as file:
        head, _, body = file.read().partition(b"\r\n\r\n")
    assert b" 200" in head.splitlines()[0], body
    events: list[dict[str, Any]] = json.loads(body)["events"]
    return events


@pytest.fixture(params=[FASTAPI, STARLETTE, QUART], ids=["FastAPI", "Starlette", "Quart"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    with ExitStack() as closing:
        server = Served(closing, tmp_path, request.param)
        until(server.is_up)
        yield server


def test_many_clients_wait_without_threads_and_the_program_stops_at_once(served: Served) -> None:
    waiting = [served.poll(queue) for queue in served.queues]
    served.call("POST", "/chat/api/v1/messages", "type=channel&to=general&topic=seeds&content=Leek")
    for number, connection in enumerate(waiting):
        (event,) = events_of(connection)
        assert event["message"]["content"] == "<p>Leek</p>"
        served.queues[number] = served.queues[number]._replace(last_event_id=event["id"])
    until(lambda: any("Leek" in one for one in served.call("GET", "/newest")))
    waiting = [served.poll(queue) for queue in served.queues]
    until(lambda: served.call("GET", "/waiting") == POLLS + served.own_polls)
    assert served.threads < THREADS
    served.process.send_signal(signal.SIGTERM)
    assert [events_of(connection) for connection in waiting] == [[]] * POLLS
    assert served.process.wait(PATIENCE) in (0, -signal.SIGTERM)


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Import a program as the module `club`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    made: list[Any] = []

    def load(program: str) -> Any:
        (tmp_path / "club.py").write_text(program)
        sys.modules.pop("club", None)
        made.append(import_module("club"))
        return made[-1]

    yield load
    for module in made:
        module.chat.close()
    sys.modules.pop("club", None)


def test_users_of_a_flask_site_are_users_of_its_chat(club: Callable[[str], Any]) -> None:
    browser = Client(club(FLASK).application)
    assert browser.post("/chat-login").status_code == 401
    browser.post("/login/gus")
    first, second = browser.post("/chat-login").json, browser.post("/chat-login").json
    assert first == second
    me = browser.get("/chat/api/v1/users/me", auth=(first["email"], first["api_key"])).json
    assert me["full_name"] == "gus"


def test_a_flask_site_shows_how_many_messages_are_unread(club: Callable[[str], Any]) -> None:
    module = club(FLASK)
    browser = Client(module.application)
    browser.post("/login/gus")
    before = int(browser.get("/").text.split()[3])
    gus = module.chat.users.actor("gus@club.example.com")
    module.chat.messages.send(module.chat.users.actor("ada@example.com"), "Tea?", to=gus)
    assert browser.get("/").text == f"The chat has {before + 1} unread messages for you"


def test_people_who_are_deactivated_in_the_chat_stay_out_of_it(club: Callable[[str], Any]) -> None:
    module = club(FLASK)
    browser = Client(module.application)
    browser.post("/login/gus")
    browser.post("/open-chat")
    gus = module.chat.users.actor("gus@club.example.com")
    module.chat.users.deactivate(None, gus)
    assert [browser.post(path).status_code for path in ("/open-chat", "/chat-login")] == [403, 403]
    browser.post("/login/**gus**")
    assert browser.post("/open-chat").status_code == 403


def test_users_of_a_flask_site_open_the_web_client_without_a_password(club: Callable[[str], Any]) -> None:
    browser = Client(club(FLASK).application)
    assert browser.post("/open-chat").status_code == 401
    browser.post("/login/gus")
    opened = browser.post("/open-chat")
    assert (opened.status_code, opened.location) == (303, "/chat/#session")
    assert "<title>" in browser.get(opened.location).text
    own_script = {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin"}
    assert browser.get("/chat/api/v1/users/me", headers=own_script).json["full_name"] == "gus"
    browser.post("/open-chat")
    sessions = browser.get("/chat/api/v1/users/me/sessions", headers=own_script).json["sessions"]
    assert len(sessions) == 1


def test_a_django_site_has_a_chat(club: Callable[[str], Any]) -> None:
    browser = Client(club(DJANGO).application)
    assert browser.get("/newest").json["newest"]
    assert browser.get("/chat/api/v1/server_settings").json["realm_name"] == "Garden club"
