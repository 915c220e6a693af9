"""Drafts: messages that are not sent yet, kept for all clients of their author."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chatcore.domain.errors import BadRequest, NotFound
from chatcore.domain.ids import DraftId
from chatcore.domain.limits import Limits
from chatcore.domain.messages import content_for_sending, is_text


class DraftType(StrEnum):
    UNADDRESSED = ""
    CHANNEL = "stream"
    DIRECT = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftContent:
    """What its author writes of a draft; `timestamp` None is the time at which it is stored."""

    type: DraftType
    to: Sequence[int] = ()
    """Of a channel draft the channel, of a direct one the people."""
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


class NoSuchDraft(NotFound):
    """One answer for a draft that does not exist and for somebody else's."""

    def __init__(self) -> None:
        super().__init__("Draft does not exist")


def checked_draft(wanted: DraftContent, limits: Limits) -> DraftContent:
    """The draft as it is stored: too long texts cut, what its type has no use for dropped.

    Whether channel and people are there is not asked here.

    :raises BadRequest: no text, null bytes, a negative time, or not exactly one channel
    """
    if "\0" in wanted.topic:
        raise BadRequest("Topic must not contain null bytes")
    if not is_text(wanted.topic):
        raise BadRequest("Topic must be valid Unicode")
    if wanted.timestamp is not None and wanted.timestamp < 0:
        raise BadRequest("Timestamp must not be negative.")
    if len(wanted.to) > limits.max_ids_per_request:
        raise BadRequest("Too many recipients")
    to, topic = tuple(dict.fromkeys(wanted.to)), ""
    if wanted.type == DraftType.CHANNEL:
        if len(wanted.to) != 1:
            raise BadRequest("Must specify exactly 1 channel ID for channel messages")
        topic = _cut(wanted.topic.strip(), limits.max_topic_length)
    elif wanted.type == DraftType.UNADDRESSED:
        to = ()
    content = content_for_sending(wanted.content, limits)
    return replace(wanted, to=to, topic=topic, content=content)


def _cut(topic: str, max_length: int) -> str:
    return topic if len(topic) <= max_length else topic[: max_length - 3] + "..."
