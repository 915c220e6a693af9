"""Importing an archive of channel messages: lines of JSON with timestamp, channel, topic, sender, content.

The whole file is checked before anything is written. Then it is imported in batches, each one unit of work
that also stores the digests of its messages: no message is imported twice. So an interrupted import, even by
kill -9, continues when it is run again, and of a file that has grown only the new messages are imported.

Nothing is announced. At the end, the open event queues are closed, so that connected clients fetch the new
state, as after any long absence.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from os import cpu_count
from typing import NamedTuple

from chatcore.application import units
from chatcore.application.delivery.emoji import pictures_by_name
from chatcore.application.delivery.mentions import mentioned_by_group
from chatcore.application.delivery.rendering import group_fact, linkifiers_of, markup_options
from chatcore.application.imports.corpus import BadCorpus, Corpus, numbered_lines
from chatcore.application.imports.known import find_missing
from chatcore.application.imports.rendering import Known, PreparedLine, renderers
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.channels.channels import channel_key, pick_color
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people import users as user_rules
from chatcore.domain.people.setting_values import starting_fields
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.events.audience import Users
from chatcore.events.happened import QueueClosed
from chatcore.markup import ChannelFact, UserFact, topic_links
from chatcore.storage import Transaction
from chatcore.storage.channels.subscriptions import Start

BATCH = 1000
"""Number of messages in one unit of work."""
AHEAD = 4
"""Number of batches that may be rendered before they are written."""
SMALL = 2 * BATCH
"""Archives up to this size are rendered without other processes."""
CLIENT = "import"
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


@dataclass(slots=True)
class _State:
    """The people and channels of a corpus that are in the store."""

    known: Known
    user_ids: Mapping[str, UserId]
    """By the address of a line."""
    channel_ids: Mapping[str, ChannelId]
    subscribers: Mapping[ChannelId, set[UserId]]
    colors: defaultdict[UserId, list[str]]
    done: int
    without_files: int = 0
    links: dict[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)


class _Batch(NamedTuple):
    """Messages that are prepared while earlier ones are stored."""

    digests: Sequence[str]
    wait: Callable[[], list[PreparedLine]]
    """Waits for the messages and returns them."""


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
    missing = find_missing(svc, corpus)
    already = corpus.size - sum(missing)
    progress(already)
    done = Imported(corpus.size, already, len(corpus.senders), len(corpus.channels))
    if already == corpus.size and not _is_unfinished(svc, corpus):
        return done
    if processes is None:
        processes = (cpu_count() or 1) if corpus.size - already > SMALL else 1
    state = units.write(svc, _begin_import, corpus, already, subscribe_everybody=subscribe_everybody)
    with renderers(processes) as submit:
        lines = _missing_lines(corpus, missing)
        waiting: list[_Batch] = []
        while True:
            while len(waiting) <= AHEAD and (batch := list(islice(lines, BATCH))):
                wait = submit(state.known, svc.limits, [raw for _, raw in batch])
                waiting.append(_Batch([digest for digest, _ in batch], wait))
            if not waiting:
                break
            digests, wait = waiting.pop(0)
            stored = units.write(svc, _store_batch, state, digests, wait())
            state.done += len(digests)
            state.without_files += sum(bool(message.rendered.effects.attachments) for message in stored)
            progress(state.done)
    if state.done != corpus.size:
        raise BadCorpus(f"{corpus.path} has changed while it was read")
    units.write(svc, _finish_import, corpus, state)
    return replace(done, without_files=state.without_files)


def _missing_lines(corpus: Corpus, missing: bytearray) -> Iterator[tuple[str, bytes]]:
    """Yield the digests and the lines of the messages that *missing* marks, a byte for each message."""
    numbered = zip(missing, corpus.messages, numbered_lines(corpus.path), strict=False)
    return ((digest, raw) for is_missing, digest, (_, raw) in numbered if is_missing)


def _is_unfinished(svc: Services, corpus: Corpus) -> bool:
    """Whether an import of the file has begun and was interrupted, perhaps after its last batch and before
    `_finish_import`.
    """
    sources = svc.storage.read(lambda snapshot: snapshot.imports.sources())
    _, is_finished = sources.get(corpus.digest, (0, True))
    return not is_finished


def _begin_import(unit: Unit, corpus: Corpus, already: int, *, subscribe_everybody: bool) -> _State:
    """Create the missing people and channels, and subscribe the users who see everything: to channels of
    which something was imported before only if they are new, as these users may have left the others.

    :raises BadCorpus: as `import_corpus` does
    """
    tx = unit.tx
    user_ids = _add_missing_people(tx, corpus)
    users = tx.users.all()
    owners = [user for user in users if user.is_active and user.role == Role.OWNER and not user.is_bot]
    channel_ids, created = _add_missing_channels(tx, corpus, owners[0].id if owners else None)
    subscribers = {
        channel_id: set(subscribed)
        for channel_id, subscribed in tx.subscriptions.subscribers_of(set(channel_ids.values())).items()
    }
    colors: defaultdict[UserId, list[str]] = defaultdict(list)
    for user_id, used in tx.subscriptions.colors([user.id for user in users]).items():
        colors[user_id] = list(used)
    state = _State(_known_names(unit, users), user_ids, channel_ids, subscribers, colors, already)
    from_the_beginning = owners
    if subscribe_everybody:
        from_the_beginning = [user for user in users if user.is_active and not user.is_bot]
    at = tx.draw()
    opened = created if already else dict.fromkeys(channel_ids.values())  # two names may be of one channel
    for channel_id in opened:
        new = {user.id for user in from_the_beginning} - subscribers[channel_id]
        tx.subscriptions.start(
            [Start(user_id, channel_id, _take_color(state, user_id), at) for user_id in sorted(new)]
        )
        subscribers[channel_id].update(new)
    tx.imports.note(corpus.digest, 0)
    counts = {
        "messages": corpus.size - already,
        "people": len(corpus.senders),
        "channels": len(corpus.channels),
    }
    unit.record(AuditKind.MESSAGES_IMPORTED, after=counts)
    return state


def _add_missing_people(tx: Transaction, corpus: Corpus) -> Mapping[str, UserId]:
    """Create accounts for senders who have none; return the ids of all senders by address."""
    there = tx.users.by_emails(list(corpus.senders))
    user_ids = {address: user.id for address, user in there.items()}
    missing = iter([address for address in corpus.senders if address not in there])
    start = starting_fields(tx.organization.get())
    while some := list(islice(missing, BATCH)):
        added = tx.users.add_many(
            {
                "email": address,
                "full_name": corpus.senders[address].name,
                "date_joined": corpus.senders[address].first,
                "settings": start["settings"],
                "email_visibility": start["email_visibility"],
            }
            for address in some
        )
        user_ids.update(zip(some, added, strict=True))
    return user_ids


def _add_missing_channels(
    tx: Transaction, corpus: Corpus, creator_id: UserId | None
) -> tuple[Mapping[str, ChannelId], Collection[ChannelId]]:
    """Create the channels that do not exist; return the ids of all by name, and those of the new ones.

    :raises BadCorpus: one of them exists, but is private or archived
    """
    existing = dict(tx.channels.by_names(list(corpus.channels)))
    channel_ids: dict[str, ChannelId] = {}
    created: set[ChannelId] = set()
    for name, first in corpus.channels.items():
        channel = existing.get(channel_key(name))
        if channel is not None and (channel.invite_only or channel.is_archived):
            kind = "a private" if channel.invite_only else "an archived"
            raise BadCorpus(f"there is {kind} channel '{channel.name}' already; rename it first")
        if channel is None:
            channel = tx.channels.add({"name": name.strip(), "date_created": first, "creator_id": creator_id})
            existing[channel_key(name)] = channel  # the corpus may have other spellings of its name
            created.add(channel.id)
        channel_ids[name] = channel.id
    return channel_ids, created


def _known_names(view: View, users: Sequence[user_rules.User]) -> Known:
    svc, snapshot = view.svc, view.snapshot
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


def _take_color(state: _State, user_id: UserId) -> str:
    """Pick a color for a person's next subscription, and note that it is used."""
    color = pick_color(state.colors[user_id])
    state.colors[user_id].append(color)
    return color


def _store_batch(
    unit: Unit, state: _State, digests: Sequence[str], ready: Sequence[PreparedLine]
) -> Sequence[PreparedLine]:
    """Store those of a batch that no other import has stored meanwhile, and return them."""
    tx = unit.tx
    known = tx.imports.known(digests)
    batch = [prepared for digest, prepared in zip(digests, ready, strict=True) if digest not in known]
    if not batch:
        return batch
    tx.imports.add([digest for digest in digests if digest not in known])
    first = tx.draw(len(batch))
    traffic: Counter[tuple[ChannelId, int]] = Counter()
    oldest = (unit.now // SECONDS_PER_DAY - TRAFFIC_DAYS) * SECONDS_PER_DAY
    newcomers: list[Start] = []
    messages, mentioned = [], []
    for position, prepared in enumerate(batch, start=first):
        channel_id, sender_id = (
            state.channel_ids[prepared.line.channel],
            state.user_ids[prepared.line.address],
        )
        effects = prepared.rendered.effects
        if sender_id not in state.subscribers[channel_id]:
            newcomers.append(Start(sender_id, channel_id, _take_color(state, sender_id), Position(position)))
            state.subscribers[channel_id].add(sender_id)
        message = channel_message(
            id=MessageId(position),
            sender_id=sender_id,
            channel_id=channel_id,
            topic=prepared.topic,
            content=prepared.content,
            rendered_content=prepared.rendered.html,
            timestamp=int(prepared.line.timestamp),
            client=CLIENT,
            has_link=effects.has_link,
            has_image=effects.has_image,
            channel_wildcard=effects.channel_wildcard,
            topic_links=_topic_links(state, prepared.topic),
        )
        messages.append((message, prepared.words))
        named = {*map(UserId, effects.user_ids), *mentioned_by_group(unit, effects)}
        if readers := state.subscribers[channel_id] & named:
            mentioned.append((message, dict.fromkeys(readers, Flag.MENTIONED)))
        if message.timestamp >= oldest:
            traffic[channel_id, message.timestamp] += 1
    tx.messages.add_many(messages)
    tx.flags.on_arrivals(mentioned)
    tx.subscriptions.start(newcomers)
    for (channel_id, timestamp), count in traffic.items():
        tx.channels.note_message(channel_id, timestamp, count)
    return batch


def _topic_links(state: _State, topic: str) -> tuple[Mapping[str, str], ...]:
    """Return the links of a topic's name, which are made once."""
    if (known := state.links.get(topic)) is None:
        known = state.links[topic] = tuple(topic_links(topic, state.known.options))
    return known


def _finish_import(unit: Unit, corpus: Corpus, state: _State) -> None:
    """Mark everything as read, and close event queues so that connected clients register anew."""
    tx = unit.tx
    head = tx.draw()
    for channel_id, subscribers in state.subscribers.items():
        tx.flags.mark_all_read(subscribers, [channel_id], head)
    queues = tx.queues.all()
    tx.queues.remove([queue.id for queue in queues])
    for queue in queues:
        tx.announce(QueueClosed(queue_id=queue.id), Users(()))
    tx.imports.note(corpus.digest, corpus.size, finished=True)
