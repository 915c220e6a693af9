"""The earlier versions of messages that were edited or moved."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from chatcore.application.messages.access import readable_message
from chatcore.application.units import Unit, View, read_only
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.access import may_read
from chatcore.domain.messages.editing import Version, versions, visible_edits
from chatcore.domain.messages.messages import Edit, Message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.organization.organization import EditHistoryVisibility
from chatcore.domain.retention.holds import require_not_held
from chatcore.storage import Snapshot


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a message, oldest first."""

    versions: Sequence[Version]
    empty_topic_name: str
    """Empty for a direct message, which has no topic."""


@read_only
def edit_history(view: View, me: Actor, message_id: int) -> History:
    """Return the versions of a message, as far as the organization shows them and the actor could read the
    message where it was.

    :raises BadRequest: no such message for the actor, or the organization shows no history
    """
    snapshot, organization = view.snapshot, view.snapshot.organization.get()
    readable = readable_message(snapshot, me, message_id)
    if organization.message_edit_history_visibility_policy == EditHistoryVisibility.NONE:
        raise BadRequest("Message edit history is disabled in this organization")
    message = readable.message
    edits = readable_edits(snapshot, readable.viewer, [message]).get(message.id, ())
    empty_topic_name = organization.empty_topic_display_name if message.conversation is None else ""
    return History(versions(message, edits), empty_topic_name)


def note_edit(unit: Unit, message_id: MessageId, edit: Edit) -> None:
    """Store the earlier version of a message before a change."""
    unit.tx.edits.note(message_id, edit)
    fold_excess_edits(unit, [message_id], with_text=message_id)


def fold_excess_edits(unit: Unit, message_ids: Sequence[MessageId], *, with_text: MessageId) -> None:
    """Merge the oldest edits of each message that has more than can be kept; the original version stays.

    The edits of *with_text*, whose text may have changed, are also merged while their texts are too long.

    :raises MustBeKept: a hold is on one of the messages whose edits are merged
    """
    edits, limits = unit.tx.edits, unit.limits
    while overfull := edits.with_more_edits(message_ids, limits.max_edits_per_message):
        _fold_oldest(unit, overfull)
    while edits.has_longer_texts(with_text, limits.max_edit_history_length):
        _fold_oldest(unit, [with_text])


def _fold_oldest(unit: Unit, message_ids: Collection[MessageId]) -> None:
    if holds := unit.tx.holds.present():
        require_not_held(holds, unit.tx.messages.outlines(message_ids))
    unit.tx.edits.fold_oldest(message_ids)


def readable_edits(
    snapshot: Snapshot, viewer: Viewer, messages: Sequence[Message]
) -> Mapping[MessageId, tuple[Edit, ...]]:
    """Return those edits of the messages that the reader may see; a message without edits is omitted."""
    edited = [message for message in messages if message.edits]
    if not edited:
        return {}
    visibility = snapshot.organization.get().message_edit_history_visibility_policy
    edits = [edit for message in edited for edit in message.edits]
    past_channel_ids = {edit.prev_channel_id for edit in edits if edit.prev_channel_id is not None}
    channels = snapshot.channels.by_ids(past_channel_ids) if past_channel_ids else {}
    # Starring a message gives access to it where it is now, not where it was before.
    could_read = partial(may_read, viewer=replace(viewer, flags={}), channels=channels)
    return {message.id: visible_edits(message, visibility, could_read) for message in edited}
