"""Messages at a steady rate to many people who poll again as soon as they have an answer.

It measures how long each message takes to each person, and how long the sender waits. The sender sends a
message when the one before is answered, so a server that cannot keep up with the rate is sent fewer.
"""

import re
import selectors
import time
from collections.abc import Sequence
from threading import Thread

from benchmarks.harness import Client, Figure, Server, figure, filled, report
from benchmarks.loading.polls import (
    ALL,
    EVENTS,
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
LONGEST = 10.0
"""Seconds after an answer after which those that are missing count as lost."""
MOMENT = 0.1
"""Seconds between two looks at whether the sender has ended."""


class Sender(Thread):
    """Sends numbered messages, so many a second; `began` are the moments at which it began to send each."""

    def __init__(self, client: Client, rate: int, seconds: int) -> None:
        super().__init__(daemon=True)
        self.began: list[float] = []
        self.taken: list[float] = []
        self._client, self._rate, self._seconds = client, rate, seconds

    def run(self) -> None:
        start = time.perf_counter()
        while (now := time.perf_counter()) < start + self._seconds:
            number = len(self.began)
            self.began.append(now)
            self._client.post("messages", type="channel", to=ALL, topic="t", content=f"message {number}")
            self.taken.append((time.perf_counter() - now) * 1000)
            time.sleep(max(0, start + (number + 1) / self._rate - time.perf_counter()))


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
        Figure(store, f"messages sent in {seconds} s", len(sender.taken), unit=""),
        figure(store, "answer to the sender", sender.taken),
        figure(store, f"a message reaches one of {subscribers(people)} people", reached),
        Figure(store, "99 of 100 do", sorted(reached)[len(reached) * 99 // 100]),
    ]


def _receive(polls: Sequence[Poll], sender: Sender, people: int) -> list[float]:
    """Return the milliseconds of each message to each person."""
    reached: list[float] = []
    with selectors.DefaultSelector() as selector:
        for poll in polls:
            selector.register(poll.connection, selectors.EVENT_READ, poll)
        ends_at = time.perf_counter() + LONGEST
        while sender.is_alive() or len(reached) < people * len(sender.began):
            for key, _ in selector.select(MOMENT):
                body = key.data.read()
                now = time.perf_counter()
                reached += [(now - sender.began[int(number)]) * 1000 for number in NUMBER.findall(body)]
                key.data.ask()
                ends_at = now + LONGEST
            if time.perf_counter() > ends_at:
                missing = people * len(sender.began) - len(reached)
                raise RuntimeError(f"{missing} messages did not arrive")
    return reached


def main() -> None:
    args = arguments(__doc__ or "", polls=200, rate=2, seconds=10)
    allow_polls(args.polls)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_messages(url, store, args.polls, args.rate, args.seconds)
    report("Messages at a steady rate", figures, args.json)


if __name__ == "__main__":
    run(main)
