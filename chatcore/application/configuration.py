"""Changes to the lists that administrators keep for everybody: linkifiers, playgrounds, profile fields."""

from collections.abc import Callable
from typing import TypeVar

from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.administration import require_administrator
from chatcore.domain.groups import Actor
from chatcore.events.audience import Everyone
from chatcore.events.types import AnyEvent
from chatcore.storage import Transaction

T = TypeVar("T")


def change_list(
    svc: Services,
    actor: Actor,
    change: Callable[[Transaction], T],
    *,
    announcing: Callable[[Transaction], AnyEvent],
) -> T:
    """An administrator's change to a list, told to everybody where it is one; *announcing* says what it is.

    :raises InsufficientRole: no administrator
    """

    def write(tx: Transaction) -> T:
        require_administrator(current(tx, actor, svc.now))
        before = announcing(tx)
        result = change(tx)
        after = announcing(tx)
        if after != before:
            tx.announce(after, Everyone())
        return result

    return svc.storage.write(write)
