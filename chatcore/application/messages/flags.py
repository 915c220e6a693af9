"""Changing message flags, by ids or over a range of a narrow.

The messages of a large request are found and checked in a snapshot, and changed in steps between which other
writers run. Each step checks its messages again, and passes over those that have since been deleted, or that
the actor may no longer add to the history: the result is as if the request had come before these changes.
Each step announces its own messages; if the process ends between two steps, the rest stays as it was.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from chatcore.application.messages.fetching import find_page, read_narrow
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.reading import BATCH
from chatcore.application.visibility.viewers import viewer_without_channels, with_flags, with_policies
from chatcore.domain.errors import BadRequest, invalid_message
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.access import flags_of, may_read
from chatcore.domain.messages.flags import Flag, Op, changeable_flag, flags_as_sent
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.window import Anchor, Page, Span, clamped_span, read_anchor
from chatcore.events.audience import Users
from chatcore.events.happened import FlagsChanged
from chatcore.events.payloads.messages import UnreadObject
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.slices import in_slices, let_others


@dataclass(frozen=True, slots=True)
class Changed:
    """The messages whose flag actually changed, ascending.

    `ignored_channels` are the channels of messages that could not become unread, because the channel is
    archived or the actor is not subscribed to it; None for changes to which this does not apply.
    """

    message_ids: tuple[MessageId, ...]
    ignored_channels: tuple[ChannelId, ...] | None = None


def update_flags(svc: Services, actor: Actor, message_ids: Sequence[int], *, op: str, flag: str) -> Changed:
    """Set or clear a flag on messages: on all of them, or on none if one may not be read.

    :param op: "add" or "remove"
    :param flag: "read", "starred" or "collapsed"
    :returns: ids of the messages that changed
    :raises BadRequest: an unknown or unchangeable flag, or a message that the actor may not read
    """
    checked_flag, checked_op = changeable_flag(flag, op)
    if len(message_ids) > svc.limits.max_ids_per_request:
        raise BadRequest(f"Too many messages (maximum {svc.limits.max_ids_per_request}).")
    wanted = sorted({MessageId(number) for number in message_ids})
    if len(wanted) <= BATCH:
        return _change_at_once(svc, actor, wanted, checked_flag, checked_op)
    planned = _plan_change(svc, actor, wanted, checked_flag, checked_op)
    return _change_in_steps(svc, actor, planned, checked_flag, checked_op)


@unit_of_work
def _change_at_once(unit: Unit, me: Actor, message_ids: Sequence[MessageId], flag: Flag, op: Op) -> Changed:
    viewer, messages = _require_all_readable(unit.tx, me, message_ids)
    return _change_flags(unit.tx, viewer, messages, flag, op)


@read_only
def _plan_change(view: View, me: Actor, message_ids: Sequence[MessageId], flag: Flag, op: Op) -> Changed:
    """Return the change that would be made now, with the messages whose flag differs."""
    viewer, messages = _require_all_readable(view.snapshot, me, message_ids)
    _, planned = _messages_to_change(view.snapshot, viewer, messages, flag, op)
    return planned


@dataclass(frozen=True, slots=True)
class ChangedRange:
    """The result of a change over a range: the ids in the range, and those that changed."""

    page: Page
    changed: Changed


def update_flags_in_narrow(
    svc: Services,
    actor: Actor,
    narrow: object,
    *,
    anchor: str | int,
    num_before: int,
    num_after: int,
    include_anchor: bool,
    op: str,
    flag: str,
) -> ChangedRange:
    """Set or clear a flag on a range of a narrow, shortened if it is too large for one request.

    :param op: as for `update_flags`, and *flag* too
    :returns: the messages of the range, and those that changed
    :raises BadRequest, BadNarrow: an invalid flag, anchor or narrow
    """
    requested_anchor = read_anchor(anchor)
    checked_flag, checked_op = changeable_flag(flag, op)
    span = clamped_span(num_before, num_after, include_anchor=include_anchor, limits=svc.limits)
    planned = _plan_range(svc, actor, narrow, requested_anchor, span, checked_flag, checked_op)
    changed = _change_in_steps(svc, actor, planned.changed, checked_flag, checked_op)
    return replace(planned, changed=changed)


@read_only
def _plan_range(
    view: View, me: Actor, narrow: object, requested_anchor: Anchor, span: Span, flag: Flag, op: Op
) -> ChangedRange:
    """Find the messages of the range, and those of them whose flag has to change."""
    snapshot = view.snapshot
    parsed_narrow, viewer, channels = read_narrow(view, me, narrow)
    page = find_page(snapshot, parsed_narrow, viewer, channels, requested_anchor, span)
    messages = snapshot.messages.outlines(page.message_ids)
    viewer = with_flags(snapshot, viewer, messages)
    changing, planned = _messages_to_change(snapshot, viewer, messages, flag, op)
    # A narrow may match messages that the reader may not add to their history.
    if not all(_are_readable(snapshot, viewer, _never_received(viewer, changing))):
        raise invalid_message()
    return ChangedRange(page, planned)


def _change_in_steps(svc: Services, actor: Actor, planned: Changed, flag: Flag, op: Op) -> Changed:
    """Make a change that was planned in a snapshot, each batch of messages in a unit of work of its own."""
    changed: list[MessageId] = []
    for start in range(0, len(planned.message_ids), BATCH):
        if start:
            let_others()
        batch = planned.message_ids[start : start + BATCH]
        changed += _change_batch(svc, actor, batch, flag, op).message_ids
    return replace(planned, message_ids=tuple(changed))


@unit_of_work
def _change_batch(unit: Unit, me: Actor, batch: Sequence[MessageId], flag: Flag, op: Op) -> Changed:
    """Change those of the messages that still exist, and are readable or in the actor's history."""
    viewer, messages = _find_existing(unit.tx, me, batch)
    readability = zip(messages, _are_readable(unit.tx, viewer, messages), strict=True)
    kept = [message for message, is_readable in readability if is_readable or message.id in viewer.flags]
    return _change_flags(unit.tx, viewer, kept, flag, op)


def _require_all_readable(
    snapshot: Snapshot, actor: Actor, message_ids: Sequence[MessageId]
) -> tuple[Viewer, Sequence[Message]]:
    """Return the messages, and the actor as their reader.

    :raises BadRequest: one of them does not exist, or may not be read
    """
    viewer, messages = _find_existing(snapshot, actor, message_ids)
    if len(messages) < len(message_ids) or not all(_are_readable(snapshot, viewer, messages)):
        raise invalid_message()
    return viewer, messages


def _find_existing(
    snapshot: Snapshot, actor: Actor, message_ids: Collection[MessageId]
) -> tuple[Viewer, Sequence[Message]]:
    """Return those of the messages that exist, and the actor as their reader."""
    viewer = viewer_without_channels(snapshot, actor)
    messages = snapshot.messages.outlines(message_ids)
    return with_flags(snapshot, viewer, messages), messages


def _messages_to_change(
    snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message], flag: Flag, op: Op
) -> tuple[Sequence[Message], Changed]:
    """Return those of the messages whose flag differs from the wanted value, and the answer to the client.

    Some messages cannot be marked as unread: see `Changed.ignored_channels`.
    """
    ignored_channels: tuple[ChannelId, ...] | None = None
    if flag == Flag.READ and op == "remove":
        channels = snapshot.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
        ignored = {
            channel.id
            for channel in channels.values()
            if channel.is_archived or not viewer.is_subscribed_to(channel.id)
        }
        messages = [message for message in messages if message.channel_id not in ignored]
        ignored_channels = tuple(sorted(ignored))
    is_wanted = op == "add"
    to_change = [m for m in in_slices(messages) if bool(flags_of(m, viewer) & flag) != is_wanted]
    return to_change, Changed(tuple(message.id for message in to_change), ignored_channels)


def _never_received(viewer: Viewer, messages: Sequence[Message]) -> list[Message]:
    """Return the messages that are not in the viewer's history: any change of their flags adds them, also one
    that marks them as unread.
    """
    return [message for message in messages if message.id not in viewer.flags]


def _change_flags(
    tx: Transaction, viewer: Viewer, messages: Sequence[Message], flag: Flag, op: Op
) -> Changed:
    """Store and announce a change; the reader may read all of the messages, or has received them."""
    user_id = viewer.user_id
    assert user_id is not None, "only people with an account change flags"
    to_change, result = _messages_to_change(tx, viewer, messages, flag, op)
    if not to_change:
        return result
    historical = _never_received(viewer, to_change)
    if op == "add":
        tx.flags.set(user_id, to_change, flag, historical=[message.id for message in historical])
    else:
        tx.flags.set(user_id, historical, Flag.HISTORICAL)
        tx.flags.clear(user_id, to_change, flag)
    _announce(tx, user_id, viewer, to_change, flag, op)
    return result


def _are_readable(snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]) -> list[bool]:
    """Return for each message whether the reader may read it individually, received or not."""
    channels = snapshot.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
    return [may_read(message, viewer, channels) for message in in_slices(messages)]


def _announce(
    tx: Transaction, user_id: UserId, viewer: Viewer, changed: Sequence[Message], flag: Flag, op: Op
) -> None:
    """Notify the clients of the reader; messages that become unread come with details to count."""
    details = {}
    if flag == Flag.READ and op == "remove":
        viewer = with_policies(tx, viewer)
        details = {message.id: _unread_details(viewer, message) for message in in_slices(changed)}
    event = FlagsChanged(
        flag=flags_as_sent(flag)[0],
        op=op,
        messages=tuple(message.id for message in changed),
        details=details,
    )
    tx.announce(event, Users((user_id,)))


def _unread_details(viewer: Viewer, message: Message) -> UnreadObject:
    """Return the fields that a client needs to count a message as unread again."""
    details: UnreadObject
    if message.conversation is not None:
        others = message.conversation.user_ids - {viewer.user_id}
        details = {"type": "private", "user_ids": sorted(others)}
    else:
        assert message.channel_id is not None
        details = {
            "type": "stream",
            "stream_id": message.channel_id,
            "topic": message.topic,
            "unmuted_stream_msg": not viewer.has_muted(message.channel_id, message.topic_key or ""),
        }
    if flags_of(message, viewer) & Flag.ANY_MENTION:
        details["mentioned"] = True
    return details
