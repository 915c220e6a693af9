"""Texts that users keep in order to insert them into messages.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.messages import saved_snippets
from chatcore.chat.given import number, optional, text
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import SnippetId
from chatcore.events.payloads.saved_snippets import SavedSnippetObject


class SavedSnippets(Part):
    """Saved snippets of the actor."""

    def list(self, actor: Actor) -> Sequence[SavedSnippetObject]:
        """List the caller's saved snippets.

        :returns: snippets, oldest first
        """
        return saved_snippets.list_saved_snippets(self._svc, self._acting(actor))

    def create(self, actor: Actor, title: str, content: str) -> SnippetId:
        """Save a snippet.

        :raises BadRequest: an empty title or text, one that is too long, or more than an account may store
        """
        return saved_snippets.create_saved_snippet(
            self._svc, self._acting(actor), text(title=title), text(content=content)
        )

    def edit(
        self,
        actor: Actor,
        snippet_id: int,
        *,
        title: str | None = None,
        content: str | None = None,
        prev_content_sha256: str | None = None,
    ) -> None:
        """Change a saved snippet.

        :raises NoSuchSnippet: the actor has no snippet with this id
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        :raises BadRequest: as `create` does, or nothing is given
        """
        saved_snippets.edit_saved_snippet(
            self._svc,
            self._acting(actor),
            number(snippet_id=snippet_id),
            title=optional(text, title=title),
            content=optional(text, content=content),
            prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
        )

    def delete(self, actor: Actor, snippet_id: int, *, prev_content_sha256: str | None = None) -> None:
        """Delete a saved snippet.

        :raises NoSuchSnippet: the actor has no snippet with this id
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        """
        saved_snippets.delete_saved_snippet(
            self._svc,
            self._acting(actor),
            number(snippet_id=snippet_id),
            prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
        )
