"""Drafts, synchronized between all clients of their author."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import Id, SeenContent, about
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.known_channels import known_channel
from chatcore.application.visibility.known_users import known_to
from chatcore.domain.choices import require_room
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import DraftId, UserId
from chatcore.domain.messages.drafts import Draft, DraftContent, DraftType, NoSuchDraft, checked_draft
from chatcore.domain.messages.editing import require_expected_content
from chatcore.domain.people import setting_values
from chatcore.events.audience import Users
from chatcore.events.happened import DraftChanged, DraftRemoved, DraftsAdded
from chatcore.events.payloads.drafts import DraftObject, draft_object
from chatcore.storage import Snapshot
from chatcore.storage.slices import in_slices


def create_drafts(svc: Services, actor: Actor, wanted: Sequence[DraftContent]) -> Sequence[DraftId]:
    """Store drafts, all of them or none, and notify the author's clients.

    :raises BadRequest: a draft violates the rules, names unknown recipients, or is one too many; or the actor
        does not synchronize drafts
    """
    return _store_drafts(svc, actor, [checked_draft(draft, svc.limits) for draft in wanted])


@unit_of_work
def _store_drafts(unit: Unit, me: Actor, checked: Sequence[DraftContent]) -> Sequence[DraftId]:
    """Store drafts whose texts are checked, after the checks that need the store."""
    _require_synchronization(unit.tx, me)
    if unit.tx.drafts.count(me.user_id) + len(checked) > unit.limits.max_drafts_per_user:
        raise BadRequest("You have too many drafts.")
    for draft in checked:
        _require_recipients(unit.tx, me, draft)
    size_before = unit.tx.drafts.size(me.user_id)
    drafts = unit.tx.drafts.add(me.user_id, checked, unit.now)
    _require_room(unit, me, size_before)
    if drafts:
        objects = tuple(draft_object(draft) for draft in drafts)
        unit.tx.announce(DraftsAdded(drafts=objects), Users((me.user_id,)))
    return [draft.id for draft in drafts]


def edit_draft(
    svc: Services,
    actor: Actor,
    draft_id: int,
    wanted: DraftContent,
    *,
    prev_content_sha256: str | None = None,
) -> None:
    """Replace a draft, and notify the author's clients.

    :raises NoSuchDraft: the actor has no draft with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    :raises BadRequest: the draft violates the rules, names unknown recipients, or is too large together with
        the others; or the actor does not synchronize drafts
    """
    _replace_draft(svc, actor, draft_id, checked_draft(wanted, svc.limits), prev_content_sha256)


@unit_of_work
def _replace_draft(
    unit: Unit, me: Actor, draft_id: int, checked: DraftContent, prev_content_sha256: str | None
) -> None:
    """Put a draft whose text is checked in the place of the actor's draft with this id."""
    _require_synchronization(unit.tx, me)
    old = unit.tx.drafts.find(me.user_id, draft_id)
    if old is None:
        raise NoSuchDraft
    require_expected_content(old.content, prev_content_sha256)
    _require_recipients(unit.tx, me, checked)
    draft = Draft(
        id=old.id,
        type=checked.type,
        to=tuple(checked.to),
        topic=checked.topic,
        content=checked.content,
        timestamp=unit.now if checked.timestamp is None else checked.timestamp,
    )
    size_before = unit.tx.drafts.size(me.user_id)
    unit.tx.drafts.update(draft)
    _require_room(unit, me, size_before)
    unit.tx.announce(DraftChanged(draft=draft_object(draft)), Users((me.user_id,)))


@unit_of_work
def delete_draft(
    unit: Unit,
    me: Actor,
    draft_id: Annotated[Id, about("The draft's id.")],
    *,
    prev_content_sha256: SeenContent = None,
) -> None:
    """Delete a draft.

    :raises NoSuchDraft: the actor has no draft with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    :raises BadRequest: the actor does not synchronize drafts
    """
    _require_synchronization(unit.tx, me)
    drafts = unit.tx.drafts
    if prev_content_sha256 is not None and (old := drafts.find(me.user_id, draft_id)):
        require_expected_content(old.content, prev_content_sha256)
    if not drafts.remove(me.user_id, draft_id):
        raise NoSuchDraft
    unit.tx.announce(DraftRemoved(draft_id=DraftId(draft_id)), Users((me.user_id,)))


def list_drafts(svc: Services, actor: Actor) -> Sequence[DraftObject]:
    """Return the actor's drafts; the one edited last is at the end.

    :raises BadRequest: the actor does not synchronize drafts
    """
    return [draft_object(draft) for draft in in_slices(reversed(_newest_drafts(svc, actor)))]


@read_only
def _newest_drafts(view: View, me: Actor) -> Sequence[Draft]:
    _require_synchronization(view.snapshot, me)
    return view.snapshot.drafts.newest(me.user_id, view.limits.max_drafts_per_user)


def _require_synchronization(snapshot: Snapshot, actor: Actor) -> None:
    """Refuse an actor who has chosen not to synchronize drafts.

    :raises BadRequest:
    """
    if not setting_values.value(snapshot.users.get(actor.user_id), "enable_drafts_synchronization"):
        raise BadRequest("User has disabled synchronizing drafts.")


def _require_room(view: View, author: Actor, size_before: int) -> None:
    size, limit = view.snapshot.drafts.size(author.user_id), view.limits.max_drafts_size
    require_room("drafts", before=size_before, now=size, limit=limit)


def _require_recipients(snapshot: Snapshot, author: Actor, draft: DraftContent) -> None:
    """Refuse a channel or users that the author may not know of, or that do not exist.

    :raises BadRequest:
    """
    if draft.type == DraftType.CHANNEL:
        known_channel(snapshot, author, draft.to[0])
    elif draft.type == DraftType.DIRECT:
        user_ids = [UserId(user_id) for user_id in draft.to]
        existing = snapshot.users.by_ids(user_ids)
        knows = known_to(snapshot, snapshot.organization.get(), author)
        for user_id in user_ids:
            if user_id not in existing or not (knows is None or knows(user_id)):
                raise BadRequest(f"Invalid user ID {user_id}")
