"""Permission and time limits to edit the text of a message, and visibility of its edit history.

`moving` covers moving messages, `deleting` covers deleting them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from chatcore.domain.errors import BadRequest, ExpectationMismatch
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Edit, Message, content_for_sending
from chatcore.domain.organization.organization import EditHistoryVisibility, Organization

GRACE_SECONDS = 20
"""Seconds after a time limit in which requests that were started before it may still arrive."""
EMPTIED = "(deleted)"
"""The text of a message whose text was removed."""


def is_too_old(timestamp: int, limit: int | None, now: int, *, grace: int = GRACE_SECONDS) -> bool:
    """Whether the time limit for changing a message has passed; without a limit it never has."""
    return limit is not None and now - timestamp > limit + grace


def require_in_time(timestamp: int, limit: int | None, now: int) -> None:
    """Refuse to edit or move a message that is too old.

    :raises BadRequest: the time limit has passed
    """
    if is_too_old(timestamp, limit, now):
        raise BadRequest("The time limit for editing this message has passed.")


def require_may_edit_content(message: Message, actor: Actor, organization: Organization, now: int) -> None:
    """Check that the actor may edit the text: only the sender may, not even administrators.

    A rule of sending checks whether the sender may still post there.

    :raises BadRequest: turned off, not the sender, too late, or a message with submessages (a widget)
    """
    if not organization.allow_message_editing:
        raise BadRequest("Your organization has turned off message editing.")
    if message.sender_id != actor.user_id:
        raise BadRequest("You don't have permission to edit this message.")
    if message.submessages:
        raise BadRequest("Widgets cannot be edited.")
    require_in_time(message.timestamp, organization.message_content_edit_limit_seconds, now)


def content_for_editing(raw: str, limits: Limits) -> str:
    """Return the text that is stored for *raw*. Unlike the text of a new message, it may be empty.

    :raises BadRequest: it contains a NUL or a lone surrogate
    """
    return content_for_sending(raw, limits) if raw.strip() else EMPTIED


def require_expected_content(content: str, expected_sha256: str | None) -> None:
    """Refuse a change of a text that is based on another one.

    :raises ExpectationMismatch: the text was changed meanwhile
    """
    if expected_sha256 is not None and expected_sha256 != sha256(content.encode()).hexdigest():
        raise ExpectationMismatch("prev_content_sha256")


# -- visibility of the edit history ----------------------------------------------------------------


def visible_edits(message: Message, visibility: str, reads: Callable[[Message], bool]) -> tuple[Edit, ...]:
    """Return the edits of a message that are visible to a reader of the message, newest first.

    *reads* returns whether the reader could read the message in a previous place. For the time in a channel
    that the reader cannot read, the result has no channel, topic or text.
    """
    if visibility == EditHistoryVisibility.NONE:
        return ()
    visible = []
    reads_before = True  # where the message is now
    for edit in message.edits:  # from the newest on, so each is one step further back in time
        reads_after = reads_before
        if edit.prev_channel_id is not None:
            earlier = message._replace(channel_id=edit.prev_channel_id, arrived_at=edit.prev_arrived_at)
            reads_before = reads(earlier)
        if visibility == EditHistoryVisibility.MOVES or not reads_before:
            edit = replace(edit, prev_content=None, prev_rendered_content=None)
        if not reads_after:
            edit = replace(edit, channel_id=None, topic=None)
        if not reads_before:
            edit = replace(edit, prev_channel_id=None, prev_arrived_at=None, prev_topic=None)
        if _shows_a_change(edit):
            visible.append(edit)
    return tuple(visible)


def _shows_a_change(edit: Edit) -> bool:
    parts = (edit.prev_content, edit.prev_topic, edit.topic, edit.prev_channel_id, edit.channel_id)
    return any(part is not None for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A message after an edit, or (*edit* None) as it was sent."""

    content: str
    rendered_content: str
    topic: str
    user_id: UserId
    timestamp: int
    edit: Edit | None

    @property
    def prev_rendered_content(self) -> str | None:
        """The text that the edit replaced; None if it did not change the text."""
        return None if self.edit is None else self.edit.prev_rendered_content


def versions(message: Message, edits: Sequence[Edit]) -> list[Version]:
    """Return the message as it was sent and after each of *edits*, which are newest first: oldest first."""
    content, rendered, topic = message.content, message.rendered_content, message.topic
    newest_first = []
    for edit in edits:
        newest_first.append(
            Version(
                content=content,
                rendered_content=rendered,
                topic=topic,
                user_id=edit.user_id,
                timestamp=edit.timestamp,
                edit=edit,
            )
        )
        if edit.prev_content is not None and edit.prev_rendered_content is not None:
            content, rendered = edit.prev_content, edit.prev_rendered_content
        if edit.prev_topic is not None:
            topic = edit.prev_topic
    original = Version(
        content=content,
        rendered_content=rendered,
        topic=topic,
        user_id=message.sender_id,
        timestamp=message.timestamp,
        edit=None,
    )
    return [original, *reversed(newest_first)]
