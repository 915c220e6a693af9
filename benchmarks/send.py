"""Sending: one message over HTTP, and the added cost of subscribers."""

import random
import statistics
import time
from collections.abc import Callable

from benchmarks.harness import OWNER, Client, Figure, Server, figure, filled, new_people, report, times
from benchmarks.options import arguments, run
from chatcore import open_chat
from chatcore.chat import Chat
from chatcore.domain.groups.actors import Actor


def time_one_connection(url: str, store: str, rounds: int) -> list[Figure]:
    """Time POST requests of messages on one keep-alive connection."""
    with Server(url) as server:
        client = Client(server.port)
        channels = client.get("users/me/subscriptions")["subscriptions"]
        name = channels[0]["name"]

        def send(number: int) -> object:
            return client.posting(
                "messages", type="channel", to=name, topic=f"bench {number % 20}", content=f"hello *{number}*"
            )

        return [figure(store, "POST messages", times(send, rounds), statements_of_send(url))]


def statements_of_send(url: str) -> int:
    """Count SQL statements of one send, with those of the transactions around it."""
    with open_chat(url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        chat.channels.subscribe(owner, "counted")
        chat.messages.send(owner, "hello", channel="counted", topic="t")
        return counted(chat, lambda: chat.messages.send(owner, "hello", channel="counted", topic="t"))


def counted(chat: Chat, work: Callable[[], object]) -> int:
    """Return the number of statements that *work* sends to the database."""
    hooks = chat.services.storage.backend.database.query_hooks  # type: ignore[attr-defined]
    seen: list[object] = []
    hooks.append(seen.append)
    try:
        work()
    finally:
        hooks.remove(seen.append)
    return len(seen)


def time_subscribers(url: str, store: str, rounds: int, many: int) -> list[Figure]:
    """Time the same send to a channel of 10 and of many subscribers, alternating in one run."""
    with open_chat(url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        people = new_people(chat, "p", many - 1)
        chat.channels.subscribe(owner, "small", principals=[owner.user_id, *people[:9]])
        for start in range(0, many - 1, 5000):
            chat.channels.subscribe(owner, "large", principals=people[start : start + 5000])
        chat.channels.subscribe(owner, "large")
        found: dict[str, list[float]] = {"small": [], "large": []}
        order = list(found) * rounds
        random.Random(1).shuffle(order)
        for channel in order:
            found[channel].append(_send(chat, owner, channel))
    small, large = (statistics.median(found[name]) for name in ("small", "large"))
    return [
        figure(store, "send to 10 subscribers", found["small"]),
        figure(store, f"send to {many:,} subscribers", found["large"]),
        Figure(store, "ratio", large / small, unit="times"),
    ]


def _send(chat: Chat, owner: Actor, channel: str) -> float:
    started = time.perf_counter()
    chat.messages.send(owner, "hello", channel=channel, topic="same")
    return (time.perf_counter() - started) * 1000


def main() -> None:
    args = arguments(__doc__ or "", rounds=300, subscribers=10_000)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_one_connection(url, store, args.rounds)
            figures += time_subscribers(url, store, args.rounds, args.subscribers)
    report("Sending", figures, args.json)


if __name__ == "__main__":
    run(main)
