"""Fetching over HTTP on one keep-alive connection: pages of messages, searches, topics, the initial state."""

import random
import re
from collections.abc import Callable, Sequence
from itertools import cycle

from benchmarks.harness import OWNER, Client, Figure, Server, figure, filled, report, times
from benchmarks.options import arguments, run
from benchmarks.send import counted
from chatcore import open_chat
from chatcore.chat import Chat
from chatcore.domain.groups.actors import Actor

SEARCHED = 20
"""The number of words to search for in turn: some are in many long messages, others in few."""


def words_of(client: Client) -> list[str]:
    """Return words, each of which is in some message, drawn from messages of the corpus."""
    chance = random.Random(1)
    messages = client.get("messages", anchor="oldest", num_before=0, num_after=5000, apply_markdown=False)
    words: dict[str, None] = {}
    while len(words) < SEARCHED:
        candidates = re.findall(r"\b[a-z]{4,}[0-9]*\b", chance.choice(messages["messages"])["content"])
        if candidates and (word := chance.choice(candidates)) not in words:
            page = client.get("messages", anchor="newest", num_before=1, num_after=0, narrow=searching(word))
            if page["messages"]:
                words[word] = None
    return list(words)


def searching(word: str) -> list[dict[str, object]]:
    return [{"operator": "search", "operand": word}]


def requests(
    channel: str, channel_id: int, topic: str, words: Sequence[str]
) -> dict[str, Callable[[Client], object]]:
    """Return the timed requests by their names."""
    in_turn = cycle(words)
    in_channel = {"operator": "channel", "operand": channel}

    def newest(count: int, narrow: list[dict[str, object]]) -> Callable[[Client], object]:
        return lambda client: client.getting(
            "messages", anchor="newest", num_before=count, num_after=0, narrow=narrow
        )

    return {
        "newest 100": newest(100, []),
        "newest 1,000": newest(1000, []),
        "newest 100 of a channel": newest(100, [in_channel]),
        "newest 100 of a topic": newest(100, [in_channel, {"operator": "topic", "operand": topic}]),
        "newest 100 unread": newest(100, [{"operator": "is", "operand": "unread"}]),
        "search": lambda client: newest(100, searching(next(in_turn)))(client),
        "search in a channel": lambda client: newest(100, [in_channel, *searching(next(in_turn))])(client),
        "topics of a channel": lambda client: client.getting(f"users/me/{channel_id}/topics"),
        "register": lambda client: client.posting("register"),
    }


def time_requests(url: str, store: str, rounds: int) -> list[Figure]:
    with Server(url) as server:
        client = Client(server.port)
        channels = client.get("users/me/subscriptions")["subscriptions"]
        busiest = max(channels, key=lambda one: one["stream_weekly_traffic"] or one["stream_id"])
        topic = client.get(f"users/me/{busiest['stream_id']}/topics")["topics"][0]["name"]
        words = words_of(client)
        found = {
            what: times(lambda _, call=call: call(client), rounds)  # type: ignore[misc]
            for what, call in requests(busiest["name"], busiest["stream_id"], topic, words).items()
        }
    with open_chat(url) as chat:
        owner = chat.users.actor(OWNER)
        statements = _statements(chat, owner, busiest["name"], topic, words[0])
    return [figure(store, what, taken, statements.get(what)) for what, taken in found.items()]


def _statements(chat: Chat, owner: Actor, channel: str, topic: str, word: str) -> dict[str, int]:
    """Count SQL statements of the use cases, with those of the transactions around them."""
    in_channel = {"operator": "channel", "operand": channel}
    narrows: dict[str, list[dict[str, object]]] = {
        "newest 100": [],
        "newest 1,000": [],
        "newest 100 of a channel": [in_channel],
        "newest 100 of a topic": [in_channel, {"operator": "topic", "operand": topic}],
        "newest 100 unread": [{"operator": "is", "operand": "unread"}],
        "search": searching(word),
        "search in a channel": [in_channel, *searching(word)],
    }
    counts = {
        what: counted(chat, lambda narrow=narrow: chat.messages.fetch(owner, narrow=narrow))  # type: ignore[misc]
        for what, narrow in narrows.items()
    }
    channel_id = chat.channels.id_of(owner, channel)
    counts["topics of a channel"] = counted(chat, lambda: chat.topics.list(owner, channel_id))
    counts["register"] = counted(chat, lambda: chat.events.register(owner))
    return counts


def main() -> None:
    args = arguments(__doc__ or "", rounds=100)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_requests(url, store, args.rounds)
    report("Fetching", figures, args.json)


if __name__ == "__main__":
    run(main)
