"""Saved snippets."""

from typing import Literal, TypedDict

from chatcore.domain.messages.saved_snippets import SavedSnippet
from chatcore.events.payloads.parts import Payload, object_of

__all__ = [
    "SnippetEvent",
    "SnippetRemoveEvent",
]


class SavedSnippetObject(TypedDict):
    id: int
    title: str
    content: str
    date_created: int


def saved_snippet_object(snippet: SavedSnippet) -> SavedSnippetObject:
    return object_of(SavedSnippetObject, snippet)


class SnippetEvent(Payload):
    """A saved snippet was created or changed."""

    type: Literal["saved_snippets"]
    op: Literal["add", "update"]
    saved_snippet: SavedSnippetObject


class SnippetRemoveEvent(Payload):
    type: Literal["saved_snippets"]
    op: Literal["remove"]
    saved_snippet_id: int
