"""Presence of users, and typing notifications.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Mapping

from chatcore.application.people import presence
from chatcore.chat.given import Person, a_person, truth
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class Presence(Part):
    """Times of presence, in seconds since 1970."""

    def report(self, actor: Actor, *, is_active: bool) -> None:
        """Record that a client of the actor is active; the store is written only if the presence changes
        enough.

        :raises BadRequest: a bot
        """
        presence.report_activity(self._svc, self._acting(actor), is_active=truth(is_active=is_active))

    def get(self, actor: Actor, target: Person) -> Mapping[str, Mapping[str, object]]:
        """Return the presence of the user with an id or address.

        :raises BadRequest: no such person, or one that was never present
        """
        return presence.presence_of(self._svc, self._acting(actor), a_person(target=target))
