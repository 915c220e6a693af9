"""Lookup of a channel that the actor may know of or read. The rights of a bot's owner count only for
sending.
"""

from collections.abc import Callable, Collection

from chatcore.domain.channels.channels import Channel, has_content_access, has_metadata_access
from chatcore.domain.errors import invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.storage import Snapshot


def find_channel(snapshot: Snapshot, named: int | str) -> Channel | None:
    """Return the channel with an id or name, also one of which few may know."""
    if isinstance(named, str):
        return snapshot.channels.find_by_name(named)
    return snapshot.channels.find(named)


def known_channel(snapshot: Snapshot, actor: Actor, named: int | str) -> Channel:
    """Return a channel that the actor may know of.

    :raises BadRequest: no channel with the id or name, or the actor may not know of it; one answer for both
    """
    return _find_accessible(snapshot, actor, named, has_metadata_access)


def readable_channel(snapshot: Snapshot, actor: Actor, named: int | str) -> Channel:
    """Return a channel whose messages the actor may read.

    :raises BadRequest: no channel with the id or name, or the actor may not read it; one answer for both
    """
    return _find_accessible(snapshot, actor, named, has_content_access)


def _find_accessible(
    snapshot: Snapshot, actor: Actor, named: int | str, has_access: Callable[..., bool]
) -> Channel:
    """Return a channel to which the actor has access; any other is as good as unknown."""
    channel = find_channel(snapshot, named)
    if channel is not None:
        subscribed = bool(snapshot.subscriptions.subscribed_among(channel.id, [actor.user_id]))
        if has_access(channel, actor, subscribed=subscribed):
            return channel
    raise invalid_channel(named)


def actor_or_owner_knows(channel: Channel, actor: Actor, subscriber_ids: Collection[UserId]) -> bool:
    """Whether the actor, or the owner of a bot that acts, may know of the channel."""
    people = [actor] if actor.owner is None else [actor, actor.owner]
    return any(
        has_metadata_access(channel, person, subscribed=person.user_id in subscriber_ids) for person in people
    )


def subscribed_among_actor_and_owner(
    snapshot: Snapshot, actor: Actor, channel: Channel
) -> Collection[UserId]:
    """Return which of the actor and, for a bot, its owner are subscribed to the channel."""
    asked = [actor.user_id] if actor.owner is None else [actor.user_id, actor.owner.user_id]
    return snapshot.subscriptions.subscribed_among(channel.id, asked)
