"""Scenarios of the load driver: the requests of one account, in the order in which they are repeated."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from benchmarks.fetch import searching, words_of
from benchmarks.harness import Client, texts

LONG: Final = 500
"""Requests of the scenario `mixed`, which has kinds with a few per thousand."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request: its kind, its method, its target with the query, and its form."""

    kind: str
    method: str
    target: str
    form: str = ""


def get(kind: str, path: str, **parameters: object) -> Call:
    return Call(kind, "GET", f"/api/v1/{path}?{urlencode(texts(parameters))}")


def post(kind: str, path: str, **parameters: object) -> Call:
    return Call(kind, "POST", f"/api/v1/{path}", urlencode(texts(parameters)))


def _channel(client: Client) -> str:
    """Return the name of the account's busiest channel."""
    channels = client.get("users/me/subscriptions")["subscriptions"]
    busiest = max(channels, key=lambda one: (one["stream_weekly_traffic"] or 0, -one["stream_id"]))
    return str(busiest["name"])


def send(client: Client) -> list[Call]:
    channel = _channel(client)
    return [
        post("send", "messages", type="channel", to=channel, topic=f"load {n % 20}", content=f"hello *{n}*")
        for n in range(100)
    ]


def _newest(kind: str, count: int, **more: object) -> Call:
    return get(kind, "messages", anchor="newest", num_before=count, num_after=0, **more)


def fetch(client: Client) -> list[Call]:
    return [_newest("fetch", 100)]


def fetch_many(client: Client) -> list[Call]:
    return [_newest("fetch_many", 1000)]


def search(client: Client) -> list[Call]:
    return [_newest("search", 100, narrow=searching(word)) for word in words_of(client)]


def flags(client: Client) -> list[Call]:
    found = client.get("messages", anchor="newest", num_before=100, num_after=0)["messages"]
    ids = [message["id"] for message in found]
    return [
        post("flags", "messages/flags", messages=ids[start : start + 10], op=op, flag="starred")
        for start in range(0, 100, 10)
        for op in ("add", "remove")
    ]


def register(client: Client) -> list[Call]:
    return [post("register", "register")]


def poll(client: Client) -> list[Call]:
    """Return a poll that finds nothing and does not wait."""
    queue = client.post("register", event_types=["realm_emoji"])
    asked = {"queue_id": queue["queue_id"], "last_event_id": queue["last_event_id"]}
    return [get("poll", "events", **asked, dont_block=True)]


def presence(client: Client) -> list[Call]:
    asked = {"status": "active", "new_user_input": True, "ping_only": True}
    return [post("presence", "users/me/presence", **asked)]


def profile(client: Client) -> list[Call]:
    return [get("profile", "users/me")]


def mixed(client: Client) -> list[Call]:
    """Return a working day: mostly polls and presence, and few messages."""
    shares: Sequence[tuple[float, Callable[[Client], list[Call]]]] = (
        (0.47, poll),
        (0.38, presence),
        (0.08, profile),
        (0.03, fetch),
        (0.02, flags),
        (0.01, search),
        (0.005, send),
        (0.005, register),
    )
    calls: list[Call] = []
    for share, scenario in shares:
        kind = scenario(client)
        calls += [kind[number % len(kind)] for number in range(round(share * LONG))]
    random.Random(7).shuffle(calls)
    return calls


SCENARIOS: Final[Mapping[str, Callable[[Client], list[Call]]]] = {
    one.__name__: one
    for one in (send, fetch, fetch_many, search, flags, register, poll, presence, profile, mixed)
}
