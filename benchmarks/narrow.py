"""Narrowing speed: evaluations per second by operator and combination, and compile time.

`python -m benchmarks.narrow CORPUS --narrow '[["channel", "lunch"], ["is", "unread"]]'` measures a narrow as
clients send it as well, with channels and senders of the corpus. Each figure is the median of several rounds,
with the range of all but the fastest and the slowest tenth, in one process, without a server.
"""

import argparse
import gc
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypedDict

from benchmarks.corpus import Row, read_corpus
from benchmarks.options import corpus_argument, json_argument, json_value, positive, run
from chatcore.domain.channels.channels import Channel, Subscription
from chatcore.domain.errors import ChatError
from chatcore.domain.ids import ChannelId, ConversationId, MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message, channel_message
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import (
    Content,
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InPublicChannels,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    IsResolved,
    KnownNames,
    Narrow,
    NarrowIndex,
    Not,
    Search,
    SentBy,
    Term,
    WithId,
    compile_narrow,
    matches,
    parse,
)
from chatcore.domain.narrow.compiled import compile_form
from chatcore.domain.narrow.words import parse_query, search_words
from chatcore.domain.topics import VisibilityPolicy

SEED = 420


@dataclass(frozen=True)
class Workload:
    """Messages, a reader, and the narrows to measure."""

    source: str
    messages: list[Message]
    viewer: Viewer
    channels: dict[ChannelId, Channel]
    narrows: dict[str, Narrow]
    query: str


WORDS = ("coffee", "lunch", "release", "build", "server", "narrow", "topic", "review", "the", "and", "of")


def made_up_rows() -> list[Row]:
    chance = random.Random(SEED)
    return [
        Row(
            timestamp=1_700_000_000 + number,
            channel=f"channel {int(chance.paretovariate(1)) % 16}",
            topic=f"Topic {int(chance.paretovariate(0.6)) % 3000}",
            sender=f"User {int(chance.paretovariate(0.7)) % 1500}",
            content=" ".join(chance.choices(WORDS, k=chance.randint(2, 60))),
        )
        for number in range(66_530)
    ]


def workload(path: Path | None, own: object = None) -> Workload:
    """Return the rows as messages; every fiftieth is a direct one, because a corpus of channels has none.

    *own* is a client's narrow to measure as well.
    """
    rows = made_up_rows() if path is None else [row for row, _ in read_corpus(path)]
    chance = random.Random(SEED)
    channel_names = dict.fromkeys(row.channel for row in rows)
    channel_ids = {name: ChannelId(RecipientId(id)) for id, name in enumerate(channel_names, start=1)}
    user_ids = {name: UserId(id) for id, name in enumerate(dict.fromkeys(row.sender for row in rows), 1)}
    messages = []
    for number, row in enumerate(rows, start=1):
        facts: dict[str, Any] = {
            "id": MessageId(number * 2),
            "sender_id": user_ids[row.sender],
            "content": row.content,
            "rendered_content": f"<p>{escape(row.content)}</p>",
            "timestamp": row.timestamp,
            "has_link": "http" in row.content,
        }
        if number % 50:
            messages.append(channel_message(channel_id=channel_ids[row.channel], topic=row.topic, **facts))
        else:
            people = frozenset({user_ids[row.sender], UserId(1), UserId(chance.randint(1, 5))})
            conversation = DirectRecipient(ConversationId(RecipientId(10_000 + number)), people)
            messages.append(Message(conversation=conversation, **facts))
    topics = sorted({(m.channel_id, m.topic_key) for m in messages if m.channel_id and m.topic_key})
    viewer = Viewer(
        subscriptions={
            channel_id: Subscription(channel_id=channel_id, active=True, is_muted=channel_id % 4 == 0)
            for channel_id in channel_ids.values()
        },
        topic_policies={
            topic: VisibilityPolicy(chance.randint(1, 3))
            for topic in chance.sample(topics, len(topics) // 20)
        },
        flags={m.id: Flag(chance.choice([1, 1, 1, 3, 9, 17, 65])) for m in messages if chance.random() < 0.9},
    )
    channels = {
        channel_id: Channel(id=channel_id, name=name, date_created=0, invite_only=channel_id % 3 == 0)
        for name, channel_id in channel_ids.items()
    }
    typical = messages[len(messages) // 2 + 1]
    query = " ".join(search_words(typical.content)[:1] or ["message"])
    measured = narrows(typical, query)
    if own is not None:
        names = KnownNames(channels=channel_ids, users={name.lower(): id for name, id in user_ids.items()})
        measured["--narrow"] = parse(own, names, me=UserId(1))
    return Workload("made up" if path is None else path.name, messages, viewer, channels, measured, query)


def narrows(typical: Message, query: str) -> dict[str, Narrow]:
    """Return one narrow for each operator, and the combinations that clients request most."""
    assert typical.channel_id is not None
    assert typical.topic_key is not None
    channel, topic = InChannel(typical.channel_id), InTopic(typical.topic_key)
    sender, unread = SentBy(typical.sender_id), Not(HasFlag(Flag.READ))
    terms: dict[str, tuple[Term, ...]] = {
        "channel": (channel,),
        "channels:public": (InPublicChannels(),),
        "topic": (topic,),
        "sender": (sender,),
        "dm": (InConversation(frozenset({UserId(1), UserId(2)})),),
        "dm-including": (DirectWith(UserId(2)),),
        "group-pm-with": (DirectWith(UserId(2), groups_only=True),),
        "is:dm": (IsDirect(),),
        "is:unread": (unread,),
        "is:mentioned": (HasFlag(Flag.ANY_MENTION),),
        "is:resolved": (IsResolved(),),
        "is:followed": (IsFollowed(),),
        "in:home": (Not(IsMuted()),),
        "has:link": (Has(Content.LINK),),
        "id": (WithId(typical.id),),
        "search": (Search(*parse_query(query)),),
        "channel topic": (channel, topic),
        "channel topic sender": (channel, topic, sender),
        "channel topic not sender": (channel, topic, Not(sender)),
        "channel unread": (channel, unread),
        "in:home unread": (Not(IsMuted()), unread),
        "channel topic search": (channel, topic, Search(*parse_query(query))),
    }
    return {name: Narrow(narrow) for name, narrow in terms.items()}


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Return the median time of *work*."""
    return median(times_of(work, rounds))


def times_of(work: Callable[[], object], rounds: int) -> list[float]:
    """Return the times of *work* in seconds, sorted, with the garbage collector off."""
    work()
    times = []
    gc.disable()
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    gc.enable()
    return sorted(times)


class Speed(TypedDict):
    """Evaluations per second."""

    median: int
    least: int
    most: int


def time_select(load: Workload, rounds: int) -> dict[str, Speed]:
    """Return the speed of `CompiledNarrow.select`, by narrow."""
    result: dict[str, Speed] = {}
    for name, narrow in load.narrows.items():
        compiled = compile_narrow(narrow, load.viewer, load.channels)
        slow = name == "search"
        messages = load.messages[:2000] if slow else load.messages
        times = times_of(lambda: compiled.select(messages), 3 if slow else rounds)  # noqa: B023
        tenth = len(times) // 10
        found = (round(len(messages) / time) for time in (median(times), times[-1 - tenth], times[tenth]))
        result[name] = Speed(median=next(found), least=next(found), most=next(found))
    return result


THREE = "channel topic sender"


def time_naive_all(load: Workload, rounds: int) -> float:
    """Return evaluations per second of a naive reading: each term is a predicate, and all are evaluated."""
    channel, topic, sender = load.narrows[THREE].terms
    assert isinstance(channel, InChannel)
    assert isinstance(topic, InTopic)
    assert isinstance(sender, SentBy)
    predicates: list[Callable[[Message], bool]] = [
        lambda m: m.channel_id == channel.channel_id,
        lambda m: m.topic_key == topic.topic_key,
        lambda m: m.sender_id == sender.user_id,
    ]

    def select() -> list[Message]:
        return [m for m in load.messages if all(predicate(m) for predicate in predicates)]

    assert select() == compile_narrow(load.narrows[THREE]).select(load.messages)
    return len(load.messages) / seconds(select, rounds)


def time_one_by_one(load: Workload, rounds: int) -> float:
    """Return evaluations per second of calling a compiled narrow on each message."""
    compiled = compile_narrow(load.narrows[THREE])
    return len(load.messages) / seconds(lambda: [m for m in load.messages if compiled(m)], rounds)


def time_matches(load: Workload, rounds: int) -> float:
    """Return evaluations per second of `matches`, the uncompiled implementation."""
    narrow = load.narrows[THREE]
    return len(load.messages) / seconds(lambda: [m for m in load.messages if matches(narrow, m)], rounds)


def time_compile(load: Workload, rounds: int) -> tuple[float, float]:
    """Return seconds to compile a narrow: of a new shape, and of a known one."""
    narrow = load.narrows[THREE]

    def new_shape() -> None:
        compile_form.cache_clear()
        compile_narrow(narrow)

    return seconds(new_shape, rounds * 10), seconds(lambda: compile_narrow(narrow), rounds * 10)


REGISTERED = 10_000
"""Narrows in the index."""


def time_index(load: Workload) -> float:
    """Return the median seconds to find the narrows of an index that match one message: a third each of
    them by channel and topic, by channel and sender, and by a word.
    """
    chance = random.Random(SEED)
    index: NarrowIndex[int] = NarrowIndex()
    for key in range(REGISTERED):
        like = chance.choice(load.messages)
        words = search_words(like.content)
        terms: list[Term] = [InChannel(like.channel_id or ChannelId(RecipientId(1)))]
        if key % 3 == 0:
            terms.append(InTopic(like.topic_key or ""))
        elif key % 3 == 1:
            terms.append(SentBy(like.sender_id))
        else:
            terms.append(Search((chance.choice(words or ["coffee"]),)))
        index.add(key, compile_narrow(Narrow(tuple(terms))))
    times = []
    for message in chance.sample(load.messages, 1000):
        start = perf_counter()
        index.matching(message)
        times.append(perf_counter() - start)
    return median(times)


def time_words(load: Workload) -> float:
    """Return seconds to find the search words of all messages, with an empty cache of words."""
    start = perf_counter()
    for message in load.messages:
        search_words(message.content)
    return perf_counter() - start


def report(load: Workload, rounds: int) -> dict[str, object]:
    # Compared measurements alternate, so that a busy machine slows down both.
    words = time_words(load)
    select = time_select(load, rounds)
    naive = time_naive_all(load, rounds)
    compile_new, compile_again = time_compile(load, rounds)
    return {
        "source": load.source,
        "messages": len(load.messages),
        "select_per_second": select,
        "naive_all_per_second": round(naive),
        "faster_than_naive": round(select[THREE]["median"] / naive, 1),
        "call_per_second": round(time_one_by_one(load, rounds)),
        "matches_per_second": round(time_matches(load, max(rounds // 3, 1))),
        "compile_new_shape_us": round(compile_new * 1e6, 1),
        "compile_known_shape_us": round(compile_again * 1e6, 1),
        "words_seconds": round(words, 2),
        "index_us": round(time_index(load) * 1e6),
    }


def show(result: dict[str, object]) -> None:
    print(f"{result['messages']:,} messages ({result['source']})\n")
    print(f"{'narrow':<28}{'evaluations/s':>16}{'range':>28}")
    select = result["select_per_second"]
    assert isinstance(select, dict)
    for name, value in select.items():
        span = f"{value['least']:,}–{value['most']:,}"
        print(f"{name:<28}{value['median']:>16,}{span:>28}")
    print(f"\n{THREE}, in other ways")
    for name, key in {
        "all() over predicates": "naive_all_per_second",
        "one call for each message": "call_per_second",
        "matches()": "matches_per_second",
    }.items():
        print(f"{name:<28}{result[key]:>16,}")
    print(f"\nselect() is {result['faster_than_naive']} times as fast as all() over predicates")
    print(f"compiling takes {result['compile_new_shape_us']} µs, {result['compile_known_shape_us']} µs again")
    print(f"one message against {REGISTERED:,} narrows in an index takes {result['index_us']} µs")
    print(f"the words of all messages take {result['words_seconds']} s")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    corpus_argument(options, "corpus", nargs="?")
    options.add_argument("--narrow", type=json_value, metavar="JSON", help="a narrow to measure as well")
    options.add_argument("--rounds", type=positive, default=15, help="how often each one is measured")
    json_argument(options)
    chosen = options.parse_args()
    try:
        load = workload(chosen.corpus, chosen.narrow)
    except ChatError as error:
        options.error(str(error))
    result = report(load, chosen.rounds)
    show(result)
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    run(main)
