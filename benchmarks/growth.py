"""Growth: the cost of common operations, in the process, while one thing in the organization grows.

`python -m benchmarks.growth --axis messages --most 1000000` lets the number of messages grow to a million.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.harness import OWNER, figure, new_people, stores, times
from benchmarks.options import positive, run, store_arguments
from chatcore import ImportLine, open_chat
from chatcore.chat import Chat
from chatcore.domain.groups.actors import Actor

BASE: Final = 10_000
"""Messages in each organization at the beginning."""
WORDS: Final = [f"word{number}" for number in range(3000)]
HOME: Final = "home"
BATCH: Final = 5_000
CHANNELS: Final = [f"channel {number}" for number in range(16)]
IN_CHANNEL: Final = {"operator": "channel", "operand": CHANNELS[0]}

Grow = Callable[[Chat, Actor, int, int], object]
"""Lets a thing grow in a chat with its owner, from a size to a size."""


def lines(start: int, end: int) -> Iterator[ImportLine]:
    """Return messages of 16 channels with 200 topics each; every second one has the word "common"."""
    chance = random.Random(start)
    for number in range(start, end):
        words = chance.choices(WORDS, k=chance.randrange(5, 40)) + ["common"] * (number % 2)
        yield ImportLine(
            timestamp=1_600_000_000 + number * 10,
            channel=chance.choice(CHANNELS),
            topic=f"topic {chance.randrange(200)}",
            sender=f"User {chance.randrange(5)}",
            content=" ".join(words),
        )


def messages(chat: Chat, owner: Actor, start: int, end: int) -> None:
    chat.messages.import_(lines(start, end), subscribe_everybody=True)


def users(chat: Chat, owner: Actor, start: int, end: int) -> None:
    new_people(chat, f"user{end}", end - start)


def subscribers(chat: Chat, owner: Actor, start: int, end: int) -> None:
    people = new_people(chat, f"subscriber{end}", end - start)
    for first in range(0, len(people), BATCH):
        chat.channels.subscribe(owner, HOME, principals=people[first : first + BATCH])


def channels(chat: Chat, owner: Actor, start: int, end: int) -> None:
    for number in range(start, end):
        chat.channels.subscribe(owner, f"more {number}", announce=False)


def unread(chat: Chat, owner: Actor, start: int, end: int) -> None:
    messages(chat, owner, BASE + start, BASE + end)
    anchor: int | str = "newest"
    for done in range(start, end, BATCH):
        more = min(BATCH, end - done)
        page = chat.messages.fetch(owner, anchor=anchor, num_before=more, include_anchor=False).readings
        anchor = page[0].message.id
        chat.messages.update_flags(owner, [one.message.id for one in page], op="remove", flag="read")


def queues(chat: Chat, owner: Actor, start: int, end: int) -> None:
    subscribers(chat, owner, start, end)
    for number in range(start, end):
        person = chat.users.actor(f"subscriber{end}-{number - start}@bench.example")
        chat.events.register(person, event_types=["message"])


AXES: Final[Mapping[str, tuple[Grow, tuple[int, ...]]]] = {
    "messages": (messages, (10_000, 100_000, 1_000_000, 5_000_000)),
    "users": (users, (10, 100, 1_000, 10_000)),
    "subscribers": (subscribers, (10, 100, 1_000, 10_000)),
    "channels": (channels, (10, 100, 500)),
    "unread": (unread, (0, 1_000, 10_000, 20_000, 50_000)),
    "queues": (queues, (1, 100, 1_000, 10_000)),
}
"""Each thing that grows: how, and to which sizes."""


def operations(chat: Chat, owner: Actor) -> dict[str, Callable[[int], object]]:
    """Return the timed operations by their names."""
    word = {"operator": "search", "operand": "common"}
    rare = (f"word{number} word{number + 1}" for number in count())

    def fetch(*narrow: dict[str, str]) -> Callable[[int], object]:
        return lambda _: chat.messages.fetch(owner, narrow=list(narrow))

    return {
        "send": lambda number: chat.messages.send(owner, f"hello {number}", channel=HOME, topic="t"),
        "newest 100": fetch(),
        "newest 100 of a channel": fetch(IN_CHANNEL),
        "newest 100 of a topic": fetch(IN_CHANNEL, {"operator": "topic", "operand": "topic 7"}),
        "newest 100 unread": fetch({"operator": "is", "operand": "unread"}),
        "newest 100 in muted topics": fetch({"operator": "is", "operand": "muted"}),
        "search, a word of every second message": fetch(word),
        "search, two words": lambda _: chat.messages.fetch(
            owner, narrow=[{"operator": "search", "operand": next(rare)}]
        ),
        "register": lambda _: chat.events.register(owner),
    }


def measure(url: str, axis: str, most: int, rounds: int) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield each size with the median of each operation in milliseconds."""
    grow, sizes = AXES[axis]
    with open_chat(url, owner_email=OWNER) as chat:
        owner = chat.users.actor(OWNER)
        chat.channels.subscribe(owner, HOME)
        messages(chat, owner, 0, BASE)
        chat.topics.mute(owner, CHANNELS[0], "topic 7")
        grown = BASE if axis == "messages" else 0
        for size in (one for one in sizes if one <= most):
            if size > grown:
                grow(chat, owner, grown, size)
                grown = size
            yield (
                size,
                {
                    what: figure("", what, times(call, rounds)).median
                    for what, call in operations(chat, owner).items()
                },
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--axis", choices=[*AXES, "all"], default="all")
    parser.add_argument("--most", type=positive, default=10_000, help="the largest size to measure")
    parser.add_argument("--rounds", type=positive, default=30)
    store_arguments(parser)
    args = parser.parse_args()
    axes = [*AXES] if args.axis == "all" else [args.axis]
    if args.most < (least := max(AXES[axis][1][0] for axis in axes)):
        parser.error(f"--most is at least {least} here, the smallest size")
    found: list[dict[str, object]] = []
    for axis in axes:
        with stores(args.store) as urls:
            for store, url in urls.items():
                sizes = dict(measure(url, axis, args.most, args.rounds))
                found += [
                    {"store": store, "axis": axis, "size": size, "what": what, "median": median, "unit": "ms"}
                    for size, medians in sizes.items()
                    for what, median in medians.items()
                ]
                table = Table("ms", *map("{:,}".format, sizes), title=f"{store}: {axis}")
                for what in next(iter(sizes.values())):
                    table.add_row(what, *(f"{medians[what]:,.2f}" for medians in sizes.values()))
                Console().print(table)
    if args.json:
        args.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    run(main)
