"""Small web services for tests: they note the requests that they get, and answer as a test says."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CREATED = b"<response><returncode>SUCCESS</returncode></response>"
"""The answer of a server of video calls that has begun one."""


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)


class Service:
    """A service at a port of this host."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests: list[Request] = []
        self.answers: Callable[[Request], Answer] = lambda request: Answer()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def sends(self, body: bytes, content_type: str, status: int = 200, **headers: str) -> None:
        headers = {"Content-Type": content_type, **headers}
        self.answers = lambda request: Answer(status, body, headers)

    def says(self, **fields: Any) -> None:
        self.answers = lambda request: Answer(body=json.dumps(fields).encode())


@contextmanager
def serves() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, headers, body)
            service.requests.append(request)
            answer = service.answers(request)
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.handle_error = lambda *error: None  # type: ignore[method-assign]
        service = Service(server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
