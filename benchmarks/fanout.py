"""Fan-out: many long polls wait, one message is sent, and whoever has the answer polls again at once.

It measures the sender's answer and the last poll's, and how long others wait who poll meanwhile for something
else.
"""

import json
import re
import selectors
import socket
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from benchmarks.harness import OWNER, Client, Figure, Server, figure, filled, new_people, report
from benchmarks.load import bare_server
from benchmarks.loading.bare import WAITS, WAKE
from benchmarks.options import allow_connections, arguments, run
from chatcore import open_chat

EVENTS = "/api/v1/events"
POLL = "GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n"
LENGTH = re.compile(rb"(?i)content-length: (\d+)")
OTHERS = 10
"""Clients that poll meanwhile, one time after another, and find nothing."""
MESSAGE = b'"type":"message"'
LONGEST = 10.0
"""Seconds after an answer after which those that are missing count as lost."""
MOMENT = 0.5
"""Seconds in which no further poll must wake."""
MOST = 256 * 1024
"""The bytes that are read at once."""


def prepare(url: str, people: int) -> list[str]:
    """Add people, nine in ten of them to one channel; return their addresses."""
    with open_chat(url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        ids = new_people(chat, "person", people)
        inside = [user_id for number, user_id in enumerate(ids) if number % 10]
        chat.channels.subscribe(owner, "all", principals=[owner.user_id, *inside])
    return [f"person-{number}@bench.example" for number in range(people)]


def time_wake_up(url: str, store: str, people: int, rounds: int) -> list[Figure]:
    addresses = prepare(url, people)
    woken = len([number for number in range(people) if number % 10])
    sent, last, first, meanwhile, answer = [], [], [], [], ""
    with Server(url) as server:
        sender = Client(server.port)
        clients = [_resting(server.port, email) for email in addresses]
        queues = [_registered(client) for client in clients]
        others = [_registered(client, "presence") for client in clients[:OTHERS]]
        keys = [client.authorization for client in clients]
        with (
            _connected(server.port, f"{EVENTS}?dont_block=true&", others, keys[:OTHERS]) as looks,
            ExitStack() as stack,
        ):
            before = server.resident_megabytes
            polls = stack.enter_context(_waiting(server.port, EVENTS, queues, keys))
            memory = server.resident_megabytes - before
            for number in range(-1, rounds):  # the first one is not counted
                sender.close()  # the server has closed the connection, which was idle
                sender.get("users/me")
                started = time.perf_counter()
                sender.post("messages", type="channel", to="all", topic="t", content=f"round {number}")
                answered = (time.perf_counter() - started) * 1000
                arrived, answer, looked = _answers(polls, started, woken, looks)
                if number >= 0:
                    sent.append(answered)
                    first.append(min(arrived))
                    last.append(max(arrived))
                    meanwhile += looked
                _let_them_wait(polls)
    bare = _times_of_bare(answer, woken, rounds)
    return [
        figure(store, "answer to the sender", sent),
        figure(store, f"first of {woken} answers", first),
        figure(store, f"last of {woken} answers ({people} polls were open)", last),
        figure(store, "the same of a bare server", bare),
        Figure(
            store, "ratio to the bare server", statistics.median(last) / statistics.median(bare), unit="times"
        ),
        Figure(
            store,
            "99 of 100 polls for something else meanwhile",
            sorted(meanwhile)[len(meanwhile) * 99 // 100],
        ),
        Figure(store, "memory of an open poll", memory * 1024 / people, unit="kB"),
    ]


def _resting(port: int, email: str) -> Client:
    client = Client(port, email)
    client.close()  # with an open connection beside its poll, each would take two files
    return client


def _registered(client: Client, event_type: str = "message") -> dict[str, Any]:
    queue = client.post("register", event_types=[event_type])
    client.close()
    return queue


class _Poll:
    """A connection whose client polls again as soon as it has an answer."""

    def __init__(self, connection: socket.socket, path: str, queue: Mapping[str, Any], key: str) -> None:
        self.connection = connection
        self._path, self._queue_id, self._key = path, queue["queue_id"], key

    def poll(self, last_event_id: int) -> None:
        place = urlencode({"queue_id": self._queue_id, "last_event_id": last_event_id})
        self.asked_at, self.last_event_id = time.perf_counter(), last_event_id
        self.connection.sendall(POLL.format(target=f"{self._path}{place}", key=self._key).encode())

    def read(self) -> bytes:
        """Return the body of the answer that has begun to arrive."""
        head, _, body = self.connection.recv(MOST).partition(b"\r\n\r\n")
        length = int(LENGTH.findall(head)[0])
        while len(body) < length:
            if not (piece := self.connection.recv(MOST)):
                raise RuntimeError("the server has closed a connection in the middle of an answer")
            body += piece
        return body


@contextmanager
def _waiting(
    port: int, path: str, queues: Sequence[Mapping[str, Any]], keys: Sequence[str]
) -> Iterator[list[_Poll]]:
    """Yield polls of all queues, when all of them wait."""
    with _connected(port, f"{path}?", queues, keys) as polls:
        for poll, queue in zip(polls, queues, strict=True):
            poll.poll(queue["last_event_id"])
        _let_them_wait(polls)
        yield polls


@contextmanager
def _connected(
    port: int, path: str, queues: Sequence[Mapping[str, Any]], keys: Sequence[str]
) -> Iterator[list[_Poll]]:
    """Yield connections that do not poll yet; each queue has the key of the same place."""
    with ExitStack() as stack:
        yield [
            _Poll(stack.enter_context(socket.create_connection(("127.0.0.1", port))), path, queue, key)
            for queue, key in zip(queues, keys, strict=True)
        ]


def _let_them_wait(polls: Sequence[_Poll]) -> None:
    time.sleep(1.5 + len(polls) / 500)


def _times_of_bare(answer: str, number: int, rounds: int) -> list[float]:
    """Return the milliseconds until a bare server has answered as many polls with the same text, for each
    round.
    """
    times = []
    queues = [{"queue_id": "", "last_event_id": -1}] * number
    with (
        bare_server({f"GET {WAITS}?": answer, f"POST {WAKE}?": ""}) as (port, _),
        _waiting(port, WAITS, queues, [""] * number) as polls,
    ):
        for _ in range(rounds):
            started = time.perf_counter()
            urlopen(f"http://127.0.0.1:{port}{WAKE}", data=b"")
            times.append(max(_answers(polls, started, number)[0]))
            _let_them_wait(polls)
    return times


def _answers(
    polls: Sequence[_Poll], started: float, expected: int, looks: Sequence[_Poll] = ()
) -> tuple[list[float], str, list[float]]:
    """Return milliseconds until each answer, after which its client polls again, and the text of one; wait a
    moment after the last, to see that no other poll wakes. Return also how long each of the *looks* has taken
    that were begun before the last answer.
    """
    arrived: list[float] = []
    looked: list[float] = []
    open_looks = len(looks)
    text, last_event_id = "", 0
    with selectors.DefaultSelector() as selector:
        for poll in (*polls, *looks):
            selector.register(poll.connection, selectors.EVENT_READ, poll)
        for look in looks:
            look.poll(0)
        ends_at = time.perf_counter() + LONGEST
        while (left := ends_at - time.perf_counter()) > 0:
            for key, _ in selector.select(left):
                body = key.data.read()
                if key.data in looks:
                    looked.append((time.perf_counter() - key.data.asked_at) * 1000)
                    if len(arrived) < expected:
                        key.data.poll(0)
                        continue
                    open_looks -= 1
                elif MESSAGE in body:
                    arrived.append((time.perf_counter() - started) * 1000)
                    if not text:
                        text = body.decode()
                        last_event_id = _last_event_id(body, 0)
                    key.data.poll(last_event_id)
                else:  # a heartbeat, or none in time: the server was busy with others
                    key.data.poll(_last_event_id(body, key.data.last_event_id))
                    continue
                is_waiting = len(arrived) < expected or open_looks
                ends_at = time.perf_counter() + (LONGEST if is_waiting else MOMENT)
    if len(arrived) != expected or open_looks:
        raise RuntimeError(
            f"{len(arrived)} polls were answered, expected were {expected}; {open_looks} looks were not"
        )
    return arrived, text, looked


def _last_event_id(body: bytes, acknowledged: int) -> int:
    """Return the id of the last event, or the one that was acknowledged if there is none."""
    events = json.loads(body)["events"]
    last: int = events[-1]["id"] if events else acknowledged
    return last


def main() -> None:
    args = arguments(__doc__ or "", rounds=5, polls=500)
    if args.polls < 2:
        sys.exit("One person in ten does not wait for the message: use at least 2 --polls.")
    allow_connections(args.polls, "polls")
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_wake_up(url, store, args.polls, args.rounds)
    report("Waking long polls", figures, args.json)


if __name__ == "__main__":
    run(main)
