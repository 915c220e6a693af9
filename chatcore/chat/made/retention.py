"""How long messages are kept, and what is kept whoever wants to delete it.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.retention import deleting, holds
from chatcore.chat.given import number, optional, text, truth, user_id_of
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import HoldId
from chatcore.events.payloads.organization import HoldObject


class Retention(Part):
    """Messages that are older than they are kept."""

    def delete_due(self, *, at_once: bool = False) -> int:
        """Delete the messages that are older than they are kept, with files that no other message links to.

        After `Chat.deliver_on_time` this happens by itself. A program that calls it less often than every
        other day never proves the clock.

        :returns: the number of messages; none as long as nothing proves the clock, or while another process
            deletes
        :raises StorageNotReady: a later call continues
        """
        return deleting.delete_due(self._svc, at_once=truth(at_once=at_once))


class LegalHolds(Part):
    """Legal holds, which only owners see: nothing of a person or channel is deleted."""

    def list(self, actor: Actor) -> Sequence[HoldObject]:
        """List the legal holds, for owners.

        :raises InsufficientRole: the actor is no owner
        """
        return holds.list_holds(self._svc, self._acting(actor))

    def add(
        self, actor: Actor, reason: str, *, user_id: int | Actor | None = None, channel_id: int | None = None
    ) -> HoldId:
        """Set a legal hold on a person or on a channel: nothing of it is deleted until it is lifted, neither
        by itself nor by anybody. Only owners can.

        :raises InsufficientRole: the actor is no owner
        :raises BadRequest: not one of both, no such person or channel, one that is held already, no reason,
            or too many holds
        """
        return holds.add_hold(
            self._svc,
            self._acting(actor),
            text(reason=reason),
            user_id=optional(user_id_of, user_id=user_id),
            channel_id=optional(number, channel_id=channel_id),
        )

    def lift(self, actor: Actor, hold_id: int) -> None:
        """Lift a legal hold. What is older than it is kept is deleted soon afterwards. Only owners can.

        :raises InsufficientRole: the actor is no owner
        :raises BadRequest: no such hold
        """
        holds.lift_hold(self._svc, self._acting(actor), number(hold_id=hold_id))
