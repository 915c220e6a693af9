"""Answers of the endpoints that are made from use cases."""

from chatcore.events.payloads.saved_snippets import SavedSnippetObject
from chatcore.http.pipeline.routing import Answer


class RenderAnswer(Answer, frozen=True, kw_only=True):
    rendered: str


class ReceiptsAnswer(Answer, frozen=True, kw_only=True):
    user_ids: list[int]


class SnippetsAnswer(Answer, frozen=True, kw_only=True):
    saved_snippets: list[SavedSnippetObject]


class NewSnippetAnswer(Answer, frozen=True, kw_only=True):
    saved_snippet_id: int
