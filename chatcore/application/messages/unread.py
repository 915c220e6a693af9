"""Unread messages of the actor."""

from chatcore.application.units import View, read_only
from chatcore.application.visibility.viewers import viewer_without_channels, with_policies
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.unread import Unread, unread_for
from chatcore.domain.messages.viewer import Viewer
from chatcore.storage import Snapshot


def unread_of(snapshot: Snapshot, viewer: Viewer, limit: int) -> Unread:
    """Return the newest unread messages of a viewer with its topic policies, at most *limit*."""
    assert viewer.user_id is not None, "a spectator has no unread messages"
    messages = snapshot.flags.unread(viewer.user_id, viewer.subscriptions, limit)
    return unread_for(viewer, messages, limit=limit)


@read_only
def unread(view: View, me: Actor) -> Unread:
    """Return the actor's unread messages.

    :returns: their number (`count`), and their ids by topic and by conversation; muted topics are listed, but
        not counted, and of many messages the newest are listed, as many as the first state of a client has
    """
    viewer = with_policies(view.snapshot, viewer_without_channels(view.snapshot, me))
    return unread_of(view.snapshot, viewer, view.limits.max_unread_in_register)
