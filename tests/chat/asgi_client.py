"""A client of ASGI applications: it sends the messages that a server would send, and notes the answers."""

import asyncio
from collections.abc import Iterable
from typing import Any, NamedTuple

from chatcore.http.asgi import AsgiApplication

Message = dict[str, Any]
GONE: Message = {"type": "http.disconnect"}


def piece(body: bytes = b"", *, is_last: bool = False) -> Message:
    return {"type": "http.request", "body": body, "more_body": not is_last}


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Exchange:
    """One request; messages can still be added to `arriving` while it runs."""

    def __init__(self, path: str, arriving: Iterable[Message] = (), **scope: Any) -> None:
        self.scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": b"",
            "http_version": "1.1",
            "headers": [],
            **scope,
        }
        self.arriving: asyncio.Queue[Message] = asyncio.Queue()
        for message in arriving:
            self.arriving.put_nowait(message)
        self.sent: list[Message] = []

    async def run(self, app: AsgiApplication) -> None:
        await app(self.scope, self.arriving.get, self.send)

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def answer(self) -> Answer:
        start, *rest = self.sent
        assert start["type"] == "http.response.start"
        assert [one.get("more_body", False) for one in rest] == [True] * (len(rest) - 1) + [False]
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        assert len(headers) == len(start["headers"])
        return Answer(start["status"], headers, b"".join(one.get("body", b"") for one in rest))


async def request(app: AsgiApplication, path: str, *body: bytes, **scope: Any) -> Answer:
    """Send a request, whose pieces of a body arrive one by one."""
    exchange = Exchange(path, [*map(piece, body), piece(is_last=True)], **scope)
    await exchange.run(app)
    return exchange.answer
