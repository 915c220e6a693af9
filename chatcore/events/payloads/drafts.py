"""Drafts."""

from collections.abc import Sequence
from typing import TypedDict

from chatcore.domain.messages.drafts import Draft


class DraftObject(TypedDict):
    id: int
    type: str
    to: Sequence[int]
    topic: str
    content: str
    timestamp: int


def draft_shape(draft: Draft) -> DraftObject:
    return {
        "id": draft.id,
        "type": str(draft.type),
        "to": draft.to,
        "topic": draft.topic,
        "content": draft.content,
        "timestamp": draft.timestamp,
    }
