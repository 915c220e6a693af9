"""The actor as of now, and a reader with all personal facts: with these a use case begins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chatcore.domain.channels import Channel
from chatcore.domain.errors import Unauthorized, UserDeactivated
from chatcore.domain.flags import NEVER_RECEIVED
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, MessageId
from chatcore.domain.messages import Message
from chatcore.domain.narrow.terms import Narrow
from chatcore.domain.narrow.window import NEWEST
from chatcore.domain.viewer import Viewer
from chatcore.storage import Snapshot


def refresh_actor(snapshot: Snapshot, actor: Actor, now: int) -> Actor:
    """The actor with the role and groups of this moment: rules are checked against what they act on.

    :raises UserDeactivated: the account was deactivated meanwhile
    :raises Unauthorized: there is no such account here
    """
    found = snapshot.users.actors([actor.user_id], now).get(actor.user_id)
    if found is not None:
        return found
    if snapshot.users.find(actor.user_id) is not None:
        raise UserDeactivated
    raise Unauthorized("There is no such account in this organization")


def reader_of(snapshot: Snapshot, actor: Actor | None) -> Viewer:
    """A reader without the channels, of which there can be many: enough to look at single messages."""
    if actor is None:
        return Viewer()
    subscriptions = snapshot.subscriptions.of_user(actor.user_id)
    return Viewer(actor=actor, subscriptions=subscriptions, default_flags=NEVER_RECEIVED)


def viewer_of(
    snapshot: Snapshot, actor: Actor | None, *, also: Iterable[ChannelId] = (), all_public: bool = False
) -> tuple[Viewer, Mapping[ChannelId, Channel]]:
    """A reader, and the channels that what it reads can be in: its own, those in *also*, and those of
    which it has single messages.
    """
    viewer = reader_of(snapshot, actor)
    wanted = {*viewer.subscriptions, *also}
    if actor is not None:
        wanted |= snapshot.flags.historical_channels(actor.user_id)
    channels = dict(snapshot.channels.public()) if all_public else {}
    channels.update(snapshot.channels.by_ids(wanted - channels.keys()))
    return viewer, channels


def newest_received(snapshot: Snapshot, actor: Actor) -> MessageId | None:
    """The newest message of the actor's own history."""
    viewer, channels = viewer_of(snapshot, actor)
    found = snapshot.search.around(
        Narrow(), viewer, channels, anchor=NEWEST, before=1, after=0, with_anchor=False
    )
    return next(iter(found.before), None)


def with_policies(snapshot: Snapshot, viewer: Viewer) -> Viewer:
    """The reader with its topic policies."""
    if viewer.user_id is None:
        return viewer
    policies = snapshot.topic_policies.of_user(viewer.user_id)
    return replace(viewer, topic_policies={topic: policy for topic, (_, policy, _) in policies.items()})


def with_flags(snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]) -> Viewer:
    """The reader with its flags of these messages."""
    if viewer.user_id is None:
        return viewer
    return replace(viewer, flags=snapshot.flags.of(viewer.user_id, messages, viewer.subscriptions))
