"""Looking for messages that people may miss, in the order of their ids, beside the requests: for mails, and
for other media in the same way.

Sending a message writes nothing for this. What each message causes follows from what is stored anyway:
mentions, topic policies, subscriptions, settings. A process looks at the messages after the last one that was
looked at, and stores what it found together with how far it came, unless another process was faster.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, TypeAlias

from chatcore.application import units
from chatcore.application.due import read_due, run_due
from chatcore.application.sent_mail.missed import write_due
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, Position, RecipientId, UserId
from chatcore.domain.messages.messages import Message
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.missed import (
    MAILS,
    MAX_AGE,
    MAX_WAITING,
    Medium,
    MissedConversation,
    Reception,
    cause_of,
    patience_of,
)
from chatcore.domain.topics import VisibilityPolicy
from chatcore.runtime.alarm import Alarm
from chatcore.storage import Snapshot
from chatcore.storage.slices import let_others

BATCH: Final = 200
"""Messages that are looked at together."""
ROWS_AT_ONCE: Final = 100
"""Conversations of people that one unit of work stores: other writers wait meanwhile."""

Place: TypeAlias = tuple[UserId, RecipientId, str]
"""A person, and a channel with a topic or a conversation."""
Among: TypeAlias = Callable[[Snapshot], Collection[UserId] | None]
"""Returns the only people who are told; None for all."""
Put: TypeAlias = Callable[[Unit, Sequence[MissedConversation]], None]
"""Stores messages of conversations that people may have missed, as far as there is room for them."""


@dataclass(frozen=True, slots=True)
class _Gathered:
    medium: Medium
    after: Position
    to: Position
    missed: Mapping[Place, MissedConversation]


def gather_missed(svc: Services) -> float:
    """Gather the messages that people may have missed, and write the mails about those that are due; return
    the seconds until one is due, infinity if none waits.

    After `Chat.deliver_on_time` this happens by itself. A server that sends no mail gathers nothing.
    """
    if not svc.settings.sends_mail:
        return inf
    gather(svc, svc.alarms.missed, MAILS, _put_missed)
    return run_due(
        svc,
        svc.alarms.missed,
        lambda snapshot: snapshot.missed.first_due(),
        lambda _: write_due(svc),
    )


def gather(
    svc: Services,
    alarm: Alarm,
    medium: Medium,
    put: Put,
    people: Among = lambda _: None,
) -> None:
    """Gather the messages that *people*, by default all, may have missed, and *put* them into the store, each
    once, until the alarm is stopped or all were looked at. Without any people none are looked at.
    """
    while not alarm.stopped:
        gathered = read_due(svc, lambda snapshot: _gather_batch(View(svc, snapshot), medium, people))
        if gathered is None or not _store_all(svc, gathered, put):
            break
        let_others()


def _gather_batch(view: View, medium: Medium, people: Among) -> _Gathered | None:
    """Return what the next messages cause; None if all were looked at, or there is nobody to be told."""
    after, newest = view.snapshot.missed.backlog(medium)
    if newest <= after:
        return None
    among = people(view.snapshot)
    if among is not None and not among:
        return None
    ids = view.snapshot.missed.new_messages(after, view.now - MAX_AGE, BATCH)
    to = newest if len(ids) < BATCH else Position(ids[-1])
    messages = view.snapshot.messages.outlines(ids)
    batch = _Batch(view, medium, among, messages, view.snapshot.missed.having_switched_on(medium.channels))
    return _Gathered(medium, after, to, batch.gather())


@dataclass
class _Batch:
    """Messages that are looked at together, with what is read once for all of a channel or topic."""

    view: View
    medium: Medium
    among: Collection[UserId] | None
    """The only people who are told; None for all."""
    messages: Sequence[Message]
    wanting_all: frozenset[UserId]
    """The people who want to be told of all messages in channels."""
    wanting: dict[ChannelId, frozenset[UserId]] = field(default_factory=dict)
    policies: dict[tuple[ChannelId, str], Mapping[UserId, VisibilityPolicy]] = field(default_factory=dict)

    def gather(self) -> Mapping[Place, MissedConversation]:
        snapshot = self.view.snapshot
        bot_id = snapshot.organization.get().notification_bot_id
        mentioned = snapshot.missed.mentioned_in([message.id for message in self.messages])
        missed: dict[Place, MissedConversation] = {}
        for message in self.messages:
            if message.conversation is not None and message.sender_id == bot_id:
                continue  # notices that the organization sends to one person
            people = self._candidates(message, mentioned.get(message.id, frozenset())) - {message.sender_id}
            for user in self._who_missed(message, people):
                place = (user.id, message.recipient_id, message.topic_key or "")
                conversation = missed.get(place) or MissedConversation(
                    user_id=user.id,
                    recipient_id=message.recipient_id,
                    topic_key=message.topic_key or "",
                    message_ids=(),
                    due=message.timestamp + patience_of(user),
                )
                message_ids = conversation.with_more((message.id,))
                missed[place] = replace(conversation, message_ids=message_ids)
        return missed

    def _candidates(self, message: Message, mentioned: frozenset[UserId]) -> frozenset[UserId]:
        """Return the users whom the message may concern, and perhaps others; `cause_of` decides."""
        snapshot = self.view.snapshot
        if message.conversation is not None:
            return message.conversation.user_ids
        assert message.channel_id is not None
        assert message.topic_key is not None
        if message.arrives_read:
            return frozenset()
        if message.channel_wildcard:
            return frozenset(snapshot.subscriptions.subscribers(message.channel_id))
        channel_id, topic = message.channel_id, (message.channel_id, message.topic_key)
        if channel_id not in self.wanting:
            by_setting = snapshot.subscriptions.subscribed_among(channel_id, self.wanting_all)
            self.wanting[channel_id] = snapshot.missed.wanting_channel(self.medium, channel_id) | by_setting
        followers = {
            user_id
            for user_id, policy in self._policies_of(topic).items()
            if policy == VisibilityPolicy.FOLLOWED
        }
        return mentioned | self.wanting[channel_id] | followers

    def _policies_of(self, topic: tuple[ChannelId, str]) -> Mapping[UserId, VisibilityPolicy]:
        """Return the policies of people for a topic, which are read once."""
        if topic not in self.policies:
            self.policies[topic] = self.view.snapshot.topic_policies.of_topic(*topic)
        return self.policies[topic]

    def _who_missed(self, message: Message, user_ids: Collection[UserId]) -> Iterator[User]:
        snapshot = self.view.snapshot
        wanted = user_ids if self.among is None else set(user_ids).intersection(self.among)
        users = snapshot.users.by_ids(wanted).values()
        people = {user.id: user for user in users if user.is_active and not user.is_bot}
        if not people:
            return
        flags = snapshot.flags.of_readers(message, people.keys())
        subscriptions: Mapping[UserId, Subscription] = {}
        policies: Mapping[UserId, VisibilityPolicy] = {}
        if message.channel_id is not None and message.topic_key is not None:
            subscriptions = snapshot.subscriptions.among([message.channel_id], people)[message.channel_id]
            policies = self._policies_of((message.channel_id, message.topic_key))
        for user_id, users_flags in flags.items():
            user, subscription = people[user_id], subscriptions.get(user_id)
            policy = policies.get(user_id, VisibilityPolicy.INHERIT)
            reception = Reception.of(self.medium, message, user, users_flags, subscription, policy)
            if cause_of(reception) is not None:
                yield user


def _store_all(svc: Services, gathered: _Gathered, put: Put) -> bool:
    """Store in several units of work; only the last one stores how far the messages were looked at, so what
    is interrupted is done again. Return False if another process was faster.
    """
    rows = sorted(gathered.missed.items())
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = [missed for _, missed in rows[start : start + ROWS_AT_ONCE]]
        if not units.write(svc, _store_part, gathered, put, part):
            return False
        let_others()
    return units.write(svc, _store_part, gathered, put, (), is_last=True)


def _store_part(
    unit: Unit,
    gathered: _Gathered,
    put: Put,
    part: Sequence[MissedConversation],
    *,
    is_last: bool = False,
) -> bool:
    """Store a part of what was gathered; return False if another process was faster."""
    stored = unit.tx.missed
    looked_at, _ = stored.backlog(gathered.medium)
    if looked_at != gathered.after:
        return False
    put(unit, part)
    if is_last:
        stored.look_no_further_than(gathered.medium, gathered.to)
    return True


def _put_missed(unit: Unit, part: Sequence[MissedConversation]) -> None:
    """Add messages to those that wait for a mail; new conversations only while few wait for the person."""
    stored = unit.tx.missed
    for missed in part:
        old = stored.find(missed.user_id, missed.recipient_id, missed.topic_key)
        if old is not None:
            stored.put(replace(old, message_ids=old.with_more(missed.message_ids)))
        elif stored.count(missed.user_id) < MAX_WAITING:
            stored.put(missed)
