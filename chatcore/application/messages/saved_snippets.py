"""Saved snippets, synchronized between all clients of their author."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.application.services import Services
from chatcore.application.visibility.viewers import refresh_actor
from chatcore.domain.choices import require_room
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import SnippetId, UserId
from chatcore.domain.messages.editing import require_expected_content
from chatcore.domain.messages.saved_snippets import NoSuchSnippet, checked_content, checked_title
from chatcore.events.audience import Users
from chatcore.events.shapes.saved_snippets import SavedSnippetObject, saved_snippet_shape
from chatcore.events.types import SavedSnippetAdded, SavedSnippetChanged, SavedSnippetRemoved
from chatcore.storage import Transaction


def list_saved_snippets(svc: Services, actor: Actor) -> Sequence[SavedSnippetObject]:
    """Return the actor's snippets, oldest first."""
    found = svc.storage.read(lambda snapshot: snapshot.saved_snippets.of_user(actor.user_id))
    return [saved_snippet_shape(one) for one in found]


def create_saved_snippet(svc: Services, actor: Actor, title: str, content: str) -> SnippetId:
    """Store a snippet, and notify the author's clients.

    :raises BadRequest: an empty title or text, one that is too long, or more than an account may store
    """
    title, content = checked_title(title, svc.limits), checked_content(content, svc.limits)

    def write(tx: Transaction) -> SnippetId:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        if tx.saved_snippets.count(user_id) >= svc.limits.max_saved_snippets_per_user:
            raise BadRequest("You have too many saved snippets.")
        before = tx.saved_snippets.size(user_id)
        snippet = tx.saved_snippets.add(user_id, title, content, svc.now)
        _require_room(svc, tx, user_id, before)
        tx.announce(SavedSnippetAdded(saved_snippet=saved_snippet_shape(snippet)), Users((user_id,)))
        return snippet.id

    return svc.storage.write(write)


def edit_saved_snippet(
    svc: Services,
    actor: Actor,
    snippet_id: int,
    *,
    title: str | None = None,
    content: str | None = None,
    prev_content_sha256: str | None = None,
) -> None:
    """Change the title or the text of a snippet, and notify the author's clients.

    :raises NoSuchSnippet: the actor has no snippet with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    :raises BadRequest: as `create_saved_snippet` does, or nothing is given
    """
    if title is None and content is None:
        raise BadRequest("No new data is supplied.")
    new_title = None if title is None else checked_title(title, svc.limits)
    new_content = None if content is None else checked_content(content, svc.limits)

    def write(tx: Transaction) -> None:
        user_id = refresh_actor(tx, actor, svc.now).user_id
        old = tx.saved_snippets.find(user_id, snippet_id)
        if old is None:
            raise NoSuchSnippet
        require_expected_content(old.content, prev_content_sha256)
        snippet = replace(
            old,
            title=old.title if new_title is None else new_title,
            content=old.content if new_content is None else new_content,
        )
        if snippet == old:
            return
        before = tx.saved_snippets.size(user_id)
        tx.saved_snippets.update(snippet)
        _require_room(svc, tx, user_id, before)
        tx.announce(SavedSnippetChanged(saved_snippet=saved_snippet_shape(snippet)), Users((user_id,)))

    svc.storage.write(write)


def delete_saved_snippet(
    svc: Services, actor: Actor, snippet_id: int, *, prev_content_sha256: str | None = None
) -> None:
    """Remove a snippet, and notify the author's clients.

    :raises NoSuchSnippet: the actor has no snippet with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    """

    def write(tx: Transaction) -> None:
        if prev_content_sha256 is not None and (old := tx.saved_snippets.find(actor.user_id, snippet_id)):
            require_expected_content(old.content, prev_content_sha256)
        if not tx.saved_snippets.remove(actor.user_id, snippet_id):
            raise NoSuchSnippet
        tx.announce(SavedSnippetRemoved(saved_snippet_id=SnippetId(snippet_id)), Users((actor.user_id,)))

    svc.storage.write(write)


def _require_room(svc: Services, tx: Transaction, user_id: UserId, before: int) -> None:
    now, limit = tx.saved_snippets.size(user_id), svc.limits.max_saved_snippets_size
    require_room("saved snippets", before=before, now=now, limit=limit)
