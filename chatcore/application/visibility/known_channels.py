"""A channel that is there for the actor. The owner of a bot counts where it sends, and nowhere else."""

from collections.abc import Callable

from chatcore.domain.channels import Channel, has_content_access, has_metadata_access
from chatcore.domain.errors import invalid_channel
from chatcore.domain.groups import Actor
from chatcore.storage import Snapshot


def known_channel(snapshot: Snapshot, actor: Actor, named: int | str) -> Channel:
    """:raises BadRequest: none with the id or name, or the actor may not know; one answer for both"""
    return _there(snapshot, actor, named, has_metadata_access)


def readable_channel(snapshot: Snapshot, actor: Actor, named: int | str) -> Channel:
    """:raises BadRequest: the same, or the actor may not read what is in it"""
    return _there(snapshot, actor, named, has_content_access)


def _there(snapshot: Snapshot, actor: Actor, named: int | str, has_access: Callable[..., bool]) -> Channel:
    if isinstance(named, str):
        channel, refusal = snapshot.channels.find_by_name(named), invalid_channel(named)
    else:
        channel, refusal = snapshot.channels.find(named), invalid_channel()
    if channel is not None:
        subscribed = bool(snapshot.subscriptions.subscribed_among(channel.id, [actor.user_id]))
        if has_access(channel, actor, subscribed=subscribed):
            return channel
    raise refusal
