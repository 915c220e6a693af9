"""Moving a topic of very many messages: its duration, during which nobody else can write."""

from collections.abc import Callable, Sequence
from itertools import cycle

from benchmarks.harness import OWNER, Figure, figure, filled, new_people, report, times
from benchmarks.options import arguments, run
from chatcore import open_chat
from chatcore.chat import Chat
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.narrow.words import content_words
from chatcore.storage import Transaction

TOPIC, OTHER, RESOLVED = "a long story", "another name", "✔ a long story"


def time_moves(url: str, store: str, rounds: int, size: int, people: int) -> list[Figure]:
    """Time moves there and back. Half of the people have read both channels, the others neither."""
    with open_chat(url) as chat:
        owner = chat.users.actor(OWNER)
        subscribers = new_people(chat, "person", people)
        here, there = (_channel(chat, owner, name, subscribers) for name in ("here", "there"))
        first = chat.services.storage.write(lambda tx: _fill(tx, here, size))
        readers = subscribers[: people // 2]
        chat.services.storage.write(lambda tx: tx.flags.mark_all_read(readers, [here, there], tx.log.head()))

        def move(**to: object) -> Callable[[int], object]:
            back = {"channel_id": here} if "channel_id" in to else {"topic": TOPIC}
            return lambda number: chat.messages.edit(
                owner,
                first,
                **(to if number % 2 else back),
                propagate_mode="change_all",
                notify_new_topic=False,
            )

        return [
            figure(store, f"{what} of {size:,} messages", times(move(**to), 2 * rounds, warm_up=1))
            for what, to in (
                ("another name", {"topic": OTHER}),
                ("resolving", {"topic": RESOLVED}),
                ("another channel", {"channel_id": there}),
            )
        ]


def _channel(chat: Chat, owner: Actor, name: str, people: Sequence[UserId]) -> ChannelId:
    chat.channels.subscribe(owner, name, principals=[owner.user_id, *people])
    found = chat.services.storage.read(lambda snapshot: snapshot.channels.public())
    return next(channel.id for channel in found.values() if channel.name == name)


def _fill(tx: Transaction, channel_id: ChannelId, size: int) -> MessageId:
    """Add the available texts repeatedly as one topic; return its first message."""
    texts = tx.messages.by_ids([MessageId(number) for number in range(1, (tx.messages.newest_id() or 0) + 1)])
    first = MessageId(tx.draw(size))
    place = {"channel_id": channel_id, "topic": TOPIC, "topic_key": TOPIC, "conversation": None}
    tx.messages.add_many(
        [
            (message._replace(id=MessageId(first + number), **place), content_words(message.rendered_content))  # type: ignore[arg-type]
            for number, message in zip(range(size), cycle(texts), strict=False)
        ]
    )
    return first


def main() -> None:
    args = arguments(__doc__ or "", rounds=3, size=40_000, people=100)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_moves(url, store, args.rounds, args.size, args.people)
    report("Moving", figures, args.json)


if __name__ == "__main__":
    run(main)
