"""Saved snippets."""

from typing import TypedDict

from chatcore.domain.messages.saved_snippets import SavedSnippet


class SavedSnippetObject(TypedDict):
    id: int
    title: str
    content: str
    date_created: int


def saved_snippet_shape(snippet: SavedSnippet) -> SavedSnippetObject:
    return {
        "id": snippet.id,
        "title": snippet.title,
        "content": snippet.content,
        "date_created": snippet.date_created,
    }
