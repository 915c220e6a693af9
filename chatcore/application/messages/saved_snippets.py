"""Saved snippets, synchronized between all clients of their author."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from chatcore.application.arguments import Id, SeenContent, about
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.choices import given_values, require_room
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import SnippetId
from chatcore.domain.messages.editing import require_expected_content
from chatcore.domain.messages.saved_snippets import (
    NOT_STORED,
    NoSuchSnippet,
    SavedSnippet,
    checked_content,
    checked_title,
)
from chatcore.events.audience import Users
from chatcore.events.happened import SavedSnippetAdded, SavedSnippetChanged, SavedSnippetRemoved
from chatcore.events.payloads.saved_snippets import SavedSnippetObject, saved_snippet_object

SnippetNumber = Annotated[Id, about("The snippet's id.")]


@read_only
def list_saved_snippets(view: View, me: Actor) -> Sequence[SavedSnippetObject]:
    """List the caller's saved snippets.

    :returns: snippets, oldest first
    """
    return [saved_snippet_object(snippet) for snippet in view.snapshot.saved_snippets.of_user(me.user_id)]


def create_saved_snippet(
    svc: Services,
    actor: Actor,
    title: Annotated[str, about("The title, by which the author finds it.")],
    content: Annotated[str, about("The text, in Markdown.")],
) -> SnippetId:
    """Save a snippet.

    :raises BadRequest: an empty title or text, one that is too long, or more than an account may store
    """
    snippet = SavedSnippet(
        id=NOT_STORED,
        title=checked_title(title, svc.limits),
        content=checked_content(content, svc.limits),
        date_created=svc.now,
    )
    return _store_snippet(svc, actor, snippet)


@unit_of_work
def _store_snippet(unit: Unit, me: Actor, new: SavedSnippet) -> SnippetId:
    snippets = unit.tx.saved_snippets
    if snippets.count(me.user_id) >= unit.limits.max_saved_snippets_per_user:
        raise BadRequest("You have too many saved snippets.")
    size_before = snippets.size(me.user_id)
    snippet = snippets.add(me.user_id, new)
    _require_room(unit, me, size_before)
    unit.tx.announce(SavedSnippetAdded(saved_snippet=saved_snippet_object(snippet)), Users((me.user_id,)))
    return snippet.id


def edit_saved_snippet(
    svc: Services,
    actor: Actor,
    snippet_id: SnippetNumber,
    *,
    title: Annotated[str | None, about("A new title.")] = None,
    content: Annotated[str | None, about("A new text.")] = None,
    prev_content_sha256: SeenContent = None,
) -> None:
    """Change a saved snippet.

    :raises NoSuchSnippet: the actor has no snippet with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    :raises BadRequest: as `create_saved_snippet` does, or nothing is given
    """
    changes = given_values(
        title=None if title is None else checked_title(title, svc.limits),
        content=None if content is None else checked_content(content, svc.limits),
    )
    if not changes:
        raise BadRequest("No new data is supplied.")
    _change_snippet(svc, actor, snippet_id, changes, prev_content_sha256)


@unit_of_work
def _change_snippet(
    unit: Unit, me: Actor, snippet_id: int, changes: Mapping[str, Any], prev_content_sha256: str | None
) -> None:
    """Store and announce checked changes of a snippet, if any of them differs from what it has."""
    old = unit.tx.saved_snippets.find(me.user_id, snippet_id)
    if old is None:
        raise NoSuchSnippet
    require_expected_content(old.content, prev_content_sha256)
    snippet = replace(old, **changes)
    if snippet == old:
        return
    size_before = unit.tx.saved_snippets.size(me.user_id)
    unit.tx.saved_snippets.update(snippet)
    _require_room(unit, me, size_before)
    unit.tx.announce(SavedSnippetChanged(saved_snippet=saved_snippet_object(snippet)), Users((me.user_id,)))


@unit_of_work
def delete_saved_snippet(
    unit: Unit, me: Actor, snippet_id: SnippetNumber, *, prev_content_sha256: SeenContent = None
) -> None:
    """Delete a saved snippet.

    :raises NoSuchSnippet: the actor has no snippet with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    """
    snippets = unit.tx.saved_snippets
    if prev_content_sha256 is not None and (old := snippets.find(me.user_id, snippet_id)):
        require_expected_content(old.content, prev_content_sha256)
    if not snippets.remove(me.user_id, snippet_id):
        raise NoSuchSnippet
    unit.tx.announce(SavedSnippetRemoved(saved_snippet_id=SnippetId(snippet_id)), Users((me.user_id,)))


def _require_room(unit: Unit, author: Actor, size_before: int) -> None:
    size, limit = unit.tx.saved_snippets.size(author.user_id), unit.limits.max_saved_snippets_size
    require_room("saved snippets", before=size_before, now=size, limit=limit)
