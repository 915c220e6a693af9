"""The bot of docs/a-bot-over-http.md survives refusals and lost connections, and answers no bots."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.page_programs import ROOT, programs

(PROGRAM,) = programs(ROOT / "docs" / "a-bot-over-http.md")
PERSON, BOT = 7, 8
QUEUE = {"queue_id": "q", "last_event_id": -1}
LOST: dict[str, Any] = {}


def refusal(code: str) -> dict[str, Any]:
    return {"result": "error", "msg": "no", "code": code}


def message(event_id: int, sender_id: int = PERSON) -> dict[str, Any]:
    place = {"type": "stream", "stream_id": 4, "subject": "tea"}
    inner = {"id": event_id, "sender_id": sender_id, "content": "soup", **place}
    return {"type": "message", "id": event_id, "message": inner}


def events(*found: dict[str, Any]) -> dict[str, Any]:
    return {"events": list(found)}


def heartbeat(event_id: int) -> dict[str, Any]:
    return {"type": "heartbeat", "id": event_id}


class Script:
    """A server whose answers are prepared. After the last of them, the key of the bot is no longer valid."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, Any]]] = []
        self.calls: list[tuple[str, dict[str, str]]] = []
        """Requests, except for those about users."""

    def next(self, call: str, parameters: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if call.startswith("GET /users/"):
            return 200, {"user": {"is_bot": call == f"GET /users/{BOT}"}}
        self.calls.append((call, parameters))
        return self.answers.pop(0) if self.answers else (401, refusal("UNAUTHORIZED"))

    @property
    def sent(self) -> list[str]:
        return [given["local_id"] for call, given in self.calls if call == "POST /messages"]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            parts = urlsplit(self.path)
            given = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, body = script.next(f"{self.command} {parts.path.removeprefix('/api/v1')}", given)
            if body is LOST:
                self.close_connection = True
                return
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "17")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        do_GET = do_POST = answer  # noqa: N815 - the names are those of the base class

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("CHAT_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("BOT_EMAIL", "counter-bot@example.com")
    monkeypatch.setenv("BOT_KEY", "key")
    yield script
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr("time.sleep", found.append)
    return found


@pytest.fixture
def run(script: Script, pauses: list[float]) -> Callable[..., None]:
    """Run the bot until its key is refused."""

    def until_refused(*answers: tuple[int, dict[str, Any]]) -> None:
        script.answers = [(200, QUEUE), *answers]
        with pytest.raises(Exception, match="UNAUTHORIZED"):
            exec(PROGRAM, {"__name__": "bot"})

    return until_refused


def test_it_answers_people_and_no_bots(run: Callable[..., None], script: Script) -> None:
    run((200, events(message(1), message(2, sender_id=BOT), heartbeat(3))), (200, {"id": 9}))
    assert script.sent == ["1"]
    call, given = script.calls[-1]
    assert (call, given["last_event_id"]) == ("GET /events", "3")


def test_it_goes_on_where_it_may_not_write(run: Callable[..., None], script: Script) -> None:
    refused = [(status, refusal("BAD_REQUEST")) for status in (400, 403)]
    run((200, events(message(1), message(2), message(3))), *refused, (200, {"id": 9}))
    assert script.sent == ["1", "2", "3"]


def test_it_registers_again_when_its_queue_has_ended(run: Callable[..., None], script: Script) -> None:
    run((400, refusal("BAD_EVENT_QUEUE_ID")), (200, {"queue_id": "new", "last_event_id": 5}), (200, events()))
    assert [call for call, _ in script.calls] == ["POST /register", "GET /events"] * 2 + ["GET /events"]
    assert script.calls[-1][1] == {"queue_id": "new", "last_event_id": "5"}


@pytest.mark.parametrize(
    ("trouble", "pause"),
    [((429, refusal("RATE_LIMIT_HIT")), 17), ((503, refusal("SERVER_NOT_READY")), 1), ((200, LOST), 1)],
    ids=["limit", "not ready", "lost connection"],
)
def test_it_repeats_a_request_after_a_pause(
    run: Callable[..., None],
    script: Script,
    pauses: list[float],
    trouble: tuple[int, dict[str, Any]],
    pause: float,
) -> None:
    run(trouble, (200, events(message(1))), trouble, trouble, (200, {"id": 9}))
    assert pauses == [pause] * 3
    assert script.sent == ["1"] * 3
    assert [call for call, _ in script.calls][-2:] == ["POST /messages", "GET /events"]
