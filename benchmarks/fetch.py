"""Fetching over HTTP on one keep-alive connection: pages of messages, searches, topics, the first state."""

from collections.abc import Callable

from benchmarks.harness import OWNER, Client, Figure, Server, arguments, figure, filled, report, times
from benchmarks.send import counted
from chatcore import open_chat
from chatcore.chat import Chat
from chatcore.domain.groups import Actor

SEARCH = [{"operator": "search", "operand": "topology"}]


def requests(channel: str, channel_id: int, topic: str) -> dict[str, Callable[[Client], object]]:
    """The requests that are timed, by what they are called."""
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
        "search": newest(100, SEARCH),
        "search in a channel": newest(100, [in_channel, *SEARCH]),
        "topics of a channel": lambda client: client.getting(f"users/me/{channel_id}/topics"),
        "register": lambda client: client.posting("register"),
    }


def time_requests(url: str, store: str, rounds: int) -> list[Figure]:
    with Server(url) as server:
        client = Client(server.port)
        channels = client.get("users/me/subscriptions")["subscriptions"]
        busiest = max(channels, key=lambda one: one["stream_weekly_traffic"] or one["stream_id"])
        topic = client.get(f"users/me/{busiest['stream_id']}/topics")["topics"][0]["name"]
        found = {
            what: times(lambda _, call=call: call(client), rounds)  # type: ignore[misc]
            for what, call in requests(busiest["name"], busiest["stream_id"], topic).items()
        }
    with open_chat(url) as chat:
        owner = chat.users.actor(OWNER)
        statements = _statements(chat, owner, busiest["name"], topic)
    return [figure(store, what, taken, statements.get(what)) for what, taken in found.items()]


def _statements(chat: Chat, owner: Actor, channel: str, topic: str) -> dict[str, int]:
    """SQL statements of the use cases, with those of the transactions around them."""
    in_channel = {"operator": "channel", "operand": channel}
    narrows: dict[str, list[dict[str, object]]] = {
        "newest 100": [],
        "newest 1,000": [],
        "newest 100 of a channel": [in_channel],
        "newest 100 of a topic": [in_channel, {"operator": "topic", "operand": topic}],
        "newest 100 unread": [{"operator": "is", "operand": "unread"}],
        "search": SEARCH,
        "search in a channel": [in_channel, *SEARCH],
    }
    counts = {
        what: counted(chat, lambda narrow=narrow: chat.messages.fetch(owner, narrow=narrow))  # type: ignore[misc]
        for what, narrow in narrows.items()
    }
    counts["topics of a channel"] = counted(chat, lambda: chat.channels.topics(owner, channel))
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
    main()
