"""Deleting all messages of a topic, for everybody."""

from typing import Annotated

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.delivery.removing import remove_messages
from chatcore.application.delivery.topic_policies import set_topic_policies
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.group_changes import users_who_see
from chatcore.application.visibility.viewers import viewer_without_channels, with_flags
from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import InsufficientRole, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.access import may_read, reads_as_member
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.retention.holds import MustBeKept
from chatcore.domain.topics import VisibilityPolicy, read_topic, topic_key
from chatcore.storage import Transaction
from chatcore.storage.slices import let_others

BATCH = 500
"""Number of messages deleted in one unit of work; other writers run in between."""
REQUEST_SECONDS = 50
"""Time after which the client has to ask for the rest."""


def delete_topic(
    svc: Services, actor: Actor, channel_id: ChannelNumber, topic: Annotated[str, about("The topic.")]
) -> bool:
    """Delete all messages of a topic, for everybody; if there are too many at once, repeat the request.

    :raises BadRequest: no such channel for the actor, or an archived one
    :raises InsufficientRole: the actor may not delete every message there
    :raises MustBeKept: a hold is on the channel, or on somebody who took part in the topic
    """
    # False means that some are left.
    deadline = svc.monotonic() + REQUEST_SECONDS
    before: MessageId | None = None
    while svc.monotonic() < deadline:
        before = _delete_some(svc, actor, channel_id, topic, before)
        if before is None:
            return True
        let_others()
    return False


@unit_of_work
def _delete_some(
    unit: Unit, me: Actor, channel_id: int, topic: str, before: MessageId | None
) -> MessageId | None:
    """Delete some messages that the actor may read, the newest with ids *before* the given one; return where
    to continue, or None at the end.
    """
    tx = unit.tx
    reader = viewer_without_channels(tx, me)
    channel = _require_deletable(tx, me, reader, channel_id)
    key = topic_key(read_topic(topic, tx.organization.get().empty_topic_display_name))
    if before is None:  # a topic is not deleted in part
        _require_not_held(tx, channel, key)
    ids = tx.edits.newest_of_topic(channel.id, key, BATCH, before=before)
    messages = tx.messages.outlines(ids)
    viewer = with_flags(tx, reader, messages)
    if readable := [message for message in messages if may_read(message, viewer, {channel.id: channel})]:
        remove_messages(unit, readable, channel, also=[me.user_id])
        counts = {"message_count": len(readable), "sender_ids": {message.sender_id for message in readable}}
        unit.record(AuditKind.MESSAGES_OF_TOPIC_DELETED, channel.id, before=counts)
    if len(ids) == BATCH:
        return ids[0]  # the oldest of them
    if tx.messages.newest_in_topic(channel.id, key, None) is None:
        policies = tx.topic_policies.of_topic(channel.id, key)
        # Users who can no longer see the channel are not notified, and keep their policies for the name.
        reset = dict.fromkeys(users_who_see(unit, channel, policies), VisibilityPolicy.INHERIT)
        set_topic_policies(unit, channel, key, reset, before=policies)
    return None


def _require_deletable(tx: Transaction, actor: Actor, reader: Viewer, channel_id: int) -> Channel:
    """Return the channel, if the actor may delete its topics; otherwise raise as `delete_topic` does."""
    channel = tx.channels.find(channel_id)
    if channel is None or channel.is_archived or not reads_as_member(channel, reader):
        raise invalid_channel()
    permission = "can_delete_any_message_group"
    if not tx.organization.get().permits(permission, actor) and not channel.permits(permission, actor):
        raise InsufficientRole("You don't have permission to delete this topic")
    return channel


def _require_not_held(tx: Transaction, channel: Channel, key: str) -> None:
    """Refuse a topic of a channel on hold, or one in which somebody on hold has sent a message or reacted."""
    holds = tx.holds.present()
    if channel.id in holds.channels:
        raise MustBeKept
    if holds.people and not holds.people.isdisjoint(tx.messages.participants(channel.id, key)):
        raise MustBeKept
