"""Importing an archive of channel messages: lines of JSON with timestamp, channel, topic, sender, content.

The whole file is checked before anything is written. Then it is imported in batches, each one unit of work
that also stores the progress: an interrupted import, even by kill -9, continues where it stopped when it is
run again, and a file is not imported twice.

Nothing is announced. At the end, the open event queues are closed, so that connected clients fetch the new
state, as after any long absence.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from os import cpu_count

from chatcore.application.delivery.emoji import pictures_by_name
from chatcore.application.delivery.rendering import group_fact, linkifiers_of, markup_options
from chatcore.application.delivery.storing import mentioned_by_group
from chatcore.application.imports.corpus import BadCorpus, Corpus, numbered_lines
from chatcore.application.imports.rendering import Known, Ready, renderers
from chatcore.application.services import Services
from chatcore.domain.channels.channels import channel_key, pick_color
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.people import users as user_rules
from chatcore.domain.people.setting_values import starting_fields
from chatcore.domain.roles import SECONDS_PER_DAY, Role
from chatcore.events.audience import Users
from chatcore.events.types import QueueClosed
from chatcore.markup import ChannelFact, UserFact, topic_links
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.channels.subscriptions import Start

BATCH = 1000
"""Number of messages in one unit of work."""
AHEAD = 4
"""Number of batches that may be rendered before they are written."""
SMALL = 2 * BATCH
"""Archives up to this size are rendered without other processes."""
CLIENT = "import"
DOMAIN = "corpus.example"
"""Domain of the senders' addresses; nobody can have a real address in it."""
TRAFFIC_DAYS = 28


@dataclass(frozen=True, slots=True)
class Imported:
    """The content of a corpus that is in the store."""

    messages: int
    already: int
    """Number of messages that an earlier run had imported."""
    users: int
    channels: int
    without_files: int = 0
    """Number of messages of this run that link to files, which such an archive does not contain."""


def address_of(sender: str) -> str:
    """Return the address for a sender's name; it depends on nothing else, so that a second file finds the
    user.
    """
    if plain := re.fullmatch(r"([A-Z][a-z]+) ?([0-9]+)", sender):
        return f"{plain[1].lower()}{plain[2]}@{DOMAIN}"
    readable = re.sub(r"[^a-z0-9]+", "-", sender.lower()).strip("-")[:40]
    return f"{readable}-{sha256(sender.encode()).hexdigest()[:8]}@{DOMAIN}".lstrip("-")


@dataclass(slots=True)
class _State:
    """The people and channels of a corpus that are in the store."""

    known: Known
    user_ids: Mapping[str, UserId]
    channel_ids: Mapping[str, ChannelId]
    subscribers: Mapping[ChannelId, set[UserId]]
    colors: defaultdict[UserId, list[str]]
    done: int
    without_files: int = 0
    links: dict[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)


def import_corpus(
    svc: Services,
    corpus: Corpus,
    *,
    subscribe_everybody: bool = False,
    progress: Callable[[int], object] = lambda done: None,
    processes: int | None = None,
) -> Imported:
    """Import a corpus, or the missing part of it.

    Senders are subscribed to the channels in which they write, each from the sender's first message there.
    The owners of the organization (or all users) are subscribed to all channels from the beginning. At the
    end all messages count as read. *progress* is called with the number of messages in the store, first with
    those of an earlier run.

    :raises BadCorpus: the file has changed meanwhile, or one of its channels is private or archived here
    """
    noted = svc.storage.read(lambda snapshot: snapshot.imports.find(corpus.digest))
    already, finished = noted or (0, False)
    progress(already)
    if finished:
        return Imported(corpus.size, already, len(corpus.senders), len(corpus.channels))
    if processes is None:
        processes = (cpu_count() or 1) if corpus.size - already > SMALL else 1
    state = svc.storage.write(lambda tx: _begin(svc, tx, corpus, subscribe_everybody=subscribe_everybody))
    with renderers(processes) as submit:
        raw = (line for _, line in islice(numbered_lines(corpus.path), state.done, None))
        waiting: list[Callable[[], list[Ready]]] = []
        while True:
            while len(waiting) <= AHEAD and (batch := list(islice(raw, BATCH))):
                waiting.append(submit(state.known, svc.limits, batch))
            if not waiting:
                break
            ready = waiting.pop(0)()
            svc.storage.write(partial(_write, svc, corpus, state, ready))
            state.done += len(ready)
            state.without_files += sum(bool(one.rendered.effects.attachments) for one in ready)
            progress(state.done)
    if state.done != corpus.size:
        raise BadCorpus(f"{corpus.path} has changed while it was read")
    svc.storage.write(lambda tx: _finish(tx, corpus, state))
    return Imported(
        corpus.size, already, len(corpus.senders), len(corpus.channels), without_files=state.without_files
    )


def _begin(svc: Services, tx: Transaction, corpus: Corpus, *, subscribe_everybody: bool) -> _State:
    """Create the missing people and channels, and subscribe the users who see everything."""
    done, _ = tx.imports.find(corpus.digest) or (0, False)
    people = {sender: address_of(sender) for sender in corpus.senders}
    there = tx.users.by_emails(list(people.values()))
    missing = iter([sender for sender, address in people.items() if address not in there])
    start = starting_fields(tx.organization.get())
    while some := list(islice(missing, BATCH)):
        tx.users.add_many(
            {
                "email": people[sender],
                "full_name": sender.strip(),
                "date_joined": corpus.senders[sender],
                "settings": start["settings"],
                "email_visibility": start["email_visibility"],
            }
            for sender in some
        )
    users = tx.users.all()
    by_address = {user.email.lower(): user.id for user in users}
    user_ids = {sender: by_address[address] for sender, address in people.items()}

    owners = [user for user in users if user.is_active and user.role == Role.OWNER and not user.is_bot]
    existing = tx.channels.by_names(list(corpus.channels))
    channel_ids: dict[str, ChannelId] = {}
    for name, first in corpus.channels.items():
        channel = existing.get(channel_key(name))
        if channel is not None and (channel.invite_only or channel.is_archived):
            kind = "a private" if channel.invite_only else "an archived"
            raise BadCorpus(f"there is {kind} channel '{channel.name}' already; rename it first")
        if channel is None:
            creator = owners[0].id if owners else None
            channel = tx.channels.add({"name": name.strip(), "date_created": first, "creator_id": creator})
            existing = {**existing, channel_key(name): channel}
        channel_ids[name] = channel.id

    subscribers = {
        channel_id: set(found)
        for channel_id, found in tx.subscriptions.subscribers_of(set(channel_ids.values())).items()
    }
    colors: defaultdict[UserId, list[str]] = defaultdict(list)
    for user_id, used in tx.subscriptions.colors([user.id for user in users]).items():
        colors[user_id] = list(used)
    state = _State(_known_names(svc, tx, users), user_ids, channel_ids, subscribers, colors, done)
    from_the_beginning = owners
    if subscribe_everybody:
        from_the_beginning = [user for user in users if user.is_active and not user.is_bot]
    if not done:
        at = tx.draw()
        for channel_id in dict.fromkeys(channel_ids.values()):
            new = {user.id for user in from_the_beginning} - subscribers[channel_id]
            tx.subscriptions.start(
                [Start(user_id, channel_id, _color(state, user_id), at) for user_id in sorted(new)]
            )
            subscribers[channel_id].update(new)
    tx.imports.note(corpus.digest, done)
    return state


def _known_names(svc: Services, snapshot: Snapshot, users: Sequence[user_rules.User]) -> Known:
    by_name: defaultdict[str, list[UserFact]] = defaultdict(list)
    for user in users:
        by_name[user.full_name.lower()].append(UserFact(user.id, user.full_name, user.is_active))
    # Senders may not mention system groups, and an import has no check that refuses that; so a mention that
    # notifies is treated as text.
    groups = {g.name: replace(group_fact(g), is_system=g.is_system_group) for g in snapshot.groups.all()}
    channels = {c.name: ChannelFact(c.id, c.name) for c in snapshot.channels.public().values()}
    options = markup_options(svc, snapshot.organization.get(), None, linkifiers_of(snapshot))
    emoji = pictures_by_name(svc, [own for own in snapshot.emoji.all() if not own.deactivated])
    return Known(options, dict(by_name), groups, channels, emoji, svc.formulas is not None)


def _color(state: _State, user_id: UserId) -> str:
    color = pick_color(state.colors[user_id])
    state.colors[user_id].append(color)
    return color


def _write(svc: Services, corpus: Corpus, state: _State, batch: Sequence[Ready], tx: Transaction) -> None:
    """Store a batch, and the progress."""
    first = tx.draw(len(batch))
    traffic: Counter[tuple[ChannelId, int]] = Counter()
    oldest = (svc.now // SECONDS_PER_DAY - TRAFFIC_DAYS) * SECONDS_PER_DAY
    newcomers: list[Start] = []
    messages, mentioned = [], []
    for position, one in enumerate(batch, start=first):
        channel_id, sender_id = state.channel_ids[one.line.channel], state.user_ids[one.line.sender]
        effects = one.rendered.effects
        if sender_id not in state.subscribers[channel_id]:
            newcomers.append(Start(sender_id, channel_id, _color(state, sender_id), Position(position)))
            state.subscribers[channel_id].add(sender_id)
        message = channel_message(
            id=MessageId(position),
            sender_id=sender_id,
            channel_id=channel_id,
            topic=one.topic,
            content=one.content,
            rendered_content=one.rendered.html,
            timestamp=int(one.line.timestamp),
            client=CLIENT,
            has_link=effects.has_link,
            has_image=effects.has_image,
            channel_wildcard=effects.channel_wildcard,
            topic_links=_links(state, one.topic),
        )
        messages.append((message, one.words))
        named = {*map(UserId, effects.user_ids), *mentioned_by_group(svc, tx, effects)}
        if readers := state.subscribers[channel_id] & named:
            mentioned.append((message, dict.fromkeys(readers, Flag.MENTIONED)))
        if message.timestamp >= oldest:
            traffic[channel_id, message.timestamp] += 1
    tx.messages.add_many(messages)
    tx.flags.on_arrivals(mentioned)
    tx.subscriptions.start(newcomers)
    for (channel_id, timestamp), count in traffic.items():
        tx.channels.note_message(channel_id, timestamp, count)
    tx.imports.note(corpus.digest, state.done + len(batch))


def _links(state: _State, topic: str) -> tuple[Mapping[str, str], ...]:
    if (known := state.links.get(topic)) is None:
        known = state.links[topic] = tuple(topic_links(topic, state.known.options))
    return known


def _finish(tx: Transaction, corpus: Corpus, state: _State) -> None:
    """Mark everything as read, and close event queues so that connected clients register anew."""
    head = tx.draw()
    for channel_id, subscribers in state.subscribers.items():
        tx.flags.mark_all_read(subscribers, [channel_id], head)
    queues = tx.queues.all()
    tx.queues.remove([queue.id for queue in queues])
    for queue in queues:
        tx.announce(QueueClosed(queue_id=queue.id), Users(()))
    tx.imports.note(corpus.digest, state.done, finished=True)
