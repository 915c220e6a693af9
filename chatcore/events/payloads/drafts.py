"""Drafts."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from chatcore.domain.messages.drafts import Draft
from chatcore.events.payloads.parts import Payload, object_of

__all__ = [
    "DraftRemoveEvent",
    "DraftUpdateEvent",
    "DraftsAddEvent",
]


class DraftObject(TypedDict):
    id: int
    type: str
    to: Sequence[int]
    topic: str
    content: str
    timestamp: int


def draft_object(draft: Draft) -> DraftObject:
    return object_of(DraftObject, draft)


class DraftsAddEvent(Payload):
    type: Literal["drafts"]
    op: Literal["add"]
    drafts: list[DraftObject]


class DraftUpdateEvent(Payload):
    type: Literal["drafts"]
    op: Literal["update"]
    draft: DraftObject


class DraftRemoveEvent(Payload):
    type: Literal["drafts"]
    op: Literal["remove"]
    draft_id: int
