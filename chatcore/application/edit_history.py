"""How messages were before they were edited and moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.changeable import readable_message
from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.channels import has_content_access
from chatcore.domain.editing import Version, versions, visible_edits
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages import Edit, Message
from chatcore.domain.organization import EditHistoryVisibility
from chatcore.domain.viewer import Viewer
from chatcore.storage import Snapshot


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a message, the oldest first."""

    versions: Sequence[Version]
    empty_topic_name: str


def edit_history(svc: Services, actor: Actor, message_id: int) -> History:
    """How a message was, as far as the organization lets it be seen and the actor could read it there.

    :raises BadRequest: no such message for the actor, or the organization shows no history
    """

    def read(snapshot: Snapshot) -> History:
        organization = snapshot.organization.get()
        found = readable_message(snapshot, current(snapshot, actor, svc.now), message_id)
        if organization.message_edit_history_visibility_policy == EditHistoryVisibility.NONE:
            raise BadRequest("Message edit history is disabled in this organization")
        message = found.message
        edits = readable_edits(snapshot, found.viewer, [message])[message.id]
        return History(versions(message, edits), organization.empty_topic_display_name)

    return svc.storage.read(read)


def readable_edits(
    snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]
) -> Mapping[MessageId, tuple[Edit, ...]]:
    """What the reader may see of the edits of each of the messages."""
    if not any(message.edits for message in messages):
        return {message.id: () for message in messages}
    visibility = snapshot.organization.get().message_edit_history_visibility_policy
    past = {
        channel_id
        for message in messages
        for edit in message.edits
        for channel_id in (edit.prev_channel_id, edit.channel_id)
        if channel_id is not None
    }
    readable = {
        channel.id
        for channel in (snapshot.channels.by_ids(past).values() if past else ())
        if has_content_access(channel, viewer.actor, subscribed=viewer.subscribed_to(channel.id))
    }
    readable.update(message.channel_id for message in messages if message.channel_id is not None)
    return {message.id: visible_edits(message, visibility, readable.__contains__) for message in messages}
