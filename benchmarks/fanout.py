"""Fan-out: many long polls wait, one message is sent, and whoever has the answer polls again at once.

It measures the sender's answer and the last poll's, and how long others wait who poll meanwhile for something
else.
"""

import selectors
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from urllib.request import urlopen

from benchmarks.harness import Client, Figure, Server, figure, filled, quantile, report
from benchmarks.load import bare_server
from benchmarks.loading.bare import WAITS, WAKE
from benchmarks.loading.polls import (
    ALL,
    EVENTS,
    LONGEST,
    Poll,
    allow_polls,
    connected,
    let_them_wait,
    prepare,
    registered,
    resting,
    subscribers,
    waiting,
)
from benchmarks.options import arguments, run

OTHERS = 10
"""Clients that poll meanwhile, one time after another, and find nothing."""
MESSAGE = b'"type":"message"'
MOMENT = 0.5
"""Seconds in which no further poll must wake."""


def time_wake_up(url: str, store: str, people: int, rounds: int) -> list[Figure]:
    addresses = prepare(url, people)
    woken = subscribers(people)
    sent, last, first, meanwhile, answer = [], [], [], [], ""
    with Server(url) as server:
        sender = Client(server.port)
        clients = [resting(server.port, email) for email in addresses]
        queues = [registered(client) for client in clients]
        others = [registered(client, "presence") for client in clients[:OTHERS]]
        keys = [client.authorization for client in clients]
        with (
            connected(server.port, f"{EVENTS}?dont_block=true&", others, keys[:OTHERS]) as looks,
            ExitStack() as stack,
        ):
            before = server.resident_megabytes
            polls = stack.enter_context(waiting(server.port, EVENTS, queues, keys))
            memory = server.resident_megabytes - before
            for number in range(-1, rounds):  # the first one is not counted
                sender.close()  # the server has closed the connection, which was idle
                sender.get("users/me")
                started = time.perf_counter()
                sender.post("messages", type="channel", to=ALL, topic="t", content=f"round {number}")
                answered = (time.perf_counter() - started) * 1000
                arrived, answer, looked = _answers(polls, started, woken, looks)
                if number >= 0:
                    sent.append(answered)
                    first.append(min(arrived))
                    last.append(max(arrived))
                    meanwhile += looked
                let_them_wait(polls)
    bare = _times_of_bare(answer, woken, rounds)
    return [
        figure(store, "answer to the sender", sent),
        figure(store, f"first of {woken} answers", first),
        figure(store, f"last of {woken} answers ({people} polls were open)", last),
        figure(store, "the same of a bare server", bare),
        Figure(
            store, "ratio to the bare server", statistics.median(last) / statistics.median(bare), unit="times"
        ),
        Figure(store, "99 of 100 polls for something else meanwhile", quantile(meanwhile, 0.99)),
        Figure(
            store,
            "the same, of the time until the last answer",
            quantile(meanwhile, 0.99) / statistics.median(last),
            unit="times",
        ),
        Figure(store, "memory of an open poll", memory * 1024 / people, unit="kB"),
    ]


def _times_of_bare(answer: str, number: int, rounds: int) -> list[float]:
    """Return the milliseconds until a bare server has answered as many polls with the same text, for each
    round.
    """
    times = []
    queues = [{"queue_id": "", "last_event_id": -1}] * number
    with (
        bare_server({f"GET {WAITS}?": answer, f"POST {WAKE}?": ""}) as (port, _),
        waiting(port, WAITS, queues, [""] * number) as polls,
    ):
        for _ in range(rounds):
            started = time.perf_counter()
            urlopen(f"http://127.0.0.1:{port}{WAKE}", data=b"")
            times.append(max(_answers(polls, started, number)[0]))
            let_them_wait(polls)
    return times


def _answers(
    polls: Sequence[Poll], started: float, expected: int, looks: Sequence[Poll] = ()
) -> tuple[list[float], str, list[float]]:
    """Return milliseconds until each answer, after which its client polls again, and the text of one; wait a
    moment after the last, to see that no other poll wakes. Return also how long each of the *looks* has taken
    that were begun before the last answer.
    """
    arrived: list[float] = []
    looked: list[float] = []
    open_looks = len(looks)
    text = ""
    with selectors.DefaultSelector() as selector:
        for poll in (*polls, *looks):
            selector.register(poll.connection, selectors.EVENT_READ, poll)
        for look in looks:
            look.ask()
        ends_at = time.perf_counter() + LONGEST
        while (left := ends_at - time.perf_counter()) > 0:
            for key, _ in selector.select(left):
                body = key.data.read()
                if key.data in looks:
                    looked.append((time.perf_counter() - key.data.asked_at) * 1000)
                    if len(arrived) < expected:
                        key.data.ask()
                        continue
                    open_looks -= 1
                elif MESSAGE in body:
                    arrived.append((time.perf_counter() - started) * 1000)
                    text = text or body.decode()
                    key.data.ask()
                else:  # a heartbeat, or none in time: the server was busy with others
                    key.data.ask()
                    continue
                is_waiting = len(arrived) < expected or open_looks
                ends_at = time.perf_counter() + (LONGEST if is_waiting else MOMENT)
    if len(arrived) != expected or open_looks:
        raise RuntimeError(
            f"{len(arrived)} polls were answered, expected were {expected}; {open_looks} looks were not"
        )
    return arrived, text, looked


def main() -> None:
    args = arguments(__doc__ or "", rounds=5, polls=500)
    allow_polls(args.polls)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_wake_up(url, store, args.polls, args.rounds)
    report("Waking long polls", figures, args.json)


if __name__ == "__main__":
    run(main)
