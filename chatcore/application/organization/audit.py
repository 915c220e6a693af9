"""Reading the audit log, and removing its old entries. `Unit.record` adds to it."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Annotated, NamedTuple

from chatcore.application import units
from chatcore.application.arguments import about
from chatcore.application.clock_proof import prove_clock
from chatcore.application.due import read_due, run_due
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MAX_INTEGER, AuditId, UserId
from chatcore.domain.invitations.invitations import may_manage
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import (
    AuditEntry,
    AuditFilter,
    AuditKind,
    AuditTarget,
    OriginKind,
    has_address,
    without_address,
)
from chatcore.domain.people.users import may_see_email
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.events.payloads.organization import AuditEntryObject, audit_entry_object
from chatcore.storage import Snapshot

MAX_PAGE = 1000
"""Entries that one request may ask for."""
BATCH = 1000
"""Entries that are removed in one unit of work."""


@read_only
def list_audit_log(
    view: View,
    me: Actor,
    *,
    kind: Annotated[AuditKind | None, about("The kind of change.")] = None,
    actor_id: Annotated[int | None, about("The account that has acted.")] = None,
    origin: Annotated[OriginKind | None, about("What asked for the change.")] = None,
    target_type: Annotated[AuditTarget | None, about("The kind of thing that has changed.")] = None,
    target_id: Annotated[int | None, about("The id of the thing that has changed.")] = None,
    since: Annotated[int | None, about("The earliest time, in seconds since 1970.")] = None,
    until: Annotated[int | None, about("The time, in seconds since 1970, before which it was.")] = None,
    before: Annotated[int | None, about("The last id of the page before.")] = None,
    limit: Annotated[int, about(f"The number of entries, {MAX_PAGE} at most.")] = 100,
) -> Sequence[AuditEntryObject]:
    """List entries of the audit log, the newest first: who changed what of the organization. E-mail addresses
    that the actor may not see now are left out, and so is what only owners see: entries about holds.

    :returns: the newest entries that are wanted; fewer than *limit* of them are the last
    :raises InsufficientRole: the actor is no administrator
    :raises InvalidParameter: a number out of its bounds
    """
    require_administrator(me)
    hidden_target = None if me.role == Role.OWNER else AuditTarget.HOLD
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidParameter("limit", f"Expected 1 to {MAX_PAGE}")
    numbers = {"actor_id": actor_id, "target_id": target_id, "since": since, "until": until, "before": before}
    for name, number in numbers.items():
        if number is not None and not 0 <= number <= MAX_INTEGER:
            raise InvalidParameter(name, "Expected a number of at least 0")
    wanted = AuditFilter(
        kind=kind,
        actor_id=actor_id,
        origin=origin,
        target_type=target_type,
        without_target=hidden_target,
        target_id=target_id,
        since=since,
        until=until,
    )
    end = None if before is None else AuditId(before)
    entries = view.snapshot.audit.page(wanted, before=end, limit=limit)
    return [audit_entry_object(entry) for entry in _hide_addresses(view, me, entries)]


def _hide_addresses(view: View, me: Actor, entries: Sequence[AuditEntry]) -> Sequence[AuditEntry]:
    """Return entries without the addresses that the actor may not see now: addresses of accounts that do not
    show them to the actor, and of invitations that wait no longer or that the actor may not manage.
    """
    targets: dict[AuditTarget, set[int]] = {}
    for entry in entries:
        if entry.target_id is not None and has_address(entry):
            targets.setdefault(entry.target_type, set()).add(entry.target_id)
    visible: dict[AuditTarget, set[int]] = {}
    if user_ids := targets.get(AuditTarget.USER):
        users = view.snapshot.users.by_ids({UserId(user_id) for user_id in user_ids})
        visible[AuditTarget.USER] = {user.id for user in users.values() if may_see_email(me, user)}
    if AuditTarget.INVITATION in targets:
        visible[AuditTarget.INVITATION] = {
            invitation.id
            for invitation in view.snapshot.invitations.all()
            if invitation.is_valid(view.now) and may_manage(invitation, me)
        }
    return [
        entry if entry.target_id in visible.get(entry.target_type, ()) else without_address(entry)
        for entry in entries
    ]


def read_audit_log(svc: Services, wanted: AuditFilter) -> Iterator[AuditEntry]:
    """Read all wanted entries, the newest first, in pages; for the organization's own tools."""
    before: AuditId | None = None
    while page := units.read(svc, _read_page, wanted, before):
        yield from page
        before = page[-1].id


def _read_page(view: View, wanted: AuditFilter, before: AuditId | None) -> Sequence[AuditEntry]:
    return view.snapshot.audit.page(wanted, before=before, limit=MAX_PAGE)


class _Oldest(NamedTuple):
    """The oldest entry, by the time from which it is to be removed."""

    due: int


def forget_old_entries(svc: Services) -> float:
    """Remove entries that are older than `audit_days`; return the seconds until the next one is to be
    removed: infinity if there is none, or if they wait for a proof of the clock.
    """
    lifetime = svc.settings.audit_days * SECONDS_PER_DAY

    def first_due(snapshot: Snapshot) -> _Oldest | None:
        oldest = snapshot.audit.oldest()
        return None if oldest is None else _Oldest(oldest + lifetime)

    def needs_proof(snapshot: Snapshot) -> bool:
        # If the clock was set back, a mark is to show it, so that those from before prove nothing later.
        oldest, now = first_due(snapshot), svc.now
        was_ahead = any(mark.at > now for mark in snapshot.retention.marks())
        return was_ahead or (oldest is not None and oldest.due <= now)

    if read_due(svc, needs_proof) and not units.write(svc, prove_clock).is_there:
        return inf
    return run_due(svc, svc.alarms.audit, first_due, lambda _: units.write(svc, _forget_entries, lifetime))


def _forget_entries(unit: Unit, lifetime: int) -> None:
    unit.tx.audit.forget(unit.now - lifetime + 1, limit=BATCH)
