"""The lists of which clients are always told as a whole, read from the state.

They are a matter of the snapshot alone, as who follows the log has no services (`docs/decisions/0024`).
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from chatcore.domain.channels import has_metadata_access
from chatcore.domain.groups import Actor
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.queue import Capabilities
from chatcore.events.shapes.configuration import field_shape, linkifier_shape, playground_shape
from chatcore.events.shapes.emoji import EmojiShape, emoji_shapes
from chatcore.storage import Snapshot


def muted_topics(snapshot: Snapshot, actor: Actor, client: Capabilities) -> list[tuple[str, str, int]]:
    """The muted topics as older clients read them: channel name, topic, and when it was muted; only of
    channels that the actor still sees, and the client knows of.
    """
    muted = {
        channel_and_key: (topic, updated)
        for channel_and_key, (topic, policy, updated) in snapshot.topic_policies.of_user(
            actor.user_id
        ).items()
        if policy == VisibilityPolicy.MUTED
    }
    if not muted:
        return []
    mine = snapshot.subscriptions.of_user(actor.user_id)
    names = {
        channel.id: channel.name
        for channel in snapshot.channels.by_ids({channel_id for channel_id, _ in muted}).values()
        if client.archived_channels or not channel.is_archived
        if has_metadata_access(channel, actor, subscribed=channel.id in mine and mine[channel.id].active)
    }
    empty = "" if client.empty_topic_name else snapshot.organization.get().empty_topic_display_name
    return [
        (names[channel_id], topic or empty, updated)
        for (channel_id, _), (topic, updated) in muted.items()
        if channel_id in names
    ]


def muted_users(snapshot: Snapshot, actor: Actor) -> list[dict[str, int]]:
    muted = snapshot.muted_users.of_user(actor.user_id)
    return [{"id": muted_id, "timestamp": at} for muted_id, at in muted.items()]


def custom_emoji(snapshot: Snapshot) -> dict[str, EmojiShape]:
    """Every emoji of the organization by its id, the deactivated ones too."""
    return emoji_shapes(snapshot.emoji.all())


def profile_fields(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Every field, by order."""
    return [field_shape(definition) for definition in snapshot.profile_fields.all()]


def linkifiers(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Every linkifier in their order."""
    return [linkifier_shape(linkifier) for linkifier in snapshot.linkifiers.all()]


def playgrounds(snapshot: Snapshot) -> list[dict[str, Any]]:
    return [playground_shape(playground) for playground in snapshot.playgrounds.all()]


class Telling(NamedTuple):
    """How the list is read that events of a type tell of, and for whom it is the same one."""

    fields: Callable[[Snapshot, Actor, Capabilities], Mapping[str, Any]]
    same_for: Callable[[Actor, Capabilities], Hashable]


def _everybody(actor: Actor, client: Capabilities) -> None:
    return None


def _oneself(actor: Actor, client: Capabilities) -> Hashable:
    return actor.user_id


def _ones_client(actor: Actor, client: Capabilities) -> Hashable:
    return actor.user_id, client


TOLD: Mapping[str, Telling] = {
    "alert_words": Telling(lambda s, a, _: {"alert_words": s.alert_words.of_user(a.user_id)}, _oneself),
    "muted_topics": Telling(lambda s, a, c: {"muted_topics": muted_topics(s, a, c)}, _ones_client),
    "muted_users": Telling(lambda s, a, _: {"muted_users": muted_users(s, a)}, _oneself),
    "realm_emoji": Telling(lambda s, a, _: {"op": "update", "realm_emoji": custom_emoji(s)}, _everybody),
    "custom_profile_fields": Telling(lambda s, a, _: {"fields": profile_fields(s)}, _everybody),
    "realm_linkifiers": Telling(lambda s, a, _: {"realm_linkifiers": linkifiers(s)}, _everybody),
    "realm_playgrounds": Telling(lambda s, a, _: {"realm_playgrounds": playgrounds(s)}, _everybody),
    "default_streams": Telling(
        lambda s, a, _: {"default_streams": () if a.is_guest else s.organization.get().default_channel_ids},
        lambda a, _: a.is_guest,
    ),
}
"""By the types of events; the fields as they are on the wire."""
