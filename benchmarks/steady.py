"""Messages at a steady rate to many people who poll again as soon as they have an answer.

It measures how long each message takes to each person, and how long the sender waits. The sender sends a
message when the one before is answered, so a server that cannot keep up with the rate is sent fewer.
"""

import re
import selectors
import time
from collections.abc import Sequence
from threading import Thread

from benchmarks.harness import Client, Figure, Server, figure, filled, quantile, report
from benchmarks.loading.polls import (
    ALL,
    EVENTS,
    LONGEST,
    Poll,
    allow_polls,
    prepare,
    registered,
    resting,
    subscribers,
    waiting,
)
from benchmarks.options import arguments, run

NUMBER = re.compile(rb"message (\d+)")
MOMENT = 0.1
"""Seconds between two looks at whether the sender has ended."""


class Sender(Thread):
    """Sends numbered messages, so many a second, and one before them that is not counted.

    `due` are the moments at which each was to be sent, also if the one before was answered only later, so
    that none which had to wait looks fast; `taken` the milliseconds from then to its answer.
    """

    def __init__(self, client: Client, rate: int, seconds: int) -> None:
        super().__init__(daemon=True)
        self.due: list[float] = []
        self.taken: list[float] = []
        self._client, self._rate, self._seconds = client, rate, seconds

    @property
    def has_failed(self) -> bool:
        return not self.is_alive() and len(self.taken) < len(self.due)

    def run(self) -> None:
        self._send(time.perf_counter())
        start = time.perf_counter()
        for number in range(self._rate * self._seconds):
            if time.perf_counter() > start + self._seconds:
                break
            self._send(start + number / self._rate)

    def _send(self, due: float) -> None:
        time.sleep(max(0, due - time.perf_counter()))
        self.due.append(due)
        content = f"message {len(self.taken)}"
        self._client.post("messages", type="channel", to=ALL, topic="t", content=content)
        self.taken.append((time.perf_counter() - due) * 1000)


def time_messages(url: str, store: str, people: int, rate: int, seconds: int) -> list[Figure]:
    addresses = prepare(url, people)
    with Server(url) as server:
        clients = [resting(server.port, email) for email in addresses]
        queues = [registered(client) for client in clients]
        keys = [client.authorization for client in clients]
        with waiting(server.port, EVENTS, queues, keys) as polls:
            sender = Sender(Client(server.port), rate, seconds)
            sender.start()
            reached = _receive(polls, sender, subscribers(people))
    return [
        Figure(store, f"messages sent in {seconds} s, of {seconds * rate}", len(sender.taken) - 1, unit=""),
        figure(store, "answer to the sender", sender.taken[1:]),
        figure(store, f"a message reaches one of {subscribers(people)} people", reached),
        Figure(store, "99 of 100 do", quantile(reached, 0.99)),
    ]


def _receive(polls: Sequence[Poll], sender: Sender, people: int) -> list[float]:
    """Return the milliseconds from the moment at which each message was due to each person who has it."""
    reached: dict[tuple[Poll, int], float] = {}
    with selectors.DefaultSelector() as selector:
        for poll in polls:
            selector.register(poll.connection, selectors.EVENT_READ, poll)
        ends_at = time.perf_counter() + LONGEST
        while sender.is_alive() or len(reached) < people * len(sender.due):
            for key, _ in selector.select(MOMENT):
                body = key.data.read()
                now = time.perf_counter()
                for number in map(int, NUMBER.findall(body)):
                    if (key.data, number) in reached:
                        raise RuntimeError(f"message {number} has come twice to one person")
                    reached[key.data, number] = (now - sender.due[number]) * 1000
                    ends_at = now + LONGEST
                key.data.ask()
            if sender.has_failed:
                raise RuntimeError(f"the sender has no answer to message {len(sender.taken)}")
            if time.perf_counter() > ends_at:
                missing = people * len(sender.due) - len(reached)
                raise RuntimeError(f"{missing} messages did not arrive")
    return [taken for (_, number), taken in reached.items() if number > 0]


def main() -> None:
    args = arguments(__doc__ or "", polls=200, rate=2, seconds=30)
    allow_polls(args.polls)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_messages(url, store, args.polls, args.rate, args.seconds)
    report("Messages at a steady rate", figures, args.json)


if __name__ == "__main__":
    run(main)
