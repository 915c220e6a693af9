"""Saved snippets."""

from typing import Annotated

from chatcore.application.messages import saved_snippets
from chatcore.application.services import Services
from chatcore.events.shapes.saved_snippets import SavedSnippetObject
from chatcore.http.auth import Caller
from chatcore.http.endpoints.messages.editing import SeenContent
from chatcore.http.parameters.declaring import Id, NoParams, Params, Text, about
from chatcore.http.routing import Answer, Done, encoded

SnippetId = Annotated[Id, about("The snippet's id.")]


class SnippetsAnswer(Answer, frozen=True, kw_only=True):
    saved_snippets: list[SavedSnippetObject]


def list_saved_snippets(svc: Services, caller: Caller, p: NoParams) -> SnippetsAnswer:
    """List the caller's saved snippets."""
    return SnippetsAnswer(saved_snippets=encoded(saved_snippets.list_saved_snippets(svc, caller.actor)))


class CreateParams(Params, frozen=True, kw_only=True):
    title: Annotated[Text, about("The title, by which the author finds it.")]
    content: Annotated[Text, about("The text, in Markdown.")]


class NewSnippetAnswer(Answer, frozen=True, kw_only=True):
    saved_snippet_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewSnippetAnswer:
    """Save a snippet."""
    snippet_id = saved_snippets.create_saved_snippet(svc, caller.actor, p.title, p.content)
    return NewSnippetAnswer(saved_snippet_id=snippet_id)


class EditParams(Params, frozen=True, kw_only=True):
    saved_snippet_id: SnippetId
    title: Annotated[Text | None, about("A new title.")] = None
    content: Annotated[Text | None, about("A new text.")] = None
    prev_content_sha256: SeenContent = None


def edit(svc: Services, caller: Caller, p: EditParams) -> Done:
    """Change a saved snippet."""
    saved_snippets.edit_saved_snippet(
        svc,
        caller.actor,
        p.saved_snippet_id,
        title=p.title,
        content=p.content,
        prev_content_sha256=p.prev_content_sha256,
    )
    return Done()


class DeleteParams(Params, frozen=True, kw_only=True):
    saved_snippet_id: SnippetId
    prev_content_sha256: SeenContent = None


def delete(svc: Services, caller: Caller, p: DeleteParams) -> Done:
    """Delete a saved snippet."""
    saved_snippets.delete_saved_snippet(
        svc, caller.actor, p.saved_snippet_id, prev_content_sha256=p.prev_content_sha256
    )
    return Done()
