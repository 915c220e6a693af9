"""The base of the parts of `Chat`: groups of methods, each of which calls one use case."""

from chatcore.application import units
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.chat.given import an_actor
from chatcore.domain.groups.actors import Actor


class Part:
    """Methods of `Chat` about one subject, such as `chat.messages`.

    A method reads its arguments as `chatcore.chat.given` describes, and reads the actor's permissions at each
    call, as HTTP does at each request: a program may keep its actor for long, and permissions change.
    """

    def __init__(self, services: Services) -> None:
        self._svc = services

    def _acting(self, actor: Actor) -> Actor:
        """Return the actor with its current permissions, for use cases that render before their unit of work.

        :raises OrganizationDeactivated, UserDeactivated, Unauthorized: as `refresh_actor` does
        """
        known = an_actor(actor=actor)
        return units.read(self._svc, refresh_actor, known)

    def _acting_if_any(self, actor: Actor | None) -> Actor | None:
        return None if actor is None else self._acting(actor)
