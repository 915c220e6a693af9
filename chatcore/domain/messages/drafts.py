"""Drafts: messages that are not sent yet, kept for all clients of their author."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chatcore.domain.characters import is_text
from chatcore.domain.errors import BadRequest, NotFound
from chatcore.domain.ids import DraftId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.messages.recipients import require_few_recipients
from chatcore.domain.topics import truncated_topic


class DraftType(StrEnum):
    UNADDRESSED = ""
    CHANNEL = "stream"
    DIRECT = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftContent:
    """The parts of a draft that its author sets; `timestamp` None means the time of storing."""

    type: DraftType
    to: Sequence[int] = ()
    """The channel of a channel draft, the users of a direct one."""
    topic: str = ""
    content: str
    timestamp: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A stored draft; `timestamp` is its last edit."""

    id: DraftId
    type: DraftType
    to: tuple[int, ...]
    topic: str
    content: str
    timestamp: int


NOT_STORED = DraftId(0)
"""The id of a draft that has none yet."""


class NoSuchDraft(NotFound):
    """The single error for a draft that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Draft does not exist")


def checked_draft(wanted: DraftContent, limits: Limits) -> DraftContent:
    """Return the draft as it is stored: texts truncated, fields that its type does not use dropped.

    The existence of the channel and the users is not checked here.

    :raises BadRequest: no text, null bytes, a negative time, or not exactly one channel
    """
    if "\0" in wanted.topic:
        raise BadRequest("Topic must not contain null bytes")
    if not is_text(wanted.topic):
        raise BadRequest("Topic must be valid Unicode")
    if wanted.timestamp is not None and wanted.timestamp < 0:
        raise BadRequest("Timestamp must not be negative.")
    require_few_recipients(wanted.to, limits)
    to, topic = tuple(dict.fromkeys(wanted.to)), ""
    if wanted.type == DraftType.CHANNEL:
        if len(wanted.to) != 1:
            raise BadRequest("Must specify exactly 1 channel ID for channel messages")
        topic = truncated_topic(wanted.topic.strip(), limits)
    elif wanted.type == DraftType.UNADDRESSED:
        to = ()
    content = content_for_sending(wanted.content, limits)
    return replace(wanted, to=to, topic=topic, content=content)
