"""Permission and time limits to move messages to another topic or channel; topic policies after a move."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.domain.channels.channels import Channel, is_channel_admin
from chatcore.domain.errors import BadRequest, MoveTimeLimitExceeded
from chatcore.domain.groups.actors import Actor
from chatcore.domain.limits import Limits
from chatcore.domain.messages.editing import is_too_old
from chatcore.domain.messages.messages import Brief
from chatcore.domain.organization.organization import Organization
from chatcore.domain.topics import RESOLVED_PREFIX, VisibilityPolicy, is_resolved, truncated_topic

CHANGE_ONE, CHANGE_LATER, CHANGE_ALL = "change_one", "change_later", "change_all"
"""Values of `propagate_mode`: only the message, also those after it in the topic, or the whole topic."""
PROPAGATE_MODES = (CHANGE_ONE, CHANGE_LATER, CHANGE_ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The channels and topics of a move, before and after."""

    source: Channel
    target: Channel
    old_topic: str
    topic: str

    @property
    def changes_channel(self) -> bool:
        return self.source.id != self.target.id

    @property
    def changes_topic(self) -> bool:
        return self.topic != self.old_topic

    def resolves(self, limits: Limits) -> bool:
        """Whether the move only marks the topic as resolved or unresolved."""
        resolved_now = self.topic == resolved_name(self.old_topic, limits)
        was_resolved = self.old_topic == resolved_name(self.topic, limits)
        return not self.changes_channel and (resolved_now or was_resolved)


def resolved_name(topic: str, limits: Limits) -> str:
    """Return the name of the topic once it is resolved."""
    return truncated_topic(RESOLVED_PREFIX + topic, limits)


def require_resolvable(topic: str, empty_display_name: str) -> None:
    """Refuse to mark the empty topic as resolved.

    :raises BadRequest: the topic is empty but for the prefix
    """
    unstripped = topic + " "  # the sign alone lacks the blank of the prefix
    bare_topic = unstripped.removeprefix(RESOLVED_PREFIX).strip()
    if is_resolved(unstripped) and bare_topic in ("", empty_display_name):
        raise BadRequest("General chat cannot be marked as resolved")


def require_may_move(move: Move, actor: Actor, organization: Organization, limits: Limits) -> None:
    """Refuse a move without permission. Permission to post in the target is a rule of sending.

    :raises BadRequest: no permission to resolve, rename or move to another channel
    """
    channels = (move.source, move.target)

    def permits_in_either(of_organization: str, of_channel: str) -> bool:
        in_channel = (channel.permits(of_channel, actor) for channel in channels)
        return organization.permits(of_organization, actor) or any(in_channel)

    if move.resolves(limits):
        if not permits_in_either("can_resolve_topics_group", "can_resolve_topics_group"):
            raise BadRequest("You don't have permission to resolve topics.")
        return
    if move.changes_topic:
        may_rename = any(is_channel_admin(channel, actor) for channel in channels) or permits_in_either(
            "can_move_messages_between_topics_group", "can_move_messages_within_channel_group"
        )
        if not may_rename:
            raise BadRequest("You don't have permission to edit this message")
    if move.changes_channel:
        may_move_out = (
            is_channel_admin(move.source, actor)
            or organization.permits("can_move_messages_between_channels_group", actor)
            or move.source.permits("can_move_messages_out_of_channel_group", actor)
        )
        if not may_move_out:
            raise BadRequest("You don't have permission to move this message")


def time_limit(move: Move, actor: Actor, organization: Organization, limits: Limits) -> int | None:
    """Return the maximum age in seconds of a message that the actor may move; None for any age."""
    if actor.role.is_moderator or move.resolves(limits):
        return None
    of_changes = [
        organization.move_messages_within_stream_limit_seconds if move.changes_topic else None,
        organization.move_messages_between_streams_limit_seconds if move.changes_channel else None,
    ]
    return min((limit for limit in of_changes if limit is not None), default=None)


def max_moved_at_once(actor: Actor, limits: Limits) -> int:
    """Return the number of messages that one request of the actor may move."""
    if actor.role.is_administrator:
        return limits.max_moved_messages_by_administrators
    return limits.max_moved_messages


def require_few_moved(messages: Sequence[Brief], most: int) -> None:
    """Refuse to move more messages than others can wait for.

    :raises BadRequest: there are more than *most*
    """
    if len(messages) > most:
        raise BadRequest(f"At most {most} messages can be moved at once.")


def require_all_in_time(topic: Sequence[Brief], limit: int | None, now: int) -> None:
    """Refuse to move a whole topic if a part of it is too old.

    :raises MoveTimeLimitExceeded: naming the part that could be moved
    """
    allowed = [message.id for message in topic if not is_too_old(message.timestamp, limit, now)]
    if len(allowed) < len(topic):
        raise MoveTimeLimitExceeded(min(allowed), len(topic), len(allowed))


VISIBLE_FIRST = (
    VisibilityPolicy.FOLLOWED,
    VisibilityPolicy.UNMUTED,
    VisibilityPolicy.INHERIT,
    VisibilityPolicy.MUTED,
)
"""Policies, ordered from the most to the least visible."""


def policy_after_move(
    of_source: VisibilityPolicy, of_target: VisibilityPolicy, *, target_was_empty: bool
) -> VisibilityPolicy:
    """Return a user's policy for a topic into which another whole topic was moved.

    If the target had no messages before, the move only renames the topic, which keeps the policy of the
    source.
    """
    if target_was_empty:
        return of_source
    return min(of_source, of_target, key=VISIBLE_FIRST.index)
