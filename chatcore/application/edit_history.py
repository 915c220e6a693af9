"""How messages were before they were edited and moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from chatcore.application.changeable import readable_message
from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.access import may_read
from chatcore.domain.editing import Version, folded, versions, visible_edits
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages import Edit, Message
from chatcore.domain.organization import EditHistoryVisibility
from chatcore.domain.viewer import Viewer
from chatcore.storage import Snapshot, Transaction


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


def note_edit(svc: Services, tx: Transaction, message_id: MessageId, edit: Edit) -> None:
    """Keep what a message was before a change."""
    tx.edits.note(message_id, edit)
    fold_overlong(svc, tx, [message_id])


def fold_overlong(svc: Services, tx: Transaction, message_ids: Sequence[MessageId]) -> None:
    """Keep of each message's edits, to which one was added, as much as there is room for."""
    overlong = tx.edits.overlong(
        message_ids,
        edits=svc.limits.max_edits_per_message,
        length=svc.limits.max_edit_history_length,
    )
    for message in tx.messages.by_ids(overlong) if overlong else ():
        if (oldest := folded(message.edits, svc.limits)) is not None:
            tx.edits.fold(message.id, *oldest)


def readable_edits(
    snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]
) -> Mapping[MessageId, tuple[Edit, ...]]:
    """What the reader may see of the edits of each of the messages."""
    if not any(message.edits for message in messages):
        return {message.id: () for message in messages}
    visibility = snapshot.organization.get().message_edit_history_visibility_policy
    past = {
        edit.prev_channel_id
        for message in messages
        for edit in message.edits
        if edit.prev_channel_id is not None
    }
    channels = snapshot.channels.by_ids(past) if past else {}
    # Who has starred a message has it where it is now, not where it was before.
    reads = partial(may_read, viewer=replace(viewer, flags={}), channels=channels)
    return {message.id: visible_edits(message, visibility, reads) for message in messages}
