"""Changes of the lists that administrators maintain for everybody: linkifiers, playgrounds, profile
fields.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from chatcore.application.units import Unit
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.audience import Everyone
from chatcore.events.happened import AnyEvent


class Item(Protocol):
    """An item of such a list."""

    @property
    def id(self) -> int: ...


@contextmanager
def changing_list(
    unit: Unit, me: Actor, read: Callable[[], Sequence[Item]], event: AnyEvent, kind: AuditKind
) -> Iterator[None]:
    """Allow an administrator's change to a list within the context, and announce and note it if the list
    differs after it.

    :raises InsufficientRole: the actor is not an administrator
    """
    require_administrator(me)
    before = list(read())
    yield
    after = list(read())
    if after != before:
        unit.tx.announce(event, Everyone())
        unit.record(kind, before=_noted_items(before, but=after), after=_noted_items(after, but=before))


def _noted_items(items: Collection[Item], *, but: Collection[Item]) -> Mapping[str, object]:
    """Return, for the audit log, the items that another list lacks (`items`); or the ids of all of them
    (`order`), if nothing but the order differs.
    """
    missing = [item for item in items if item not in but]
    if missing or len(items) != len(but):
        return {"items": missing}
    return {"order": [item.id for item in items]}
