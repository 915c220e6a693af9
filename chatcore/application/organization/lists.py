"""Changes of the lists that administrators maintain for everybody: linkifiers, playgrounds, profile
fields.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from chatcore.application.units import Unit
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator
from chatcore.events.audience import Everyone
from chatcore.events.happened import AnyEvent


@contextmanager
def changing_list(
    unit: Unit, me: Actor, read: Callable[[], Sequence[object]], event: AnyEvent
) -> Iterator[None]:
    """Allow an administrator's change to a list within the context, and announce it if the list differs after
    it.

    :raises InsufficientRole: the actor is not an administrator
    """
    require_administrator(me)
    before = list(read())
    yield
    if list(read()) != before:
        unit.tx.announce(event, Everyone())
