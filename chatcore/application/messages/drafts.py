"""Drafts, synchronized between all clients of their author."""

from collections.abc import Sequence

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
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
from chatcore.events.shapes.drafts import DraftObject, draft_shape
from chatcore.events.types import DraftChanged, DraftRemoved, DraftsAdded
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.slices import in_slices


def create_drafts(svc: Services, actor: Actor, wanted: Sequence[DraftContent]) -> Sequence[DraftId]:
    """Store drafts, all of them or none, and notify the author's clients.

    :raises BadRequest: a draft violates the rules, names unknown recipients, or is one too many
    """
    checked = [checked_draft(one, svc.limits) for one in wanted]

    def write(tx: Transaction) -> Sequence[DraftId]:
        _require_synchronization(tx, actor)
        me = refresh_actor(tx, actor, svc.now)
        if tx.drafts.count(me.user_id) + len(checked) > svc.limits.max_drafts_per_user:
            raise BadRequest("You have too many drafts.")
        for one in checked:
            _require_recipients(tx, me, one)
        before = tx.drafts.size(me.user_id)
        drafts = tx.drafts.add(me.user_id, checked, svc.now)
        _require_room(svc, tx, me, before)
        if drafts:
            shapes = tuple(draft_shape(draft) for draft in drafts)
            tx.announce(DraftsAdded(drafts=shapes), Users((me.user_id,)))
        return [draft.id for draft in drafts]

    return svc.storage.write(write)


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
    :raises BadRequest: the draft violates the rules, or names unknown recipients
    """
    checked = checked_draft(wanted, svc.limits)

    def write(tx: Transaction) -> None:
        _require_synchronization(tx, actor)
        me = refresh_actor(tx, actor, svc.now)
        old = tx.drafts.find(me.user_id, draft_id)
        if old is None:
            raise NoSuchDraft
        require_expected_content(old.content, prev_content_sha256)
        _require_recipients(tx, me, checked)
        draft = Draft(
            id=old.id,
            type=checked.type,
            to=tuple(checked.to),
            topic=checked.topic,
            content=checked.content,
            timestamp=svc.now if checked.timestamp is None else checked.timestamp,
        )
        before = tx.drafts.size(me.user_id)
        tx.drafts.update(draft)
        _require_room(svc, tx, me, before)
        tx.announce(DraftChanged(draft=draft_shape(draft)), Users((me.user_id,)))

    svc.storage.write(write)


def delete_draft(
    svc: Services, actor: Actor, draft_id: int, *, prev_content_sha256: str | None = None
) -> None:
    """Remove a draft, and notify the author's clients.

    :raises NoSuchDraft: the actor has no draft with this id
    :raises ExpectationMismatch: *prev_content_sha256* is not the digest of the current text
    """

    def write(tx: Transaction) -> None:
        _require_synchronization(tx, actor)
        if prev_content_sha256 is not None and (old := tx.drafts.find(actor.user_id, draft_id)):
            require_expected_content(old.content, prev_content_sha256)
        if not tx.drafts.remove(actor.user_id, draft_id):
            raise NoSuchDraft
        tx.announce(DraftRemoved(draft_id=DraftId(draft_id)), Users((actor.user_id,)))

    svc.storage.write(write)


def list_drafts(svc: Services, actor: Actor) -> Sequence[DraftObject]:
    """Return the actor's drafts; the one edited last is at the end."""

    def read(snapshot: Snapshot) -> Sequence[Draft]:
        _require_synchronization(snapshot, actor)
        return snapshot.drafts.newest(actor.user_id, svc.limits.max_drafts_per_user)

    return [draft_shape(draft) for draft in in_slices(reversed(svc.storage.read(read)))]


def _require_synchronization(snapshot: Snapshot, actor: Actor) -> None:
    """Refuse an actor who has chosen not to synchronize drafts.

    :raises BadRequest:
    """
    if not setting_values.value(snapshot.users.get(actor.user_id), "enable_drafts_synchronization"):
        raise BadRequest("User has disabled synchronizing drafts.")


def _require_room(svc: Services, tx: Transaction, author: Actor, before: int) -> None:
    now, limit = tx.drafts.size(author.user_id), svc.limits.max_drafts_size
    require_room("drafts", before=before, now=now, limit=limit)


def _require_recipients(tx: Transaction, author: Actor, draft: DraftContent) -> None:
    """Refuse a channel that the author may not know of, and people who do not exist.

    :raises BadRequest:
    """
    if draft.type == DraftType.CHANNEL:
        known_channel(tx, author, draft.to[0])
    elif draft.type == DraftType.DIRECT:
        user_ids = [UserId(number) for number in draft.to]
        there = tx.users.by_ids(user_ids)
        knows = known_to(tx, tx.organization.get(), author)
        for number in user_ids:
            if number not in there or (knows is not None and not knows(number)):
                raise BadRequest(f"Invalid user ID {number}")
