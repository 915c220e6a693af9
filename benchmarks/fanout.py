"""Fan-out: many long polls wait, one message is sent; measures the sender's answer and the last poll's."""

import json
import selectors
import socket
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from benchmarks.harness import OWNER, Client, Figure, Server, arguments, figure, new_people, report, stores
from benchmarks.load import bare_server
from benchmarks.loading.bare import WAITS, WAKE
from chatcore import open_chat

POLL = "GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n"
MOST = 256 * 1024
"""The bytes of an answer that are read at most."""


def prepare(url: str, people: int) -> list[str]:
    """Make an organization with nine in ten people in one channel; return their addresses."""
    with open_chat(url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        ids = new_people(chat, "person", people)
        inside = [user_id for number, user_id in enumerate(ids) if number % 10]
        chat.channels.subscribe(owner, "all", principals=[owner.user_id, *inside])
    return [f"person-{number}@bench.example" for number in range(people)]


def time_wake_up(url: str, store: str, people: int, rounds: int) -> list[Figure]:
    addresses = prepare(url, people)
    sent, last, first, bare, woken, memory = [], [], [], [], 0, 0.0
    with Server(url) as server:
        sender = Client(server.port)
        clients = [_resting(server.port, email) for email in addresses]
        for number in range(rounds):
            queues = [_registered(client) for client in clients]
            before = server.resident_megabytes
            polls = [_target(queue) for queue in queues]
            keys = [client.authorization for client in clients]
            with _waiting(server.port, polls, keys) as sockets:
                memory = max(memory, server.resident_megabytes - before)
                sender.close()  # the server has closed the connection, which was idle
                sender.get("users/me")
                started = time.perf_counter()
                sender.post("messages", type="channel", to="all", topic="t", content=f"round {number}")
                sent.append((time.perf_counter() - started) * 1000)
                arrived, answer = _answers(sockets, started, len([n for n in range(people) if n % 10]))
            woken = len(arrived)
            first.append(min(arrived))
            last.append(max(arrived))
            bare.append(_time_bare(answer, woken))
    ratio = statistics.median(last) / statistics.median(bare)
    return [
        figure(store, "answer to the sender", sent),
        figure(store, f"first of {woken} answers", first),
        figure(store, f"last of {woken} answers ({people} polls were open)", last),
        figure(store, "the same of a bare server", bare),
        Figure(store, "ratio to the bare server", ratio, unit="times"),
        Figure(store, "memory of an open poll", memory * 1024 / people, unit="kB"),
    ]


def _resting(port: int, email: str) -> Client:
    client = Client(port, email)
    client.close()  # with an open connection beside its poll, each would take two files
    return client


def _registered(client: Client) -> dict[str, Any]:
    queue = client.post("register", event_types=["message"])
    client.close()
    return queue


def _target(queue: Mapping[str, Any]) -> str:
    place = {"queue_id": queue["queue_id"], "last_event_id": json.dumps(queue["last_event_id"])}
    return f"/api/v1/events?{urlencode(place)}"


@contextmanager
def _waiting(port: int, targets: Sequence[str], keys: Sequence[str]) -> Iterator[list[socket.socket]]:
    """Yield connections with a request on each, when all of them wait."""
    with ExitStack() as stack:
        sockets = []
        for target, key in zip(targets, keys, strict=True):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(POLL.format(target=target, key=key).encode())
            sockets.append(connection)
        time.sleep(1.5 + len(sockets) / 500)  # long enough for all of them to wait
        yield sockets


def _time_bare(answer: str, polls: int) -> float:
    """Return milliseconds until a bare server has answered as many polls with the same text."""
    with (
        bare_server({f"GET {WAITS}?": answer, f"POST {WAKE}?": ""}) as port,
        _waiting(port, [WAITS] * polls, [""] * polls) as sockets,
    ):
        started = time.perf_counter()
        urlopen(f"http://127.0.0.1:{port}{WAKE}", data=b"")
        return max(_answers(sockets, started, polls)[0])


def _answers(sockets: list[socket.socket], started: float, expected: int) -> tuple[list[float], str]:
    """Return milliseconds until each answer, and the text of one; wait a moment after the last, to see
    that no other poll wakes.
    """
    arrived: list[float] = []
    text = b""
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        while ready := selector.select(timeout=10 if len(arrived) < expected else 0.5):
            for key, _ in ready:
                arrived.append((time.perf_counter() - started) * 1000)
                selector.unregister(key.fileobj)
                text = text or key.fileobj.recv(MOST)  # type: ignore[union-attr]
    if len(arrived) != expected:
        raise RuntimeError(f"{len(arrived)} polls were answered, expected were {expected}")
    return arrived, text.partition(b"\r\n\r\n")[2].decode()


def main() -> None:
    args = arguments(__doc__ or "", rounds=5, polls=500)
    figures = []
    with stores(args.store) as urls:
        for store, url in urls.items():
            figures += time_wake_up(url, store, args.polls, args.rounds)
    report("Waking long polls", figures, args.json)


if __name__ == "__main__":
    main()
