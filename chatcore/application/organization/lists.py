"""Changes of the lists that administrators maintain for everybody: linkifiers, playgrounds, profile
fields.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator
from chatcore.events.audience import Everyone
from chatcore.events.types import AnyEvent
from chatcore.storage import Transaction

T = TypeVar("T")


def change_list(
    svc: Services,
    actor: Actor,
    change: Callable[[Transaction], T],
    *,
    of: Callable[[Transaction], Sequence[object]],
    announcing: AnyEvent,
) -> T:
    """Apply an administrator's change to a list, and announce it if the list differs after it.

    :raises InsufficientRole: the actor is not an administrator
    """

    def write(tx: Transaction) -> T:
        require_administrator(refresh_actor(tx, actor, svc.now))
        before = list(of(tx))
        result = change(tx)
        if list(of(tx)) != before:
            tx.announce(announcing, Everyone())
        return result

    return svc.storage.write(write)
