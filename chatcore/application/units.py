"""Units of work: what a use case changes in one transaction, or reads from one snapshot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import update_wrapper
from typing import Concatenate, Generic, ParamSpec, TypeVar, cast

from chatcore.application.services import Services
from chatcore.domain.errors import OrganizationDeactivated, Unauthorized, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from chatcore.domain.organization.audit import NOT_STORED, AuditEntry, AuditKind, OriginKind
from chatcore.domain.organization.audit_values import separate_personal
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.api_keys import secret_fingerprint
from chatcore.runtime.measures import AUDIT_ENTRIES
from chatcore.storage import Snapshot, Storage, StorageNotReady, Transaction

ActorT = TypeVar("ActorT", bound=Actor | None)
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class View:
    """The organization's services, and a snapshot of its data, from which a use case reads."""

    svc: Services
    snapshot: Snapshot

    @property
    def now(self) -> int:
        return self.svc.now

    @property
    def limits(self) -> Limits:
        return self.svc.limits


@dataclass(frozen=True, slots=True)
class Unit(View):
    """The services, and the data that a use case changes: all its changes are stored together, or none is."""

    snapshot: Transaction
    by: UserId | None = None
    """The account that asked for it, which a function below may not act for."""
    recorded: list[AuditKind] = field(default_factory=list)
    """The kinds of the changes that were noted in the audit log."""

    @property
    def tx(self) -> Transaction:
        return self.snapshot

    def record(
        self,
        kind: AuditKind,
        target_id: int | None = None,
        *,
        before: Mapping[str, object] = {},
        after: Mapping[str, object] = {},
        by: UserId | None = None,
    ) -> None:
        """Note a change in the audit log, with the values that differ, before and after it.

        :param by: who acts if the client of a request has not authenticated, such as the holder of a link
        """
        origin = self.svc.origin
        match origin.kind:
            case OriginKind.CONSOLE:
                by = None  # also if the command acts for an account
            case OriginKind.PROGRAM:
                by = self.by
            case OriginKind.REQUEST:
                by = by if self.by is None else self.by
        old, new, personal = separate_personal(before, after)
        entry = AuditEntry(
            id=NOT_STORED,
            at=self.now,
            kind=kind,
            actor_id=by,
            origin=origin.kind,
            client=origin.client,
            address=origin.address,
            target_type=kind.target,
            target_id=target_id,
            before=old,
            after=new,
            personal=personal,
        )
        self.tx.record(entry)
        self.recorded.append(kind)


def write(svc: Services, work: Callable[Concatenate[Unit, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do *work* in a unit of work without an actor."""
    recorded: list[AuditKind] = []

    def run(tx: Transaction) -> T:
        recorded.clear()  # the store runs it again if another process was faster
        return work(Unit(svc, tx, recorded=recorded), *args, **kwargs)

    result = svc.storage.write(run)
    for kind in recorded:
        svc.measures.add(AUDIT_ENTRIES, 1, kind.value)
    return result


def read(svc: Services, work: Callable[Concatenate[View, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do *work* on a snapshot, without an actor."""
    return svc.storage.read(lambda snapshot: work(View(svc, snapshot), *args, **kwargs))


def recall_or_read(
    svc: Services, work: Callable[Concatenate[View, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Do *work* as `read` does, but without a transaction if memory has all that it reads; see
    `Storage.recall`. The work does not return None, which stands for what memory lacks.
    """
    recalled = svc.storage.recall(lambda snapshot: work(View(svc, snapshot), *args, **kwargs))
    return read(svc, work, *args, **kwargs) if recalled is None else recalled


def read_organization(svc: Services) -> Organization:
    """Return the organization with its present settings."""
    return svc.storage.read(lambda snapshot: snapshot.organization.get())


def find_organization(storage: Storage) -> Organization | None:
    """Return the organization with its present settings; None if it is not founded yet."""
    return storage.read(lambda snapshot: snapshot.organization.find())


class UnitOfWork(Generic[ActorT, P, T]):
    """A use case that is one unit of work.

    Called with the services and an actor, it runs in a transaction of its own, with the actor as the store
    has it: rules are checked against the state that they act on.

    :raises OrganizationDeactivated, UserDeactivated, Unauthorized: as `refresh_actor` does
    """

    def __init__(self, work: Callable[Concatenate[Unit, ActorT, P], T]) -> None:
        update_wrapper(self, work)
        self.within = work
        """The work itself, for callers that are in a unit of work and have read the actor there."""

    def __call__(self, svc: Services, actor: ActorT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        def run(unit: Unit) -> T:
            me = _refresh_actor_if_any(unit, actor)
            by = None if me is None else me.user_id
            return self.within(replace(unit, by=by), me, *args, **kwargs)

        return write(svc, run)


class ReadOnly(Generic[ActorT, P, T]):
    """A use case that only reads, from one snapshot; else as `UnitOfWork`."""

    def __init__(self, work: Callable[Concatenate[View, ActorT, P], T]) -> None:
        update_wrapper(self, work)
        self.within = work

    def __call__(self, svc: Services, actor: ActorT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        def run(view: View) -> T:
            return self.within(view, _refresh_actor_if_any(view, actor), *args, **kwargs)

        return read(svc, run)


unit_of_work, read_only = UnitOfWork, ReadOnly
"""As decorators: `@unit_of_work def delete_draft(unit: Unit, me: Actor, draft_id: int) -> None`."""


def _refresh_actor_if_any(view: View, actor: ActorT) -> ActorT:
    return actor if actor is None else cast(ActorT, refresh_actor(view, actor))


def refresh_actor(view: View, actor: Actor) -> Actor:
    """Return the actor with its present role and groups: rules are checked against the state that they act
    on.

    :raises OrganizationDeactivated: the organization was deactivated meanwhile
    :raises UserDeactivated: the account was deactivated meanwhile
    :raises Unauthorized: no such account in this organization
    """
    require_open(view)
    present = view.snapshot.users.actors([actor.user_id], view.now).get(actor.user_id)
    if present is not None:
        return present
    if view.snapshot.users.find(actor.user_id) is not None:
        raise UserDeactivated
    raise Unauthorized("There is no such account in this organization")


def require_open(view: View) -> None:
    """Refuse all requests to a deactivated organization.

    :raises OrganizationDeactivated:
    :raises StorageNotReady: as `is_open` does
    """
    if not is_open(view):
        raise OrganizationDeactivated


def is_open(view: View) -> bool:
    """Whether the organization is not deactivated.

    :raises StorageNotReady: as `find_with_secret` does
    """
    organization = find_with_secret(view)
    return organization is None or not organization.is_deactivated


def find_with_secret(view: View) -> Organization | None:
    """Return the organization, deactivated or not; None if it is not founded yet.

    :raises StorageNotReady: it has another secret than this process, which started before it was replaced
    """
    organization = view.snapshot.organization.find()
    own = secret_fingerprint(view.svc.settings.secret_key)
    # It is empty in an organization whose fingerprint was never stored: that one is not refused.
    if organization is not None and organization.secret_fingerprint not in ("", own):
        raise StorageNotReady("the secret of the organization was replaced: start the server anew")
    return organization
