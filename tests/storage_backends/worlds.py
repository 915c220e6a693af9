"""A small organization that is lived in through a store, and what each of its people should then see.

Hypothesis draws what happens, one step after the other. Each step is taken twice: in the store, and in a
model that says of every reader, in a plain dictionary, which messages are theirs and with which flags.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from hypothesis import strategies as st

from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import OF_CALLED, Flag
from chatcore.domain.messages.messages import Message, Reaction
from chatcore.domain.narrow import (
    DirectWith,
    InChannel,
    InConversation,
    Narrow,
    Not,
    PositiveTerm,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.topics import VisibilityPolicy
from chatcore.storage.conformance.makers import (
    NOW,
    add_user,
    mute,
    send,
    send_direct,
    subscribe,
    unmute,
    unsubscribe,
)
from chatcore.storage.messages.edits import Destination
from chatcore.storage.transaction import Transaction
from storage_backends.sql.store import SqlStorage
from tests.domain.narrow.strategies import (
    ACTORS,
    CHANNELS,
    CONTENTS,
    COOK,
    GUS,
    KITCHEN,
    PEOPLE,
    TOPICS,
    USERS,
)

_numbers = count(1)


class World:
    """One organization's people, channels and messages, in the store and in the model.

    Several worlds live in one store without knowing of each other. Steps speak of users and channels by the
    ids of `tests.domain.narrow.strategies` and of messages by their number.
    """

    def __init__(self, tx: Transaction) -> None:
        self.tx = tx
        world = next(_numbers)
        self.users: dict[UserId, UserId] = {
            user_id: add_user(tx, f"user{user_id}-{world}", role=ACTORS[user_id].role).id for user_id in USERS
        }
        self.channels: dict[ChannelId, ChannelId] = {
            channel_id: self._add_channel(tx, channel, world) for channel_id, channel in CHANNELS.items()
        }
        self.messages: list[Message] = []
        self.histories: dict[UserId, dict[MessageId, Flag]] = {user: {} for user in self.users.values()}
        """By reader, the messages in the history, received or added later, with their flags."""
        self.subscribers: dict[ChannelId, set[UserId]] = {
            channel: set() for channel in self.channels.values()
        }
        self.muting: set[tuple[UserId, UserId]] = set()
        """Pairs of a user and another muted by that user."""
        self.had_muted: dict[MessageId, set[UserId]] = {}
        """By message, the users who had muted its sender when it was sent."""

    def _add_channel(self, tx: Transaction, channel: Channel, world: int) -> ChannelId:
        cooks = GroupSetting.of(members=[self.users[GUS], self.users[COOK]])
        added = tx.channels.add(
            {
                "name": f"{channel.name} {world}",
                "date_created": NOW,
                "invite_only": channel.invite_only,
                "is_web_public": channel.is_web_public,
                "history_public_to_subscribers": channel.history_public_to_subscribers,
                "is_archived": channel.is_archived,
                "permissions": {"can_subscribe_group": cooks} if channel.id == KITCHEN else {},
            }
        )
        return added.id

    def message(self, number: int) -> Message | None:
        return self.messages[number % len(self.messages)] if self.messages else None

    def arrive(
        self,
        message: Message,
        readers: set[UserId],
        flagged: Mapping[UserId, Flag],
        unread_for: frozenset[UserId] = frozenset(),
    ) -> None:
        """Deliver a message; who is concerned without being a reader is a bot that was called in."""
        flags = {
            user: mine if user in readers else OF_CALLED
            for user, mine in flagged.items()
            if user in readers or (mine & Flag.MENTIONED and message.channel_id is not None)
        }
        self.tx.flags.on_arrival(message, flags)
        everybody = Flag.CHANNEL_WILDCARD if message.channel_wildcard else Flag.NONE
        for user in readers:
            self.histories[user][message.id] = flags.get(user, Flag.NONE) | everybody
        for user in flags.keys() - readers:
            self.histories[user][message.id] = flags[user]
        if muters := {user for user, muted in self.muting if muted == message.sender_id}:
            self.had_muted[message.id] = muters
            for user in muters & readers:
                self.histories[user][message.id] |= Flag.READ
        if message.arrives_read:
            unread = (readers & unread_for) - self.had_muted.get(message.id, set())
            unread -= {user for user, mine in flags.items() if mine & Flag.READ}
            self.tx.flags.keep_unread(message, unread)
            for user in readers - unread:
                self.histories[user][message.id] |= Flag.READ
        self.messages.append(message)

    def narrow(self, narrow: Narrow) -> Narrow:
        """The narrow with the ids that its users, channels and messages have here."""
        return Narrow(tuple(self._term(term) for term in narrow.terms), personal=narrow.personal)

    def _term(self, term: Term) -> Term:
        return Not(self._positive(term.term)) if isinstance(term, Not) else self._positive(term)

    def _positive(self, term: PositiveTerm) -> PositiveTerm:
        match term:
            case InChannel(channel_id):
                return InChannel(self.channels[channel_id])
            case SentBy(user_id):
                return SentBy(self.users[user_id])
            case InConversation(user_ids):
                return InConversation(frozenset(self.users[user_id] for user_id in user_ids))
            case DirectWith(user_id, groups_only):
                return DirectWith(self.users[user_id], groups_only)
            case WithId(number):
                message = self.message(number)
                return WithId(MessageId(0) if message is None else message.id)
            case _:
                return term


Step = Callable[[World], None]


@dataclass(frozen=True)
class Subscribe:
    user: UserId
    channel: ChannelId

    def __call__(self, world: World) -> None:
        user, channel = world.users[self.user], world.channels[self.channel]
        if user not in world.subscribers[channel]:
            subscribe(world.tx, channel, user)
            world.subscribers[channel].add(user)


@dataclass(frozen=True)
class Unsubscribe:
    user: UserId
    channel: ChannelId

    def __call__(self, world: World) -> None:
        user, channel = world.users[self.user], world.channels[self.channel]
        unsubscribe(world.tx, channel, user)
        world.subscribers[channel].discard(user)
        history = world.histories[user]
        for message in world.messages:
            if message.id in history and message.channel_id == channel:
                history[message.id] |= Flag.READ


@dataclass(frozen=True)
class MuteOrUnmute:
    user: UserId
    other: UserId

    def __call__(self, world: World) -> None:
        pair = world.users[self.user], world.users[self.other]
        if self.user == self.other:
            return
        (unmute if pair in world.muting else mute)(world.tx, *pair)
        world.muting ^= {pair}


@dataclass(frozen=True)
class PassOver:
    """Advance watermarks past muted messages, as registering does; the user sees no difference."""

    user: UserId

    def __call__(self, world: World) -> None:
        world.tx.flags.pass_over_muted(world.users[self.user])


@dataclass(frozen=True)
class Send:
    sender: UserId
    channel: ChannelId
    topic: str
    content: str
    facts: frozenset[str]
    flagged: Mapping[UserId, Flag]
    unread_for: frozenset[UserId]
    """The users for whom it arrives unread."""

    def __call__(self, world: World) -> None:
        channel = world.channels[self.channel]
        message = send(
            world.tx,
            world.users[self.sender],
            channel,
            self.topic,
            self.content,
            **dict.fromkeys(self.facts, True),
        )
        flagged = {world.users[user]: flag for user, flag in self.flagged.items()}
        unread_for = frozenset(world.users[user] for user in self.unread_for)
        world.arrive(message, set(world.subscribers[channel]), flagged, unread_for)


@dataclass(frozen=True)
class SendDirect:
    people: frozenset[UserId]
    content: str
    facts: frozenset[str]
    flagged: Mapping[UserId, Flag]

    def __call__(self, world: World) -> None:
        sender, *others = [world.users[user] for user in sorted(self.people)]
        facts = dict.fromkeys(self.facts - {"channel_wildcard", "arrives_read"}, True)
        message = send_direct(world.tx, sender, *others, content=self.content, **facts)
        flagged = {world.users[user]: flag for user, flag in self.flagged.items()}
        world.arrive(message, {sender, *others}, flagged)


@dataclass(frozen=True)
class ChangeFlag:
    user: UserId
    numbers: Sequence[int]
    flag: Flag
    is_set: bool

    def __call__(self, world: World) -> None:
        """Apply it as the use case does: only real changes, and no unread messages without a subscription."""
        user = world.users[self.user]
        history = world.histories[user]
        chosen = {number % len(world.messages) for number in self.numbers} if world.messages else ()
        changing = []
        for message in [world.messages[number] for number in sorted(chosen)]:
            if message.conversation is not None and user not in message.conversation.user_ids:
                continue
            becomes_unread = self.flag == Flag.READ and not self.is_set
            if (
                becomes_unread
                and message.channel_id is not None
                and user not in world.subscribers[message.channel_id]
            ):
                continue
            before = history.get(message.id, Flag.READ | Flag.HISTORICAL)
            if bool(before & self.flag) != self.is_set:
                changing.append(message)
        if self.is_set:
            historical = [message.id for message in changing if message.id not in history]
            world.tx.flags.set(user, changing, self.flag, historical=historical)
        else:
            world.tx.flags.clear(user, changing, self.flag)
        for message in changing:
            before = history.get(message.id, Flag.READ | Flag.HISTORICAL)
            history[message.id] = before | self.flag if self.is_set else before & ~self.flag


@dataclass(frozen=True)
class ReadAll:
    user: UserId
    channels: frozenset[ChannelId]
    number: int

    def __call__(self, world: World) -> None:
        last = world.message(self.number)
        if last is None:
            return
        user = world.users[self.user]
        recipients: set[RecipientId] = {world.channels[channel] for channel in self.channels}
        recipients |= {talk.conversation_id for talk in world.tx.conversations.of_user(user)}
        recipients -= {channel for channel, users in world.subscribers.items() if user not in users}
        world.tx.flags.mark_all_read([user], recipients, Position(last.id))
        history = world.histories[user]
        for message in world.messages:
            if message.id in history and message.id <= last.id and message.recipient_id in recipients:
                history[message.id] |= Flag.READ


@dataclass(frozen=True)
class SetPolicy:
    user: UserId
    channel: ChannelId
    topic: str
    policy: VisibilityPolicy

    def __call__(self, world: World) -> None:
        user, channel = world.users[self.user], world.channels[self.channel]
        world.tx.topic_policies.put(channel, self.topic, {user: self.policy}, NOW)


@dataclass(frozen=True)
class React:
    user: UserId
    number: int

    def __call__(self, world: World) -> None:
        message = world.message(self.number)
        if message is not None and not message.reactions:
            reaction = Reaction(
                user_id=world.users[self.user],
                emoji_name="tada",
                emoji_code="1f389",
                reaction_type="unicode_emoji",
            )
            world.tx.reactions.add(message.id, reaction)
            place = world.messages.index(message)
            (world.messages[place],) = world.tx.messages.by_ids([message.id])


@dataclass(frozen=True)
class MoveAway:
    """Messages of a channel are moved to another one."""

    numbers: Sequence[int]
    channel: ChannelId
    keeping: frozenset[UserId]
    """Users who can read the messages there without being subscribed."""

    def __call__(self, world: World) -> None:
        first = world.message(self.numbers[0])
        target = world.channels[self.channel]
        if first is None or first.channel_id in (None, target):
            return
        source = first.channel_id
        chosen = sorted({number % len(world.messages) for number in self.numbers})
        moving = [world.messages[n] for n in chosen if world.messages[n].channel_id == source]
        ids = [message.id for message in moving]
        keeping = frozenset(world.users[user] for user in self.keeping) - world.subscribers[target]
        world.tx.edits.move_flags(ids, source, target, keeping=keeping)
        world.tx.edits.move(
            [m.brief for m in moving], Destination(target, None), at=world.tx.draw(), moved_at=NOW
        )
        for message in moving:
            self._move_flags(world, message, source, target, keeping)
        found = {message.id: message for message in world.tx.messages.by_ids(ids)}
        world.messages = [found.get(message.id, message) for message in world.messages]

    def _move_flags(
        self, world: World, message: Message, source: ChannelId, target: ChannelId, keeping: frozenset[UserId]
    ) -> None:
        for user, history in world.histories.items():
            before = history.get(message.id, Flag.READ)
            kept = before & (Flag.STARRED | Flag.COLLAPSED)
            if user in world.subscribers[target]:
                calls_everybody = message.channel_wildcard and not before & Flag.HISTORICAL
                history[message.id] = before | (Flag.CHANNEL_WILDCARD if calls_everybody else Flag.NONE)
            elif kept and user in keeping:
                history[message.id] = kept | Flag.HISTORICAL | Flag.READ
            else:
                history.pop(message.id, None)


@dataclass(frozen=True)
class Delete:
    number: int

    def __call__(self, world: World) -> None:
        message = world.message(self.number)
        if message is not None:
            world.tx.edits.remove([message.id])
            world.messages.remove(message)
            for history in world.histories.values():
                history.pop(message.id, None)


@dataclass(frozen=True)
class Elsewhere:
    """An event that does not concern messages takes a position of the log."""

    count: int

    def __call__(self, world: World) -> None:
        world.tx.draw(self.count)


users = st.sampled_from(USERS)
channels = st.sampled_from(tuple(CHANNELS))
messages = st.integers(0, 30)
facts = st.sets(
    st.sampled_from(["has_link", "has_image", "has_attachment", "channel_wildcard", "arrives_read"]),
    max_size=2,
).map(frozenset)
flagged = st.dictionaries(
    users,
    st.sampled_from(
        [
            Flag.MENTIONED,
            Flag.READ,
            Flag.TOPIC_WILDCARD,
            Flag.HAS_ALERT_WORD,
            Flag.MENTIONED | Flag.READ,
            Flag.MENTIONED | Flag.HAS_ALERT_WORD,
        ]
    ),
    max_size=2,
)
some_users = st.frozensets(users, max_size=3)
sends = st.builds(
    Send,
    users,
    channels,
    st.sampled_from(TOPICS),
    st.sampled_from(CONTENTS),
    facts,
    flagged,
    some_users,
)
reads = st.builds(
    ChangeFlag, users, st.lists(messages, min_size=1, max_size=4), st.just(Flag.READ), st.booleans()
)
moves = st.builds(MoveAway, st.lists(messages, min_size=1, max_size=6), channels, st.frozensets(users))
STEPS: st.SearchStrategy[Step] = st.one_of(
    sends,
    sends,
    sends,
    sends,
    sends,
    st.builds(SendDirect, st.sampled_from(PEOPLE), st.sampled_from(CONTENTS), facts, flagged),
    st.builds(Subscribe, users, channels),
    st.builds(Subscribe, users, channels),
    st.builds(Unsubscribe, users, channels),
    reads,
    reads,
    st.builds(
        ChangeFlag,
        users,
        st.lists(messages, min_size=1, max_size=3),
        st.sampled_from([Flag.STARRED, Flag.COLLAPSED]),
        st.booleans(),
    ),
    st.builds(ReadAll, users, st.frozensets(channels), messages),
    st.builds(MuteOrUnmute, users, users),
    st.builds(MuteOrUnmute, users, users),
    st.builds(PassOver, users),
    st.builds(SetPolicy, users, channels, st.sampled_from(TOPICS), st.sampled_from(VisibilityPolicy)),
    st.builds(React, users, messages),
    moves,
    moves,
    moves,
    st.builds(Delete, messages),
    st.builds(Elsewhere, st.integers(1, 3)),
)


@dataclass(frozen=True)
class Life:
    """A course of events in a world: its initial users, the steps, and the users who have muted channels."""

    members: frozenset[tuple[UserId, ChannelId]]
    steps: Sequence[Step]
    muted: frozenset[tuple[UserId, ChannelId]] = field(default=frozenset())


MEMBERSHIP = st.tuples(users, channels)


def lives(steps: int, members: int) -> st.SearchStrategy[Life]:
    """Lives with at least so many steps and memberships."""
    return st.builds(
        Life,
        st.frozensets(MEMBERSHIP, min_size=members, max_size=15),
        st.lists(STEPS, min_size=steps, max_size=60),
        st.frozensets(MEMBERSHIP, max_size=6),
    )


LIVES = lives(0, 0) | lives(25, 6) | lives(45, 10)
"""Short ones, in which a mistake is easy to see, and rich ones, in which it is likely to occur."""


def lived(storage: SqlStorage, life: Life) -> World:
    """The world after all that, in one unit of work."""

    def write(tx: Transaction) -> World:
        world = World(tx)
        for user, channel in sorted(life.members):
            Subscribe(user, channel)(world)
        for step in life.steps:
            step(world)
        for user, channel in sorted(life.muted):
            # There is no way in the protocols yet to mute a channel.
            storage.backend.database.execute_sql(
                "UPDATE subscription SET is_muted = (1 = 1)"
                f" WHERE user_id = {world.users[user]} AND channel_id = {world.channels[channel]}"
            )
        return world

    return storage.write(write)
