"""Moving messages to another topic or channel, with the consequences for their readers."""

from bisect import bisect_left
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace

import msgspec

from chatcore.application.delivery import notices
from chatcore.application.delivery.removing import (
    announce_deleted,
    announce_first_messages,
    announce_stars_gone,
)
from chatcore.application.delivery.rendering import linkifiers_of, links_of_topic
from chatcore.application.delivery.topic_policies import set_topic_policies
from chatcore.application.messages.access import ReadableMessage, require_can_post_in
from chatcore.application.messages.edit_history import fold_excess_edits
from chatcore.application.units import Unit, View
from chatcore.application.visibility.known_channels import known_channel
from chatcore.application.visibility.message_audiences import MoveAudiences, audiences_of_move, with_access
from chatcore.application.visibility.reading import BATCH, announce_read_by_move
from chatcore.domain.channels.channels import Channel, Period
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages import moving as rules
from chatcore.domain.messages.access import is_channel_message_in_history
from chatcore.domain.messages.editing import require_in_time
from chatcore.domain.messages.flags import KEPT_WHEN_MOVED, Flag, flags_as_sent
from chatcore.domain.messages.messages import Brief, Edit
from chatcore.domain.messages.moving import CHANGE_ALL, CHANGE_ONE, Move
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.retention.holds import MustBeKept
from chatcore.domain.topics import VisibilityPolicy, topic_for_sending, topic_key
from chatcore.events.audience import Users
from chatcore.events.happened import FlagsChanged, MessageEdited
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.messages.edits import Destination


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePlan:
    """A permitted move."""

    move: Move
    messages: Sequence[Brief]
    """All messages to move, ascending, in their state before the move."""
    seen: int
    """The number of them that the mover can read."""
    propagate_mode: str
    resolves: bool
    target_was_empty: bool
    """Whether the topic had no messages where they are moved to."""

    @property
    def message_ids(self) -> list[MessageId]:
        return [message.id for message in self.messages]

    @property
    def source_key(self) -> str:
        return topic_key(self.move.old_topic)

    @property
    def target_key(self) -> str:
        return topic_key(self.move.topic)


# -- permission ------------------------------------------------------------------------------------


def plan_move(
    view: View,
    readable: ReadableMessage,
    actor: Actor,
    topic: str | None,
    channel_id: int | None,
    *,
    propagate_mode: str,
) -> MovePlan | None:
    """Return the move that a request for a message asks for, or None if the message is already there.

    :raises BadRequest: a direct message, an invalid topic or channel, no permission (any more), or too many
        messages
    :raises MoveTimeLimitExceeded: the whole topic is requested, and a part of it is too old
    :raises MustBeKept: a hold is on the channel that the messages would leave
    """
    snapshot, limits = view.snapshot, view.limits
    message, source = readable.message, readable.channel
    if source is None:
        raise BadRequest("Direct messages cannot be moved.")
    organization = snapshot.organization.get()
    target = source
    if channel_id is not None and channel_id != source.id:
        target = known_channel(snapshot, actor, channel_id)
    empty_name = organization.empty_topic_display_name
    if topic is not None:
        rules.require_resolvable(topic.strip(), empty_name)
    new_topic = topic_for_sending(
        message.topic if topic is None else topic,
        empty_display_name=empty_name,
        policy=organization.effective_topics_policy(target.topics_policy),
        limits=limits,
    )
    move = Move(source=source, target=target, old_topic=message.topic, topic=new_topic)
    if not move.changes_channel and not move.changes_topic:
        return None
    rules.require_may_move(move, actor, organization, limits)
    if move.changes_channel:
        require_can_post_in(snapshot, actor, target)
        if source.id in snapshot.holds.present().channels:
            raise MustBeKept
    limit = rules.time_limit(move, actor, organization, limits)
    require_in_time(message.timestamp, limit, view.now)
    messages, seen = _find_messages_to_move(view, readable, actor, move, limit, propagate_mode)
    return MovePlan(
        move=move,
        messages=messages,
        seen=seen,
        propagate_mode=propagate_mode,
        resolves=move.resolves(limits),
        target_was_empty=snapshot.messages.newest_in_topic(target.id, topic_key(new_topic), None) is None,
    )


def _find_messages_to_move(
    view: View, readable: ReadableMessage, actor: Actor, move: Move, limit: int | None, propagate_mode: str
) -> tuple[Sequence[Brief], int]:
    """Return the messages to move, ascending, and how many of them the mover can read; *limit* is the maximum
    age of a message in seconds, None for any age.

    :raises BadRequest: too many messages
    :raises MoveTimeLimitExceeded: the whole topic is requested, and a part of it is too old
    """
    snapshot, message, source = view.snapshot, readable.message, move.source
    if propagate_mode == CHANGE_ONE:
        return [message.brief], 1
    since = None if propagate_mode == CHANGE_ALL else message.id
    most = rules.max_moved_at_once(actor, view.limits)
    messages = snapshot.edits.of_topic(source.id, message.topic_key or "", since=since, most=most + 1)
    rules.require_few_moved(messages, most)
    seen = messages
    if not source.history_public_to_subscribers:
        seen = _select_in_history(snapshot, readable.viewer, source, messages)
    if propagate_mode == CHANGE_ALL:
        rules.require_all_in_time(seen, limit, view.now)
    # A move to another channel takes along nothing that the mover cannot read.
    return seen if move.changes_channel else messages, len(seen)


def _select_in_history(
    snapshot: Snapshot, viewer: Viewer, source: Channel, messages: Sequence[Brief]
) -> list[Brief]:
    """Return those of the messages in *source* that are in the mover's history; for a channel whose history
    is protected.
    """
    keepers = snapshot.flags.keepers([message.id for message in messages])
    kept_ids = [message_id for message_id, users in keepers.items() if viewer.user_id in users]
    viewer = replace(viewer, flags=dict.fromkeys(kept_ids, Flag.HISTORICAL))
    return [message for message in messages if is_channel_message_in_history(source.id, message, viewer)]


# -- moving -----------------------------------------------------------------------------------------


def carry_out(unit: Unit, plan: MovePlan, edit: Edit, event: MessageEdited) -> None:
    """Move the messages, and announce the move.

    *edit* and *event* describe the message that the request names; its text may have changed already.
    """
    tx, move = unit.tx, plan.move
    at = tx.draw()
    audiences = audiences_of_move(tx, move, plan.messages, at)
    destination = Destination(
        channel_id=move.target.id if move.changes_channel else None,
        topic=move.topic if move.changes_topic else None,
        topic_links=links_of_topic(unit, move.topic, linkifiers_of(tx)),
    )
    if move.changes_channel:
        _announce_read(unit, plan)
        _move_flags(unit, plan)
    tx.edits.note_move([event.message_id], edit, destination)
    if others := [message_id for message_id in plan.message_ids if message_id != event.message_id]:
        tx.edits.note_move(others, Edit(user_id=edit.user_id, timestamp=edit.timestamp), destination)
    channels = [move.source, move.target] if move.changes_channel else []
    activities = tx.channels.activities(channels, unit.now)
    tx.edits.move(plan.messages, destination, at=at, moved_at=None if plan.resolves else unit.now)
    fold_excess_edits(unit, plan.message_ids, with_text=event.message_id)
    _announce_move(tx, plan, audiences, destination, event)
    if move.changes_channel or plan.source_key != plan.target_key:
        _move_policies(unit, plan, at)
    announce_first_messages(unit, channels, activities)


def _announce_read(unit: Unit, plan: MovePlan) -> None:
    """Announce that the messages become read for readers who are not in the new channel. This happens before
    the move, while flags still say what is unread.
    """
    tx, source, target = unit.tx, plan.move.source, plan.move.target
    keepers = tx.flags.keepers(plan.message_ids)  # also bots, mentioned without being subscribed
    readers = tx.queues.owners_among({*tx.subscriptions.subscribers(source.id)}.union(*keepers.values()))
    subscribed_after = tx.subscriptions.subscribed_among(target.id, readers)
    announce_read_by_move(unit, readers - subscribed_after, source.id, plan.message_ids)


def _move_flags(unit: Unit, plan: MovePlan) -> None:
    """Move the flags of the messages, just before the messages themselves are moved; announce the flags that
    users lose or have again by the move. Users who may read the messages in the new channel without a
    subscription keep what they have starred or collapsed.
    """
    tx, source, target = unit.tx, plan.move.source, plan.move.target
    marked_by = tx.edits.marked_by(plan.message_ids)
    keeping: Collection[UserId] = ()
    if target.history_public_to_subscribers:
        keeping = with_access(unit, target, marked_by)
    if marked_by:
        subscribed_before = tx.subscriptions.subscribed_among(source.id, marked_by)
        readers_before = subscribed_before | with_access(unit, source, marked_by)
        readers_after = tx.subscriptions.subscribed_among(target.id, marked_by).union(keeping)
        _announce_flags_back(tx, readers_after - readers_before, plan.message_ids)
    if starred := tx.flags.starred_by(plan.message_ids):
        starred_by_users = frozenset[UserId]().union(*starred.values())
        still_starring = tx.subscriptions.subscribed_among(target.id, starred_by_users).union(keeping)
        announce_stars_gone(tx, {message_id: users - still_starring for message_id, users in starred.items()})
    tx.edits.move_flags(plan.message_ids, source.id, target.id, keeping=keeping)


def _announce_flags_back(
    tx: Transaction, user_ids: Collection[UserId], message_ids: Sequence[MessageId]
) -> None:
    """Notify users of their flags on messages that come into their sight again: as long as the messages were
    out of it, the users were not told of these flags.
    """
    messages = tx.messages.outlines(message_ids) if user_ids else ()
    for user_id in sorted(user_ids):
        flags = tx.flags.of(user_id, messages, tx.subscriptions.of_user(user_id))
        for flag in KEPT_WHEN_MOVED:
            flagged_ids = sorted(message_id for message_id, theirs in flags.items() if theirs & flag)
            (name,) = flags_as_sent(flag)
            for start in range(0, len(flagged_ids), BATCH):
                batch = tuple(flagged_ids[start : start + BATCH])
                tx.announce(FlagsChanged(flag=name, op="add", messages=batch), Users((user_id,)))


def _announce_move(
    tx: Transaction, plan: MovePlan, audiences: MoveAudiences, destination: Destination, event: MessageEdited
) -> None:
    """Announce a move to each audience in its form: moved, arrived, or deleted."""
    move = plan.move
    links = () if destination.topic is None else destination.topic_links
    event = msgspec.structs.replace(
        event,
        propagate_mode=plan.propagate_mode,
        orig_topic=move.old_topic,
        topic=destination.topic,
        topic_links=tuple(dict(link) for link in links),
        new_channel_id=destination.channel_id,
    )
    for message_ids, audience in audiences.both:
        tx.announce(_restrict_to(event, message_ids), audience)
    # Users to whom the messages are new do not learn where they were before.
    arrival = msgspec.structs.replace(
        event,
        channel_id=move.target.id,
        channel_name=move.target.name,
        new_channel_id=None,
        orig_topic=move.topic,
        topic=None,
        topic_links=(),
    )
    for message_ids, audience in audiences.newcomers:
        tx.announce(_restrict_to(arrival, message_ids), audience)
    for message_ids, audience in audiences.lost:
        announce_deleted(tx, message_ids, audience, channel_id=move.source.id, topic=move.old_topic)


def _restrict_to(event: MessageEdited, message_ids: Sequence[MessageId]) -> MessageEdited:
    """Return the event for users who may see only these of the messages."""
    event = msgspec.structs.replace(event, message_ids=tuple(message_ids))
    if event.message_id in message_ids:
        return event
    return msgspec.structs.replace(event, message_id=message_ids[0], orig_content=None)


def _move_policies(unit: Unit, plan: MovePlan, at: Position) -> None:
    """Transfer the topic policies of users with a topic that was moved as a whole.

    Users who can read none of it are not notified, and keep the policy for a name that they may have guessed.
    """
    tx, move = unit.tx, plan.move
    if tx.messages.newest_in_topic(move.source.id, plan.source_key, None) is not None:
        return
    arrived = sorted(message.arrived for message in plan.messages)
    source_policies = tx.topic_policies.of_topic(move.source.id, plan.source_key)
    source_readers = _find_readers(unit, move.source, arrived, source_policies.keys())
    to_move = {user_id: policy for user_id, policy in source_policies.items() if user_id in source_readers}
    target_policies = tx.topic_policies.of_topic(move.target.id, plan.target_key)
    user_ids = to_move.keys() if plan.target_was_empty else to_move.keys() | target_policies.keys()
    arrived_in_target = [at] if move.changes_channel else arrived
    target_readers = _find_readers(unit, move.target, arrived_in_target, user_ids)
    reset = dict.fromkeys(to_move, VisibilityPolicy.INHERIT)
    set_topic_policies(unit, move.source, move.old_topic, reset, before=to_move)
    changed: dict[UserId, VisibilityPolicy] = {}
    for user_id in target_readers:
        old = target_policies.get(user_id, VisibilityPolicy.INHERIT)
        moved = to_move.get(user_id, VisibilityPolicy.INHERIT)
        new = rules.policy_after_move(moved, old, target_was_empty=plan.target_was_empty)
        if new != old:
            changed[user_id] = new
    set_topic_policies(unit, move.target, move.topic, changed, before=target_policies)


def _find_readers(
    view: View, channel: Channel, arrived: Sequence[int], user_ids: Set[UserId]
) -> frozenset[UserId]:
    """Return those of the users who may read any of the messages in the channel; *arrived* are the positions
    at which the messages arrived there, ascending.
    """
    subscriptions = view.snapshot.subscriptions
    subscriber_ids = subscriptions.subscribed_among(channel.id, user_ids)
    if not channel.history_public_to_subscribers:
        periods = subscriptions.periods(channel.id, subscriber_ids)
        return frozenset(
            user_id
            for user_id in subscriber_ids
            if any(_has_any_of(period, arrived) for period in periods.get(user_id, ()))
        )
    return subscriber_ids | with_access(view, channel, user_ids - subscriber_ids)


def _has_any_of(period: Period, arrived: Sequence[int]) -> bool:
    """Whether any of the positions, ascending, is in the period."""
    first = bisect_left(arrived, period.start)
    return first < len(arrived) and period.covers(arrived[first])


# -- notices ----------------------------------------------------------------------------------------


def notify_topics(unit: Unit, plan: MovePlan, actor: Actor, *, old_topic: bool, new_topic: bool) -> None:
    """Send notices about the move to the topics; resolving a topic has a notice of its own."""
    mover, move = unit.tx.users.get(actor.user_id), plan.move
    if plan.resolves:
        notices.tell_of_resolving(unit, move.target, move.topic, mover)
        return
    what = "This topic was" if _is_all_of_topic(unit.tx, plan) else notices.count_of_messages(plan.seen)
    if new_topic:
        notices.tell_new_topic_of_move(unit, move, mover, what)
    if old_topic:
        notices.tell_old_topic_of_move(unit, move, mover, what)


def _is_all_of_topic(snapshot: Snapshot, plan: MovePlan) -> bool:
    """Whether the notices say that the whole topic was moved. They do not reveal messages that the mover
    cannot read, whether these were moved or stayed.
    """
    source = plan.move.source
    if not source.history_public_to_subscribers:
        return plan.propagate_mode == CHANGE_ALL and not plan.move.changes_channel
    return snapshot.messages.newest_in_topic(source.id, plan.source_key, None) is None
