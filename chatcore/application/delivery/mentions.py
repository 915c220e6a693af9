"""Mentions of many people in a text: who may write them, and whom they reach."""

from collections.abc import Collection

from chatcore.application.units import View, read_only
from chatcore.application.visibility.groups import members_with_subgroups
from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest, ChannelWildcardNotAllowed, TopicWildcardNotAllowed
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group, may_mention
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.topics import topic_key
from chatcore.markup import Effects
from chatcore.storage import Snapshot


def require_may_mention(
    view: View, actor: Actor, effects: Effects, channel: Channel | None, topic: str
) -> None:
    """Refuse a text with a mention that its author may not use in its place; *channel* is None for a direct
    message.

    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    :raises BadRequest: a group that the author may not mention
    """
    if channel is not None and (effects.channel_wildcard or effects.topic_wildcard):
        _require_may_mention_all(view, actor, effects, channel, topic)
    require_may_mention_groups.within(view, actor, effects)


def _require_may_mention_all(
    view: View, actor: Actor, effects: Effects, channel: Channel, topic: str
) -> None:
    """Refuse a mention of all readers that the author may not use.

    :raises ChannelWildcardNotAllowed, TopicWildcardNotAllowed: a mention of too many people, without
        permission
    """
    if view.snapshot.organization.get().permits("can_mention_many_users_group", actor):
        return
    limit = view.limits.wildcard_mention_free_up_to
    if effects.channel_wildcard and channel.subscriber_count > limit:
        raise ChannelWildcardNotAllowed
    if effects.topic_wildcard:
        participants = view.snapshot.messages.participants(channel.id, topic_key(topic)) | {actor.user_id}
        if len(participants) > limit:
            raise TopicWildcardNotAllowed


@read_only
def require_may_mention_groups(view: View, me: Actor, effects: Effects) -> None:
    """Refuse a text with a non-silent mention of a group that the actor may not mention.

    :raises BadRequest: the message names the group
    """
    for group in _mentioned_groups(view.snapshot, effects):
        if not may_mention(group, me):
            raise BadRequest(f"You are not allowed to mention user group '{group.name}'.")


def mentioned_by_group(view: View, effects: Effects) -> Collection[UserId]:
    """Return the members of the groups that a text mentions."""
    group_ids = [group.id for group in _mentioned_groups(view.snapshot, effects) if not group.deactivated]
    return members_with_subgroups(view, group_ids) if group_ids else ()


def _mentioned_groups(snapshot: Snapshot, effects: Effects) -> Collection[Group]:
    if not effects.group_ids:
        return ()
    return snapshot.groups.by_ids([GroupId(group_id) for group_id in effects.group_ids]).values()
