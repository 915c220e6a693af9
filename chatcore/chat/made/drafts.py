"""Messages that are not sent yet.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.messages import drafts
from chatcore.chat.given import Draft, DraftsGiven, a_draft, all_drafts, number, optional, text
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import DraftId
from chatcore.events.payloads.drafts import DraftObject


class Drafts(Part):
    """Drafts of the actor; `domain.messages.drafts.DraftContent` holds the content of one."""

    def list(self, actor: Actor) -> Sequence[DraftObject]:
        """Return the actor's drafts; the one edited last is at the end.

        :raises BadRequest: the actor does not synchronize drafts
        """
        return drafts.list_drafts(self._svc, self._acting(actor))

    def create(self, actor: Actor, wanted: DraftsGiven) -> Sequence[DraftId]:
        """Store drafts, all of them or none, and notify the author's clients.

        :raises BadRequest: a draft violates the rules, names unknown recipients, or is one too many; or the
            actor does not synchronize drafts
        """
        return drafts.create_drafts(self._svc, self._acting(actor), all_drafts(wanted=wanted))

    def edit(
        self, actor: Actor, draft_id: int, wanted: Draft, *, prev_content_sha256: str | None = None
    ) -> None:
        """Replace a draft, and notify the author's clients.

        :raises NoSuchDraft: the actor has no draft with this id
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        :raises BadRequest: the draft violates the rules, names unknown recipients, or is too large together
            with the others; or the actor does not synchronize drafts
        """
        drafts.edit_draft(
            self._svc,
            self._acting(actor),
            number(draft_id=draft_id),
            a_draft(wanted=wanted),
            prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
        )

    def delete(self, actor: Actor, draft_id: int, *, prev_content_sha256: str | None = None) -> None:
        """Delete a draft.

        :raises NoSuchDraft: the actor has no draft with this id
        :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
        :raises BadRequest: the actor does not synchronize drafts
        """
        drafts.delete_draft(
            self._svc,
            self._acting(actor),
            number(draft_id=draft_id),
            prev_content_sha256=optional(text, prev_content_sha256=prev_content_sha256),
        )
