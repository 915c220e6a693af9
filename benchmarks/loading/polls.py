"""Long polls of many people, who poll again as soon as they have an answer."""

import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.json import Decoder

from benchmarks.harness import OWNER, Client, new_people
from benchmarks.loading.clients import read_answer
from benchmarks.options import allow_connections
from chatcore import open_chat

EVENTS = "/api/v1/events"
ALL = "all"
LONGEST = 10.0
"""Seconds after an answer after which those that are missing count as lost."""
_POLL = "GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n"


def allow_polls(people: int) -> None:
    """Let this process have the connections of so many people, or end the program."""
    if subscribers(people) < 1:
        sys.exit("One person in ten does not wait for the message: use at least 2 --polls.")
    allow_connections(people, "polls")


def prepare(url: str, people: int) -> list[str]:
    """Add people, nine in ten of them to the channel ALL; return their addresses."""
    with open_chat(url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        ids = new_people(chat, "person", people)
        inside = [user_id for number, user_id in enumerate(ids) if number % 10]
        chat.channels.subscribe(owner, ALL, principals=[owner.user_id, *inside])
    return [f"person-{number}@bench.example" for number in range(people)]


def subscribers(people: int) -> int:
    """Return how many of the people wait for messages in ALL."""
    return sum(bool(number % 10) for number in range(people))


def resting(port: int, email: str) -> Client:
    """Return a client that has no connection at present."""
    client = Client(port, email)
    client.close()  # with an open connection beside its poll, each would take two files
    return client


def registered(client: Client, event_type: str = "message") -> dict[str, Any]:
    """Register a queue for events of one type; return it."""
    queue = client.post("register", event_types=[event_type])
    client.close()
    return queue


class _Event(Struct):
    id: int


class _Answer(Struct):
    events: list[_Event]


_decoded = Decoder(_Answer).decode
"""Reads only what a client needs: a client that is busy would measure itself."""


class Poll:
    """A connection whose client polls again as soon as it has an answer."""

    def __init__(self, connection: socket.socket, path: str, queue: Mapping[str, Any], key: str) -> None:
        self.connection = connection
        self._path, self._queue_id, self._key = path, queue["queue_id"], key
        self._last_event_id = queue["last_event_id"]

    def ask(self) -> None:
        """Ask for events after the last one that was received."""
        place = urlencode({"queue_id": self._queue_id, "last_event_id": self._last_event_id})
        self.asked_at = time.perf_counter()
        self.connection.sendall(_POLL.format(target=f"{self._path}{place}", key=self._key).encode())

    def read(self) -> bytes:
        """Return the body of the answer that has begun to arrive."""
        body = read_answer(self.connection)
        for event in _decoded(body).events:
            self._last_event_id = event.id
        return body


@contextmanager
def waiting(
    port: int, path: str, queues: Sequence[Mapping[str, Any]], keys: Sequence[str]
) -> Iterator[list[Poll]]:
    """Yield polls of all queues, when all of them wait."""
    with connected(port, f"{path}?", queues, keys) as polls:
        for poll in polls:
            poll.ask()
        let_them_wait(polls)
        yield polls


@contextmanager
def connected(
    port: int, path: str, queues: Sequence[Mapping[str, Any]], keys: Sequence[str]
) -> Iterator[list[Poll]]:
    """Yield connections that do not poll yet; each queue has the key of the same place."""
    with ExitStack() as stack:
        yield [
            Poll(stack.enter_context(socket.create_connection(("127.0.0.1", port))), path, queue, key)
            for queue, key in zip(queues, keys, strict=True)
        ]


def let_them_wait(polls: Sequence[Poll]) -> None:
    time.sleep(1.5 + len(polls) / 500)
