"""Changing message flags, by ids or over a range of a narrow."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.application.messages.fetching import find_page, read_narrow
from chatcore.application.services import Services
from chatcore.application.visibility.viewers import (
    refresh_actor,
    viewer_without_channels,
    with_flags,
    with_policies,
)
from chatcore.domain.errors import BadRequest, invalid_message
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId
from chatcore.domain.messages.access import flags_of, may_read
from chatcore.domain.messages.flags import WIRE_NAMES, Flag, Op, changeable_flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.window import Page, clamped_span, read_anchor
from chatcore.events.audience import Users
from chatcore.events.shapes.messages import UnreadObject
from chatcore.events.types import FlagsChanged
from chatcore.storage import Transaction
from chatcore.storage.slices import in_slices


@dataclass(frozen=True, slots=True)
class Changed:
    """The messages whose flag actually changed, ascending.

    `ignored_channels` are the channels of messages that could not become unread, because the channel is
    archived or the actor is not subscribed to it; None for changes to which this does not apply.
    """

    message_ids: tuple[MessageId, ...]
    ignored_channels: tuple[ChannelId, ...] | None = None


def update_flags(svc: Services, actor: Actor, message_ids: Sequence[int], *, op: str, flag: str) -> Changed:
    """Set or clear a flag on messages.

    :raises BadRequest: an unknown or unchangeable flag, or a message that the actor may not read
    """
    changed_flag, change = changeable_flag(flag, op)
    if len(message_ids) > svc.limits.max_ids_per_request:
        raise BadRequest(f"Too many messages (maximum {svc.limits.max_ids_per_request}).")

    def write(tx: Transaction) -> Changed:
        viewer = viewer_without_channels(tx, refresh_actor(tx, actor, svc.now))
        wanted = {MessageId(number) for number in message_ids}
        messages = tx.messages.outlines(wanted)
        viewer = with_flags(tx, viewer, messages)
        if len(messages) < len(wanted):
            raise invalid_message()
        _require_readable(tx, viewer, messages)
        changing, changed = _changing(tx, viewer, messages, changed_flag, change)
        _change(tx, viewer, changing, changed_flag, change)
        return changed

    return svc.storage.write(write)


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
    """Set or clear a flag on a range of a narrow, shortened if it is too large for one step.

    :raises BadRequest, BadNarrow: an invalid flag, anchor or narrow
    """
    asked = read_anchor(anchor)
    changed_flag, change = changeable_flag(flag, op)

    def write(tx: Transaction) -> ChangedRange:
        me = refresh_actor(tx, actor, svc.now)
        understood, viewer, channels = read_narrow(svc, tx, me, narrow)
        span = clamped_span(num_before, num_after, include_anchor=include_anchor, limits=svc.limits)
        page = find_page(tx, understood, viewer, channels, asked, span)
        messages = tx.messages.outlines(page.message_ids)
        viewer = with_flags(tx, viewer, messages)
        changing, changed = _changing(tx, viewer, messages, changed_flag, change)
        # A narrow may match messages that the reader may not add to their history.
        _require_readable(tx, viewer, _never_received(viewer, changing))
        _change(tx, viewer, changing, changed_flag, change)
        return ChangedRange(page, changed)

    return svc.storage.write(write)


def _changing(
    tx: Transaction, viewer: Viewer, messages: Sequence[Message], flag: Flag, op: Op
) -> tuple[Sequence[Message], Changed]:
    """Return those of the messages whose flag differs from the wanted value, and the answer to the client."""
    ignored: tuple[ChannelId, ...] | None = None
    if flag == Flag.READ and op == "remove":
        channels = tx.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
        not_subscribed = {
            channel.id
            for channel in channels.values()
            if channel.is_archived or not viewer.subscribed_to(channel.id)
        }
        messages = [message for message in messages if message.channel_id not in not_subscribed]
        ignored = tuple(sorted(not_subscribed))
    changing = [m for m in in_slices(messages) if bool(flags_of(m, viewer) & flag) != (op == "add")]
    return changing, Changed(tuple(message.id for message in changing), ignored)


def _never_received(viewer: Viewer, messages: Sequence[Message]) -> list[Message]:
    """Return the messages that a change of their flags adds to the history, also when it marks them as
    unread.
    """
    return [message for message in messages if message.id not in viewer.flags]


def _change(tx: Transaction, viewer: Viewer, changing: Sequence[Message], flag: Flag, op: Op) -> None:
    """Store and announce a change; the reader may read all of the messages."""
    user_id = viewer.user_id
    assert user_id is not None, "only people with an account change flags"
    if not changing:
        return
    historical = _never_received(viewer, changing)
    if op == "add":
        tx.flags.set(user_id, changing, flag, historical=[message.id for message in historical])
    else:
        tx.flags.set(user_id, historical, Flag.HISTORICAL)
        tx.flags.clear(user_id, changing, flag)
    _announce(tx, viewer, changing, flag, op)


def _require_readable(tx: Transaction, viewer: Viewer, messages: Sequence[Message]) -> None:
    """Refuse messages that the reader may not read individually, received or not."""
    channels = tx.channels.by_ids({m.channel_id for m in messages if m.channel_id is not None})
    if not all(may_read(message, viewer, channels) for message in messages):
        raise invalid_message()


def _announce(tx: Transaction, viewer: Viewer, changed: Sequence[Message], flag: Flag, op: Op) -> None:
    user_id = viewer.user_id
    assert user_id is not None, "only people with an account change flags"
    details = {}
    if flag == Flag.READ and op == "remove":
        viewer = with_policies(tx, viewer)
        details = {message.id: _details(viewer, message) for message in in_slices(changed)}
    event = FlagsChanged(
        flag=next(name for name, known in WIRE_NAMES.items() if known == flag),
        op=op,
        messages=tuple(message.id for message in changed),
        details=details,
    )
    tx.announce(event, Users((user_id,)))


def _details(viewer: Viewer, message: Message) -> UnreadObject:
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
