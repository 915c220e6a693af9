"""Who may move messages to another topic or channel, until when, and what becomes of a topic's policies."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.domain.channels import Channel, is_channel_admin
from chatcore.domain.editing import is_too_old
from chatcore.domain.errors import BadRequest, MoveTimeLimitExceeded
from chatcore.domain.groups import Actor
from chatcore.domain.limits import Limits
from chatcore.domain.messages import Brief
from chatcore.domain.organization import Organization
from chatcore.domain.topics import RESOLVED_PREFIX, VisibilityPolicy, is_resolved

CHANGE_ONE, CHANGE_LATER, CHANGE_ALL = "change_one", "change_later", "change_all"
"""Values of `propagate_mode`: the message alone, with those after it in the topic, or the whole topic."""
PROPAGATE_MODES = (CHANGE_ONE, CHANGE_LATER, CHANGE_ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What a move changes: from which channel to which, and from which topic to which."""

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
        """Whether all that it changes is that the topic is marked as resolved, or no longer is."""
        if self.changes_channel:
            return False
        return self.topic == resolved(self.old_topic, limits) or self.old_topic == resolved(
            self.topic, limits
        )


def resolved(topic: str, limits: Limits) -> str:
    """The topic as it is called once it is resolved."""
    name = RESOLVED_PREFIX + topic
    return name if len(name) <= limits.max_topic_length else name[: limits.max_topic_length - 3] + "..."


def require_resolvable(topic: str, empty_display_name: str) -> None:
    """Refuse to mark the empty topic as resolved.

    :raises BadRequest:
    """
    unstripped = topic + " "  # the sign alone lacks the blank of the prefix
    if is_resolved(unstripped) and unstripped.removeprefix(RESOLVED_PREFIX).strip() in (
        "",
        empty_display_name,
    ):
        raise BadRequest("General chat cannot be marked as resolved")


def require_may_move(move: Move, actor: Actor, organization: Organization, limits: Limits) -> None:
    """Refuse what the actor may not move. That they may post in the target is a rule of sending.

    :raises BadRequest:
    """
    if move.resolves(limits):
        if not _permitted(actor, organization, move, "can_resolve_topics_group", "can_resolve_topics_group"):
            raise BadRequest("You don't have permission to resolve topics.")
        return
    if (
        move.changes_topic
        and not _may_administer(actor, move.source, move.target)
        and not _permitted(
            actor,
            organization,
            move,
            "can_move_messages_between_topics_group",
            "can_move_messages_within_channel_group",
        )
    ):
        raise BadRequest("You don't have permission to edit this message")
    if (
        move.changes_channel
        and not _may_administer(actor, move.source)
        and not organization.permits("can_move_messages_between_channels_group", actor)
        and not move.source.permits("can_move_messages_out_of_channel_group", actor)
    ):
        raise BadRequest("You don't have permission to move this message")


def _permitted(
    actor: Actor, organization: Organization, move: Move, of_organization: str, of_channel: str
) -> bool:
    return organization.permits(of_organization, actor) or any(
        channel.permits(of_channel, actor) for channel in (move.source, move.target)
    )


def _may_administer(actor: Actor, *channels: Channel) -> bool:
    return any(is_channel_admin(channel, actor) for channel in channels)


def time_limit(move: Move, actor: Actor, organization: Organization, limits: Limits) -> int | None:
    """How many seconds old a message may be that the actor moves; None for any age."""
    if actor.role.is_moderator or move.resolves(limits):
        return None
    of_changes = [
        organization.move_messages_within_stream_limit_seconds if move.changes_topic else None,
        organization.move_messages_between_streams_limit_seconds if move.changes_channel else None,
    ]
    return min((limit for limit in of_changes if limit is not None), default=None)


def require_in_time(timestamp: int, limit: int | None, now: int) -> None:
    """Refuse to move a message that is too old.

    :raises BadRequest:
    """
    if is_too_old(timestamp, limit, now):
        raise BadRequest("The time limit for editing this message has passed.")


def require_all_in_time(topic: Sequence[Brief], limit: int | None, now: int) -> None:
    """Refuse to move a whole topic of which a part is too old.

    :raises MoveTimeLimitExceeded: naming the part that is not
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
"""Policies, the one first that shows most of a topic."""


def policy_after_move(
    of_source: VisibilityPolicy, of_target: VisibilityPolicy, *, target_was_empty: bool
) -> VisibilityPolicy:
    """Somebody's policy for a topic into which a whole other one was moved.

    What had no messages before is the moved topic under another name, and keeps its policy.
    """
    if target_was_empty:
        return of_source
    return min(of_source, of_target, key=VISIBLE_FIRST.index)
