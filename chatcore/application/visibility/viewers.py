"""Readers of messages, with their personal facts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId
from chatcore.domain.messages.flags import NEVER_RECEIVED
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.terms import Narrow
from chatcore.domain.narrow.window import NEWEST
from chatcore.storage import Snapshot


def viewer_without_channels(snapshot: Snapshot, actor: Actor | None) -> Viewer:
    """Return a viewer with its subscriptions, but without the channels, of which there can be many. This is
    enough to read single messages.
    """
    if actor is None:
        return Viewer()
    subscriptions = snapshot.subscriptions.of_user(actor.user_id)
    return Viewer(actor=actor, subscriptions=subscriptions, default_flags=NEVER_RECEIVED)


def viewer_of(
    snapshot: Snapshot, actor: Actor | None, *, also: Iterable[ChannelId] = (), all_public: bool = False
) -> tuple[Viewer, Mapping[ChannelId, Channel]]:
    """Return a viewer, and the channels that can contain its messages: subscribed ones, those in *also*, and
    channels from which it has single messages in its history.
    """
    viewer = viewer_without_channels(snapshot, actor)
    wanted = {*viewer.subscriptions, *also}
    if actor is not None:
        wanted |= snapshot.flags.historical_channels(actor.user_id)
    channels = dict(snapshot.channels.public()) if all_public else {}
    channels.update(snapshot.channels.by_ids(wanted - channels.keys()))
    return viewer, channels


def newest_in_history(snapshot: Snapshot, actor: Actor) -> MessageId | None:
    """Return the newest message of the actor's history."""
    viewer, channels = viewer_of(snapshot, actor)
    nearest = snapshot.search.around(
        Narrow(), viewer, channels, anchor=NEWEST, before=1, after=0, with_anchor=False
    )
    return next(iter(nearest.before), None)


def with_policies(snapshot: Snapshot, viewer: Viewer) -> Viewer:
    """Return the reader with its topic policies."""
    if viewer.user_id is None:
        return viewer
    policies = snapshot.topic_policies.of_user(viewer.user_id)
    return replace(viewer, topic_policies={topic: policy for topic, (_, policy, _) in policies.items()})


def with_flags(snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]) -> Viewer:
    """Return the reader with its flags of these messages."""
    if viewer.user_id is None:
        return viewer
    return replace(viewer, flags=snapshot.flags.of(viewer.user_id, messages, viewer.subscriptions))
