"""Fan-out: many long polls wait, one message is sent; measures the sender's answer and the last poll's."""

import json
import selectors
import socket
import time
from urllib.parse import urlencode

from benchmarks.harness import OWNER, Client, Figure, Server, arguments, figure, new_people, report, stores
from chatcore import open_chat

HEAD = "GET /api/v1/events?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n"


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
    sent, last, first, woken = [], [], [], 0
    with Server(url) as server:
        sender = Client(server.port)
        clients = [Client(server.port, email) for email in addresses]
        for number in range(rounds):
            queues = [client.post("register", event_types=["message"]) for client in clients]
            sockets = [
                _poll(server.port, client.authorization, queue)
                for client, queue in zip(clients, queues, strict=True)
            ]
            time.sleep(1.5 + people / 500)  # long enough for all of them to wait
            started = time.perf_counter()
            sender.post("messages", type="channel", to="all", topic="t", content=f"round {number}")
            sent.append((time.perf_counter() - started) * 1000)
            arrived = _answers(sockets, started, len([n for n in range(people) if n % 10]))
            woken = len(arrived)
            first.append(min(arrived))
            last.append(max(arrived))
            for one in sockets:
                one.close()
    return [
        figure(store, "answer to the sender", sent),
        figure(store, f"first of {woken} answers", first),
        figure(store, f"last of {woken} answers ({people} polls were open)", last),
    ]


def _poll(port: int, key: str, queue: dict[str, object]) -> socket.socket:
    query = urlencode({"queue_id": queue["queue_id"], "last_event_id": json.dumps(queue["last_event_id"])})
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(HEAD.format(query=query, key=key).encode())
    return connection


def _answers(sockets: list[socket.socket], started: float, expected: int) -> list[float]:
    """Return milliseconds until each answer; wait a moment after the last, to see
    that no other poll wakes.
    """
    arrived: list[float] = []
    with selectors.DefaultSelector() as selector:
        for one in sockets:
            selector.register(one, selectors.EVENT_READ)
        while ready := selector.select(timeout=10 if len(arrived) < expected else 0.5):
            for key, _ in ready:
                arrived.append((time.perf_counter() - started) * 1000)
                selector.unregister(key.fileobj)
    if len(arrived) != expected:
        raise RuntimeError(f"{len(arrived)} polls were answered, expected were {expected}")
    return arrived


def main() -> None:
    args = arguments(__doc__ or "", rounds=5, polls=500)
    figures = []
    with stores(args.store) as urls:
        for store, url in urls.items():
            figures += time_wake_up(url, store, args.polls, args.rounds)
    report("Waking long polls", figures, args.json)


if __name__ == "__main__":
    main()
